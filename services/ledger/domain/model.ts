import type { Money } from "../../kernel/money.js";
import type { Day } from "./days.js";

export type AccountType = "ASSET" | "LIABILITY" | "EQUITY" | "INCOME" | "EXPENSE";
export type AccountFlag = "DEBITS_MUST_NOT_EXCEED_CREDITS" | "CREDITS_MUST_NOT_EXCEED_DEBITS" | "CLOSED";

/** What a caller chooses about an account. */
export interface NewAccount {
  readonly accountId: string;
  readonly code: string;
  readonly currency: string;
  readonly name: string;
  readonly ownerId: string;
  readonly flags: readonly AccountFlag[];
  readonly metadata: Metadata;
}

/**
 * Type and owning service are kept on the account, so that a chart of accounts may change without
 * moving history.
 */
export interface AccountInfo extends NewAccount {
  readonly type: AccountType;
  readonly service: string;
  readonly createdAt: Date;
}

/**
 * Minor units of the account's currency. What is pending, and the balance with and without it, fit
 * int64; the posted sums themselves grow for ever and may not. lastSeq is the last transfer that
 * touched the account, 0 for none.
 */
export interface Figures {
  readonly debitsPostedMinor: bigint;
  readonly creditsPostedMinor: bigint;
  readonly debitsPendingMinor: bigint;
  readonly creditsPendingMinor: bigint;
  readonly lastSeq: bigint;
}

/** What an account moved in transfers that count for one day, minor units. May pass int64. */
export interface DaySums {
  readonly day: Day;
  readonly debitsMinor: bigint;
  readonly creditsMinor: bigint;
}

export interface Account {
  readonly info: AccountInfo;
  readonly figures: Figures;
  /** Number of the record that holds it; absent until a transfer touches it or it is closed. */
  readonly record?: bigint;
  /**
   * The day most transfers count for, kept with the figures; other days stand for themselves.
   */
  readonly openDay?: DaySums;
}

/** Pairs sorted by key, by code unit; keys are ASCII. */
export type Metadata = readonly (readonly [string, string])[];

/** EXPIRE_PENDING is the ledger's own: the release of a pending transfer past its timeout. */
export type TransferMode = "POSTED" | "PENDING" | "POST_PENDING" | "VOID_PENDING" | "EXPIRE_PENDING";

/**
 * A transfer as asked. The ones that resolve a pending transfer take its accounts and, where
 * absent, its amount.
 */
export interface NewTransfer {
  readonly key: string;
  readonly mode: TransferMode;
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly amount?: Money;
  /** As much as the debit account has available, up to the amount. For POSTED and PENDING. */
  readonly isUpTo?: true;
  /**
   * The account of this side is not emptied beyond zero, as if it carried the flag. For POSTED.
   */
  readonly staysWithin?: "DEBIT" | "CREDIT";
  /** Minor units that it may come beyond zero all the same, a credit line; with staysWithin. */
  readonly beyondMinor?: bigint;
  readonly kind: string;
  /**
   * With POSTED it is a reversal: accounts and amount come from there. Key of the earlier transfer
   * that this one acts on; empty for none.
   */
  readonly refersTo: string;
  readonly timeoutMs?: number;
  readonly effectiveAtMs?: number;
  /** Refused where its day is closed; the others count for the first open day then. */
  readonly refusesLate?: true;
  readonly description: string;
  readonly metadata: Metadata;
}

/** Linked transfers: they post together or not at all. */
export interface LinkedGroup {
  readonly transfers: readonly NewTransfer[];
  readonly createdBy: string;
  readonly interactionId: string;
  /** The calling service, verified. */
  readonly service: string;
}

/** The linked groups of one call. */
export interface Posting {
  readonly groups: readonly LinkedGroup[];
  readonly createdBy: string;
  /** The calling service, verified. */
  readonly service: string;
}

