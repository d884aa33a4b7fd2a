import { divideRounded, parseDecimal } from "../../kernel/decimal.js";
import { addMoney, compareMoney, money, subtractMoney, type Money } from "../../kernel/money.js";
import type { PricedFee } from "./fees.js";
import type { DeliveryTerms, OtherFee } from "./offers.js";
import type { Price } from "./pricing.js";

/** Whose law says what a sender is told; GENERIC where none is set for the origin country. */
export const disclosureProfiles = ["GENERIC", "US_BSA", "EU_TFR", "UK_FTR"] as const;
export type DisclosureProfile = (typeof disclosureProfiles)[number];

/** By what a sender was told before they paid; whatever is read later says the same. */
export interface KeptDisclosure {
  profile: DisclosureProfile;
  /** Of the template; 0 where everything was as shipped. */
  templateVersion: number;
}

/** Before the payment, and behind it. */
export type DisclosureKind = "PREPAYMENT" | "RECEIPT";

/**
 * What a sender is told of a price, to the minor unit: transferAmount + totalFees + totalTaxes =
 * total, and transferredAmount - totalOtherFees = totalToRecipient.
 */
export interface Figures {
  transferAmount: Money;
  fees: PricedFee[];
  totalFees: Money;
  totalTaxes: Money;
  total: Money;
  /** That the amounts were worked out with: decimal text, units received for one sent. */
  exchangeRate: string;
  transferredAmount: Money;
  otherFees: OtherFee[];
  totalOtherFees: Money;
  totalToRecipient: Money;
}

/** Throws where the parts of a price do not add up. */
export function figuresOf(price: Price, { otherFees }: Pick<DeliveryTerms, "otherFees">): Figures {
  const { principal, fees, totalFees, totalTaxes, total, receive, rate } = price;
  const sum = (amounts: readonly Money[], currency: string) => amounts.reduce(addMoney, money(0n, currency));
  const { currency } = principal;
  const totalOtherFees = sum(
    otherFees.map(({ amount }) => amount),
    receive.currency,
  );
  const parts = [
    [fees.map(({ amount }) => amount), totalFees],
    [fees.map(({ tax }) => tax), totalTaxes],
    [[principal, totalFees, totalTaxes], total],
  ] as const;
  if (parts.some(([amounts, all]) => compareMoney(sum(amounts, currency), all) !== 0))
    throw new Error("the parts of a price do not add up to its total");
  return {
    transferAmount: principal,
    fees,
    totalFees,
    totalTaxes,
    total,
    exchangeRate: rate,
    transferredAmount: receive,
    otherFees,
    totalOtherFees,
    totalToRecipient: subtractMoney(receive, totalOtherFees),
  };
}

/** A rate as people read it. */
export interface ShownRate {
  /** Of the send currency: 1, or a power of ten where one of it is next to nothing. */
  units: string;
  /** Two to four decimals, rounded half-up. */
  rate: string;
  isRounded: boolean;
}

const mostDecimals = 4;
const leastDecimals = 2;

/**
 * With two to four decimals (12 CFR 1005.31(b)(1)(iv)), for so many units that it says something.
 */
export function shownRate(text: string): ShownRate {
  const { digits, scale } = parseDecimal(text);
  let units = 1n;
  // Below a tenth four decimals would leave three digits and less.
  if (digits * 10n < 10n ** BigInt(scale)) while (digits > 0n && digits * units < 10n ** BigInt(scale)) units *= 10n;
  const shifted = digits * units * 10n ** BigInt(mostDecimals);
  const rounded = divideRounded(shifted, 10n ** BigInt(scale), "half-up");
  const written = rounded.toString().padStart(mostDecimals + 1, "0");
  const [whole, decimals] = [written.slice(0, -mostDecimals), written.slice(-mostDecimals)];
  const kept = decimals.replace(/0+$/, "").padEnd(leastDecimals, "0");
  return {
    units: units.toString(),
    rate: `${whole}.${kept}`,
    isRounded: rounded * 10n ** BigInt(scale) !== shifted,
  };
}
