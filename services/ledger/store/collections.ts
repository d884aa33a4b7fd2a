import type { mongo } from "mongoose";
import type { StoredBytes } from "../../kernel/mongo/bytes.js";
import type { WideSum } from "../../kernel/mongo/wide-sum.js";
import type { Closing } from "../domain/closing.js";
import type { AccountFlag, AccountType, Link, PendingState, RefusedGroup, TransferMode } from "../domain/model.js";
import type { RecordKind } from "../domain/records.js";
import type { Fault, VerificationStatus } from "../domain/verification.js";

export const collections = {
  transfers: "transfers",
  accounts: "accounts",
  pendings: "pendings",
  reversals: "reversals",
  records: "records",
  heads: "heads",
  tellings: "tellings",
  leases: "leases",
  replicas: "replicas",
  days: "days",
  volumes: "volumes",
  verifications: "verifications",
  verificationStates: "verification_states",
  settlements: "settlements",
  settlementLines: "settlement_lines",
  settlementMarks: "settlement_marks",
  manualJournals: "manual_journals",
  manualJournalFiles: "manual_journal_files",
  positions: "positions",
  partnerAlarms: "partner_alarms",
  positionMoves: "position_moves",
  positionLooks: "position_looks",
  middleRates: "middle_rates",
  revaluations: "revaluations",
  closings: "closings",
  closingParts: "closing_parts",
  chartMappings: "chart_mappings",
} as const;

// Why documents are so: docs/decisions/0011-ledger-journal.md. Their _id is tenant:key, so
// that a key is unique for ever whatever became of it. int64 is bigint; texts, lists and times that
// say nothing are left out.

/** Metadata: a list, so that one index serves every name. */
export type Pairs = { k: string; v: string }[];

export interface AccountDocument {
  _id: string;
  tenantId: string;
  accountId: string;
  code: string;
  type: AccountType;
  service: string;
  currency: string;
  name: string;
  ownerId: string;
  flags: AccountFlag[];
  metadata?: Pairs;
  debitsPostedMinor: bigint;
  creditsPostedMinor: bigint;
  debitsPendingMinor: bigint;
  creditsPendingMinor: bigint;
  /** Taken off both posted sums; absent while neither has passed int64. */
  rolledOver?: WideSum;
  lastSeq: bigint;
  /** Number of the record that holds what is above the figures. */
  record?: bigint;
  /** Sums of the day most of its transfers count for; other days stand in `days`. */
  openDay?: { day: number; debitsMinor: bigint; creditsMinor: bigint };
  createdAt: Date;
}

/** One side of a transfer, with the account's posted balance after it. */
export interface Side {
  account: string;
  balanceMinor: bigint;
}

/** A transfer of the journal (with `seq`), or a key that was decided against (with `refusal`). */
export interface DecisionDocument {
  _id: string;
  tenantId: string;
  key: string;
  groupId: string;
  decidedAt: Date;
  interactionId: string;
  createdBy: string;
  service: string;
  link?: Link;
  fingerprint: StoredBytes;
  refusal?: RefusedGroup;
  /** Of a refusal: number of the record that holds it. */
  record?: bigint;

  seq?: bigint;
  mode?: TransferMode;
  currency?: string;
  amountMinor?: bigint;
  kind?: string;
  refersTo?: string;
  dueAt?: Date;
  effectiveAt?: Date;
  day?: number;
  belongsTo?: number;
  description?: string;
  metadata?: Pairs;
  /** Debit, then credit: of transfers that moved money. */
  entries?: [Side, Side];
  /** Debit, then credit: of transfers that only reserved or released. */
  holds?: [Side, Side];
  hash?: StoredBytes;
}

export interface PendingDocument {
  _id: string;
  tenantId: string;
  key: string;
  debitAccountId: string;
  creditAccountId: string;
  currency: string;
  amountMinor: bigint;
  state: PendingState;
  /** Only while PENDING, so that the index of due ones holds nothing else. */
  dueAt?: Date;
  /** dueAt for good. */
  timeoutAt?: Date;
  resolvedBy?: string;
}

