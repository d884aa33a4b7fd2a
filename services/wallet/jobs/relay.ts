import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Outbox, Relay, RowHandler } from "../../kernel/outbox/index.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import type { Compliance, Remittance } from "../clients/neighbours.js";
import type { AgentPickups } from "../sagas/agent-pickup.js";
import type { AgentSettlements } from "../sagas/agent-settlement.js";
import type { Commissions } from "../sagas/commission.js";
import type { HeldArrivals } from "../sagas/held-arrivals.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { OpeningSaga } from "../sagas/opening.js";
import type { PaymentSaga } from "../sagas/payment.js";
import {
  rowKinds,
  type AgentContactsPayload,
  type MarkPaidPayload,
  type ReleasePayload,
  type SettlePayload,
} from "../row-kinds.js";
import type { TopUpSaga } from "../sagas/top-up.js";
import type { Withdrawals } from "../sagas/withdrawal.js";
import type { WalletStore } from "../store/index.js";
import type { CreditBooking } from "./credit-booking.js";
import { holdExpiry } from "./hold-expiry.js";
import { forgetUnasked } from "./unasked.js";

export interface WalletRelayDeps {
  outbox: Outbox;
  payments: PaymentSaga;
  openings: OpeningSaga;
  movements: MovementSaga;
  withdrawals: Withdrawals;
  topUps: TopUpSaga;
  credits: CreditBooking;
  commissions: Commissions;
  agentPickups: AgentPickups;
  agentSettlements: AgentSettlements;
  heldArrivals: Pick<HeldArrivals, "release">;
  store: WalletStore;
  compliance: Pick<Compliance, "confirmReservation" | "releaseReservation" | "noteAgentContacts">;
  remittance: Pick<Remittance, "markTransactionPaid" | "releaseTransaction">;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  crashPoint: (name: string) => void;
  pollMs?: number | undefined;
}

// Events of many payments are told in one call.
const concurrency = 32;

/** Drives on what was cut off, and tells neighbours how payments ended. */
export function startWalletRelay(deps: WalletRelayDeps): Relay {
  const { outbox, events, pollMs } = deps;
  const handlers = { ...recoveries(deps), ...followUps(deps) };
  return startServiceRelays({
    outbox,
    events,
    handlers,
    concurrency,
    pollMs,
  });
}

type RowHandlers = Record<string, RowHandler>;

/** Sagas whose caller is gone. */
function recoveries({ payments, movements, topUps, openings }: WalletRelayDeps): RowHandlers {
  type Drive = (tenantId: string, id: string, context: DriveContext) => Promise<unknown>;
  const recovers =
    (drive: Drive, idOf: (payload: Record<string, unknown>) => unknown): RowHandler =>
    async ({ tenantId, payload }, { complete }) => {
      await drive(tenantId, String(idOf(payload)), { closeRecovery: complete });
    };
  return {
    [rowKinds.drivePayment]: recovers(payments.driveById, ({ paymentId }) => paymentId),
    [rowKinds.driveMovement]: recovers(movements.driveById, ({ movementId }) => movementId),
    [rowKinds.driveTopUp]: recovers(topUps.driveById, ({ topUpId }) => topUpId),
    [rowKinds.openAccount]: recovers(openings.driveById, ({ accountId }) => accountId),
  };
}

/** What follows from a commit. */
function followUps(deps: WalletRelayDeps): RowHandlers {
  const { withdrawals, credits, commissions, agentPickups, agentSettlements, heldArrivals, store, outbox, compliance } =
    deps;
  return {
    ...paymentFollowUps(deps),
    [rowKinds.driveWithdrawal]: withdrawals.drive,
    [rowKinds.watchWithdrawal]: withdrawals.watch,
    [rowKinds.expireHold]: holdExpiry(store, outbox),
    ...forgetUnasked(store),
    [rowKinds.releaseHeldArrival]: heldArrivals.release,
    [rowKinds.bookCredit]: credits.bookRow,
    async [rowKinds.noteAgentContacts](row, { signal }) {
      const { agentId, version, email, phone } = row.payload as unknown as AgentContactsPayload;
      const flags = { doNotForwardEmailVerification: email, doNotForwardPhoneVerification: phone };
      await compliance.noteAgentContacts({ agentId, version, ...flags }, outgoing({ ...row, signal }));
    },
    [rowKinds.driveCommission]: commissions.drive,
    [rowKinds.noteAgentPickup]: agentPickups.note,
    [rowKinds.closeAgentSettlement]: agentSettlements.close,
    [rowKinds.releaseAgentSettlement]: agentSettlements.release,
    [rowKinds.payAgentSettlement]: agentSettlements.pay,
  };
}

/** Remittance is told of a transaction's payment; compliance's limit is confirmed or freed. */
function paymentFollowUps({ store, compliance, remittance, crashPoint }: WalletRelayDeps): RowHandlers {
  const settle =
    (rpc: "confirmReservation" | "releaseReservation"): RowHandler =>
    async (row, { signal }) => {
      const { paymentId } = row.payload as unknown as SettlePayload;
      await compliance[rpc]({ transactionId: paymentId }, outgoing({ ...row, signal }));
      crashPoint("wallet.payment.settled");
    };
  return {
    async [rowKinds.markPaid](row, { signal }) {
      const { transactionId, paymentId, paidAt } = row.payload as unknown as MarkPaidPayload;
      await remittance.markTransactionPaid({ transactionId, paymentId, paidAt }, outgoing({ ...row, signal }));
      crashPoint("wallet.payment.marked");
      await store.forTenant(row.tenantId).noteTold(paymentId);
    },
    async [rowKinds.releaseTransaction](row, { signal }) {
      const { transactionId, paymentId, reason } = row.payload as unknown as ReleasePayload;
      await remittance.releaseTransaction({ transactionId, paymentId, reason }, outgoing({ ...row, signal }));
    },
    [rowKinds.confirmLimit]: settle("confirmReservation"),
    [rowKinds.freeLimit]: settle("releaseReservation"),
  };
}
