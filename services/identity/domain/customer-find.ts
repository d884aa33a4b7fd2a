import { toAlpha2, toAlpha3 } from "../../kernel/codes/countries.js";
import { hasLetter, longestName } from "../../kernel/people/name-letters.js";
import { readPhoneNumber } from "../../kernel/people/phone-number.js";
import { invalidInput } from "../../kernel/refusal.js";
import { createFaults } from "../../kernel/text/faults.js";
import { parseName } from "../../kernel/text/one-line.js";
import { parseBirthDay } from "../../kernel/time/calendar-day.js";
import { plainNumber } from "./find-keys.js";
import { parseCustomerCode } from "./people.js";
import { documentTypes, type DocumentType } from "./personal-details.js";

/** What somebody at the desk says of themselves; what is absent was not said. */
export interface CustomerSought {
  name?: string;
  /** E.164; several where a number dialled at home may be of several countries. */
  phoneNumbers: string[];
  document?: { type?: DocumentType; number: string };
  customerCode?: string;
  /** Calendar day. */
  dateOfBirth?: string;
  /** Alpha-3. */
  country?: string;
}

/** As it was asked for, with nothing checked; empty is not given. */
export interface SoughtDraft {
  name: string;
  phone: string;
  document: { type: string; number: string } | undefined;
  customerCode: string;
  dateOfBirth: string;
  country: string;
}

/** A kind of what a search goes by, as its audit names it. */
export const soughtBy = ["NAME", "PHONE_NUMBER", "DOCUMENT", "CUSTOMER_CODE", "DATE_OF_BIRTH", "COUNTRY"] as const;
export type SoughtBy = (typeof soughtBy)[number];

/** A number of two letters is nobody's. */
const shortestNumber = 3;

/**
 * Refuses INVALID_INPUT with every fault. A number that is dialled at home is read as of the
 * country that was said, and of each of the organisation's.
 */
export function parseSought(draft: SoughtDraft, today: string, countries: readonly string[]): CustomerSought {
  const faults = createFaults();
  const country = draft.country === "" ? undefined : faults.of(() => toAlpha3(draft.country, "country"));
  const name = draft.name.trim() === "" ? undefined : faults.of(() => parseSoughtName(draft.name));
  const homes = [...(country === undefined ? [] : [country]), ...countries];
  const phoneNumbers = draft.phone.trim() === "" ? [] : faults.of(() => parseSoughtPhone(draft.phone, homes));
  const document = draft.document === undefined ? undefined : faults.of(() => parseSoughtDocument(draft.document!));
  const code = draft.customerCode.trim() === "" ? undefined : faults.of(() => parseCustomerCode(draft.customerCode));
  const birth =
    draft.dateOfBirth === "" ? undefined : faults.of(() => parseBirthDay(draft.dateOfBirth, "dateOfBirth", today));
  const isAnythingGiven = [draft.name.trim(), draft.phone.trim(), draft.customerCode.trim()].some((one) => one !== "");
  if (!isAnythingGiven && draft.document === undefined) {
    faults.add("name", "or phone, document or customerCode is required");
  }
  faults.refuseIfAny();
  return {
    phoneNumbers: phoneNumbers!,
    ...(name !== undefined && { name }),
    ...(document !== undefined && { document }),
    ...(code !== undefined && { customerCode: code }),
    ...(birth !== undefined && { dateOfBirth: birth }),
    ...(country !== undefined && { country }),
  };
}

/** What a search goes by, for its audit: no word of what was said. */
export function kindsOf(sought: CustomerSought): SoughtBy[] {
  const { name, phoneNumbers, document, customerCode, dateOfBirth, country } = sought;
  const given = [name, phoneNumbers[0], document, customerCode, dateOfBirth, country];
  return soughtBy.filter((_, index) => given[index] !== undefined);
}

function parseSoughtName(text: string): string {
  const name = parseName(text, "name", longestName);
  if (!hasLetter(name)) throw invalidInput("name", "must have a letter, of any script");
  return name;
}

function parseSoughtPhone(text: string, homes: readonly string[]): string[] {
  const international = readPhoneNumber(text) ?? readPhoneNumber(/^\s*[1-9]/.test(text) ? `+${text.trim()}` : text);
  const atHome = homes.flatMap((home) => readPhoneNumber(text, toAlpha2(home)) ?? []);
  const numbers = [...new Set([...(international === undefined ? [] : [international]), ...atHome])];
  if (numbers.length > 0) return numbers;
  throw invalidInput(
    "phone",
    "must be a phone number, international or as one of the organisation's countries dials it",
  );
}

function parseSoughtDocument(draft: { type: string; number: string }): NonNullable<CustomerSought["document"]> {
  const faults = createFaults();
  const type = documentTypes.find((one) => one === draft.type);
  if (type === undefined && draft.type !== "") {
    faults.add("document.type", `must be one of ${documentTypes.join(", ")}`);
  }
  const number = plainNumber(draft.number);
  if (number.length < shortestNumber || number.length > 35) {
    faults.add("document.number", `must have ${shortestNumber} to 35 letters and digits`);
  }
  faults.refuseIfAny();
  return { number, ...(type !== undefined && { type }) };
}
