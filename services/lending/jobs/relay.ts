import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import { startRelay, type Outbox, type Relay, type RowHandler } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import type { BankFeed } from "./bank-feed.js";
import { driveDisbursement, type Disbursements } from "../sagas/disbursement.js";
import { watchDisbursement, type DisbursementReturns } from "../sagas/disbursement-return.js";
import type { LedgerPostings } from "../clients/ledger-postings.js";
import { postKind } from "../sagas/loan-book.js";
import { driveOverpaymentRefund, type OverpaymentRefunds } from "../sagas/overpayment-refund.js";
import { drivePayoff, matchLoan, type Payoffs } from "../sagas/payoff.js";

export const matchRepayment = "match-repayment";

export interface LendingRelayDeps {
  outbox: Outbox;
  postings: Pick<LedgerPostings, "carryOut">;
  payoffs: Pick<Payoffs, "drive">;
  disbursements: Disbursements;
  returns: DisbursementReturns;
  overpaymentRefunds: OverpaymentRefunds;
  feed: Pick<BankFeed, "matchSuspense" | "matchLoan">;
  businessClock: BusinessClock;
  crashPoint: (name: string) => void;
  pollMs?: number;
}

// A bank or a neighbour may be away for hours: its return, not an operator, is what a loan waits for.
const maxAttempts = 1_000_000;
// A bug does not pass by itself: after some minutes an operator sees the row.
const maxAttemptsOfBug = 20;
const maxPauseMs = 15_000;

/** Carries postings out and drives on what was cut off. */
export function startLendingRelay(deps: LendingRelayDeps): Relay {
  const {
    outbox,
    postings,
    payoffs,
    disbursements,
    returns,
    overpaymentRefunds,
    feed,
    businessClock,
    crashPoint,
    pollMs,
  } = deps;
  const handlers: Record<string, RowHandler> = {
    async [postKind]({ tenantId, payload }) {
      await postings.carryOut(tenantId, String(payload["postingId"]));
      crashPoint("lending.posted");
    },
    async [drivePayoff]({ tenantId, payload }, { complete }) {
      const today = (await businessClock.forTenant(tenantId)).today().toString();
      await payoffs.drive(tenantId, String(payload["payoffId"]), { closeRow: complete, today });
    },
    [driveDisbursement]: disbursements.drive,
    [watchDisbursement]: returns.watch,
    [driveOverpaymentRefund]: overpaymentRefunds.drive,
    async [matchLoan]({ tenantId, payload }) {
      await feed.matchLoan(tenantId, String(payload["accountId"]));
    },
    async [matchRepayment]({ tenantId, payload }) {
      await feed.matchSuspense(tenantId, String(payload["repaymentId"]));
    },
  };
  return startRelay({
    outbox,
    handlers: Object.fromEntries(Object.entries(handlers).map(([kind, handle]) => [kind, showingBugs(handle)])),
    concurrency: 16,
    maxAttempts,
    backoff: (attempts) => Math.min(maxPauseMs, 250 * 2 ** Math.min(attempts, 8)) * (1 - Math.random() / 4),
    ...(pollMs === undefined ? {} : { pollMs }),
  });
}

function showingBugs(handle: RowHandler): RowHandler {
  return async (row, context) => {
    try {
      await handle(row, context);
    } catch (error) {
      if (error instanceof Refusal || context.attempt < maxAttemptsOfBug) throw error;
      context.log.error({ err: error }, "a bug keeps a row from being done");
      throw new Refusal("STATE_CONFLICT", error instanceof Error ? error.message : String(error));
    }
  };
}
