import type { InvestmentServiceDefinition } from "../../../proto/gen/investment/v1/investment.js";
import type { Access, Handlers } from "../../shared/grpc/server.js";
import { applicationHandlers } from "./applications.js";
import { apply } from "./apply.js";
import type { InvestmentDeps } from "./deps.js";
import { dividendHandlers } from "./dividends.js";
import { holdingHandlers } from "./holdings.js";
import { setPayoutWallet } from "./payout-wallet.js";
import { productHandlers } from "./products.js";
import { reconciliationHandlers } from "./reconciliation.js";
import { redeemHolding } from "./redeem.js";
import { totalsHandlers } from "./totals.js";

export type { InvestmentDeps } from "./deps.js";

/** Who may call what; whose investments a role may see is decided in people.ts. */
export const investmentAccess: Access<InvestmentServiceDefinition> = {
  putProduct: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  getProduct: { callers: ["gateway", "operator"], user: "optional" },
  listProducts: { callers: ["gateway", "operator"], user: "optional" },
  apply: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  getApplication: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  listApplications: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  withdrawApplication: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  listHoldings: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  getHolding: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  redeemHolding: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  setPayoutWallet: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CUSTOMER"] },
  listMovements: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  getTotals: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  declareDividend: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  getDividend: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  reconcileInvestments: { callers: ["operator"] },
};

export function createInvestmentHandlers(deps: InvestmentDeps): Handlers<InvestmentServiceDefinition> {
  return {
    ...productHandlers(deps),
    apply: apply(deps),
    ...applicationHandlers(deps),
    ...holdingHandlers(deps),
    redeemHolding: redeemHolding(deps),
    setPayoutWallet: setPayoutWallet(deps),
    ...totalsHandlers(deps),
    ...dividendHandlers(deps),
    ...reconciliationHandlers(deps),
  };
}
