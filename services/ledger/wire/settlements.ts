import {
  SettlementKind as WireKind,
  SettlementStatus as WireStatus,
  type ProposeSettlementRequest,
  type Settlement as WireSettlement,
  type SettlementLine as WireLine,
  type SettlementLines,
  type SettlementReversal as WireReversal,
} from "../../../proto/gen/ledger/v1/settlements.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { moneyToWire, parseMoney, type Money } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { isReadable } from "../../kernel/text/reason.js";
import { dayText, parseDay, type Day } from "../domain/days.js";
import {
  settlementKinds,
  settlementStatuses,
  type Settlement,
  type SettlementRefusal,
  type SettlementReversal,
  type SettlementStatus,
  type SettlementTerms,
} from "../domain/settlement.js";
import { maxNamedLines, type SettlementLine } from "../domain/settlement-lines.js";
import { idFromWire } from "./values.js";

const maxReferenceLength = 64;
const maxNoteLength = 300;

/** Lines as they are asked for: by name, or all through a day. */
export type WantedLines = { keys: readonly string[] } | { throughDay: Day };

/** Refuses INVALID_INPUT, AMOUNT_TOO_LARGE. */
export function settlementFromWire(request: ProposeSettlementRequest): SettlementTerms & { lines?: WantedLines } {
  const kind = settlementKinds.find((one) => WireKind[`SETTLEMENT_KIND_${one}`] === request.kind);
  if (kind === undefined) throw invalidInput("kind", `must be one of ${settlementKinds.join(", ")}`);
  if (request.cost === undefined) throw invalidInput("cost", "is required");
  const cost = positive(request.cost, "cost.");
  const fee = request.fee === "" ? 0n : parseMoney(request.fee, cost.currency, "fee").minor;
  const lines = request.lines === undefined ? undefined : linesFromWire(request.lines);
  return {
    kind,
    accountId: idFromWire(request.accountId, "accountId"),
    amount: positive(request),
    cost,
    feeMinor: fee,
    bankAccountId: idFromWire(request.bankAccountId, "bankAccountId"),
    valueDay: dayFrom(request.valueDate, "valueDate"),
    reference: textOf(request.reference, "reference", maxReferenceLength, 1),
    isPrefund: request.prefund,
    note: textOf(request.note, "note", maxNoteLength, 0),
    ...(lines !== undefined && { lines }),
  };
}

function positive({ amount: text, currency }: { amount: string; currency: string }, within = ""): Money {
  assertCurrency(currency, `${within}currency`);
  const amount = parseMoney(text, currency, `${within}amount`);
  if (amount.minor === 0n) throw invalidInput(`${within}amount`, "must be above zero");
  return amount;
}

function linesFromWire({ transferIds, throughDate }: SettlementLines): WantedLines {
  if (transferIds.length > 0 === (throughDate !== "")) {
    throw invalidInput("lines", "must have either transferIds or throughDate");
  }
  if (throughDate !== "") return { throughDay: dayFrom(throughDate, "lines.throughDate") };
  const path = "lines.transferIds";
  if (transferIds.length > maxNamedLines) throw invalidInput(path, `must be at most ${maxNamedLines}`);
  const keys = transferIds.map((id, index) => idFromWire(id, `${path}.${index}`));
  if (new Set(keys).size < keys.length) throw invalidInput(path, "must not name one twice");
  return { keys };
}

export function dayFrom(text: string, path: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw invalidInput(path, 'must be a date such as "2026-11-30"');
  return day;
}

function textOf(given: string, path: string, maximum: number, minimum: number): string {
  const text = given.trim();
  if (text.length < minimum || text.length > maximum) {
    throw invalidInput(path, `must have ${minimum} to ${maximum} characters`);
  }
  if (!isReadable(text)) throw invalidInput(path, "must not hold control characters or invisible ones");
  return text;
}

/** Undefined for all. Refuses INVALID_INPUT for one that there is not. */
export function statusesFromWire(status: WireStatus): SettlementStatus[] | undefined {
  if (status === WireStatus.SETTLEMENT_STATUS_UNSPECIFIED) return undefined;
  const found = settlementStatuses.find((one) => WireStatus[`SETTLEMENT_STATUS_${one}`] === status);
  if (found === undefined) throw invalidInput("status", `must be one of ${settlementStatuses.join(", ")}`);
  return [found];
}

export function settlementToWire(settlement: Settlement): WirePartial<WireSettlement> {
  const { kind, status, amount, cost, valueDay, isPrefund, gathering, refusal, reversal, transferKeys } = settlement;
  const { settlementId, accountId, feeMinor, bankAccountId, reference, note, lineCount, askedBy, askedAt } = settlement;
  const { approvalId = "", decidedBy = "", postedAt } = settlement;
  return {
    settlementId,
    kind: WireKind[`SETTLEMENT_KIND_${kind}`],
    status: WireStatus[`SETTLEMENT_STATUS_${status}`],
    accountId,
    amount: moneyToWire(amount),
    cost: moneyToWire(cost),
    feeMinor,
    bankAccountId,
    valueDate: dayText(valueDay),
    reference,
    prefund: isPrefund,
    note,
    lineCount,
    linesThroughDate: gathering === undefined ? "" : dayText(gathering.throughDay),
    askedBy,
    askedAt,
    approvalId,
    decidedBy,
    transferIds: [...(transferKeys ?? [])],
    postedAt,
    refusal: refusal && refusalToWire(refusal),
    reversal: reversal && reversalToWire(reversal),
  };
}

function reversalToWire(reversal: SettlementReversal): WirePartial<WireReversal> {
  const { status, reason, askedBy, askedAt, approvalId = "", transferKeys = [], postedAt, refusal } = reversal;
  return {
    reversalId: reversal.reversalId,
    status,
    reason,
    askedBy,
    askedAt,
    approvalId,
    transferIds: [...transferKeys],
    postedAt,
    refusal: refusal && refusalToWire(refusal),
  };
}

function refusalToWire({ code, message }: SettlementRefusal) {
  return { code, message };
}

export function lineToWire(
  { transferKey, amountMinor, seq, day }: SettlementLine,
  currency: string,
): WirePartial<WireLine> {
  return { transferId: transferKey, amount: { amountMinor, currency }, sequence: seq, date: dayText(day) };
}
