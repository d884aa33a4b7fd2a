import { isValidIBAN } from "ibantools";
import { invalidInput } from "../../kernel/refusal.js";

/** A customer's own account at a bank. */
export interface BankAccount {
  readonly bankAccountId: string;
  readonly customerId: string;
  readonly bankName: string;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountHolderName: string;
  readonly currency: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly status: "VERIFIED" | "REMOVED";
  readonly createdAt: Date;
}

/**
 * The number as it is stored: without spaces, an IBAN with a right check (ISO 13616), ten digits in
 * Nigeria (NUBAN), 4 to 34 letters and digits elsewhere. Refuses INVALID_INPUT.
 */
export function parseAccountNumber(text: string, country: string): string {
  const number = text.replaceAll(/[\s-]/g, "").toUpperCase();
  const path = "accountNumber";
  if (country === "NGA" && !/^\d{10}$/.test(number)) throw invalidInput(path, "must have ten digits in Nigeria");
  if (!/^[A-Z0-9]{4,34}$/.test(number)) throw invalidInput(path, "must have 4 to 34 letters and digits");
  if (/^[A-Z]{2}\d{2}/.test(number) && !isValidIBAN(number)) throw invalidInput(path, "is not a valid IBAN");
  return number;
}

/**
 * Three digits in Nigeria, whatever they were written as; elsewhere as it is given, or nothing.
 * Refuses INVALID_INPUT.
 */
export function parseBankCode(text: string, country: string): string {
  const code = text.trim();
  if (country === "NGA") {
    if (!/^\d{1,3}$/.test(code)) throw invalidInput("bankCode", "must be a bank's code of up to three digits");
    return code.padStart(3, "0");
  }
  if (!/^[A-Za-z0-9-]{0,34}$/.test(code)) throw invalidInput("bankCode", "must have at most 34 letters and digits");
  return code;
}
