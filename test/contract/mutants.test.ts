import { readFileSync } from "node:fs";

interface Seed {
  file: string;
  find: string;
  replace: string;
}

const seeds = JSON.parse(readFileSync("test/mutants/seeds.json", "utf8")) as Seed[];

test("there are sixty seeded edits, of rules and of handlers of every service", () => {
  expect(seeds).toHaveLength(60);
  const edited = (service: string, room: string) =>
    seeds.some(({ file }) => file.startsWith(`services/${service}/`) && file.includes(`/${room}/`));
  for (const service of ["compliance", "events", "identity", "investment", "ledger", "lending", "remittance", "wallet"])
    for (const room of ["domain", "handlers"])
      expect([service, room, edited(service, room)]).toEqual([service, room, true]);
});

test.each(seeds)("$file still has the text that is edited, once: $find", ({ file, find, replace }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});
