import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { partnerAccountId } from "../../platform/plugins/partner-accounts.js";
import { matchedMovements, type Movement } from "../../platform/books/movements.js";
import { sumOfPart } from "./line.js";
import type { LoanEvent } from "./events.js";
import type { Position } from "./position.js";

/**
 * Balances that a loan stands for in the ledger: account id to minor units, debits above zero. They
 * always sum to zero.
 */
export type Balances = Readonly<Record<string, bigint>>;

/** The tenant's own accounts, one per currency, and per partner of money at banks and acquirers. */
export const lendingCodes = {
  interestReceivable: "loan_interest_receivable",
  feeReceivable: "loan_fee_receivable",
  penaltyReceivable: "loan_penalty_receivable",
  interestIncome: "loan_interest_income",
  feeIncome: "loan_fee_income",
  penaltyIncome: "loan_penalty_income",
  recoveryIncome: "loan_recovery_income",
  writeOffs: "loan_write_offs",
  overpayments: "loan_overpayments",
  suspense: "loan_suspense",
  clearing: "loan_clearing",
  bank: "lending_bank_settlement",
  card: "lending_card_settlement",
  opening: "lending_opening_balances",
} as const;

/** Code of the account that each loan has for its principal; the account's id is the loan's. */
export const principalCode = "loan_principal";

/** Accounts of the tenant's own; those at a bank or an acquirer are one each. */
type OwnName = Exclude<keyof typeof lendingCodes, "bank" | "card">;

export function lendingAccount(name: OwnName, currency: string): string {
  return `${lendingCodes[name]}:${currency}`;
}

/** Money at one bank or acquirer: the tenant's own, or the operator's where undefined. */
export function partnerAccount(name: "bank" | "card", at: OwnPartner | undefined, currency: string): string {
  return partnerAccountId(lendingCodes[name], at?.installationId, currency);
}

export interface DisbursementLeg {
  readonly accountId: string;
  readonly amountMinor: bigint;
}

export interface BookedLoan {
  readonly accountId: string;
  readonly currency: string;
  /** Where the principal went: the customer's wallet, the bank, fees kept. */
  readonly disbursement: readonly DisbursementLeg[];
  readonly events: readonly LoanEvent[];
}

/**
 * What the ledger has to show for a loan in this position. Throws when it does not sum to zero:
 * that would be a bug of the replay.
 */
export function balancesOf({ accountId, currency, disbursement, events }: BookedLoan, position: Position): Balances {
  const balances: Record<string, bigint> = {};
  const add = (id: string, minor: bigint): void => {
    balances[id] = (balances[id] ?? 0n) + minor;
  };
  const own = (name: OwnName, minor: bigint): void => add(lendingAccount(name, currency), minor);
  const { lines, interestAccruedMinor, feesChargedMinor, overpaidMinor, recoveredMinor } = position;
  const settled = (part: "PRINCIPAL" | "INTEREST" | "FEE" | "PENALTY"): bigint =>
    sumOfPart(lines, "paid", part) + sumOfPart(lines, "writtenOff", part);
  const penalties = sumOfPart(lines, "charged", "PENALTY");

  add(accountId, sumOfPart(lines, "charged", "PRINCIPAL") - settled("PRINCIPAL"));
  own("interestReceivable", interestAccruedMinor - settled("INTEREST"));
  own("interestIncome", -interestAccruedMinor);
  own("feeReceivable", feesChargedMinor - settled("FEE"));
  own("feeIncome", -feesChargedMinor);
  own("penaltyReceivable", penalties - settled("PENALTY"));
  own("penaltyIncome", -penalties);
  for (const part of ["PRINCIPAL", "INTEREST", "FEE", "PENALTY"] as const) {
    own("writeOffs", sumOfPart(lines, "writtenOff", part));
  }
  own("recoveryIncome", -recoveredMinor);
  own("overpayments", -overpaidMinor);
  // What came back is as if it had never gone out, fees kept of it too.
  if (position.status !== "CANCELLED") for (const leg of disbursement) add(leg.accountId, -leg.amountMinor);
  for (const event of events) {
    if (event.on > position.on) continue;
    if (event.type === "REFUND") add(event.targetAccountId, -event.amountMinor);
    else if (event.type === "CHARGEBACK") add(event.sourceAccountId, -event.amountMinor);
    else if ("sourceAccountId" in event) add(event.sourceAccountId, event.amountMinor);
  }
  const sum = Object.values(balances).reduce((all, minor) => all + minor, 0n);
  if (sum !== 0n) throw new Error(`loan ${accountId} does not balance: ${sum}`);
  return withoutZeros(balances);
}

/**
 * What has to be posted so that balances `before` become `after`: debits and credits matched in the
 * order of their accounts.
 */
export function movementsBetween(before: Balances, after: Balances): Movement[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const changes = ids.map((accountId) => ({
    accountId,
    minor: (after[accountId] ?? 0n) - (before[accountId] ?? 0n),
  }));
  const debits = changes.filter(({ minor }) => minor > 0n);
  const credits = changes.filter(({ minor }) => minor < 0n);
  return matchedMovements(
    debits,
    credits.map(({ accountId, minor }) => ({ accountId, minor: -minor })),
  );
}

function withoutZeros(balances: Balances): Balances {
  return Object.fromEntries(Object.entries(balances).filter(([, minor]) => minor !== 0n));
}
