import { readFileSync } from "node:fs";

interface Seed {
  file: string;
  find: string;
  replace: string;
}

const seeds = JSON.parse(readFileSync("test/mutants/seeds.json", "utf8")) as Seed[];

test("there are sixty seeded edits, of rules and of handlers of every service", () => {
  expect(seeds).toHaveLength(60);
  const rooms = new Set(seeds.map(({ file }) => file.split("/").slice(0, 3).join("/")));
  for (const service of ["compliance", "events", "identity", "investment", "ledger", "lending", "remittance", "wallet"])
    for (const room of ["domain", "handlers"]) expect(rooms).toContain(`services/${service}/${room}`);
});

test.each(seeds)("$file still has the text that is edited, once: $find", ({ file, find, replace }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});
