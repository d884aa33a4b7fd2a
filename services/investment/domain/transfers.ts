import type { Money } from "../../kernel/money.js";
import type { DividendShare } from "./dividend.js";
import { paidMinor, type Settlement } from "./settlement.js";

/** Codes of the chart that investment owns. */
export const accountCodes = [
  "customer_investments",
  "investment_interest_payable",
  "investment_interest_expense",
  "investment_dividend_expense",
  "withholding_tax_payable",
  "investment_penalty_income",
] as const;
export type AccountCode = (typeof accountCodes)[number];

/** The tenant's account of a code in a currency. */
export function accountOf(code: AccountCode, currency: string): string {
  return `${code}:${currency}`;
}

/**
 * A movement that the ledger is asked for. Everything in it follows from what is stored, so that
 * repeating it changes nothing.
 */
export interface PlannedTransfer {
  /** Decides once, for ever. */
  readonly key: string;
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly amount: Money;
  readonly kind: string;
  readonly description: string;
  /** The tenant's time that it belongs to; a sandbox's may be far from the ledger's. */
  readonly at: Date;
}

/**
 * One linked group: interest that was counted last, then principal, interest, penalties, tax and
 * what is reinvested. Parts of zero are left out.
 */
export function settlementTransfers(settlement: Settlement): PlannedTransfer[] {
  const { settlementId, holdingId, walletAccountId: wallet, currency, figures, createdAt } = settlement;
  const at = (code: AccountCode) => accountOf(code, currency);
  const { principalMinor, principalPenaltyMinor, interestMinor, interestPenaltyMinor, taxMinor, reinvestedMinor } =
    figures;
  const netInterest = interestMinor - interestPenaltyMinor - taxMinor - reinvestedMinor;
  const [invested, payable] = [at("customer_investments"), at("investment_interest_payable")];
  const parts: [string, string, string, bigint, string][] = [
    ["accrual", at("investment_interest_expense"), payable, figures.addedMinor, "investment_interest"],
    ["principal", invested, wallet, principalMinor - principalPenaltyMinor, "investment_redemption"],
    ["principal-penalty", invested, at("investment_penalty_income"), principalPenaltyMinor, "investment_penalty"],
    ["interest", payable, wallet, netInterest, "investment_interest_paid"],
    ["interest-penalty", payable, at("investment_penalty_income"), interestPenaltyMinor, "investment_penalty"],
    ["tax", payable, at("withholding_tax_payable"), taxMinor, "withholding_tax"],
    ["reinvested", payable, invested, reinvestedMinor, "investment_reinvested"],
  ];
  const posted = parts.filter(([, , , minor]) => minor !== 0n);
  const toWallet = principalMinor - principalPenaltyMinor + netInterest;
  if (posted.some(([, , , minor]) => minor < 0n) || toWallet !== paidMinor(figures)) {
    throw new Error(`settlement ${settlementId}: its parts do not add up`);
  }
  return posted.map(([part, debitAccountId, creditAccountId, minor, kind]) => ({
    key: `settlement:${settlementId}:${part}`,
    debitAccountId,
    creditAccountId,
    amount: { minor, currency },
    kind,
    description: `${descriptions[figures.kind]} of holding ${holdingId} on ${figures.date.toString()}`,
    at: createdAt,
  }));
}

const descriptions = {
  REDEMPTION: "Redemption",
  PAYOUT: "Interest",
  MATURITY: "Maturity",
  ROLLOVER: "New term",
} as const;

/** Interest that many holdings earned, in one amount. */
export function accrualTransfer(batchId: string, amount: Money, date: string, at: Date): PlannedTransfer {
  return {
    key: `accrual:${batchId}:${amount.currency}`,
    debitAccountId: accountOf("investment_interest_expense", amount.currency),
    creditAccountId: accountOf("investment_interest_payable", amount.currency),
    amount,
    kind: "investment_interest",
    description: `Interest on investments up to ${date}`,
    at,
  };
}

/** A share of a dividend, less its tax. */
export function dividendTransfers(share: DividendShare, at: Date): PlannedTransfer[] {
  const { shareId, walletAccountId, amount, taxMinor, attempt = 0 } = share;
  const name = attempt === 0 ? shareId : `${shareId}:${attempt}`;
  const { currency } = amount;
  const debitAccountId = accountOf("investment_dividend_expense", currency);
  const parts: [string, string, bigint, string][] = [
    ["net", walletAccountId, amount.minor - taxMinor, "investment_dividend"],
    ["tax", accountOf("withholding_tax_payable", currency), taxMinor, "withholding_tax"],
  ];
  return parts
    .filter(([, , minor]) => minor > 0n)
    .map(([part, creditAccountId, minor, kind]) => ({
      key: `dividend:${name}:${part}`,
      debitAccountId,
      creditAccountId,
      amount: { minor, currency },
      kind,
      description: "Dividend on an investment",
      at,
    }));
}
