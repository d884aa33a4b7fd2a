import { rankFound } from "./customer-match.js";
import { findKeysOf, nameKeysOf, plainNumber } from "./find-keys.js";
import type { CustomerRecord } from "./people.js";

const hash = (kind: string, text: string) => `${kind}:${text}`;
const keysOf = (name: string) => Object.values(nameKeysOf(name)).flat();
const meets = (one: string, other: string) => {
  const keys = new Set(keysOf(other));
  return keysOf(one).some((key) => keys.has(key));
};

const first =
  "Adaeze Bukola Chidinma Damilola Emeka Folake Gbenga Halima Ifeoma Jelani Kwabena Lerato Mariam Ngozi Obinna".split(
    " ",
  );
const last =
  "Okafor Adeyemi Balogun Mensah Nwachukwu Owusu Abubakar Danjuma Oyelaran Mwangi Dlamini Odhiambo Ekwueme Boateng Quartey".split(
    " ",
  );
const names = first.flatMap((one) => last.map((other) => `${one} ${other}`));

const made = (name: string): CustomerRecord => {
  const [firstName = "", lastName = ""] = name.split(" ");
  const customer = { id: name, code: name, firstName, lastName, phoneNumber: "", country: "NGA" };
  return { userId: name, customer } as CustomerRecord;
};
const customers = names.map(made);
/** Of two words: few have them in a tenant of any size, so that all of these are read. */
const pairsOf = (name: string) => {
  const { same, sound, near } = nameKeysOf(name);
  return [...same, ...sound, ...near];
};
const keyed = customers.map((one) => ({ one, keys: new Set(pairsOf(one.userId)) }));

/** Whom a search finds: those with a key of it, ranked. */
const firstFound = (name: string): string | undefined => {
  const keys = pairsOf(name);
  const candidates = keyed.filter((each) => keys.some((key) => each.keys.has(key))).map(({ one }) => one);
  return rankFound({ name, phoneNumbers: [] }, candidates)[0]?.customer.userId;
};

type Misspell = (word: string, at: number, letter: string) => string;
const misspellings: Record<string, Misspell> = {
  "another letter": (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  "a letter left out": (word, at) => word.slice(0, at) + word.slice(at + 1),
  "a letter too many": (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  "a letter doubled": (word, at) => word.slice(0, at) + word[at] + word.slice(at),
  "two letters exchanged": (word, at) =>
    at + 1 < word.length ? word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) : word,
};

/** Every name once, each misspelt at another place by another letter; the same at every run. */
function recallOf(misspell: Misspell, isBoth: boolean): number {
  const found = names.filter((name, index) => {
    const words = name.split(" ");
    const wrong = words.map((word, place) => {
      if (!isBoth && place !== index % 2) return word;
      const at = 1 + ((index * 7 + place * 3) % (word.length - 1));
      return misspell(word, at, String.fromCodePoint(97 + ((index * 11 + place * 5) % 26)));
    });
    const sought = index % 3 === 0 ? wrong.toReversed() : wrong;
    return firstFound(sought.join(" ")) === name;
  });
  return found.length / names.length;
}

// What is found today: a key or a weight that finds fewer fails here.
test.each([
  ["another letter", 0.96, 0.62],
  ["a letter left out", 0.99, 0.92],
  ["a letter too many", 0.96, 0.71],
  ["a letter doubled", 1, 0.99],
  ["two letters exchanged", 1, 1],
])("of names with %s at least %d stand first, and %d where both names have one", (kind, one, both) => {
  expect(recallOf(misspellings[kind]!, false)).toBeGreaterThanOrEqual(one);
  expect(recallOf(misspellings[kind]!, true)).toBeGreaterThanOrEqual(both);
});

test.each([
  ["Muhammad Ali", "Mohamed Aly"],
  ["Oluwa Seun Ade", "Oluwaseun Ade"],
  ["Abd al-Rahman Musa", "Abdurrahman Musa"],
  ["O'Brien Sean", "Sean Obrien"],
  ["Queen Du", "Quein Du"],
  ["王小明", "Wang Xiaoming"],
  ["Okafor", "Ngozi Okafor"],
  ["Bello", "Ngozi Amina Bello-Okafor"],
])("%s meets %s", (one, other) => expect([meets(one, other), meets(other, one)]).toEqual([true, true]));

test.each([
  ["Ngozi Okafor", "Chidi Okeke"],
  ["-", "Ngozi Okafor"],
])("%s shares no pair of words with %s", (one, other) => {
  expect(pairsOf(one).filter((key) => pairsOf(other).includes(key))).toEqual([]);
});

test("a name of fifty words has no more keys than one of six", () => {
  const words = Array.from({ length: 50 }, (_, index) => `Na${String.fromCodePoint(97 + (index % 26))}kor${index}`);
  expect(keysOf(words.join(" ")).length).toBe(keysOf(words.slice(0, 6).join(" ")).length);
});

test("what is sealed is among the keys as a hash alone, and a document however it is written", () => {
  const document = { type: "PASSPORT" as const, number: "ａ-01 23", country: "NGA" };
  const details = { dateOfBirth: "1990-05-17", identityDocuments: [document] };
  const keys = findKeysOf({ firstName: "-", lastName: "Ng", details }, hash);
  expect(keys.filter((key) => /^[bd]/.test(key))).toEqual(["bbirth:1990-05-17", "ddocument:A0123"]);
  expect([plainNumber("A.01/23"), plainNumber("--")]).toEqual(["A0123", ""]);
});
