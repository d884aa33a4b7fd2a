import { formatMoney, type Money } from "../../kernel/money.js";
import { invalidInput, Refusal, type RefusalCode, type RefusalDetails } from "../../kernel/refusal.js";
import { chartRow, isDebitNormal, isOfServiceAlone } from "./chart.js";
import { dayText, type Day } from "./days.js";
import type { Account, AccountInfo } from "./model.js";
import { balanceMinor } from "./planning.js";

export const settlementKinds = ["PARTNER", "ACQUIRER", "MERCHANT", "TAX", "BANK", "OTHER"] as const;
export type SettlementKind = (typeof settlementKinds)[number];

export const settlementStatuses = ["PROPOSING", "PROPOSED", "APPROVED", "POSTED", "REFUSED", "REVERSED"] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];
/** What is neither posted nor ended. */
export const openSettlementStatuses = ["PROPOSING", "PROPOSED", "APPROVED"] as const satisfies SettlementStatus[];

/** What two sides paid each other. */
export interface SettlementTerms {
  readonly kind: SettlementKind;
  readonly accountId: string;
  /** Leaves the account. */
  readonly amount: Money;
  /** What moved at the bank. */
  readonly cost: Money;
  /** In the currency of the cost: what the other side, or the bank, kept. */
  readonly feeMinor: bigint;
  readonly bankAccountId: string;
  readonly valueDay: Day;
  readonly reference: string;
  /** More than is owed may be paid. */
  readonly isPrefund: boolean;
  readonly note: string;
}

/** As it is stored. */
export interface Settlement extends SettlementTerms {
  readonly settlementId: string;
  readonly status: SettlementStatus;
  /** Its reference and its lines are taken: until it is refused or reversed. */
  readonly isLiving?: true;
  /** Noon of its day in the organisation's time zone. */
  readonly valueAt: Date;
  readonly lineCount: number;
  /** Where all open lines through a day are taken. */
  readonly gathering?: Gathering;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly approvalId?: string;
  /** Who approved it, also while its lines are being taken. */
  readonly decidedBy?: string;
  readonly transferKeys?: readonly string[];
  readonly postedAt?: Date;
  readonly refusal?: SettlementRefusal;
  readonly reversal?: SettlementReversal;
}

/** Why it was not posted, or not reversed. */
export interface SettlementRefusal {
  readonly code: RefusalCode | "NOT_APPROVED";
  readonly message: string;
  readonly details?: RefusalDetails;
}

/** How far the lines of a settlement are taken. */
export interface Gathering {
  readonly throughDay: Day;
  /** Transfers beyond this sequence came later than the proposal. */
  readonly lastSeq: bigint;
  readonly takenSeq: bigint;
  /** Sum of the lines that are taken. */
  readonly takenMinor: bigint;
}

export interface SettlementReversal {
  readonly reversalId: string;
  readonly status: "PROPOSED" | "APPROVED" | "POSTED" | "REFUSED";
  readonly reason: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly approvalId?: string;
  readonly decidedBy?: string;
  readonly transferKeys?: readonly string[];
  readonly postedAt?: Date;
  readonly refusal?: SettlementRefusal;
}

const accountCodes: Partial<Record<SettlementKind, readonly string[]>> = {
  PARTNER: ["partner_settlement"],
  ACQUIRER: ["card_settlement", "lending_card_settlement"],
  MERCHANT: ["merchant_settlement"],
  TAX: ["tax_payable", "wallet_tax_payable", "withholding_tax_payable"],
  BANK: ["bank_charges"],
};
const bankCodes: readonly string[] = ["own_bank", "bank_settlement", "lending_bank_settlement"];

/** True where the other side pays us: what it owes is an asset. */
export function isInbound({ type }: Pick<AccountInfo, "type">): boolean {
  return isDebitNormal(type);
}

/** Where the books stand as a settlement is proposed. */
export interface BooksNow {
  readonly account: Account;
  readonly bank: Account;
  readonly today: Day;
  readonly closedThrough: Day | undefined;
}

/**
 * Refuses ACCOUNT_NOT_FOR_SETTLEMENT, ACCOUNT_CLOSED, CURRENCY_MISMATCH, COST_MISMATCH,
 * PERIOD_CLOSED, ABOVE_OWED, and INVALID_INPUT for a day to come.
 */
