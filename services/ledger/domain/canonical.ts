import { createHash } from "node:crypto";
import type { JournalRefusal } from "./journal.js";
import type { AccountInfo, LinkedGroup, Metadata, Transfer, TransferMode } from "./model.js";
import type { JournalRecord, RecordKind } from "./records.js";

// The byte layout is fixed by docs/decisions/0002-ledger-canonical-bytes.md: a change is a new
// version, never an edit.
const version = 1;
const recordVersion = 2;
const accountVersion = 1;
const refusalVersion = 1;
const fingerprintVersion = 1;
const genesisLabel = "manilla.ledger.genesis.v1";
const recordsGenesisLabel = "manilla.ledger.records.v1";

const modeBytes: Readonly<Record<TransferMode, number>> = {
  POSTED: 1,
  PENDING: 2,
  POST_PENDING: 3,
  VOID_PENDING: 4,
  EXPIRE_PENDING: 5,
};

// In fingerprints alone: the chain knows what was moved, not what it was limited by.
const beyondBit = 0x08;
const upToBit = 0x10;
const withinBits = { DEBIT: 0x20, CREDIT: 0x40 } as const;
const refusesLateBit = 0x80;

/** What the chain hashes of a transfer: everything but its own hash. */
export type Hashable = Omit<Transfer, "hash">;

/**
 * The hash before a tenant's first transfer. It binds the chain to the tenant: one tenant's chain
 * never fits another.
 */
export function genesisHash(tenantId: string): Uint8Array {
  return hashOfTexts(genesisLabel, tenantId);
}

/** The hash before a tenant's first record. */
export function recordsGenesisHash(tenantId: string): Uint8Array {
  return hashOfTexts(recordsGenesisLabel, tenantId);
}

function hashOfTexts(...texts: readonly string[]): Uint8Array {
  const bytes = createByteWriter();
  for (const text of texts) bytes.text(text);
  return sha256(bytes.done());
}

/** SHA-256 over the canonical bytes of a transfer, the previous hash among them. */
export function chainHash(transfer: Hashable, previousHash: Uint8Array): Uint8Array {
  return sha256(canonicalBytes(transfer, previousHash));
}

/**
 * Version 1 of the canonical bytes of a transfer: docs/decisions/0002-ledger-canonical-bytes.md.
 */
export function canonicalBytes(transfer: Hashable, previousHash: Uint8Array): Uint8Array {
  const bytes = createByteWriter();
  bytes.uint8(version);
  bytes.raw(previousHash);
  bytes.int64(transfer.seq);
  bytes.int64(BigInt(transfer.timeMs));
  bytes.text(transfer.key);
  bytes.uint8(modeBytes[transfer.mode]);
  bytes.text(transfer.debitAccountId);
  bytes.text(transfer.creditAccountId);
  bytes.text(transfer.currency);
  bytes.int64(transfer.amountMinor);
  bytes.int64(transfer.debitBalanceMinor);
  bytes.int64(transfer.creditBalanceMinor);
  bytes.text(transfer.kind);
  bytes.text(transfer.refersTo);
  bytes.optionalInt64(transfer.dueAtMs === undefined ? undefined : BigInt(transfer.dueAtMs));
  bytes.int64(BigInt(transfer.effectiveAtMs));
  bytes.int64(BigInt(transfer.day));
  bytes.optionalInt64(transfer.belongsTo === undefined ? undefined : BigInt(transfer.belongsTo));
  bytes.text(transfer.description);
  bytes.text(transfer.interactionId);
  bytes.text(transfer.createdBy);
  bytes.text(transfer.service);
  bytes.text(transfer.link.key);
  bytes.uint32(transfer.link.index);
  bytes.uint32(transfer.link.size);
  writeMetadata(bytes, transfer.metadata);
  return bytes.done();
}

const kindBytes: Readonly<Record<RecordKind, number>> = { ACCOUNT: 1, ACCOUNT_CLOSED: 2, REFUSAL: 3, PERIOD: 4 };

/** SHA-256 over the canonical bytes of a record, the previous record's hash among them. */
export function recordHash(record: Omit<JournalRecord, "hash">, previousHash: Uint8Array): Uint8Array {
  const bytes = createByteWriter();
  bytes.uint8(recordVersion);
  bytes.raw(previousHash);
  bytes.int64(record.number);
  bytes.int64(BigInt(record.timeMs));
  bytes.int64(record.afterSeq);
  bytes.uint32(record.items.length);
  for (const { kind, subject, content } of record.items) {
    bytes.uint8(kindBytes[kind]);
    bytes.text(subject);
    bytes.raw(content);
  }
  return sha256(bytes.done());
}

