import type { NewRow, RowKind } from "../../../kernel/outbox/index.js";
import type { Origin } from "../../common/domain/origin.js";
import type { ReleaseWay } from "../../screening/domain/hit-decision.js";
import type { Screening } from "../../screening/domain/screening.js";
import { rowKinds } from "../../common/store/outbox-rows.js";

/** What every row of a block says of it. */
interface OfBlock {
  blockId: string;
  screeningId: string;
  /**
   * Of the word that this row carries out: the hit names the next one as soon as it is asked for.
   */
  approvalId: string;
  customerId: string;
}

/** What remittance is to stop under a block. */
export interface BlockPayload extends OfBlock {
  hitId: string;
  /** Empty where all that the customer sends is stopped. */
  recipientCode: string;
  transactionIds: string[];
  /** Those that an earlier round has stopped, and found paid out; in the case already. */
  stopped: string[];
  tooLate: string[];
}

/** What remittance is to let go again. */
export interface ReleasePayload extends OfBlock {
  outcome: ReleaseWay;
  /** What waits of the customer is decided anew behind it. */
  reconsiders: boolean;
}

export type FreezePayload = OfBlock;

// Rounds of a block come before its release, however many there are.
export const releaseSeq = 1_000_000_000;

/**
 * Has remittance stop what a confirmed hit concerns; rows of one block run one after the other. A
 * round more asks what became of payouts that were on their way.
 */
export function blockRow(origin: Origin, payload: BlockPayload, round = 1, dueAt?: Date): NewRow {
  const seq = Math.min(round, releaseSeq - 1);
  return { ...transactionsRow(origin, payload.blockId, seq, rowKinds.blockTransactions, payload), ...due(dueAt) };
}

export function releaseRow(origin: Origin, payload: ReleasePayload): NewRow {
  return transactionsRow(origin, payload.blockId, releaseSeq, rowKinds.releaseTransactions, payload);
}

/**
 * Has the wallet freeze a customer's wallets under a block; not held
 * up by what remittance is asked.
 */
export function freezeRow(origin: Origin, payload: FreezePayload): NewRow {
  return walletsRow(origin, payload, 1, rowKinds.freezeWallets);
}

export function unfreezeRow(origin: Origin, payload: FreezePayload): NewRow {
  return walletsRow(origin, payload, 2, rowKinds.unfreezeWallets);
}

/** Decides anew on what of a customer waited for a word on a subject's hits. */
export function reconsiderRow(
  { tenantId, interactionId, actor }: Origin,
  { screeningId, version }: Pick<Screening, "screeningId" | "version">,
  customerId: string,
): NewRow {
  const aggregate = `reconsider:${screeningId}:${customerId}`;
  const payload = { customerId };
  return { tenantId, interactionId, actor, aggregate, seq: version, kind: rowKinds.reconsiderScreened, payload };
}

function transactionsRow(
  { tenantId, interactionId, actor }: Origin,
  blockId: string,
  seq: number,
  kind: RowKind,
  payload: BlockPayload | ReleasePayload,
): NewRow {
  const aggregate = `block-transactions:${blockId}`;
  return { tenantId, interactionId, actor, aggregate, seq, kind, payload: { ...payload } };
}

function walletsRow({ tenantId, interactionId, actor }: Origin, payload: FreezePayload, seq: number, kind: RowKind) {
  const aggregate = `block-wallets:${payload.blockId}`;
  return { tenantId, interactionId, actor, aggregate, seq, kind, payload: { ...payload } };
}

function due(dueAt: Date | undefined): Pick<NewRow, "dueAt"> {
  return dueAt === undefined ? {} : { dueAt };
}