/** A transfer of the journal. Its sequence has no gaps and its time grows with it. */
export interface Transfer {
  readonly seq: bigint;
  readonly timeMs: number;
  readonly key: string;
  readonly mode: TransferMode;
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly currency: string;
  /** Moved, reserved (PENDING) or released (VOID_PENDING, EXPIRE_PENDING). */
  readonly amountMinor: bigint;
  readonly kind: string;
  readonly refersTo: string;
  readonly dueAtMs?: number;
  readonly effectiveAtMs: number;
  /** The business day that it counts for, as the tenant counted days when it was posted. */
  readonly day: Day;
  /** Its own day, where that was closed already: it came late. */
  readonly belongsTo?: Day;
  readonly description: string;
  readonly metadata: Metadata;
  readonly interactionId: string;
  readonly createdBy: string;
  readonly service: string;
  readonly link: Link;
  /** Posted balances after this transfer, each on its account's normal side. */
  readonly debitBalanceMinor: bigint;
  readonly creditBalanceMinor: bigint;
  readonly hash: Uint8Array;
}

/**
 * The place of a transfer in its linked group: the group's first key, this one's index, how many
 * there are.
 */
export interface Link {
  readonly key: string;
  readonly index: number;
  readonly size: number;
}

export type PendingState = "PENDING" | "POSTED" | "VOIDED" | "EXPIRED";

export interface Pending {
  readonly key: string;
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly dueAtMs?: number;
  readonly state: PendingState;
  /** Key of the transfer that resolved it. */
  readonly resolvedBy?: string;
}

/** A transfer that a reversal names, and what reversed it already. */
export interface Reversible {
  readonly transfer: Transfer;
  readonly reversedBy?: string;
}

/** What transfers that count for one day moved, by kind and currency. */
export interface Volume {
  readonly day: Day;
  readonly kind: string;
  readonly currency: string;
  readonly transfers: bigint;
  /** May pass int64. */
  readonly amountMinor: bigint;
}

export type RefusedCode =
  | "ACCOUNT_NOT_FOUND"
  | "ACCOUNT_CLOSED"
  | "NOT_ACCOUNT_OWNER"
  | "CURRENCY_MISMATCH"
  | "AMOUNT_NOT_POSITIVE"
  | "AMOUNT_TOO_LARGE"
  | "SAME_ACCOUNT"
  | "INSUFFICIENT_FUNDS"
  | "KEY_REUSED"
  | "PENDING_NOT_FOUND"
  | "PENDING_ALREADY_RESOLVED"
  | "PENDING_EXPIRED"
  | "PENDING_AMOUNT_EXCEEDED"
  | "PERIOD_CLOSED"
  | "TRANSFER_NOT_FOUND"
  | "TRANSFER_NOT_REVERSIBLE"
  | "TRANSFER_ALREADY_REVERSED"
  | "STATE_CONFLICT";

/** Why a linked group was decided against; figures in minor units, 0 where the rule has none. */
export interface RefusedGroup {
  readonly code: RefusedCode;
  readonly message: string;
  readonly transferIndex: number;
  readonly availableMinor: bigint;
  readonly askedMinor: bigint;
}

/** A decision about a linked group. `replayed`: an earlier request had decided it. */
export type Decision =
  | { readonly kind: "posted"; readonly transfers: readonly Transfer[]; readonly replayed: boolean }
  | { readonly kind: "refused"; readonly refusal: RefusedGroup; readonly replayed: boolean };

/**
 * The end of a tenant's journal. `group` counts commits, `seq` transfers; hash is that of the last
 * transfer, time that of the last commit.
 */
export interface Head {
  readonly epoch: bigint;
  readonly group: bigint;
  readonly seq: bigint;
  readonly timeMs: number;
  readonly hash: Uint8Array;
  /** How many records there are, and the hash of the last one. */
  readonly records: bigint;
  readonly recordsHash: Uint8Array;
  /** No transfer counts for this day or one before it any more. */
  readonly closedThrough?: Day;
  /**
   * Volumes of the day most transfers count for; those of other days stand for themselves.
   */
  readonly openVolumes?: readonly Volume[];
}

export const maxTransfersPerCall = 1_000;
export const maxGroupBytes = 4_000_000;
