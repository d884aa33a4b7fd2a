import type { Money } from "../../../kernel/money.js";
import { isCurrency } from "../../../kernel/codes/currencies.js";
import {
  destinations,
  fundings,
  missingWays,
  profileNames,
  transparencyMembers,
} from "../../../platform/transparency/members.js";
import { checkCountries, oneOf, type Report } from "./condition-check.js";
import { profileCurrencies } from "./transparency-profiles.js";
import type { TransparencyProfile, TransparencyRow } from "./transparency.js";

/** A profile as it was asked for, with nothing checked yet. */
export interface ProfileDraft {
  profile: string;
  originCountries: string[];
  currency: string;
  linkedHours: number;
  onMissing: string;
  rows: RowDraft[];
}

interface RowDraft {
  amount: Money | undefined;
  isAbove: boolean;
  funding: string;
  destination: string;
  receivingCountries: string[];
  members: string[];
  isVerified: boolean;
}

const maxProfiles = 50;
const maxRows = 50;
const maxCountries = 250;
const maxLinkedHours = 744;

/** The profiles that a draft describes, with what was left open; reports each fault by its path. */
export function checkProfiles(drafts: readonly ProfileDraft[], report: Report): TransparencyProfile[] {
  if (drafts.length > maxProfiles) report("transparencyProfiles", `at most ${maxProfiles}`);
  const given = drafts.slice(0, maxProfiles);
  return given.map((draft, index) => checkProfile(draft, `transparencyProfiles[${index}]`, report));
}

/** A country that two profiles are for; undefined where there is none. */
export function countryOfTwo(profiles: readonly TransparencyProfile[]): string | undefined {
  const countries = profiles.flatMap(({ originCountries }) => [...new Set(originCountries)]);
  return countries.find((country, index) => countries.indexOf(country) < index);
}

function checkProfile(draft: ProfileDraft, path: string, report: Report): TransparencyProfile {
  const profile = oneOf(profileNames, draft.profile, `${path}.profile`, report);
  const currencies = profileCurrencies[profile];
  const currency = draft.currency || (currencies[0] ?? "");
  if (!isCurrency(currency)) report(`${path}.currency`, "must be a currency of ISO 4217");
  else if (currencies.length > 0 && !currencies.includes(currency)) {
    report(`${path}.currency`, `must be ${currencies.join(" or ")} for ${profile}`);
  }
  const { linkedHours } = draft;
  if (!Number.isInteger(linkedHours) || linkedHours < 1 || linkedHours > maxLinkedHours) {
    report(`${path}.linkedHours`, `must be 1 to ${maxLinkedHours}`);
  }
  if (draft.rows.length > maxRows) report(`${path}.rows`, `at most ${maxRows}`);
  if (profile === "OWN" && draft.rows.length === 0) report(`${path}.rows`, "must have at least one row of its own");
  return {
    profile,
    originCountries: checkSome(draft.originCountries, `${path}.originCountries`, report),
    currency,
    linkedHours,
    onMissing: oneOf(missingWays, draft.onMissing || "WAIT", `${path}.onMissing`, report),
    rows: draft.rows.slice(0, maxRows).map((row, index) => checkRow(row, currency, `${path}.rows[${index}]`, report)),
  };
}

function checkSome(countries: string[], path: string, report: Report): string[] {
  if (countries.length < 1 || countries.length > maxCountries) report(path, `must be 1 to ${maxCountries} countries`);
  return [...new Set(checkCountries(countries.slice(0, maxCountries), path, report))];
}

function checkRow(draft: RowDraft, currency: string, path: string, report: Report): TransparencyRow {
  const { amount = { minor: 0n, currency }, receivingCountries, isAbove, isVerified } = draft;
  if (amount.currency !== currency) report(`${path}.amount.currency`, `must be ${currency}, as the profile's`);
  if (amount.minor < 0n) report(`${path}.amount.amountMinor`, "must not be negative");
  const destination = oneOf(destinations, draft.destination || "ANY", `${path}.destination`, report);
  if (receivingCountries.length > maxCountries) report(`${path}.receivingCountries`, `at most ${maxCountries}`);
  if (receivingCountries.length > 0 && destination !== "ANY") {
    report(`${path}.destination`, "has no place beside receivingCountries");
  }
  const members = draft.members
    .slice(0, transparencyMembers.length)
    .map((name, index) => oneOf(transparencyMembers, name, `${path}.members[${index}]`, report));
  if (draft.members.length === 0 && !isVerified) report(`${path}.members`, "must name what is asked for");
  if (draft.members.length > members.length) report(`${path}.members`, `at most ${transparencyMembers.length}`);
  return {
    amount,
    isAbove,
    funding: oneOf(fundings, draft.funding || "ANY", `${path}.funding`, report),
    destination,
    receivingCountries: checkCountries(receivingCountries.slice(0, maxCountries), `${path}.receivingCountries`, report),
    members: [...new Set(members)],
    isVerified,
  };
}
