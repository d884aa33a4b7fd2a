import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Approvals } from "../../platform/approvals/approvals.js";
import type { Clock } from "../../kernel/time/clock.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Creation } from "../sagas/creation.js";
import { beneficiaryHandlers } from "./beneficiaries.js";
import { blockHandlers } from "./blocks.js";
import { cancellationHandlers } from "./cancellation.js";
import { cashHandlers } from "./cash.js";
import { corridorHandlers } from "./corridors.js";
import { decisionHandlers } from "./decisions.js";
import type { RemittanceDeps } from "./deps.js";
import { describedHandlers } from "./described.js";
import { payoutCallbackHandlers } from "./payout-callbacks.js";
import { paymentHandlers } from "./payments.js";
import { payoutPointHandlers } from "./payout-points.js";
import { quoteHandlers } from "./quotes.js";
import { rateHandlers } from "./rates.js";
import { reconciliationHandlers } from "./reconciliation.js";
import { payoutOutcomeHandlers } from "./payout-outcomes.js";
import { refundHandlers } from "./refunds.js";
import { reportHandlers } from "./reports.js";
import { settingHandlers } from "./settings.js";
import { statusHandlers } from "./status.js";
import { transactionEntryHandlers } from "./transaction-entries.js";
import { transactionListHandlers } from "./transaction-lists.js";
import { transactionHandlers } from "./transactions.js";
import { isOpenToOperators } from "../access.js";
import { createLedgerAccounts } from "../clients/ledger-accounts.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutHolds } from "../clients/payout-holds.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";

interface HandlerDeps extends Omit<RemittanceDeps, "realClock"> {
  creation: Creation;
  steps: PayoutSteps;
  connector: PayoutConnector;
  partners: Pick<PayoutPartners, "ofTenant">;
  holds: PayoutHolds;
  callbackSecretOf: (tenantId: string) => string | undefined;
  approvals: Approvals;
  quoteForMs?: number;
}

// What goes by the tenant's time, which a sandbox can move: validity, quotes, expiry, cancelling.
const byBusinessTime: ReadonlySet<string> = new Set([
  "putRate",
  "loadRates",
  "getExchangeRate",
  "createQuote",
  "getQuote",
  "listPayoutPoints",
  "createTransaction",
  "decideTransaction",
  "releaseBlockedTransactions",
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
      if (isOpenToOperators(rpc) && call.caller !== "operator") requireUser(call);
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
    ...transactionEntryHandlers(deps),
    ...statusHandlers(deps),
    ...refundHandlers(deps),
    ...payoutOutcomeHandlers(deps),
    ...cashHandlers(deps),
    ...reportHandlers(deps),
    ...decisionHandlers(deps),
    ...blockHandlers(deps),
    ...describedHandlers(deps),
    ...paymentHandlers(deps),
    ...cancellationHandlers(deps),
    ...payoutCallbackHandlers(deps),
    ...reconciliationHandlers(deps),
  };
}
