import type { PersonalDetails } from "../../../../proto/gen/common/v1/personal_details.js";
import type { TransactionParty } from "../../../../proto/gen/compliance/v1/compliance.js";
import { parseCalendarDay } from "../../../kernel/time/calendar-day.js";
import { toAlpha3 } from "../../../kernel/codes/countries.js";
import { invalidInput } from "../../../kernel/refusal.js";
import type { NamedParty } from "../domain/screening-targets.js";
import { genders, type PartyKind, type ScreenedParty } from "../../lists/domain/party.js";
import { partyRoles } from "../domain/summary.js";

const maxParties = 3;
const maxCountries = 20;
const birth = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const kinds: readonly string[] = ["PERSON", "COMPANY", "UNKNOWN"] satisfies PartyKind[];

/**
 * Who a question names. Refuses INVALID_INPUT by the path of the fault; a
 * role without a name is nobody.
 */
export function partiesFromWire(parties: readonly TransactionParty[]): NamedParty[] {
  if (parties.length > maxParties) throw invalidInput("parties", `must be at most ${maxParties}`);
  const named = parties.map((party, at) => partyFromWire(party, `parties.${at}`));
  named.forEach(({ role }, at) => {
    if (named.findIndex((one) => one.role === role) !== at) throw invalidInput(`parties.${at}.role`, "is named twice");
  });
  return named.filter(({ party }) => party.names.length > 0);
}

function partyFromWire(
  { role: stated, name, kind, dateOfBirth, countries }: TransactionParty,
  path: string,
): NamedParty {
  const role = partyRoles.find((one) => one === stated);
  if (role === undefined) throw invalidInput(`${path}.role`, `must be one of ${partyRoles.join(", ")}`);
  if (kind !== "" && !kinds.includes(kind)) throw invalidInput(`${path}.kind`, `must be one of ${kinds.join(", ")}`);
  if (dateOfBirth !== "") assertDay(dateOfBirth, `${path}.dateOfBirth`);
  if (countries.length > maxCountries) throw invalidInput(`${path}.countries`, `must be at most ${maxCountries}`);
  const named = countries.flatMap((country, at) =>
    country === "" ? [] : [toAlpha3(country, `${path}.countries.${at}`)],
  );
  const party: ScreenedParty = {
    kind: kind === "" ? "UNKNOWN" : (kind as PartyKind),
    names: name.trim() === "" ? [] : [name.trim()],
    ...(dateOfBirth !== "" && { dateOfBirth }),
    countries: [...new Set(named)],
    documents: [],
  };
  return { role, party };
}

/** A day, a month or a year of the calendar. */
function assertDay(text: string, path: string): void {
  if (!birth.test(text)) throw invalidInput(path, "must be YYYY-MM-DD");
  parseCalendarDay(`${text}-01-01`.slice(0, 10), path);
}

/** Somebody as identity tells of them. */
export function partyOfPerson(person: {
  firstName: string;
  lastName: string;
  country: string;
  details?: PersonalDetails | undefined;
}): ScreenedParty {
  const { firstName, lastName, country, details } = person;
  const name = `${firstName} ${lastName}`.trim();
  const countries = [country, details?.nationality, details?.address?.country].filter((one) => one !== undefined);
  const dateOfBirth = details?.dateOfBirth ?? "";
  return {
    kind: "PERSON",
    names: name === "" ? [] : [name],
    ...(dateOfBirth !== "" && { dateOfBirth }),
    countries: [...new Set(countries.filter((one) => one !== ""))],
    ...genderOfDocuments(details),
    documents: (details?.identityDocuments ?? []).map(({ type, number, country: from }) => ({
      type,
      number,
      country: from,
    })),
  };
}

/** What the documents say, where those that say anything agree. */
function genderOfDocuments(details: PersonalDetails | undefined): Pick<ScreenedParty, "gender"> {
  const stated = new Set((details?.identityDocuments ?? []).map(({ gender }) => gender).filter((one) => one !== ""));
  const gender = genders.find((one) => stated.size === 1 && stated.has(one));
  return gender === undefined ? {} : { gender };
}
