import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import { doublingPause, type Outbox, type Relay, type RowHandler } from "../../kernel/outbox/index.js";
import type { Disbursements } from "../sagas/disbursement.js";
import type { DisbursementReturns } from "../sagas/disbursement-return.js";
import type { LedgerPostings } from "../clients/ledger-postings.js";
import type { OverpaymentRefunds } from "../sagas/overpayment-refund.js";
import type { Payoffs } from "../sagas/payoff.js";
import type { Suspense } from "./suspense.js";
import { rowKinds } from "../row-kinds.js";

export interface LendingRelayDeps {
  outbox: Outbox;
  postings: Pick<LedgerPostings, "carryOut">;
  payoffs: Pick<Payoffs, "drive">;
  disbursements: Pick<Disbursements, "drive">;
  returns: DisbursementReturns;
  overpaymentRefunds: Pick<OverpaymentRefunds, "drive">;
  suspense: Pick<Suspense, "matchRepayment" | "matchLoan">;
  resume: RowHandler;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  crashPoint: (name: string) => void;
  pollMs?: number | undefined;
}

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
    suspense,
    resume,
    events,
    crashPoint,
    pollMs,
  } = deps;
  const handlers: Record<string, RowHandler> = {
    async [rowKinds.post]({ tenantId, payload }) {
      await postings.carryOut(tenantId, String(payload["postingId"]));
      crashPoint("lending.posted");
    },
    async [rowKinds.drivePayoff]({ tenantId, payload }, { complete: closeRecovery }) {
      await payoffs.drive(tenantId, String(payload["payoffId"]), { closeRecovery });
    },
    [rowKinds.driveDisbursement]: disbursements.drive,
    [rowKinds.watchDisbursement]: returns.watch,
    [rowKinds.driveOverpaymentRefund]: overpaymentRefunds.drive,
    [rowKinds.resumeLoan]: resume,
    async [rowKinds.matchLoan]({ tenantId, payload }) {
      await suspense.matchLoan(tenantId, String(payload["accountId"]));
    },
    async [rowKinds.matchRepayment]({ tenantId, payload }) {
      await suspense.matchRepayment(tenantId, String(payload["repaymentId"]));
    },
  };
  return startServiceRelays({
    outbox,
    events,
    handlers,
    concurrency: 32,
    backoff: doublingPause({ firstMs: 250, mostMs: maxPauseMs }),
    pollMs,
  });
}
