import type { ListEntry } from "../list-entry.js";
import { createEntryStore } from "./entry-store.js";
import { createPostingsBuilder, membersOf } from "./postings.js";

it("gives entries back as they were, also long ones", () => {
  const entries = [10, 900_000, 200_000, 3_000_000, 5].map((length, at): ListEntry => ({
    entryId: `${at}`,
    kind: "PERSON",
    names: [{ text: "Ána 李", quality: "PRIMARY" }],
    datesOfBirth: [{ year: 1970, isAbout: true }],
    countries: ["DEU"],
    documents: [],
    programmes: [],
    remarks: "é".repeat(length),
  }));
  const builder = createEntryStore();
  entries.forEach(builder.add);
  const store = builder.finish();
  expect(store.size).toBe(entries.length);
  for (const [ordinal, entry] of entries.entries()) expect(store.entryOf(ordinal)).toEqual(entry);
  expect(() => store.entryOf(5)).toThrow(RangeError);
  expect(store.bytes).toBeGreaterThan(8_000_000);
});

it("postings keep the members of each key in their order", () => {
  const builder = createPostingsBuilder();
  for (let member = 0; member < 10_000; member++) builder.add(member % 7, member);
  const postings = builder.finish(9);
  for (let key = 0; key < 7; key++) {
    const members = [...membersOf(postings, key)];
    expect(members).toEqual(Array.from(members, (_, at) => 7 * at + key));
    expect(members.length).toBeGreaterThanOrEqual(1_428);
  }
  expect([...membersOf(postings, 8)]).toEqual([]);
});
