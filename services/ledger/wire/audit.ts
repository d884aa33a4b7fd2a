import type {
  DaySums as WireDaySums,
  ImportJournalRequest,
  JournalPending as WirePending,
  JournalRecord as WireRecord,
  JournalRefusal as WireRefusal,
  JournalTransfer as WireTransfer,
  Volume as WireVolume,
} from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyFromWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { chartRow } from "../domain/chart.js";
import { dayText, parseDay, type CountedDay } from "../domain/days.js";
import type { JournalEntry, JournalRefusal, StoredPending } from "../domain/journal.js";
import type { JournalRecord, RecordKind } from "../domain/records.js";
import type {
  AccountInfo,
  DaySums,
  Pending,
  PendingState,
  RefusedCode,
  Transfer,
  TransferMode,
  Volume,
} from "../domain/model.js";
import { newAccountFromWire } from "./accounts.js";
import { countedDayToWire, metadataFromWire } from "./values.js";

const modes: readonly TransferMode[] = ["POSTED", "PENDING", "POST_PENDING", "VOID_PENDING", "EXPIRE_PENDING"];
const pendingStates: readonly PendingState[] = ["PENDING", "POSTED", "VOIDED", "EXPIRED"];
const recordKinds: readonly RecordKind[] = ["ACCOUNT", "ACCOUNT_CLOSED", "REFUSAL", "PERIOD"];
const hashBytes = 32;

export function journalEntryToWire({ transfer, fingerprint }: JournalEntry): WirePartial<WireTransfer> {
  return { ...journalTransferToWire(transfer), fingerprint };
}

/** Without what a repeated key is recognised by. */
export function journalTransferToWire(transfer: Transfer): WirePartial<WireTransfer> {
  const { seq, timeMs, amountMinor, currency, dueAtMs, effectiveAtMs, day, belongsTo, link, metadata, ...same } =
    transfer;
  return {
    ...same,
    sequence: seq,
    time: new Date(timeMs),
    amount: { amountMinor, currency },
    dueAt: dueAtMs === undefined ? undefined : new Date(dueAtMs),
    effectiveAt: new Date(effectiveAtMs),
    ...countedDayToWire({ day, ...(belongsTo === undefined ? {} : { belongsTo }) }),
    linkKey: link.key,
    linkIndex: link.index,
    linkSize: link.size,
    metadata: Object.fromEntries(metadata),
  };
}

/**
 * Refuses INVALID_INPUT for what no journal holds. Whether it fits its hash is not checked here.
 */
export function journalEntryFromWire(wire: WireTransfer, path: string): JournalEntry {
  const {
    sequence,
    time,
    amount,
    dueAt,
    effectiveAt,
    day: _,
    belongsTo: __,
    linkKey,
    linkIndex,
    linkSize,
    fingerprint,
    ...same
  } = wire;
  const mode = modes.find((one) => one === wire.mode);
  if (mode === undefined) throw invalidInput(`${path}.mode`, `must be one of ${modes.join(", ")}`);
  if (time === undefined || effectiveAt === undefined) throw invalidInput(`${path}.time`, "is required");
  const counted = countedDayFromWire(wire, path);
  if (wire.hash.length !== hashBytes) throw invalidInput(`${path}.hash`, `must have ${hashBytes} bytes`);
  const { minor: amountMinor, currency } = moneyFromWire(amount, `${path}.amount`);
  const transfer: Transfer = {
    ...same,
    mode,
    seq: sequence,
    timeMs: time.getTime(),
    currency,
    amountMinor,
    ...(dueAt === undefined ? {} : { dueAtMs: dueAt.getTime() }),
    effectiveAtMs: effectiveAt.getTime(),
    ...counted,
    metadata: metadataFromWire(wire.metadata, `${path}.metadata`),
    link: { key: linkKey, index: linkIndex, size: linkSize },
  };
  return { transfer, fingerprint };
}

function countedDayFromWire(wire: Pick<WireTransfer, "day" | "belongsTo">, path: string): CountedDay {
  const day = parseDay(wire.day);
  if (day === undefined) throw invalidInput(`${path}.day`, "must be a date");
  if (wire.belongsTo === "") return { day };
  const belongsTo = parseDay(wire.belongsTo);
  if (belongsTo === undefined) throw invalidInput(`${path}.belongs_to`, "must be a date");
  return { day, belongsTo };
}

export function storedPendingToWire({ pending, resolvedSeq }: StoredPending): WirePartial<WirePending> {
  const { amountMinor, currency, dueAtMs, resolvedBy, ...same } = pending;
  return {
    ...same,
    amount: { amountMinor, currency },
    dueAt: dueAtMs === undefined ? undefined : new Date(dueAtMs),
    resolvedByKey: resolvedBy ?? "",
    resolvedSequence: resolvedSeq ?? 0n,
  };
}

