import { getCountrySpecifications } from "ibantools";

// "Included territories" of the IBAN registry (SWIFT, release 99) by alpha-2, and
// Svalbard, whose banks are Norway's.
const ibanCountries: Readonly<Record<string, readonly string[]>> = {
  FR: ["BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT"],
  GB: ["GG", "IM", "JE"],
  FI: ["AX"],
  NO: ["SJ"],
};

// Whose banks a territory without IBAN has. Western Sahara's are Morocco's; what accounts
// look like there nobody publishes.
const bankCountries: Readonly<Record<string, readonly string[]>> = {
  AU: ["CC", "CX", "NF"],
  DK: ["FO", "GL"],
  MA: ["EH"],
  NL: ["BQ"],
  NZ: ["CK", "NU", "TK"],
  US: ["AS", "GU", "MP", "PR", "UM", "VI"],
};

// French, with IBANs of France, and outside the area (European Payments Council, EPC409-09).
const outsideSepa: readonly string[] = ["NC", "PF", "TF", "WF"];
// Joined after the library's table was made (EPC409-09).
const joinedSepa: readonly string[] = ["AL", "MD", "ME", "MK", "RS"];

const ownersIn = (table: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(table).flatMap(([owner, places]) => places.map((place) => [place, owner] as const)));
const ibanOwners = ownersIn(ibanCountries);
const bankOwners = ownersIn(bankCountries);

/** The country whose letters begin IBANs of a country or territory (alpha-2). */
export function ibanCountryOf(alpha2: string): string {
  return ibanOwners.get(alpha2) ?? alpha2;
}

/** Countries that a BIC of a bank there may name. */
export function bankCountriesOf(alpha2: string): string[] {
  return [alpha2, ...[ibanOwners.get(alpha2), bankOwners.get(alpha2)].filter((owner) => owner !== undefined)];
}

/** Whether accounts there are reached by SEPA payments. */
export function isInSepa(alpha2: string): boolean {
  if (outsideSepa.includes(alpha2)) return false;
  return getCountrySpecifications()[ibanCountryOf(alpha2)]?.SEPA === true || joinedSepa.includes(alpha2);
}
