import { createHash } from "node:crypto";

/**
 * What a customer writes on a bank transfer for a loan: "LN" and ten digits that follow from its
 * id, and a check digit (Luhn).
 */
export function referenceOf(accountId: string): string {
  const digest = createHash("sha256").update(`loan reference ${accountId}`).digest();
  const digits = (digest.readBigUInt64BE() % 10_000_000_000n).toString().padStart(10, "0");
  return `LN${digits}${luhnDigit(digits)}`;
}

function luhnDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
