import { existsSync, readFileSync } from "node:fs";

const text = readFileSync("docs/security.md", "utf8");
const rows = [...text.matchAll(/^\| (\d+)\.(\d+)\.(\d+) +\| (\d) +\| (\S+) +\| (.+?) +\|$/gm)].map(
  ([, chapter, section, number, level, state, how]) => ({
    id: `${chapter}.${section}.${number}`,
    chapter: Number(chapter),
    level: Number(level),
    state: state!,
    how: how!,
  }),
);

// How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has.
const ofChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

test("every requirement of levels 1 and 2 has one row", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const counted = ofChapter.map((_, index) => rows.filter(({ chapter }) => chapter === index + 1).length);
  expect(counted).toEqual(ofChapter);
  expect(rows.filter(({ level }) => level !== 1 && level !== 2)).toEqual([]);
});

test("a row is met, open or not applicable, and says how", () => {
  expect(rows.filter(({ state, how }) => !["met", "open", "n.a."].includes(state) || how.length < 5)).toEqual([]);
});

test("the files and tests that rows name exist", () => {
  const named = rows.flatMap(({ id, how }) =>
    [...how.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, file]) => `${id} ${file}`),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((one) => !existsSync(one.split(" ")[1]!))).toEqual([]);
});
