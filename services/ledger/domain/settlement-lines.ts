import { formatMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Day } from "./days.js";
import type { Transfer } from "./model.js";
import type { SettlementTerms } from "./settlement.js";

/** Of one settlement. */
export const maxLines = 100_000;
/** That are named one by one. */
export const maxNamedLines = 1_000;

/** A transfer of an account that a settlement settles. */
export interface SettlementLine {
  readonly transferKey: string;
  readonly accountId: string;
  readonly seq: bigint;
  readonly day: Day;
  /** Above zero for what the account grew by. */
  readonly amountMinor: bigint;
}

/** Up to which sequence an account has nothing open. */
export interface SettlementMark {
  readonly accountId: string;
  readonly throughSeq: bigint;
  /** Raised by each change: what was looked at before lines were freed does not count. */
  readonly version: number;
}

/** Whether a transfer can be settled: what settlements themselves posted cannot. */
export function isLine({ service, kind }: Pick<Transfer, "service" | "kind">): boolean {
  return service !== "ledger" || !kind.startsWith("settlement_");
}

/** `growsBy`: the side that the account grows on. */
export function lineOf(transfer: Transfer, accountId: string, growsBy: "DEBIT" | "CREDIT"): SettlementLine {
  const { key: transferKey, seq, day, debitAccountId, amountMinor } = transfer;
  const grows = (debitAccountId === accountId) === (growsBy === "DEBIT");
  return { transferKey, accountId, seq, day, amountMinor: grows ? amountMinor : -amountMinor };
}

/** Refuses LINES_MISMATCH with the difference. */
export function assertLinesSum({ amount }: Pick<SettlementTerms, "amount">, sumMinor: bigint): void {
  if (sumMinor === amount.minor) return;
  const { currency } = amount;
  const text = (minor: bigint) => formatMoney({ minor, currency });
  const figures = { amount: text(amount.minor), lines: text(sumMinor), difference: text(amount.minor - sumMinor) };
  throw new Refusal("LINES_MISMATCH", `the lines come to ${figures.lines} ${currency}`, { figures });
}

export function lineTaken(transferKey: string): Refusal {
  return new Refusal("LINE_TAKEN", `transfer ${transferKey} stands in another settlement`, {
    figures: { transferId: transferKey },
  });
}
