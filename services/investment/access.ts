import type { InvestmentServiceDefinition } from "../../proto/gen/investment/v1/investment.js";
import type { Access } from "../kernel/grpc/server.js";

/** Who may call what; whose investments a role may see is decided in clients/people.ts. */
export const access: Access<InvestmentServiceDefinition> = {
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
