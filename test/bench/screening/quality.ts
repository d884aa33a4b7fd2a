import { compareNames } from "../../../services/kernel/names/compare-names.js";
import { shippedThreshold } from "../../../services/compliance/lists/domain/matcher/index.js";
import { partyOf, rowsOf, type Pair, type Person } from "./data.js";
import { searchAll, type LoadedList } from "./loaded-lists.js";

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;

/** Rows of a table: labelled pairs, listed names with typos, and people who are on no list. */
export function qualityRows(data: string, lists: readonly LoadedList[]): string[] {
  return [...pairRows(data), ...listedRows(data, lists), ...innocentRows(data, lists)];
}

function pairRows(data: string): string[] {
  const pairs = rowsOf<Pair>(data, "name-pairs.csv").map((pair) => ({
    isFound:
      compareNames(pair.name1, pair.name2, pair.schema === "Person" ? "PERSON" : "COMPANY").score >= shippedThreshold,
    isMatch: pair.is_match === "true",
    isStrong: pair.quality === "STRONG",
  }));
  const f1 = (half: typeof pairs) => {
    const found = half.filter((pair) => pair.isFound && pair.isMatch).length;
    const wrong = half.filter((pair) => pair.isFound !== pair.isMatch).length;
    return ((2 * found) / (2 * found + wrong)).toFixed(3);
  };
  const [even, odd] = [0, 1].map((rest) => pairs.filter((_, at) => at % 2 === rest));
  const missed = pairs.filter((pair) => pair.isStrong && pair.isMatch && !pair.isFound).length;
  return [
    `| labelled pairs (${pairs.length}): F1 | ≥ 0.82 | ${f1(pairs)} |`,
    `| … of every other pair, and of the others | | ${f1(even!)}, ${f1(odd!)} |`,
    `| … missed of the STRONG tier | 0 | ${missed} |`,
  ];
}

function listedRows(data: string, lists: readonly LoadedList[]): string[] {
  const un = lists.filter(({ source }) => source === "UN");
  const rows: string[] = [];
  for (const [file, what] of [
    ["un-names-treated.csv", "with typos"],
    ["un-names-untreated.csv", "as they are"],
  ] as const) {
    const people = rowsOf<Person>(data, file);
    for (const isWhole of [false, true]) {
      const missed = people.filter((person) => searchAll(un, partyOf(person, isWhole)).length === 0);
      const target = file.includes("-treated") ? "≥ 99 %" : "";
      const by = isWhole ? "with date of birth and country" : "by name only";
      const found = percent(people.length - missed.length, people.length);
      const names = missed.map((person) => person.full_name).join(", ");
      rows.push(
        `| UN names ${what} (${people.length}), ${by}: found | ${target} | ${found} (missed: ${names || "none"}) |`,
      );
    }
  }
  return rows;
}

function innocentRows(data: string, lists: readonly LoadedList[]): string[] {
  const people = ["innocents-us.csv", "innocents-global.csv"].flatMap((file) => rowsOf<Person>(data, file));
  const un = lists.filter(({ source }) => source === "UN");
  return [false, true].flatMap((isWhole) => {
    const by = isWhole ? "with date of birth and country" : "by name only";
    const alerts = (among: readonly LoadedList[]) =>
      percent(people.filter((person) => searchAll(among, partyOf(person, isWhole)).length > 0).length, people.length);
    return [
      `| people on no list (${people.length}), ${by}: alerts, UN list | ≤ ${isWhole ? "0.1" : "0.5"} % | ${alerts(un)} |`,
      `| … all lists | | ${alerts(lists)} |`,
    ];
  });
}

export const thresholds = [785, 830, 850, 875] as const;

/**
 * Rows of a table: people on no list who are alerted by name alone, by threshold; of 600 (the
 * first 300 of each file) and of all.
 */
export function thresholdRows(data: string, lists: readonly LoadedList[]): string[] {
  const files = ["innocents-us.csv", "innocents-global.csv"].map((file) => rowsOf<Person>(data, file));
  const among = lists.filter(({ source }) => source !== "UK");
  const row = (people: readonly Person[]) => {
    const best = people.map((person) =>
      Math.max(0, ...searchAll(among, partyOf(person, false)).map(({ score }) => score)),
    );
    const counts = thresholds.map((threshold) => best.filter((score) => score >= threshold).length);
    return `| ${people.length} | ${counts.join(" | ")} |`;
  };
  return [row(files.flatMap((people) => people.slice(0, 300))), row(files.flat())];
}
