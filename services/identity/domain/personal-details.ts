import { isDeepStrictEqual } from "node:util";
import { dayOf, parseBirthDay, parseCalendarDay } from "../../kernel/time/calendar-day.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { createFaults, type Faults } from "../../kernel/text/faults.js";
import { parseName } from "../../kernel/text/one-line.js";
import {
  longestCity,
  parseAddress,
  type AddressDraft,
  type PostalAddress,
} from "../../kernel/people/postal-address.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { mixedScripts, mixesScripts } from "../../kernel/text/word-scripts.js";

export const documentTypes = ["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"] as const;
export type DocumentType = (typeof documentTypes)[number];
const genders = ["FEMALE", "MALE"] as const;
export type Gender = (typeof genders)[number];

export interface PersonDocument {
  type: DocumentType;
  number: string;
  /** Alpha-3, of who issued it. */
  country: string;
  /** Calendar day; absent where it does not expire. */
  expiresAt?: string;
  /** As the document says; absent where it does not, or says another thing. */
  gender?: Gender;
  /** Staff saw it and entered what it says: whose user id, and when (ISO 8601). */
  seen?: { by: string; at: string };
  /** When it was put on file (ISO 8601); absent where it came with its owner's registration. */
  onFileSince?: string;
}

export interface PlaceOfBirth {
  city: string;
  /** Alpha-3. */
  country: string;
}

/** What is known of a customer beside name and contacts; what is absent is not known. */
export interface PersonalDetails {
  /** Calendar day. */
  dateOfBirth?: string;
  placeOfBirth?: PlaceOfBirth;
  /** Alpha-3. */
  nationality?: string;
  address?: PostalAddress;
  /** At least one where present. */
  identityDocuments?: PersonDocument[];
}

/** What somebody gave, before it is checked: empty is not given. */
export interface DetailsDraft {
  dateOfBirth: string;
  placeOfBirth: PlaceOfBirth | undefined;
  nationality: string;
  address: AddressDraft | undefined;
  identityDocuments: { type: string; number: string; country: string; expiresAt: string; gender: string }[];
}

/** Nobody younger can owe a money transmitter anything by the laws of most countries. */
export const minimumAgeYears = 18;
const latestExpiry = "2199-12-31";
export const maxDocuments = 5;

/**
 * The details that were given, on a calendar day. Refuses INVALID_INPUT with every fault, by the
 * path of the field.
 */
export function parseDetails(draft: DetailsDraft | undefined, today: string): PersonalDetails {
  if (draft === undefined) return {};
  const faults = createFaults();
  const { dateOfBirth, placeOfBirth, nationality, address, identityDocuments } = draft;
  const birth = dateOfBirth === "" ? undefined : faults.of(() => parseDateOfBirth(dateOfBirth, today));
  const place = placeOfBirth === undefined ? undefined : faults.of(() => parsePlace(placeOfBirth));
  const nation = nationality === "" ? undefined : faults.of(() => toAlpha3(nationality, "nationality"));
  const home = address === undefined ? undefined : faults.of(() => parseAddress(address));
  const documents = faults.of(() => parseDocuments(identityDocuments, today));
  faults.refuseIfAny();
  return {
    ...(birth !== undefined && { dateOfBirth: birth }),
    ...(place !== undefined && { placeOfBirth: place }),
    ...(nation !== undefined && { nationality: nation }),
    ...(home !== undefined && { address: home }),
    ...(documents !== undefined && documents.length > 0 && { identityDocuments: documents }),
  };
}

/**
 * Fields that were given replace what was there; a document that is the same one stays seen, and on
 * file since it was put there.
 */
export function mergedDetails(before: PersonalDetails, given: PersonalDetails, now: Date): PersonalDetails {
  const { identityDocuments } = given;
  if (identityDocuments === undefined) return { ...before, ...given };
  const { identityDocuments: known = [] } = before;
  const kept = identityDocuments.map((one) => {
    const { seen } = known.find((other) => isSameDocument(other, one)) ?? {};
    return { ...(seen !== undefined && { seen }), ...one, ...sinceOf(one, known, now) };
  });
  return { ...before, ...given, identityDocuments: kept };
}

function sinceOf(
  one: PersonDocument,
  known: readonly PersonDocument[],
  now: Date,
): Pick<PersonDocument, "onFileSince"> {
  const same = known.find((other) => isNumbered(other, one));
  if (same === undefined) return { onFileSince: now.toISOString() };
  return same.onFileSince === undefined ? {} : { onFileSince: same.onFileSince };
}

/** Those that were on file before a moment: nobody has put them there for what came since. */
export function documentsBefore({ identityDocuments = [] }: PersonalDetails, moment: Date): PersonDocument[] {
  return identityDocuments.filter(({ onFileSince }) => onFileSince === undefined || new Date(onFileSince) < moment);
}

/** Who is called otherwise is seen anew: the document named somebody else. */
export function unseenDetails(details: PersonalDetails): PersonalDetails {
  const { identityDocuments } = details;
  if (identityDocuments === undefined) return details;
  return { ...details, identityDocuments: identityDocuments.map(({ seen: _seen, ...one }) => one) };
}

