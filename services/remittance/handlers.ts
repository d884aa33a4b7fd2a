import type { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import type { Access, Handlers } from "../shared/grpc/server.js";
import type { Creation } from "./creation.js";
import { beneficiaryHandlers } from "./handlers/beneficiaries.js";
import { configurationHandlers } from "./handlers/configuration.js";
import { decisionHandlers } from "./handlers/decisions.js";
import type { RemittanceDeps } from "./handlers/deps.js";
import { paymentHandlers } from "./handlers/payments.js";
import { payoutHandlers } from "./handlers/payouts.js";
import { quoteHandlers } from "./handlers/quotes.js";
import { reconciliationHandlers } from "./handlers/reconciliation.js";
import { transactionHandlers } from "./handlers/transactions.js";
import type { PayoutConnector } from "./connector/payout-connector.js";
import type { PayoutSteps } from "./payout-steps.js";

/** Who may call what; what a role may see beyond this is decided in people.ts. */
export const remittanceAccess: Access<RemittanceServiceDefinition> = {
  putCorridor: { callers: ["operator"] },
  listCorridors: { callers: ["gateway", "operator"], user: "optional" },
  putRate: { callers: ["operator"] },
  getExchangeRate: { callers: ["gateway", "wallet", "investment", "lending"], user: "optional" },

  createQuote: { callers: ["gateway"], user: "required", roles: ["CASHIER", "CUSTOMER"] },
  getQuote: { callers: ["gateway"], user: "required", roles: ["CASHIER", "CUSTOMER"] },

  createBeneficiary: { callers: ["operator"] },
  listBeneficiaries: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },

  createTransaction: { callers: ["gateway"], user: "required", roles: ["CASHIER", "CUSTOMER"] },
  getTransaction: { callers: ["gateway", "operator"], user: "optional" },

  decideTransaction: { callers: ["compliance"] },

  claimTransaction: { callers: ["wallet"], user: "optional" },
  releaseTransaction: { callers: ["wallet"], user: "optional" },
  markTransactionPaid: { callers: ["wallet"], user: "optional" },

  cancelTransaction: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER"] },
  receivePayoutCallback: { callers: ["gateway"] },
  reconcilePayouts: { callers: ["operator"] },
};

/** The rpcs of remittance. */
export function createRemittanceHandlers(
  deps: RemittanceDeps & {
    creation: Creation;
    steps: PayoutSteps;
    connector: PayoutConnector;
    callbackSecretOf: (tenantId: string) => string | undefined;
    quoteForMs?: number;
  },
): Handlers<RemittanceServiceDefinition> {
  return {
    ...configurationHandlers(deps),
    ...quoteHandlers(deps),
    ...beneficiaryHandlers(deps),
    ...transactionHandlers(deps),
    ...decisionHandlers(deps),
    ...paymentHandlers(deps),
    ...payoutHandlers(deps),
    ...reconciliationHandlers(deps),
  };
}
