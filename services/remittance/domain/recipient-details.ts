import { parseBirthDay } from "../../kernel/time/calendar-day.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { isLei } from "../../kernel/codes/lei.js";
import { createFaults } from "../../kernel/text/faults.js";
import { readPhoneNumber } from "../../kernel/people/phone-number.js";
import { parseAddress, type AddressDraft, type PostalAddress } from "../../kernel/people/postal-address.js";
import { invalidInput } from "../../kernel/refusal.js";

export const recipientKinds = ["PERSON", "COMPANY"] as const;
export type RecipientKind = (typeof recipientKinds)[number];

/** What is known of a recipient beside name and account; what is absent is not known. */
export interface RecipientDetails {
  kind?: RecipientKind;
  /** Calendar day; of a PERSON, of any age. */
  dateOfBirth?: string;
  /** Alpha-3; of a COMPANY where it is registered. */
  nationality?: string;
  address?: PostalAddress;
  /** Legal entity identifier, of a COMPANY. */
  lei?: string;
  /** E.164. */
  phoneNumber?: string;
}

/** What somebody gave, before it is checked: empty is not given. */
export interface RecipientDraft {
  kind: string;
  dateOfBirth: string;
  nationality: string;
  address: AddressDraft | undefined;
  lei: string;
  phoneNumber: string;
}

/**
 * The details that were given, on a calendar day; undefined where there are none. Refuses
 * INVALID_INPUT with every fault, by the path of the field.
 */
export function parseRecipientDetails(draft: RecipientDraft, today: string): RecipientDetails | undefined {
  const faults = createFaults();
  const kind = draft.kind === "" ? undefined : faults.of(() => parseKind(draft.kind));
  const birth = draft.dateOfBirth === "" ? undefined : faults.of(() => parseBirth(draft, today));
  const nation = draft.nationality === "" ? undefined : faults.of(() => toAlpha3(draft.nationality, "nationality"));
  const home = draft.address === undefined ? undefined : faults.of(() => parseAddress(draft.address!, 0));
  const lei = draft.lei === "" ? undefined : faults.of(() => parseLei(draft));
  const phone = draft.phoneNumber === "" ? undefined : faults.of(() => parsePhone(draft.phoneNumber));
  faults.refuseIfAny();
  const details = {
    ...(kind !== undefined && { kind }),
    ...(birth !== undefined && { dateOfBirth: birth }),
    ...(nation !== undefined && { nationality: nation }),
    ...(home !== undefined && { address: home }),
    ...(lei !== undefined && { lei }),
    ...(phone !== undefined && { phoneNumber: phone }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

function parseKind(text: string): RecipientKind {
  const kind = recipientKinds.find((one) => one === text);
  if (kind === undefined) throw invalidInput("kind", `must be one of ${recipientKinds.join(", ")}`);
  return kind;
}

function parseBirth({ kind, dateOfBirth }: RecipientDraft, today: string): string {
  if (kind === "COMPANY") throw invalidInput("dateOfBirth", "must be left out of a COMPANY");
  return parseBirthDay(dateOfBirth, "dateOfBirth", today);
}

function parseLei({ kind, lei }: RecipientDraft): string {
  if (kind !== "COMPANY") throw invalidInput("lei", "must be left out of whoever is no COMPANY");
  const code = lei.trim().toUpperCase();
  if (!isLei(code)) throw invalidInput("lei", "must be a legal entity identifier with its check digits");
  return code;
}

function parsePhone(text: string): string {
  const number = readPhoneNumber(text);
  if (number === undefined)
    throw invalidInput("phoneNumber", "must be a telephone number with the code of its country");
  return number;
}