/** SHA-256 of all that is stored of an account but its figures and whether it is closed. */
export function accountContent(info: AccountInfo): Uint8Array {
  const bytes = createByteWriter();
  bytes.uint8(accountVersion);
  const { accountId, code, type, service, currency, name, ownerId } = info;
  for (const text of [accountId, code, type, service, currency, name, ownerId]) bytes.text(text);
  const flags = info.flags.filter((flag) => flag !== "CLOSED").sort();
  bytes.uint32(flags.length);
  for (const flag of flags) bytes.text(flag);
  writeMetadata(bytes, info.metadata);
  bytes.int64(BigInt(info.createdAt.getTime()));
  return sha256(bytes.done());
}

/** SHA-256 of all that is kept of a refusal. */
export function refusalContent({ link, refusal, ...kept }: JournalRefusal): Uint8Array {
  const bytes = createByteWriter();
  bytes.uint8(refusalVersion);
  bytes.raw(kept.fingerprint);
  bytes.int64(BigInt(kept.decidedAt.getTime()));
  for (const text of [kept.key, kept.interactionId, kept.createdBy, kept.service, link.key]) bytes.text(text);
  bytes.uint32(link.index);
  bytes.uint32(link.size);
  bytes.text(refusal.code);
  bytes.text(refusal.message);
  bytes.uint32(refusal.transferIndex);
  bytes.int64(refusal.availableMinor);
  bytes.int64(refusal.askedMinor);
  return sha256(bytes.done());
}

/**
 * Tells one request from another under the same keys. Who asked it and under which interaction id
 * is left out: a recovery drives the same work on under another one.
 */
export function fingerprintOf(group: LinkedGroup): Uint8Array {
  const bytes = createByteWriter();
  bytes.uint8(fingerprintVersion);
  bytes.text(group.service);
  bytes.uint32(group.transfers.length);
  for (const transfer of group.transfers) {
    bytes.text(transfer.key);
    const within = transfer.staysWithin === undefined ? 0 : withinBits[transfer.staysWithin];
    const refusesLate = transfer.refusesLate === true ? refusesLateBit : 0;
    const beyond = transfer.beyondMinor === undefined ? 0 : beyondBit;
    const upTo = transfer.isUpTo === true ? upToBit : 0;
    bytes.uint8(modeBytes[transfer.mode] | beyond | upTo | within | refusesLate);
    if (transfer.beyondMinor !== undefined) bytes.int64(transfer.beyondMinor);
    bytes.text(transfer.debitAccountId);
    bytes.text(transfer.creditAccountId);
    bytes.text(transfer.amount?.currency ?? "");
    bytes.optionalInt64(transfer.amount?.minor);
    bytes.text(transfer.kind);
    bytes.text(transfer.refersTo);
    bytes.optionalInt64(transfer.timeoutMs === undefined ? undefined : BigInt(transfer.timeoutMs));
    bytes.optionalInt64(transfer.effectiveAtMs === undefined ? undefined : BigInt(transfer.effectiveAtMs));
    bytes.text(transfer.description);
    writeMetadata(bytes, transfer.metadata);
  }
  return sha256(bytes.done());
}

function writeMetadata(bytes: ByteWriter, metadata: Metadata): void {
  bytes.uint32(metadata.length);
  for (const [name, value] of metadata) {
    bytes.text(name);
    bytes.text(value);
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

type ByteWriter = ReturnType<typeof createByteWriter>;

/**
 * Big-endian integers; text as UTF-8 behind its length in bytes (uint32); optional values behind a
 * byte 0 or 1.
 */
function createByteWriter(initialBytes = 512) {
  let buffer = Buffer.allocUnsafe(initialBytes);
  let at = 0;

  function room(bytes: number): void {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  const writer = {
    uint8(value: number): void {
      room(1);
      at = buffer.writeUInt8(value, at);
    },
    uint32(value: number): void {
      room(4);
      at = buffer.writeUInt32BE(value, at);
    },
    int64(value: bigint): void {
      room(8);
      at = buffer.writeBigInt64BE(value, at);
    },
    optionalInt64(value: bigint | undefined): void {
      writer.uint8(value === undefined ? 0 : 1);
      if (value !== undefined) writer.int64(value);
    },
    text(value: string): void {
      room(4 + value.length * 3);
      const bytes = buffer.write(value, at + 4, "utf8");
      buffer.writeUInt32BE(bytes, at);
      at += 4 + bytes;
    },
    raw(value: Uint8Array): void {
      room(value.length);
      buffer.set(value, at);
      at += value.length;
    },
    done: (): Uint8Array => buffer.subarray(0, at),
  };
  return writer;
}
