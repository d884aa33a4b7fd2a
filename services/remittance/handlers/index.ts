import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Approvals } from "../../shared/approvals.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { Access, Handlers } from "../../shared/grpc/server.js";
import type { Creation } from "../sagas/creation.js";
import { beneficiaryHandlers } from "./beneficiaries.js";
import { cashHandlers } from "./cash.js";
import { corridorHandlers } from "./corridors.js";
import { decisionHandlers } from "./decisions.js";
import type { RemittanceDeps } from "./deps.js";
import { paymentHandlers } from "./payments.js";
import { payoutPointHandlers } from "./payout-points.js";
import { payoutHandlers } from "./payouts.js";
import { quoteHandlers } from "./quotes.js";
import { rateHandlers } from "./rates.js";
import { reconciliationHandlers } from "./reconciliation.js";
import { refundHandlers } from "./refunds.js";
import { reportHandlers } from "./reports.js";
import { settingHandlers } from "./settings.js";
import { statusHandlers } from "./status.js";
import { transactionListHandlers } from "./transaction-lists.js";
import { transactionHandlers } from "./transactions.js";
import { createLedgerAccounts } from "../clients/ledger-accounts.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";

/** Who may call what; what a role may see beyond this is decided in people.ts. */
export const remittanceAccess: Access<RemittanceServiceDefinition> = {
  putCorridor: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  loadCorridors: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  listCorridors: { callers: ["gateway", "operator"], user: "optional" },
  putRate: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  loadRates: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
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

  listTransactions: { callers: ["gateway"], user: "required" },
  updateTransactionStatus: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] },
  requestRefund: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] },
  issuePickupCode: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER"] },
  payOutCash: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  getReceipt: { callers: ["gateway"], user: "required" },
  getCallOverReport: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] },
  getAnalytics: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] },

  decideTransaction: { callers: ["compliance"] },

  claimTransaction: { callers: ["wallet"], user: "optional" },
  releaseTransaction: { callers: ["wallet"], user: "optional" },
  markTransactionPaid: { callers: ["wallet"], user: "optional" },

  cancelTransaction: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER"] },
  receivePayoutCallback: { callers: ["gateway"] },
  reconcilePayouts: { callers: ["operator"] },
};

interface HandlerDeps extends Omit<RemittanceDeps, "realClock"> {
  creation: Creation;
  steps: PayoutSteps;
  connector: PayoutConnector;
  callbackSecretOf: (tenantId: string) => string | undefined;
  approvals: Approvals;
  quoteForMs?: number;
}

// What only an operator does without a person.
const operatorsToo: ReadonlySet<string> = new Set([
  "putCorridor",
  "loadCorridors",
  "listCorridors",
  "putRate",
  "loadRates",
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
]);

// What goes by the tenant's time, which a sandbox can move: validity, quotes, expiry, and how long a transaction may be cancelled.
const byBusinessTime: ReadonlySet<string> = new Set([
  "putRate",
  "loadRates",
  "getExchangeRate",
  "createQuote",
  "getQuote",
  "listPayoutPoints",
  "createTransaction",
  "decideTransaction",
  "claimTransaction",
  "releaseTransaction",
  "cancelTransaction",
  "updateTransactionStatus",
]);

type AnyHandler = (request: never, call: Call) => Promise<unknown>;

/** The rpcs of remittance. */
export function createRemittanceHandlers(deps: HandlerDeps): Handlers<RemittanceServiceDefinition> {
  const accounts = createLedgerAccounts(deps.ledger);
  const at = (clock: Clock) => handlersAt({ ...deps, clock, realClock: deps.clock, accounts });
  const byRealTime = at(deps.clock);
  const served = (rpc: keyof typeof byRealTime): AnyHandler => {
    return async (request, call) => {
      if (operatorsToo.has(rpc) && call.caller !== "operator") requireUser(call);
      if (!byBusinessTime.has(rpc)) return (byRealTime[rpc] as unknown as AnyHandler)(request, call);
      const { now } = await deps.times.forTenant(call.tenantId, call.interactionId);
      return (at({ now })[rpc] as unknown as AnyHandler)(request, call);
    };
  };
  const rpcs = Object.keys(byRealTime) as (keyof typeof byRealTime)[];
  return Object.fromEntries(rpcs.map((rpc) => [rpc, served(rpc)])) as unknown as typeof byRealTime;
}

function handlersAt(
  deps: Omit<HandlerDeps, "clock"> & {
    clock: Clock;
    realClock: Clock;
    accounts: ReturnType<typeof createLedgerAccounts>;
  },
): Handlers<RemittanceServiceDefinition> {
  return {
    ...corridorHandlers(deps),
    ...rateHandlers(deps),
    ...settingHandlers(deps),
    ...payoutPointHandlers(deps),
    ...quoteHandlers(deps),
    ...beneficiaryHandlers(deps),
    ...transactionHandlers(deps),
    ...transactionListHandlers(deps),
    ...statusHandlers(deps),
    ...refundHandlers(deps),
    ...cashHandlers(deps),
    ...reportHandlers(deps),
    ...decisionHandlers(deps),
    ...paymentHandlers(deps),
    ...payoutHandlers(deps),
    ...reconciliationHandlers(deps),
  };
}
