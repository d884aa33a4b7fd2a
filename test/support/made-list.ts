import type { ListEntry, ListedName } from "../../services/compliance/lists/domain/list-entry.js";

// Names for tests, put together of parts: nobody's.
const given =
  "Amara Boris Celia Dmitri Elena Farid Greta Hamid Irina Jonas Karim Lucia Marta Nadir Olga Pavel Qasim Rosa";
const family =
  "Abernov Belkacemi Castrovic Dragulin Estebanez Farouqi Grimaldos Hadzibeg Ivanchuk Jelinski Kowalenko Lindqvar Morozkin";
const endings = ["", "", "ski", "an", "eva", "ovic", "idze"];
const trades = "Shipping Trading Metals Airlines Petrochemicals Holdings Software Construction";

/** Numbers from 0 to below `until`, the same in every run. */
export function countFrom(seed: number): (until: number) => number {
  let state = seed;
  return (until) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * until);
  };
}

export function madeEntry(of: Partial<Omit<ListEntry, "names">> & { names: (string | ListedName)[] }): ListEntry {
  const names = of.names.map((name, at): ListedName =>
    typeof name === "string" ? { text: name, quality: at === 0 ? "PRIMARY" : "STRONG" } : name,
  );
  const empty = { datesOfBirth: [], countries: [], documents: [], programmes: [], remarks: "" };
  return { entryId: "one", kind: "PERSON", ...empty, ...of, names };
}

/** People and companies by turns, with an alias each. */
export function madeList(size: number): ListEntry[] {
  const count = countFrom(42);
  const oneOf = (words: string) => words.split(" ")[count(words.split(" ").length)]!;
  const familyName = () => `${oneOf(family)}${endings[count(endings.length)]!}`;
  return Array.from({ length: size }, (_, at) => {
    const names =
      at % 4 === 3
        ? [`${familyName()} ${oneOf(trades)} LLC`, `${familyName()} & ${familyName()} ${oneOf(trades)}`]
        : [`${familyName()}, ${oneOf(given)} ${oneOf(given)}`, `${oneOf(given)} ${familyName()}`];
    return madeEntry({ entryId: `${at}`, kind: at % 4 === 3 ? "COMPANY" : "PERSON", names });
  });
}
