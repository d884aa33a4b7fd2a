import { toAlpha3 } from "../codes/countries.js";
import { createFaults } from "../text/faults.js";
import { parseName } from "../text/one-line.js";
import { invalidInput } from "../refusal.js";

export interface PostalAddress {
  /** At most two. */
  lines: string[];
  city: string;
  region?: string;
  postalCode?: string;
  /** Alpha-3. */
  country: string;
}

/** An address as it was given; empty is not given. */
export interface AddressDraft {
  lines: string[];
  city: string;
  region: string;
  postalCode: string;
  country: string;
}

// Of ISO 20022: a longer one would be cut on its way.
const maxLines = 2;
const longestLine = 70;
/** Most characters of a town, or a region. */
export const longestCity = 35;

/**
 * Refuses INVALID_INPUT with every fault, by its path below `address`. Town and country are always
 * said; lines may be left out where `fewestLines` is 0.
 */
export function parseAddress(draft: AddressDraft, fewestLines: 0 | 1 = 1): PostalAddress {
  const faults = createFaults();
  if (draft.lines.length < fewestLines || draft.lines.length > maxLines) {
    faults.add("address.lines", `must be ${fewestLines} to ${maxLines} lines`);
  }
  const given = draft.lines.slice(0, maxLines);
  const lines = given.map((line, index) => faults.of(() => parseName(line, `address.lines[${index}]`, longestLine)));
  const city = faults.of(() => parseName(draft.city, "address.city", longestCity));
  const region =
    draft.region === "" ? undefined : faults.of(() => parseName(draft.region, "address.region", longestCity));
  const postalCode = draft.postalCode === "" ? undefined : faults.of(() => parsePostalCode(draft.postalCode));
  const country = faults.of(() => toAlpha3(draft.country, "address.country"));
  faults.refuseIfAny();
  return {
    lines: lines as string[],
    city: city!,
    ...(region !== undefined && { region }),
    ...(postalCode !== undefined && { postalCode }),
    country: country!,
  };
}

function parsePostalCode(text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z0-9](?:[A-Z0-9 -]{0,10}[A-Z0-9])?$/.test(code)) {
    throw invalidInput("address.postalCode", 'must be 1 to 12 letters, digits, spaces and "-"');
  }
  return code;
}
