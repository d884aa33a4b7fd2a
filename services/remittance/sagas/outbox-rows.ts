import type { NewRow, OutboxRow } from "../../kernel/outbox/index.js";
import type { PayoutEvent } from "../domain/payout.js";
import { rowKinds } from "../row-kinds.js";

/** The rows of one transaction run one after the other, in the order of its versions. */
export function transactionAggregate(transactionId: string): string {
  return `transaction:${transactionId}`;
}

/** Apart from what compliance is told: a payout does not wait for compliance to be there. */
export function payoutAggregate(transactionId: string): string {
  return `payout:${transactionId}`;
}

/**
 * Apart from what drives it: a hint that cannot be carried out does not keep the
 * payout from being asked about.
 */
export function hintAggregate(transactionId: string): string {
  return `hint:${transactionId}`;
}

export function refundAggregate(transactionId: string): string {
  return `refund:${transactionId}`;
}

/** Apart from what is refunded: it is told whatever becomes of that. */
export function completionAggregate(transactionId: string): string {
  return `completion:${transactionId}`;
}

/** Apart from what else compliance is told: names that lists cannot take keep nothing up. */
export function namesAggregate(transactionId: string): string {
  return `names:${transactionId}`;
}

/** Apart from what drives the payout: lists are asked before the names are others. */
export function amendmentAggregate(amendmentId: string): string {
  return `amendment:${amendmentId}`;
}

/** Apart from what drives the payout: a partner that does not answer it keeps nothing up. */
export function traceAggregate(traceId: string): string {
  return `trace:${traceId}`;
}

export function batchAggregate(batchId: string): string {
  return `payout-batch:${batchId}`;
}

/** The row that carries an event of a payout out. */
export function rowOfEvent(event: PayoutEvent, transactionId: string): Pick<NewRow, "aggregate" | "kind"> {
  switch (event) {
    case "NAMES_AMENDED":
      return { aggregate: namesAggregate(transactionId), kind: rowKinds.tellNames };
    case "RESERVATION_CONFIRMED":
      return { aggregate: transactionAggregate(transactionId), kind: rowKinds.confirmReservation };
    // Behind the row that confirms it, if that one has not run yet.
    case "RESERVATION_RELEASED":
      return { aggregate: transactionAggregate(transactionId), kind: rowKinds.releaseReservation };
    case "RESERVATION_GIVEN_BACK":
      return { aggregate: transactionAggregate(transactionId), kind: rowKinds.giveBackReservation };
    case "CASH_HANDED_OUT":
      return { aggregate: payoutAggregate(transactionId), kind: rowKinds.settleCash };
    case "REFUND_APPROVED":
      return { aggregate: refundAggregate(transactionId), kind: rowKinds.postRefund };
    case "PAYMENT_REFUNDED":
    // One row a part, in the order of the parts.
    case "PAYMENT_PARTLY_REFUNDED":
      return { aggregate: refundAggregate(transactionId), kind: rowKinds.notifyPaymentRefunded };
  }
}

/** Payload of a row that stands for several transactions which expired in one commit. */
export interface ExpiredTogether {
  expired: { transactionId: string; version: number }[];
}

/**
 * The row by which compliance releases what several held. Of the kind of a single one.
 */
export function releaseTogether(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  groupId: string,
  expired: ExpiredTogether["expired"],
): NewRow {
  const aggregate = `expiry:${groupId}`;
  return {
    ...cause,
    aggregate,
    seq: 1,
    kind: rowKinds.releaseReservation,
    payload: { expired } satisfies ExpiredTogether,
  };
}

/** The same of one of them, behind what compliance is told of it otherwise. */
export function releaseOne(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { transactionId, version }: ExpiredTogether["expired"][number],
): NewRow {
  const { tenantId, interactionId, actor } = cause;
  const aggregate = transactionAggregate(transactionId);
  return {
    tenantId,
    interactionId,
    actor,
    aggregate,
    seq: version,
    kind: rowKinds.releaseReservation,
    payload: { transactionId },
  };
}

/** What a row of several stands for; undefined where it is of one. */
export function expiredOf({ payload }: OutboxRow): ExpiredTogether["expired"] | undefined {
  return (payload as Partial<ExpiredTogether>).expired;
}

/** The transaction that a row is about. */
export function transactionOf(row: OutboxRow): string {
  const { transactionId } = row.payload;
  if (typeof transactionId !== "string") throw new Error(`row ${row.id} names no transaction`);
  return transactionId;
}
