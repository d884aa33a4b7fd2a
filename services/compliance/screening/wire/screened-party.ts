import type { ScreenedDocument, ScreenedParty as WireParty } from "../../../../proto/gen/compliance/v1/screening.js";
import { toAlpha3 } from "../../../kernel/codes/countries.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { parseBirthDate } from "../../../kernel/time/calendar-day.js";
import { hasLetter, letterNeeded } from "../../../kernel/people/name-letters.js";
import { visibleText } from "../../../kernel/text/visible-text.js";
import { trimmedFromWire } from "../../../kernel/text/wire-text.js";
import { isComparable } from "../domain/screening-targets.js";
import { readWords } from "../../../kernel/names/clean.js";
import { genders, type PartyDocument, type PartyKind, type ScreenedParty } from "../../lists/domain/party.js";
import { oneOf } from "../../common/wire/one-of.js";

const kinds = ["PERSON", "COMPANY", "UNKNOWN"] as const satisfies readonly PartyKind[];
// What the matcher reads of a party: nothing that is searched for is left out without a word.
const maxNames = 8;
const maxNameLength = 500;
const maxCountries = 20;
const maxDocuments = 20;

/**
 * Somebody who is searched for by hand, on a calendar day. Characters that nobody sees are no
 * fault: lists are asked about what remains. Refuses INVALID_INPUT at the path where a name cannot
 * be compared as a whole, or anything is too long or too many.
 */
export function searchedPartyFromWire(wire: WireParty | undefined, today: string): ScreenedParty {
  const { kind = "", names = [], dateOfBirth = "", gender = "", countries = [], documents = [] } = wire ?? {};
  if (names.length === 0 || names.length > maxNames) throw invalidInput("names", `must be 1 to ${maxNames} names`);
  if (countries.length > maxCountries) throw invalidInput("countries", `must be at most ${maxCountries} countries`);
  if (documents.length > maxDocuments) throw invalidInput("documents", `must be at most ${maxDocuments} documents`);
  return {
    kind: kindFromWire(kind),
    isSearch: true,
    names: names.map((name, at) => searchedNameFromWire(name, `names.${at}`)),
    ...(dateOfBirth !== "" && { dateOfBirth: parseBirthDate(dateOfBirth, "dateOfBirth", today) }),
    ...(gender !== "" && { gender: oneOf(genders, gender, "gender") }),
    countries: countries.map((country, at) => toAlpha3(country, `countries.${at}`)),
    documents: documents.map((document, at) => documentFromWire(document, `documents.${at}`)),
  };
}

function kindFromWire(given: string): PartyKind {
  if (given === "") return "UNKNOWN";
  const found = kinds.find((one) => one === given);
  if (found === undefined) throw invalidInput("kind", `must be one of ${kinds.join(", ")}`);
  return found;
}

function searchedNameFromWire(given: string, path: string): string {
  const name = visibleText(trimmedFromWire(given, path, maxNameLength));
  if (!hasLetter(name)) throw invalidInput(path, letterNeeded);
  if (!isComparable({ names: [name] })) {
    throw invalidInput(path, `must have at most ${readWords} words, in a script that can be read`);
  }
  return name;
}

function documentFromWire({ type, number, country }: ScreenedDocument, path: string): PartyDocument {
  const at = `${path}.number`;
  return {
    type: visibleText(trimmedFromWire(type, `${path}.type`, 64, true)),
    number: trimmedFromWire(visibleText(trimmedFromWire(number, at, 64)), at, 64),
    country: country === "" ? "" : toAlpha3(country, `${path}.country`),
  };
}
