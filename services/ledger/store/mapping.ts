import { bytesOf } from "../../kernel/mongo/bytes.js";
import { sumOf, wideOf } from "../../kernel/mongo/wide-sum.js";
import type {
  Account,
  AccountInfo,
  DaySums,
  Figures,
  Head,
  Link,
  Metadata,
  Pending,
  RefusedCode,
  Transfer,
  Volume,
} from "../domain/model.js";
import { dayText, type Day } from "../domain/days.js";
import type { StoredDecision } from "../domain/journal.js";
import { rollOver } from "../domain/roll-over.js";
import { movesMoney } from "../domain/steps.js";
import type {
  AccountDocument,
  DayDocument,
  DecisionDocument,
  HeadDocument,
  Pairs,
  PendingDocument,
  Side,
  VolumeDocument,
} from "./collections.js";

export function documentId(tenantId: string, key: string): string {
  return `${tenantId}:${key}`;
}

export function accountToDocument(tenantId: string, info: AccountInfo): Omit<AccountDocument, "_id"> {
  return {
    tenantId,
    accountId: info.accountId,
    code: info.code,
    type: info.type,
    service: info.service,
    currency: info.currency,
    name: info.name,
    ownerId: info.ownerId,
    flags: [...info.flags],
    ...(info.metadata.length === 0 ? {} : { metadata: pairsOf(info.metadata) }),
    debitsPostedMinor: 0n,
    creditsPostedMinor: 0n,
    debitsPendingMinor: 0n,
    creditsPendingMinor: 0n,
    lastSeq: 0n,
    createdAt: info.createdAt,
  };
}

export function accountFromDocument(document: AccountDocument): Account {
  const { accountId, code, type, service, currency, name, ownerId, flags, createdAt } = document;
  const metadata = metadataOf(document.metadata);
  return {
    info: { accountId, code, type, service, currency, name, ownerId, flags, metadata, createdAt },
    figures: figuresOf(document),
    ...(document.record === undefined ? {} : { record: document.record }),
    ...(document.openDay === undefined ? {} : { openDay: document.openDay }),
  };
}

function figuresOf(from: AccountDocument): Figures {
  const rolledOverMinor = from.rolledOver === undefined ? 0n : sumOf(from.rolledOver);
  return {
    debitsPostedMinor: from.debitsPostedMinor + rolledOverMinor,
    creditsPostedMinor: from.creditsPostedMinor + rolledOverMinor,
    debitsPendingMinor: from.debitsPendingMinor,
    creditsPendingMinor: from.creditsPendingMinor,
    lastSeq: from.lastSeq,
  };
}

/** What a posting changes of an account's document. */
export function changesOf({ figures, record, openDay }: Account): Record<string, unknown> {
  const { debitsPendingMinor, creditsPendingMinor, lastSeq } = figures;
  const { rolledOverMinor, debitsPostedMinor, creditsPostedMinor } = rollOver(figures);
  return {
    debitsPostedMinor,
    creditsPostedMinor,
    debitsPendingMinor,
    creditsPendingMinor,
    lastSeq,
    ...(record === undefined ? {} : { record }),
    ...(rolledOverMinor === 0n ? {} : { rolledOver: wideOf(rolledOverMinor) }),
    ...(openDay === undefined ? {} : { openDay: { ...openDay } }),
  };
}

export function transferToDocument(
  tenantId: string,
  transfer: Transfer,
  groupId: string,
  fingerprint: Uint8Array,
): DecisionDocument {
  const sides: [Side, Side] = [
    { account: transfer.debitAccountId, balanceMinor: transfer.debitBalanceMinor },
    { account: transfer.creditAccountId, balanceMinor: transfer.creditBalanceMinor },
  ];
  return {
    _id: documentId(tenantId, transfer.key),
    tenantId,
    key: transfer.key,
    seq: transfer.seq,
    groupId,
    decidedAt: new Date(transfer.timeMs),
    mode: transfer.mode,
    currency: transfer.currency,
    amountMinor: transfer.amountMinor,
    ...(movesMoney(transfer) ? { entries: sides } : { holds: sides }),
    kind: transfer.kind,
    ...(transfer.refersTo === "" ? {} : { refersTo: transfer.refersTo }),
    ...(transfer.dueAtMs === undefined ? {} : { dueAt: new Date(transfer.dueAtMs) }),
    effectiveAt: new Date(transfer.effectiveAtMs),
    day: transfer.day,
    ...(transfer.belongsTo === undefined ? {} : { belongsTo: transfer.belongsTo }),
    ...(transfer.description === "" ? {} : { description: transfer.description }),
    ...(transfer.metadata.length === 0 ? {} : { metadata: pairsOf(transfer.metadata) }),
    interactionId: transfer.interactionId,
    createdBy: transfer.createdBy,
    service: transfer.service,
    ...(transfer.link.size === 1 ? {} : { link: transfer.link }),
    hash: transfer.hash,
    fingerprint,
  };
}

export function decisionFromDocument(document: DecisionDocument): StoredDecision {
  const { key, groupId, decidedAt, refusal } = document;
  return {
    key,
    groupId,
    decidedAt,
    fingerprint: bytesOf(document.fingerprint),
    link: linkOf(document),
    ...(refusal === undefined ? {} : { refusal: { ...refusal, code: refusal.code as RefusedCode } }),
    ...(document.seq === undefined ? {} : { transfer: transferFromDocument(document) }),
  };
}

