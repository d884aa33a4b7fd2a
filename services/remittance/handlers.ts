import type { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { requireUser, type Call } from "../shared/grpc/context.js";
import type { Access, Handlers } from "../shared/grpc/server.js";
import type { Creation } from "./creation.js";
import { beneficiaryHandlers } from "./handlers/beneficiaries.js";
import { configurationHandlers } from "./handlers/configuration.js";
import { decisionHandlers } from "./handlers/decisions.js";
import type { RemittanceDeps } from "./handlers/deps.js";
import { paymentHandlers } from "./handlers/payments.js";
import { payoutPointHandlers } from "./handlers/payout-points.js";
import { payoutHandlers } from "./handlers/payouts.js";
import { quoteHandlers } from "./handlers/quotes.js";
import { reconciliationHandlers } from "./handlers/reconciliation.js";
import { settingHandlers } from "./handlers/settings.js";
import { transactionHandlers } from "./handlers/transactions.js";
import type { PayoutConnector } from "./connector/payout-connector.js";
import type { PayoutSteps } from "./payout-steps.js";

/** Who may call what; what a role may see beyond this is decided in people.ts. */
export const remittanceAccess: Access<RemittanceServiceDefinition> = {
  putCorridor: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listCorridors: { callers: ["gateway", "operator"], user: "optional" },
  putRate: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  getExchangeRate: { callers: ["gateway", "wallet", "investment", "lending"], user: "optional" },

  listChanges: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  listRates: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  putMarkup: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  listMarkups: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  putPromotion: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listPromotions: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  putPayoutPoint: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  loadPayoutPoints: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listPayoutPoints: { callers: ["gateway"], user: "required" },
  putBranch: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listBranches: { callers: ["gateway"], user: "required" },

  createQuote: { callers: ["gateway"], user: "required", roles: ["CASHIER", "CUSTOMER"] },
  getQuote: { callers: ["gateway"], user: "required", roles: ["CASHIER", "CUSTOMER"] },

  createBeneficiary: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "CUSTOMER"] },
  changeBeneficiary: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "CUSTOMER"] },
  removeBeneficiary: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "CUSTOMER"] },
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
  const handlers: Handlers<RemittanceServiceDefinition> = {
    ...configurationHandlers(deps),
    ...settingHandlers(deps),
    ...payoutPointHandlers(deps),
    ...quoteHandlers(deps),
    ...beneficiaryHandlers(deps),
    ...transactionHandlers(deps),
    ...decisionHandlers(deps),
    ...paymentHandlers(deps),
    ...payoutHandlers(deps),
    ...reconciliationHandlers(deps),
  };
  for (const rpc of operatorsToo) {
    const handle = handlers[rpc] as unknown as (request: never, call: Call) => Promise<unknown>;
    Object.assign(handlers, {
      [rpc]: async (request: never, call: Call) => {
        // Only an operator does without a person: whoever comes through the gateway is one.
        if (call.caller !== "operator") requireUser(call);
        return handle(request, call);
      },
    });
  }
  return handlers;
}

const operatorsToo = [
  "putCorridor",
  "listCorridors",
  "putRate",
  "listChanges",
  "listRates",
  "putMarkup",
  "listMarkups",
  "putPromotion",
  "listPromotions",
  "putPayoutPoint",
  "loadPayoutPoints",
  "putBranch",
  "createBeneficiary",
  "changeBeneficiary",
  "removeBeneficiary",
] as const;
