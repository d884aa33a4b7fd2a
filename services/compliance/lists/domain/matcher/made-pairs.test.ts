import { compareNames } from "../../../../kernel/names/compare-names.js";
import { shippedThreshold } from "./index.js";

// Made by us: names of nobody, as they are misspelt.
const people: readonly [string, string, boolean][] = [
  ["Yusuf Belkacemi", "Youssef BELKACEMI", true],
  ["Belkacemi, Yusuf", "Yusuf Belkacemi", true],
  ["Dmitriy Morozkin", "Дмитрий Морозкин", true],
  ["Dimitri Morozkin", "Dmitry Moroskin", true],
  ["Νίκος Παπαδόγλου", "Nikos Papadoglou", true],
  ["Abd al-Rahman Farouqi", "Abdurrahman Faruqi", true],
  ["سليم فاروقي", "Salim Faruqi", true],
  ["Kateryna Ivanchuk", "Katerina Ivanchuk", true],
  ["Marta Lucia Estebanez", "Marta L. Estebanez", true],
  ["Marta Estebanez", "Marta Lucía Estébanez", true],
  ["Jelinskikarel", "Karel Jelinski", false],
  ["Karel Jelinski", "KarelJelinski", true],
  ["Dr. Karel Jelinski", "Karel Jelinski", true],
  ["Karel Jelinski", "Karel Lindqvar", false],
  ["Karel Jelinski", "Pavel Jelinski", false],
  ["Rosa Grimaldos", "Rosa", false],
  ["Ali Hassan", "Omar Hassan", false],
  ["Boris Ivanchuk", "Borislav Kowalenko", false],
];
const companies: readonly [string, string, boolean][] = [
  ["Drakon Metals LLC", "Drakon Metals Ltd", true],
  ["ООО Дракон Металс", "Drakon Metals LLC", true],
  ["Drakon Metals", "Dracon Metals", true],
  ["The Drakon Metals Company", "Drakon Metals", true],
  ["Drakon Metals", "Drakon Airlines", false],
  ["Drakon Metals", "Orion Metals", false],
];
const pairs = [
  ...people.map((pair) => [...pair, "PERSON"] as const),
  ...companies.map((pair) => [...pair, "COMPANY"] as const),
];

it.each(pairs)("%s, %s: one is taken for the other: %s", (ours, theirs, isSame, kind) => {
  const { score } = compareNames(ours, theirs, kind);
  expect(score >= shippedThreshold).toBe(isSame);
});

it.each(pairs)("%s, %s: the same from either side", (ours, theirs, _, kind) => {
  expect(compareNames(ours, theirs, kind).score).toBe(compareNames(theirs, ours, kind).score);
});

it.each(pairs.filter(([, theirs, isSame, kind]) => isSame && kind === "PERSON" && theirs.includes(" ")))(
  "%s, %s: the same in another order of words",
  (ours, theirs, _, kind) => {
    const turned = ours.replace(",", "").split(" ").toReversed().join(" ");
    expect(compareNames(turned, theirs, kind).score).toBeGreaterThanOrEqual(shippedThreshold);
  },
);
