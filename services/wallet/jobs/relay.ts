import { outgoing } from "../../shared/grpc/client.js";
import { startRelay, type Outbox, type Relay, type RowHandler } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import type { DriveContext } from "../../shared/sagas.js";
import { bookCredit, type CreditBooking } from "./credit-booking.js";
import { depositRecovery, type DepositSaga } from "../sagas/deposit.js";
import { releaseHeld, type HeldArrivals } from "../sagas/held-arrivals.js";
import type { Compliance, Remittance } from "../clients/neighbours.js";
import { movementRecovery, type MovementSaga } from "../sagas/movement.js";
import { openingRecovery, type OpeningSaga } from "../sagas/opening.js";
import {
  paymentRows,
  type MarkPaidPayload,
  type PaymentSaga,
  type ReleasePayload,
  type SettlePayload,
} from "../sagas/payment.js";
import { forgetUnaskedRefund, refundRows } from "../handlers/refunds.js";
import { holdExpiry } from "./hold-expiry.js";
import { expireHold } from "../sagas/movement-rules.js";
import type { WalletStore } from "../store/index.js";
import { topUpRecovery, type TopUpSaga } from "../sagas/top-up.js";
import { withdrawalRows, type Withdrawals } from "../sagas/withdrawal.js";

export interface WalletRelayDeps {
  outbox: Outbox;
  payments: PaymentSaga;
  deposits: DepositSaga;
  openings: OpeningSaga;
  movements: MovementSaga;
  withdrawals: Withdrawals;
  topUps: TopUpSaga;
  credits: CreditBooking;
  heldArrivals: Pick<HeldArrivals, "release">;
  store: WalletStore;
  compliance: Pick<Compliance, "confirmReservation" | "releaseReservation">;
  remittance: Pick<Remittance, "markTransactionPaid" | "releaseTransaction">;
  crashPoint: (name: string) => void;
  pollMs?: number;
}

// A neighbour may be away for hours: its return, not an operator, is what a payment waits for.
const maxAttempts = 1_000;
// A bug does not pass by itself: after some minutes an operator sees the row.
const maxAttemptsOfBug = 20;
const maxPauseMs = 30_000;

/** Drives on what was cut off, and tells remittance how payments ended. */
export function startWalletRelay(deps: WalletRelayDeps): Relay {
  const {
    outbox,
    payments,
    deposits,
    openings,
    movements,
    withdrawals,
    topUps,
    credits,
    heldArrivals,
    store,
    compliance,
    remittance,
    crashPoint,
    pollMs,
  } = deps;
  type Drive = (tenantId: string, id: string, pass: DriveContext) => Promise<unknown>;
  const recovers =
    (drive: Drive, idOf: (payload: Record<string, unknown>) => unknown): RowHandler =>
    async ({ tenantId, payload }, { complete }) => {
      await drive(tenantId, String(idOf(payload)), { closeRecovery: complete });
    };
  const markPaid: RowHandler = async (row, { signal }) => {
    const { transactionId, paymentId, paidAt } = row.payload as unknown as MarkPaidPayload;
    await remittance.markTransactionPaid({ transactionId, paymentId, paidAt }, outgoing({ ...row, signal }));
    crashPoint("wallet.payment.marked");
  };
  const release: RowHandler = async (row, { signal }) => {
    const { transactionId, paymentId, reason } = row.payload as unknown as ReleasePayload;
    await remittance.releaseTransaction({ transactionId, paymentId, reason }, outgoing({ ...row, signal }));
  };
  const settle =
    (rpc: "confirmReservation" | "releaseReservation"): RowHandler =>
    async (row, { signal }) => {
      const { paymentId } = row.payload as unknown as SettlePayload;
      await compliance[rpc]({ transactionId: paymentId }, outgoing({ ...row, signal }));
      crashPoint("wallet.payment.settled");
    };
  return startRelay({
    outbox,
    handlers: {
      [paymentRows.recovery]: showingBugs(recovers(payments.driveById, ({ paymentId }) => paymentId)),
      [depositRecovery]: showingBugs(recovers(deposits.driveById, ({ depositId }) => depositId)),
      [openingRecovery]: showingBugs(recovers(openings.driveById, ({ accountId }) => accountId)),
      [topUpRecovery]: showingBugs(recovers(topUps.driveById, ({ topUpId }) => topUpId)),
      [refundRows.forgetUnasked]: showingBugs(forgetUnaskedRefund(store)),
      [releaseHeld]: showingBugs(heldArrivals.release),
      [bookCredit]: showingBugs(credits.bookRow),
      [expireHold]: showingBugs(holdExpiry(store, outbox)),
      [withdrawalRows.drive]: showingBugs(withdrawals.drive),
      [withdrawalRows.watch]: showingBugs(withdrawals.watch),
      [movementRecovery]: showingBugs(recovers(movements.driveById, ({ movementId }) => movementId)),
      [paymentRows.markPaid]: showingBugs(markPaid),
      [paymentRows.release]: showingBugs(release),
      [paymentRows.confirmLimit]: showingBugs(settle("confirmReservation")),
      [paymentRows.freeLimit]: showingBugs(settle("releaseReservation")),
    },
    maxAttempts,
    backoff: (attempts) => Math.min(maxPauseMs, 500 * 2 ** Math.min(attempts, 8)) * (1 - Math.random() / 4),
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