export interface HeadDocument {
  _id: string;
  tenantId: string;
  epoch: bigint;
  group: bigint;
  groupId: string;
  seq: bigint;
  time: Date;
  hash: StoredBytes;
  /** How many records there are, and the hash of the last one. */
  records: bigint;
  recordsHash: StoredBytes;
  closedThrough?: number;
  /** Volumes of the day most transfers count for; other days stand in `volumes`. */
  openVolumes?: VolumeDocument[];
}

/** What one commit made beside transfers, `_id` tenant:number. */
export interface RecordDocument {
  _id: string;
  tenantId: string;
  number: bigint;
  time: Date;
  afterSeq: bigint;
  items: { kind: RecordKind; subject: string; content: StoredBytes }[];
  hash: StoredBytes;
}

/** How far the events of a tenant's wallets were told: up to a sequence of the journal. */
export interface TellingDocument {
  _id: string;
  tenantId: string;
  seq: bigint;
  /** Transfers up to it that could not be told yet; absent where there are none. */
  left?: bigint[];
}

/** The key of what was reversed, and of what reversed it. */
export interface ReversalDocument {
  _id: string;
  tenantId: string;
  key: string;
  reversedBy: string;
}

/** What an account moved on a day, `_id` tenant:account:YYYY-MM-DD; its openDay adds to it. */
export interface DayDocument {
  _id: string;
  tenantId: string;
  accountId: string;
  day: number;
  debits: WideSum;
  credits: WideSum;
}

/**
 * Who owns a tenant's journal. Apart from the head, so that renewing never meets a posting group.
 */
export interface LeaseDocument {
  _id: string;
  tenantId: string;
  /** Where the owner serves other replicas. */
  address: string;
  /** The owning process: an address may outlive it. */
  holder: string;
  epoch: bigint;
  until: Date;
  /**
   * Sessions whose transactions may still hold locks: the owner's, and a predecessor's until they
   * are killed.
   */
  sessionIds: mongo.Binary[];
}

/** A replica that serves, `_id` its address; gone an hour after it last told of itself. */
export interface ReplicaDocument {
  _id: string;
  /** The process at the address. */
  holder: string;
  load: number;
  isReserved: boolean;
  /** How often it has told of itself. */
  told: number;
  seenAt: Date;
}

export interface VolumeDocument extends WideSum {
  day: number;
  kind: string;
  currency: string;
  transfers: bigint;
}

/** A verification that somebody asked for, `_id` tenant:id; ids grow with time. */
export interface VerificationDocument {
  _id: string;
  tenantId: string;
  verificationId: string;
  status: VerificationStatus;
  startedAt: Date;
  startedBy: string;
  endedAt?: Date;
  pass: number;
  checkedSeq: bigint;
  lastSeq: bigint;
  headHash?: StoredBytes;
  faults: Fault[];
  /** Who works on it, and until when nobody else does. */
  leaseToken: string;
  leasedUntil: Date;
  /** Tries in a row that got no further, the one under way among them. */
  failures: number;
  /** What the next piece goes on with; absent at the beginning and at the end. */
  state?: { id: string; parts: number };
}

/** A part of what a verification goes on with, `_id` tenant:state:number. */
export interface VerificationStateDocument {
  _id: string;
  tenantId: string;
  verificationId: string;
  stateId: string;
  content: StoredBytes;
}

/** A closing and its package, `_id` tenant:number. */
export interface ClosingDocument extends Omit<Closing, "previousHash" | "headHash"> {
  _id: string;
  tenantId: string;
  previousHash: StoredBytes;
  headHash: StoredBytes;
}

/**
 * A part of what a package keeps beside the journal, `_id` tenant:closing:what:part: balances at
 * its end, and its short files.
 */
export interface ClosingPartDocument {
  _id: string;
  tenantId: string;
  closing: number;
  what: string;
  part: number;
  /** Text, compressed by gzip. */
  content: StoredBytes;
}

/** A version of the tenant's own chart, `_id` tenant:version. */
export interface ChartMappingDocument {
  _id: string;
  tenantId: string;
  version: number;
  codes: { code: string; account: string; name: string }[];
  changedBy: string;
  changedAt: Date;
}