/**
 * With a document that was seen in the place of the same one, and first of the others. Where there
 * are as many as there may be, one that is over makes room; refuses STATE_CONFLICT where none is.
 */
export function withSeenDocument(details: PersonalDetails, seen: PersonDocument, now: Date): PersonalDetails {
  const { identityDocuments: known = [] } = details;
  const others = known.filter((one) => !isNumbered(one, seen));
  const over = others.findIndex(({ expiresAt }) => expiresAt !== undefined && expiresAt < dayOf(now));
  if (others.length === maxDocuments) {
    if (over < 0)
      throw new Refusal("STATE_CONFLICT", `${maxDocuments} documents are on file: a manager takes one away`);
    others.splice(over, 1);
  }
  return { ...details, identityDocuments: [{ ...seen, ...sinceOf(seen, known, now) }, ...others] };
}

const isNumbered = (one: PersonDocument, other: PersonDocument): boolean =>
  one.type === other.type && one.country === other.country && one.number === other.number;

const isSameDocument = (one: PersonDocument, other: PersonDocument): boolean =>
  isNumbered(one, other) && one.expiresAt === other.expiresAt;

/** Fields that were given and differ from what was there. */
export function changedDetails(before: PersonalDetails, given: PersonalDetails): (keyof PersonalDetails)[] {
  const names = Object.keys(given) as (keyof PersonalDetails)[];
  return names.filter((name) => !isDeepStrictEqual(before[name], given[name]));
}

/** One's own details are given once: refuses FORBIDDEN where one is on file already. */
export function assertGivenOnce(before: PersonalDetails, changed: readonly (keyof PersonalDetails)[]): void {
  const known = changed.filter((name) => before[name] !== undefined);
  if (known.length > 0) throw new Refusal("FORBIDDEN", `${known.join(", ")}: what is on file is changed by staff`);
}

function parseDateOfBirth(text: string, today: string): string {
  const day = parseBirthDay(text, "dateOfBirth", today);
  const youngest = Temporal.PlainDate.from(today).subtract({ years: minimumAgeYears }).toString();
  if (day > youngest) throw invalidInput("dateOfBirth", `must be of somebody who is ${minimumAgeYears} or older`);
  return day;
}

function parsePlace(draft: PlaceOfBirth): PlaceOfBirth {
  const faults = createFaults();
  const city = faults.of(() => parseName(draft.city, "placeOfBirth.city", longestCity));
  const country = faults.of(() => toAlpha3(draft.country, "placeOfBirth.country"));
  faults.refuseIfAny();
  return { city: city!, country: country! };
}

function parseDocuments(drafts: DetailsDraft["identityDocuments"], today: string): PersonDocument[] {
  const faults = createFaults();
  if (drafts.length > maxDocuments) faults.add("identityDocuments", `must be at most ${maxDocuments} documents`);
  faults.refuseIfAny();
  const documents = drafts.map((draft, index) => parseDocument(draft, `identityDocuments[${index}]`, today, faults));
  faults.refuseIfAny();
  const keys = documents.map((one) => `${one!.type} ${one!.country} ${one!.number}`);
  keys.forEach((key, index) => {
    if (keys.indexOf(key) < index) faults.add(`identityDocuments[${index}].number`, "must not be given twice");
  });
  faults.refuseIfAny();
  return documents as PersonDocument[];
}

function parseDocument(
  draft: DetailsDraft["identityDocuments"][number],
  path: string,
  today: string,
  faults: Faults,
): PersonDocument | undefined {
  const type = documentTypes.find((one) => one === draft.type);
  if (type === undefined) faults.add(`${path}.type`, `must be one of ${documentTypes.join(", ")}`);
  const number = faults.of(() => parseDocumentNumber(draft.number, `${path}.number`));
  const country = faults.of(() => toAlpha3(draft.country, `${path}.country`));
  const expiresAt = draft.expiresAt === "" ? undefined : faults.of(() => parseExpiry(draft.expiresAt, path, today));
  const gender = genders.find((one) => one === draft.gender);
  if (gender === undefined && draft.gender !== "") faults.add(`${path}.gender`, `must be one of ${genders.join(", ")}`);
  if (type === undefined || number === undefined || country === undefined) return undefined;
  const stated = { ...(expiresAt !== undefined && { expiresAt }), ...(gender !== undefined && { gender }) };
  return { type, number, country, ...stated };
}

/** In capitals: a number is compared with others as people read it. */
function parseDocumentNumber(text: string, path: string): string {
  const number = text.normalize("NFKC").trim().toUpperCase();
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{N} ./-]{0,33}[\p{L}\p{N}])?$/u.test(number)) {
    throw invalidInput(path, 'must be 1 to 35 letters, digits, spaces, ".", "/" and "-"');
  }
  if (mixesScripts(number)) throw invalidInput(path, mixedScripts);
  return number;
}

function parseExpiry(text: string, path: string, today: string): string {
  const day = parseCalendarDay(text, `${path}.expiresAt`);
  if (day < today) throw invalidInput(`${path}.expiresAt`, "must not be over");
  if (day > latestExpiry) throw invalidInput(`${path}.expiresAt`, `must not be after ${latestExpiry}`);
  return day;
}
