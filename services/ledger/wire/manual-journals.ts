import { createHash } from "node:crypto";
import { EntrySide } from "../../../proto/gen/ledger/v1/ledger.js";
import {
  ManualJournalKind as WireKind,
  ManualJournalStatus as WireStatus,
  type ManualJournal as WireJournal,
  type NewManualJournalAttachment,
  type NewManualJournalLine,
} from "../../../proto/gen/ledger/v1/manual_journals.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import { hasHiddenCharacters } from "../../kernel/text/visible-text.js";
import { dayOf, dayText, parseDay } from "../domain/days.js";
import {
  maxAttachmentBytes,
  maxJournalLines,
  transferKeysOf,
  type JournalAttachment,
  type JournalLine,
  type ManualJournal,
  type ManualJournalStatus,
} from "../domain/manual-journal.js";
import { idFromWire } from "./values.js";

const maxTextLength = 140;
const maxFileNameLength = 200;
const mediaTypes = ["application/pdf", "image/jpeg", "image/png", "text/csv", "text/plain"];

/** Refuses INVALID_INPUT at the line, and AMOUNT_TOO_LARGE. */
export function linesFromWire(lines: readonly NewManualJournalLine[]): JournalLine[] {
  if (lines.length < 2 || lines.length > maxJournalLines) {
    throw invalidInput("lines", `must have 2 to ${maxJournalLines} lines`);
  }
  return lines.map(({ accountId, side, amount, currency, text }, index) => {
    const path = `lines[${index}]`;
    if (side !== EntrySide.ENTRY_SIDE_DEBIT && side !== EntrySide.ENTRY_SIDE_CREDIT) {
      throw invalidInput(`${path}.side`, "must be DEBIT or CREDIT");
    }
    assertCurrency(currency, `${path}.currency`);
    const parsed = parseMoney(amount, currency, `${path}.amount`);
    if (parsed.minor === 0n) throw invalidInput(`${path}.amount`, "must be above zero");
    return {
      accountId: idFromWire(accountId, `${path}.accountId`),
      side: side === EntrySide.ENTRY_SIDE_DEBIT ? "DEBIT" : "CREDIT",
      amount: parsed,
      text: visibleFromWire(text, `${path}.text`, maxTextLength, true),
    };
  });
}

/** Refuses INVALID_INPUT. */
export function attachmentFromWire(wire: NewManualJournalAttachment): JournalAttachment {
  const { content, mediaType } = wire;
  const path = "attachment";
  if (!mediaTypes.includes(mediaType)) {
    throw invalidInput(`${path}.mediaType`, `must be one of ${mediaTypes.join(", ")}`);
  }
  if (content.length === 0 || content.length > maxAttachmentBytes) {
    throw invalidInput(`${path}.content`, `must have 1 to ${maxAttachmentBytes} bytes`);
  }
  return {
    fileName: visibleFromWire(wire.fileName, `${path}.fileName`, maxFileNameLength),
    mediaType,
    sizeBytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

function visibleFromWire(text: string, path: string, maxLength: number, mayBeEmpty = false): string {
  const trimmed = trimmedFromWire(text, path, maxLength, mayBeEmpty);
  if (hasHiddenCharacters(trimmed)) throw invalidInput(path, "must not hold characters that nobody sees");
  return trimmed;
}

/** The day that something counts for, today where empty. Refuses INVALID_INPUT for one to come. */
export function pastDayFromWire(text: string, today: Temporal.PlainDate, path = "valueDate"): string {
  if (text === "") return today.toString();
  const day = parseDay(text);
  if (day === undefined) throw invalidInput(path, "must be a date such as 2026-11-30");
  if (day > dayOf(Date.parse(`${today.toString()}T00:00:00Z`))) throw invalidInput(path, "must not be in the future");
  return dayText(day);
}

/** Undefined for all. */
export function journalStatusesFromWire(status: WireStatus): ManualJournalStatus[] | undefined {
  if (status === WireStatus.MANUAL_JOURNAL_STATUS_UNSPECIFIED) return undefined;
  return [status.slice("MANUAL_JOURNAL_STATUS_".length) as ManualJournalStatus];
}

export function manualJournalToWire(journal: ManualJournal): WirePartial<WireJournal> & WireJournal {
  const { lines, kind, status, attachment } = journal;
  return {
    journalId: journal.journalId,
    kind: WireKind[`MANUAL_JOURNAL_KIND_${kind}`],
    status: WireStatus[`MANUAL_JOURNAL_STATUS_${status}`],
    lines: lines.map(({ accountId, side, amount, text }) => ({
      accountId,
      side: EntrySide[`ENTRY_SIDE_${side}`],
      amount: moneyToWire(amount),
      text,
    })),
    reason: journal.reason,
    valueDate: journal.valueDate,
    approvalId: journal.approvalId ?? "",
    failure: journal.failure ?? "",
    reversesJournalId: journal.reverses ?? "",
    reversedByJournalId: journal.reversedBy ?? "",
    attachment: attachment && attachmentToWire(attachment),
    askedBy: journal.askedBy,
    askedAt: journal.askedAt,
    decidedBy: journal.decidedBy ?? "",
    postedAt: journal.postedAt,
    transferKeys: status === "POSTED" ? transferKeysOf(journal) : [],
  };
}

export function attachmentToWire({ sizeBytes, ...attachment }: JournalAttachment) {
  return { ...attachment, sizeBytes: BigInt(sizeBytes) };
}