/** Entries of what moved money, holds of the rest; none where a document has others beside them. */
function sidesOf({ mode, entries, holds }: DecisionDocument): [Side, Side] | undefined {
  const [sides, others] = mode !== undefined && movesMoney({ mode }) ? [entries, holds] : [holds, entries];
  return others === undefined ? sides : undefined;
}

/**
 * The transfer of a document of the journal; throws on one without its parts, which nothing of ours
 * writes.
 */
export function transferFromDocument(document: DecisionDocument): Transfer {
  const { seq, mode, currency, amountMinor, kind, effectiveAt, day, hash } = document;
  const [debit, credit] = sidesOf(document) ?? [];
  const parts = { seq, mode, currency, amountMinor, kind, effectiveAt, day, hash, debit, credit };
  assertWhole(parts, document._id);
  return {
    seq: parts.seq,
    timeMs: document.decidedAt.getTime(),
    key: document.key,
    mode: parts.mode,
    debitAccountId: parts.debit.account,
    creditAccountId: parts.credit.account,
    currency: parts.currency,
    amountMinor: parts.amountMinor,
    kind: parts.kind,
    refersTo: document.refersTo ?? "",
    ...(document.dueAt === undefined ? {} : { dueAtMs: document.dueAt.getTime() }),
    effectiveAtMs: parts.effectiveAt.getTime(),
    day: parts.day,
    ...(document.belongsTo === undefined ? {} : { belongsTo: document.belongsTo }),
    description: document.description ?? "",
    metadata: metadataOf(document.metadata),
    interactionId: document.interactionId,
    createdBy: document.createdBy,
    service: document.service,
    link: linkOf(document),
    debitBalanceMinor: parts.debit.balanceMinor,
    creditBalanceMinor: parts.credit.balanceMinor,
    hash: bytesOf(parts.hash),
  };
}

export function pendingToDocument(tenantId: string, pending: Pending): PendingDocument {
  const timeoutAt = pending.dueAtMs === undefined ? undefined : new Date(pending.dueAtMs);
  return {
    _id: documentId(tenantId, pending.key),
    tenantId,
    key: pending.key,
    debitAccountId: pending.debitAccountId,
    creditAccountId: pending.creditAccountId,
    currency: pending.currency,
    amountMinor: pending.amountMinor,
    state: pending.state,
    ...(timeoutAt === undefined ? {} : { timeoutAt }),
    ...(timeoutAt === undefined || pending.state !== "PENDING" ? {} : { dueAt: timeoutAt }),
    ...(pending.resolvedBy === undefined ? {} : { resolvedBy: pending.resolvedBy }),
  };
}

export function pendingFromDocument(document: PendingDocument): Pending {
  const { key, debitAccountId, creditAccountId, currency, amountMinor, state, timeoutAt, resolvedBy } = document;
  return {
    key,
    debitAccountId,
    creditAccountId,
    currency,
    amountMinor,
    state,
    ...(timeoutAt === undefined ? {} : { dueAtMs: timeoutAt.getTime() }),
    ...(resolvedBy === undefined ? {} : { resolvedBy }),
  };
}

/** Where the journal ends, as it is stored. */
export function headFromDocument(document: HeadDocument): Head {
  const { epoch, group, seq, time, hash, records, recordsHash, closedThrough, openVolumes } = document;
  return {
    epoch,
    group,
    seq,
    timeMs: time.getTime(),
    hash: bytesOf(hash),
    records,
    recordsHash: bytesOf(recordsHash),
    ...(closedThrough === undefined ? {} : { closedThrough }),
    ...(openVolumes === undefined ? {} : { openVolumes: openVolumes.map(volumeFromDocument) }),
  };
}

export function volumeToDocument({ day, kind, currency, transfers, amountMinor }: Volume): VolumeDocument {
  return { day, kind, currency, transfers, ...wideOf(amountMinor) };
}

export function volumeFromDocument({ day, kind, currency, transfers, ...amount }: VolumeDocument): Volume {
  return { day, kind, currency, transfers, amountMinor: sumOf(amount) };
}

export function daySumsFromDocument({ day, debits, credits }: DayDocument): DaySums {
  return { day, debitsMinor: sumOf(debits), creditsMinor: sumOf(credits) };
}

export function dayId(tenantId: string, accountId: string, day: Day): string {
  return documentId(tenantId, `${accountId}:${dayText(day)}`);
}

export function volumeId(tenantId: string, { day, kind, currency }: Pick<Volume, "day" | "kind" | "currency">): string {
  return documentId(tenantId, `${dayText(day)}:${kind}:${currency}`);
}

/** The place of a document in its linked group. */
export function linkOf({ link, key }: Pick<DecisionDocument, "link" | "key">): Link {
  return link ?? { key, index: 0, size: 1 };
}

function pairsOf(metadata: Metadata): Pairs {
  return metadata.map(([k, v]) => ({ k, v }));
}

function metadataOf(pairs: Pairs | undefined): Metadata {
  return (pairs ?? []).map(({ k, v }) => [k, v] as const);
}

/** Throws on a document that is found under another key than it says. */
export function assertPlace({ _id, tenantId }: { _id: string; tenantId: string }, key: string): void {
  if (_id !== documentId(tenantId, key)) throw new Error(`${_id} says that it is ${key}`);
}

function assertWhole<T extends Record<string, unknown>>(
  parts: T,
  id: string,
): asserts parts is { [P in keyof T]: Exclude<T[P], undefined> } & T {
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined) throw new Error(`transfer ${id} has no ${name}`);
  }
}
