import type { FindSaleResponse } from "../../../proto/gen/remittance/v1/counter.js";
import type { AgentConfiguration } from "../domain/agent.js";
import { commissionOfSale, type SaleCommission } from "../domain/sale-commission.js";
import type { TenantStore } from "../store/index.js";

/**
 * What a sale earns whoever sells it, by the plan as it is now; undefined where they are paid by
 * none in its currency.
 */
export async function countCommission(
  wallet: Pick<TenantStore, "newestPlan">,
  agent: AgentConfiguration | undefined,
  sale: Pick<FindSaleResponse, "principalMinor" | "feesMinor" | "fxMarginMinor">,
  currency: string,
): Promise<SaleCommission | undefined> {
  const planId = agent?.terms.find((one) => one.currency === currency)?.commissionPlanId;
  const plan = planId === undefined ? undefined : await wallet.newestPlan(planId);
  if (agent === undefined || plan === undefined) return undefined;
  const { principalMinor, feesMinor: feeMinor, fxMarginMinor } = sale;
  return commissionOfSale(agent.agentId, plan, { principalMinor, feeMinor, fxMarginMinor });
}