export function assertSettles(terms: SettlementTerms, { account, bank, today, closedThrough }: BooksNow): void {
  const { kind, amount, cost, valueDay } = terms;
  if (!fits(kind, account.info)) throw notFor("accountId", account, `a settlement of ${kind}`);
  if (!bankCodes.includes(bank.info.code)) throw notFor("bankAccountId", bank, "money at a bank");
  for (const { info } of [account, bank]) {
    if (info.flags.includes("CLOSED")) throw new Refusal("ACCOUNT_CLOSED", `account ${info.accountId} is closed`);
  }
  assertHolds("amount.currency", account, amount);
  assertHolds("cost.currency", bank, cost);
  assertCost(terms, isInbound(account.info));
  if (valueDay > today) throw invalidInput("valueDate", `must not be after today, ${dayText(today)}`);
  if (closedThrough !== undefined && valueDay <= closedThrough) {
    throw new Refusal("PERIOD_CLOSED", `${dayText(valueDay)} lies in a period that is closed`);
  }
  if (!terms.isPrefund) assertOwed(terms, balanceMinor(account));
}

function fits(kind: SettlementKind, { code, type }: AccountInfo): boolean {
  const codes = accountCodes[kind];
  if (codes !== undefined) return codes.includes(code);
  const row = chartRow(code);
  if (row === undefined || isOfServiceAlone(code) || row.isPosition === true) return false;
  return (type === "ASSET" || type === "LIABILITY") && !bankCodes.includes(code);
}

function notFor(path: string, { info }: Account, what: string): Refusal {
  const message = `account ${info.accountId} of ${info.code} is not for ${what}`;
  return new Refusal("ACCOUNT_NOT_FOR_SETTLEMENT", message, { errors: [{ path, message }] });
}

function assertHolds(path: string, { info }: Account, { currency }: Money): void {
  if (info.currency === currency) return;
  const message = `account ${info.accountId} holds ${info.currency}, not ${currency}`;
  throw new Refusal("CURRENCY_MISMATCH", message, { errors: [{ path, message }] });
}

/** Refuses COST_MISMATCH where what moved at the bank is not the amount and what was kept. */
function assertCost({ amount, cost, feeMinor }: SettlementTerms, inbound: boolean): void {
  const isExchange = amount.currency !== cost.currency;
  const expected = isExchange ? cost.minor : amount.minor + (inbound ? -feeMinor : feeMinor);
  if (cost.minor === expected && cost.minor > 0n && (inbound || feeMinor < cost.minor)) return;
  const message = isExchange
    ? "the cost must be more than the fee that it holds"
    : `the cost must be the amount ${inbound ? "less" : "and"} the fee`;
  const figures = { cost: formatMoney(cost), fee: formatMoney({ minor: feeMinor, currency: cost.currency }) };
  const more = isExchange ? {} : { expected: formatMoney({ minor: expected, currency: cost.currency }) };
  throw new Refusal("COST_MISMATCH", message, { figures: { ...figures, ...more } });
}

/** Refuses ABOVE_OWED where the account has less than what is to leave it. */
export function assertOwed(terms: Pick<SettlementTerms, "accountId" | "amount">, owedMinor: bigint): void {
  if (terms.amount.minor > owedMinor) throw aboveOwed(terms, owedMinor);
}

export function aboveOwed({ accountId, amount }: Pick<SettlementTerms, "accountId" | "amount">, owedMinor: bigint) {
  const { currency } = amount;
  const owed = formatMoney({ minor: owedMinor, currency });
  const figures = { owed, amount: formatMoney(amount), currency };
  return new Refusal("ABOVE_OWED", `on account ${accountId} ${owed} ${currency} is owed`, { figures });
}

/** Refuses STATE_CONFLICT, ALREADY_REVERSED. */
export function assertReversible({ status, reversal }: Settlement): void {
  if (status === "REVERSED") throw new Refusal("ALREADY_REVERSED", "the settlement is reversed");
  if (status !== "POSTED") throw new Refusal("STATE_CONFLICT", `a settlement that is ${status} has posted nothing`);
  if (reversal !== undefined && reversal.status !== "REFUSED") {
    throw new Refusal("STATE_CONFLICT", "a reversal of it was asked for");
  }
}
