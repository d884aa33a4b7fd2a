import { partyOf, rowsOf, type Person } from "./data.js";
import { searchAll, type LoadedList } from "./loaded-lists.js";
import { thresholds } from "./quality.js";

const shares = [0.6, 0.7, 0.75, 0.8] as const;
const requestedAtOnce = 8;

/**
 * Rows of a table: how many people on no list are alerted, and how many of the UN's
 * names with typos find anybody, both on OFAC's list alone: ours by threshold, and
 * Watchman's at `address` by minMatch.
 */
export async function besideQualityRows(data: string, ofac: LoadedList, address: string): Promise<string[]> {
  const innocents = ["innocents-us.csv", "innocents-global.csv"].flatMap((file) =>
    rowsOf<Person>(data, file).slice(0, 300),
  );
  const listed = rowsOf<Person>(data, "un-names-treated.csv");
  const ours = (person: Person) => Math.max(0, ...searchAll([ofac], partyOf(person, false)).map(({ score }) => score));
  const [ourInnocents, ourListed] = [innocents.map(ours), listed.map(ours)];
  const [theirInnocents, theirListed] = [await bestOf(innocents, address), await bestOf(listed, address)];
  const row = (who: string, from: number, [alerted, found]: readonly [readonly number[], readonly number[]]) =>
    `| ${who} | ${alerted.filter((score) => score >= from).length} of ${alerted.length} | ${found.filter((score) => score >= from).length} of ${found.length} |`;
  return [
    ...thresholds.map((from) => row(`ours, from ${from}`, from, [ourInnocents, ourListed])),
    ...shares.map((from) => row(`Watchman, from ${from}`, from, [theirInnocents, theirListed])),
  ];
}

/** The best match of each, by Watchman's own measure. */
async function bestOf(people: readonly Person[], address: string): Promise<number[]> {
  const best: number[] = [];
  for (let at = 0; at < people.length; at += requestedAtOnce) {
    const some = people.slice(at, at + requestedAtOnce).map(async ({ full_name: name }) => {
      const query = new URLSearchParams({ name, type: "person", limit: "1", minMatch: "0.5" });
      const answer = await fetch(`${address}/v2/search?${query.toString()}`);
      const { entities } = (await answer.json()) as { entities: { match: number }[] | null };
      return entities?.[0]?.match ?? 0;
    });
    best.push(...(await Promise.all(some)));
  }
  return best;
}
