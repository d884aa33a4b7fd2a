import countries from "i18n-iso-countries/index.js";
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };
import { toAlpha3 } from "../../../kernel/codes/countries.js";

/** What lists write and the library does not know, in the form of `formOf`. */
const others: Readonly<Record<string, string>> = {
  afghan: "AFG",
  belrus: "BLR",
  "bosnia herzegovina": "BIH",
  britain: "GBR",
  british: "GBR",
  burma: "MMR",
  "china hong kong special administrative region": "HKG",
  "china macau special administrative region": "MAC",
  "congo democratic republic": "COD",
  "congo democratic republic of the": "COD",
  "congo republic of the": "COG",
  "czech republic": "CZE",
  "democratic peoples republic of korea": "PRK",
  "dem peoples republic of korea": "PRK",
  dprk: "PRK",
  "east timor": "TLS",
  "federated states of micronesia": "FSM",
  gaza: "PSE",
  german: "DEU",
  "guinea bissau": "GNB",
  "iran islamic republic of": "IRN",
  iranian: "IRN",
  iraqi: "IRQ",
  "ivory coast": "CIV",
  "korea north": "PRK",
  "korea south": "KOR",
  "libyan arab jamahiriya": "LBY",
  macau: "MAC",
  macedonia: "MKD",
  "micronesia federated states of": "FSM",
  "moldova republic of": "MDA",
  "repubic of moldova": "MDA",
  "north macedonia the republic of": "MKD",
  "north korea": "PRK",
  "occupied palestinian territories": "PSE",
  palestine: "PSE",
  palestinian: "PSE",
  "palestinian territories": "PSE",
  "palestinian territory occupied": "PSE",
  "region gaza": "PSE",
  "region kafia kingi": "SDN",
  "region northern mali": "MLI",
  "region crimea": "UKR",
  "republic of korea": "KOR",
  russian: "RUS",
  "slovak republic": "SVK",
  "south korea": "KOR",
  "state of palestine": "PSE",
  swaziland: "SWZ",
  syrian: "SYR",
  "syria arab republic": "SYR",
  "tanzania united republic of": "TZA",
  "the gambia": "GMB",
  "the netherlands": "NLD",
  turkey: "TUR",
  "union of the comoros": "COM",
  uae: "ARE",
  "united republic of tanzania": "TZA",
  "united states of america": "USA",
  "us virgin islands": "VIR",
  "virgin islands british": "VGB",
  "west bank": "PSE",
};

const byName = namesOf();

function namesOf(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [alpha2, given] of Object.entries(english.countries as Record<string, string | string[]>)) {
    const alpha3 = alpha2 === "XK" ? "XKX" : countries.alpha2ToAlpha3(alpha2);
    if (alpha3 === undefined) continue;
    for (const name of [given].flat()) names.set(formOf(name), alpha3);
  }
  for (const [name, alpha3] of Object.entries(others)) names.set(name, alpha3);
  return names;
}

/** Small letters a to z and single spaces. */
function formOf(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\u0300-\u036f'’.]/g, "")
    .replace(/[^a-z]+/g, " ")
    .trim();
}

const known = new Map<string, string | undefined>();
const maxKnown = 5_000;

/**
 * Alpha-3 of a country as a list names it, also where a remark follows ("Iraq (previous address)",
 * "Former USSR Currently Belarus"). Undefined where it names none.
 */
export function countryOfName(text: string): string | undefined {
  if (known.has(text)) return known.get(text);
  const found = find(text);
  if (known.size < maxKnown) known.set(text, found);
  return found;
}

function find(text: string): string | undefined {
  const current = /currently\s+(.*)$/i.exec(text)?.[1] ?? text;
  return byName.get(formOf(current)) ?? byName.get(formOf(current.replace(/\([^)]*\)|\[[^\]]*\]/g, " ")));
}

/** Of a code of two or three letters; undefined where it is none. */
export function countryOfCode(code: string): string | undefined {
  try {
    return toAlpha3(code, "country");
  } catch {
    return undefined;
  }
}

/** Of several in one cell: "(1) Somalia. (2) Sweden", "Estonia, Russia". */
export function countriesOfCell(text: string): (string | undefined)[] {
  const whole = countryOfName(text);
  if (whole !== undefined || text.trim() === "") return [whole];
  return text.split(/\(\d+\)|[.,;/]/).map((part) => countryOfName(part));
}
