import { passing } from "../../kernel/refusal.js";
import { assertActive, refusedByMode } from "../domain/agent-sale.js";
import { beyondAccount } from "../domain/agent-balance.js";
import type { AgentConfiguration } from "../domain/agent.js";
import { agentLineOfSale, isSold, lineOfSale, type CounterSale } from "../domain/counter-sale.js";
import type { Payment, PaymentEnding } from "../domain/payment.js";
import type { Session } from "../store/collections.js";
import type { TenantStore } from "../store/index.js";
import { noteAgentLines, takeOfAgent, type AgentLineDeps } from "./agent-lines.js";
import { reserveTillCash } from "./till-cash.js";
import { releaseDayLimit, reserveDayLimit } from "./wallet-daily-limit.js";

/**
 * In the first transaction: the till expects the cash, or the agent's account has so much less to
 * spend. Throws what refuses.
 */
export async function reserveSale(wallet: TenantStore, payment: Payment, session: Session): Promise<void> {
  if (!isSold(payment)) return;
  const { sale, total } = payment;
  const { cashierId, role, agentDay } = sale;
  // Read here, of MongoDB: a suspension that is committed counts, whichever replica heard of it.
  const agent = role === "AGENT" ? await wallet.agentAtSale(cashierId, session) : undefined;
  assertActive(agent);
  const refusal = refusedByMode(agent, sale.tillId !== undefined);
  if (refusal !== undefined) throw refusal;
  await assertAsLookedAt(wallet, sale, agent, session);
  if (agentDay !== undefined) await reserveDayLimit(wallet, agentDay, session);
  if (sale.tillId !== undefined) {
    const { tillId, tillMaxMinor: maxMinor } = sale;
    return reserveTillCash(wallet, { tillId, cashierId, minor: total.minor, maxMinor }, session);
  }
  await takeOfAgent(wallet, cashierId, total, sale.lineMinor, session);
}

/**
 * Limits, credit line and commission of the sale are of the versions that it was held against: of
 * others it is sold anew.
 */
async function assertAsLookedAt(
  wallet: TenantStore,
  { agentVersion, commission }: CounterSale,
  agent: AgentConfiguration | undefined,
  session: Session,
): Promise<void> {
  if (agentVersion !== undefined && agentVersion !== (agent?.version ?? 0)) {
    throw passing("STATE_CONFLICT", "how you sell was changed at this moment");
  }
  if (commission === undefined) return;
  const { planId, planVersion } = commission;
  if ((await wallet.newestPlan(planId, session))?.version === planVersion) return;
  throw passing("STATE_CONFLICT", "what you are paid by was changed at this moment");
}

/**
 * Before the first transaction: of many at once those that come too late are refused without one,
 * and whoever was first ends sooner.
 */
export async function refuseUsedUp(wallet: TenantStore, payment: Payment): Promise<void> {
  if (!isSold(payment) || payment.sale.lineMinor === undefined) return;
  const { sale, total } = payment;
  const { freeMinor } = await wallet.findAgentBalance({ agentId: sale.cashierId, currency: total.currency });
  if (freeMinor + sale.lineMinor < total.minor) throw beyondAccount(freeMinor + sale.lineMinor, total);
}

/** In the last transaction: what was reserved is a line of its own, or is given back. */
export async function settleSale(
  deps: AgentLineDeps,
  tenantId: string,
  payment: Payment,
  ending: PaymentEnding,
  session: Session,
): Promise<void> {
  if (!isSold(payment)) return;
  const wallet = deps.store.forTenant(tenantId);
  const { sale, total, interactionId, createdBy: actor } = payment;
  const { tillId, cashierId: agentId } = sale;
  if (ending.status === "SUCCESS") {
    if (tillId !== undefined) return wallet.endCash(tillId, lineOfSale(payment, ending), session);
    return noteAgentLines(deps, { tenantId, interactionId, actor }, [agentLineOfSale(payment, ending)], session);
  }
  if (tillId !== undefined) await wallet.takeBackCash(tillId, -total.minor, session);
  else await wallet.giveBackToAgent({ agentId, currency: total.currency }, total.minor, session);
  await releaseDayLimit(wallet, sale.agentDay, session);
}
