import { electronicFormatIBAN, extractIBAN, isValidBIC, isValidIBAN } from "ibantools";
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from "libphonenumber-js/mobile";
import { toAlpha2 } from "../../kernel/codes/countries.js";
import { Refusal, type RefusalDetails } from "../../kernel/refusal.js";
import { bankCountriesOf, ibanCountryOf, isInSepa } from "./bank-territories.js";
import type { DeliveryMethod } from "./corridor.js";
import type { KeyValue } from "./credit-party.js";

type Faults = NonNullable<RefusalDetails["errors"]>;
type Fault = (key: string, message: string) => void;

/**
 * Checks account details by the rules of the country (alpha-3) and currency that they are in:
 * IBAN and BIC (ISO 13616, ISO 9362), Nigeria's NUBAN, the routing number of the United States,
 * the sort code of the United Kingdom, mobile numbers. Refuses CREDIT_PARTY_INVALID naming each
 * fault; no refusal repeats a value.
 */
export function checkAccount(
  party: readonly KeyValue[],
  methods: readonly DeliveryMethod[],
  place: { country: string; currency: string },
): void {
  const faults: Faults = [];
  const fault: Fault = (key, message) => {
    const index = party.findIndex((pair) => pair.key === key);
    faults.push({ path: index < 0 ? "creditParty" : `creditParty[${index}].value`, message });
  };
  const values = new Map(party.map(({ key, value }) => [key, value.replaceAll(/[\s-]/g, "")]));
  const alpha2 = toAlpha2(place.country);
  if (methods.includes("ACCOUNTPAYMENT")) checkBankAccount(values, { ...place, alpha2 }, fault);
  if (methods.includes("MOBILE_MONEY")) checkMobile(values.get("mobilenumber") ?? "", alpha2, fault);
  const [first] = faults;
  if (first !== undefined) {
    throw new Refusal("CREDIT_PARTY_INVALID", `${first.path}: ${first.message}`, { errors: faults });
  }
}

interface Place {
  country: string;
  alpha2: string;
  currency: string;
}

function checkBankAccount(values: ReadonlyMap<string, string>, place: Place, fault: Fault): void {
  const { country, alpha2 } = place;
  const account = values.get("bankaccountno") ?? "";
  const bankCode = values.get("bankcode") ?? "";
  const bic = (values.get("swiftbic") ?? "").toUpperCase();
  if (bic !== "" && !isValidBIC(bic)) fault("swiftbic", "is no valid BIC");
  const isIban = /^[A-Za-z]{2}\d{2}/.test(account);
  if (bic !== "" && isValidBIC(bic) && !isBankOf(bic, isIban ? account : "", alpha2)) {
    fault("swiftbic", `is no bank's of ${country}`);
  }
  if (isIban) return checkIban(account, place, fault);
  switch (country) {
    case "NGA":
      if (!/^\d{10}$/.test(account)) fault("bankaccountno", "must have the 10 digits of a NUBAN");
      else if (bankCode !== "" && !/^(\d{3}|\d{5,6})$/.test(bankCode)) fault("bankcode", "must have 3, 5 or 6 digits");
      else if (bankCode !== "" && !isNuban(bankCode, account)) {
        fault("bankaccountno", "is no NUBAN of this bank: its check digit is wrong");
      }
      return;
    case "GBR":
    case "GGY":
    case "IMN":
    case "JEY":
      if (!/^\d{6,8}$/.test(account)) fault("bankaccountno", "must be an IBAN, or have 6 to 8 digits");
      if (bankCode !== "" && !/^\d{6}$/.test(bankCode)) fault("bankcode", "must be a sort code of 6 digits");
      return;
    case "USA":
      if (!/^\d{4,17}$/.test(account)) fault("bankaccountno", "must have 4 to 17 digits");
      if (bankCode !== "" && !isRoutingNumber(bankCode))
        fault("bankcode", "is no routing number: its check digit is wrong");
      return;
    default:
      if (isInSepa(alpha2)) fault("bankaccountno", "must be an IBAN");
  }
}

/**
 * A bank of an account's own country counts, too: the recipient may
 * have it where euros are as good.
 */
function isBankOf(bic: string, iban: string, alpha2: string): boolean {
  const places = [...bankCountriesOf(alpha2), ...(iban === "" ? [] : bankCountriesOf(iban.slice(0, 2).toUpperCase()))];
  return places.includes(bic.slice(4, 6));
}

function checkIban(account: string, { country, alpha2, currency }: Place, fault: Fault): void {
  const iban = electronicFormatIBAN(account) ?? "";
  if (!isValidIBAN(iban)) return fault("bankaccountno", "is no valid IBAN");
  const { countryCode = "" } = extractIBAN(iban);
  if (countryCode === ibanCountryOf(alpha2)) return;
  // Regulation (EU) 260/2012, article 9: whoever pays in euros does not say where the account is.
  const isReachable =
    currency === "EUR" && [alpha2, countryCode].every(isInSepa) && countryCode === ibanCountryOf(countryCode);
  if (!isReachable) fault("bankaccountno", `is no IBAN of ${country}`);
}

function checkMobile(number: string, alpha2: string, fault: Fault): void {
  const parsed = parsePhoneNumberFromString(number, alpha2 as CountryCode);
  if (parsed === undefined || !parsed.isValid()) fault("mobilenumber", "is no valid mobile number");
  else if (parsed.country !== undefined && !canBeOf(parsed.country, alpha2))
    fault("mobilenumber", "is a number of another country");
}

// Their countries have a part of one plan each, told apart by the first digits.
const dividedPlans: readonly string[] = ["1", "7"];

/**
 * Territories share the plan of another country, and some have none: whoever is
 * there has a number of elsewhere.
 */
function canBeOf(country: CountryCode, alpha2: string): boolean {
  if (country === alpha2 || !isSupportedCountry(alpha2)) return true;
  const plan = getCountryCallingCode(alpha2);
  return plan === getCountryCallingCode(country) && !dividedPlans.includes(plan);
}

/**
 * Check digit of a Nigerian account number (Central Bank of Nigeria, Revised Standards on NUBAN,
 * 2020): weights 3, 7, 3 over the bank's code of six digits (three-digit codes behind zeros,
 * five-digit ones behind a 9) and the nine digits of the serial number.
 */
export function isNuban(bankCode: string, account: string): boolean {
  const code = bankCode.length === 5 ? `9${bankCode}` : bankCode.padStart(6, "0");
  const sum = weighted(`${code}${account.slice(0, 9)}`, [3, 7, 3]);
  return (10 - (sum % 10)) % 10 === Number(account[9]);
}

/**
 * Routing transit number of the American Bankers Association: weights 3, 7, 1 come to a multiple of
 * ten.
 */
export function isRoutingNumber(text: string): boolean {
  return /^\d{9}$/.test(text) && weighted(text, [3, 7, 1]) % 10 === 0;
}

function weighted(digits: string, weights: readonly [number, number, number]): number {
  return Array.from(digits, (digit, index) => Number(digit) * weights[index % 3]!).reduce((a, b) => a + b, 0);
}