/** Throws on what no ledger tells. */
export function storedPendingFromWire(wire: WirePending): StoredPending {
  const { key, debitAccountId, creditAccountId, dueAt, resolvedByKey, resolvedSequence } = wire;
  const state = pendingStates.find((one) => one === wire.state);
  if (state === undefined) throw new Error(`a pending transfer in the state ${wire.state}`);
  const { minor: amountMinor, currency } = moneyFromWire(wire.amount, "amount");
  const pending: Pending = {
    key,
    debitAccountId,
    creditAccountId,
    currency,
    amountMinor,
    state,
    ...(dueAt === undefined ? {} : { dueAtMs: dueAt.getTime() }),
    ...(resolvedByKey === "" ? {} : { resolvedBy: resolvedByKey }),
  };
  return { pending, ...(resolvedSequence === 0n ? {} : { resolvedSeq: resolvedSequence }) };
}

export function volumeToWire({ day, amountMinor, ...volume }: Volume): WirePartial<WireVolume> {
  return { ...volume, date: dayText(day), amountMinor: String(amountMinor) };
}

/** Throws on what no ledger tells. */
export function volumeFromWire({ date, amountMinor, kind, currency, transfers }: WireVolume): Volume {
  const day = parseDay(date);
  if (day === undefined) throw new Error(`a volume of the date ${date}`);
  return { day, kind, currency, transfers, amountMinor: BigInt(amountMinor) };
}

export function daySumsToWire({ day, debitsMinor, creditsMinor }: DaySums): WireDaySums {
  return { date: dayText(day), debitsMinor: String(debitsMinor), creditsMinor: String(creditsMinor) };
}

/** Throws on what no ledger tells. */
export function daySumsFromWire({ date, debitsMinor, creditsMinor }: WireDaySums): DaySums {
  const day = parseDay(date);
  if (day === undefined) throw new Error(`sums of the date ${date}`);
  return { day, debitsMinor: BigInt(debitsMinor), creditsMinor: BigInt(creditsMinor) };
}

export function journalRefusalToWire(stored: JournalRefusal): WirePartial<WireRefusal> {
  const { link, refusal, record = 0n, ...same } = stored;
  return { ...same, record, refusal, linkKey: link.key, linkIndex: link.index, linkSize: link.size };
}

/** Refuses INVALID_INPUT. */
export function journalRefusalFromWire(wire: WireRefusal, path: string): JournalRefusal {
  const { refusal, decidedAt, linkKey, linkIndex, linkSize, record, ...same } = wire;
  if (refusal === undefined || decidedAt === undefined) throw invalidInput(`${path}.refusal`, "is required");
  const { code, message, transferIndex, availableMinor, askedMinor } = refusal;
  return {
    ...same,
    decidedAt,
    ...(record === 0n ? {} : { record }),
    link: { key: linkKey, index: linkIndex, size: linkSize },
    refusal: { code: code as RefusedCode, message, transferIndex, availableMinor, askedMinor },
  };
}

export function journalRecordToWire({ timeMs, afterSeq, items, ...same }: JournalRecord): WirePartial<WireRecord> {
  return { ...same, time: new Date(timeMs), afterSequence: afterSeq, items: items.map((item) => ({ ...item })) };
}

/** Refuses INVALID_INPUT. Whether it fits its hash is not checked here. */
export function journalRecordFromWire(wire: WireRecord, path: string): JournalRecord {
  const { number, time, afterSequence, hash } = wire;
  if (time === undefined) throw invalidInput(`${path}.time`, "is required");
  const items = wire.items.map(({ kind: word, subject, content }, index) => {
    const kind = recordKinds.find((one) => one === word);
    const at = `${path}.items[${index}]`;
    if (kind === undefined) throw invalidInput(`${at}.kind`, `must be one of ${recordKinds.join(", ")}`);
    if (content.length !== hashBytes) throw invalidInput(`${at}.content`, `must have ${hashBytes} bytes`);
    if (kind === "PERIOD" && parseDay(subject) === undefined) throw invalidInput(`${at}.subject`, "must be a date");
    return { kind, subject, content };
  });
  return { number, timeMs: time.getTime(), afterSeq: afterSequence, items, hash };
}

/**
 * Accounts as they were made; their figures and the flag CLOSED come later. Refuses INVALID_INPUT.
 */
export function importedAccounts({ accounts }: ImportJournalRequest): AccountInfo[] {
  return accounts.map((wire, index) => {
    const path = `accounts[${index}]`;
    const account = newAccountFromWire(wire, path);
    const row = chartRow(account.code);
    if (row === undefined) throw invalidInput(`${path}.code`, `the chart of accounts has no ${account.code}`);
    if (wire.createdAt === undefined) throw invalidInput(`${path}.created_at`, "is required");
    return { ...account, type: row.type, service: row.service, createdAt: wire.createdAt };
  });
}
