import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listsFolder } from "../partner/lists.js";
import { createComplianceWorld, refused, type ComplianceWorld } from "../../test/support/compliance-fixture.js";
import { readAdminArguments } from "./admin-arguments.js";
import { runLists, type ListCommand } from "./admin-lists.js";

jest.setTimeout(60_000);

let world: ComplianceWorld;
let folder: string;
beforeAll(async () => {
  world = await createComplianceWorld("admin_lists");
  folder = await mkdtemp(join(tmpdir(), "manilla-admin-lists-"));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

/** As the command line: what it prints. */
async function admin(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const command = readAdminArguments(["lists", ...args]) as ListCommand;
  const screening = world.screeningOperator;
  await runLists(command, { screening, print: (line) => void lines.push(line), pollEveryMs: 20 });
  return lines;
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const people = (from: number, to: number) =>
  ["id,name", ...Array.from({ length: to - from }, (_, at) => `P${from + at},Person Number ${from + at}`), ""].join(
    "\n",
  );

test("a list is loaded from its file, one that loses people waits for another operator", async () => {
  const more = people(0, 20)
    .split("\n")
    .slice(1, -1)
    .map((line) => `${line},,,,,,,,\n`);
  const published = await readFile(join(listsFolder, "pep.csv"), "utf8");
  const first = await admin("load", "PEP", await file("a.csv", published + more.join("")));
  expect(first).toEqual([
    expect.stringMatching(/ PEP {7}version 2 {2}ACTIVE {6}23 entries \(20 added, 0 changed, 0 removed\)$/),
  ]);
  const [line, ...next] = await admin("load", "PEP", await file("b.csv", people(0, 18)), "--who", "ann");
  expect(line).toMatch(/version 3 {2}WAITING {5}18 entries .* removes 5 of 23 entries \(21.7 %\)$/);
  const listId = line!.split(" ")[0]!;
  expect(next.join("\n")).toContain(`npm run admin -- lists approve ${listId} --who NAME`);
  expect(next.join("\n")).toMatch(/somebody else of the operator/);
  expect((await admin("list", "--source", "PEP", "--status", "WAITING")).join()).toContain(listId);
  expect(await refused(admin("approve", listId, "--who", "ann"))).toMatchObject({ code: "FORBIDDEN" });
  expect((await admin("approve", listId, "--who", "bob")).join()).toContain("ACTIVE");
  expect(JSON.parse((await admin("show", listId)).join("\n"))).toMatchObject({
    loadedBy: "operator:ann",
    approvedBy: "operator:bob",
  });
  // Sandboxes have lists of their own.
  expect(await admin("list", "--source", "PEP", "--sandboxes")).toHaveLength(2);
});

test("a list takes the place of the partner's made-up one, once another operator has looked", async () => {
  const [line] = await admin("load", "CUSTOM", await file("real.csv", people(0, 50)), "--who", "ann");
  expect(line).toMatch(/ WAITING {5}50 entries .* removes 2 of 2 entries \(100 %\)$/);
  expect((await admin("approve", line!.split(" ")[0]!, "--who", "bob")).join()).toContain("ACTIVE");
});

test("OFAC's four files are one list; the same files again make no version", async () => {
  const files = ["sdn.csv", "alt.csv", "add.csv", "sdn_comments.csv"].map((name) => join(listsFolder, name));
  const [line] = await admin("load", "OFAC_SDN", ...files);
  expect(line).toMatch(/version 1 {2}ACTIVE {6}7 entries/);
});

test("a file that is no list ends with its line and reason, what is wrong with the command with a sentence", async () => {
  const broken = await file("c.csv", "id,name\nX1,A\nX1,B\n");
  const lines: string[] = [];
  const command = readAdminArguments(["lists", "load", "CUSTOM", broken, "--sandboxes"]) as ListCommand;
  const screening = world.screeningOperator;
  const run = runLists(command, { screening, print: (line) => void lines.push(line), pollEveryMs: 20 });
  await expect(run).rejects.toThrow("the version that was in use stays");
  expect(lines.join()).toContain(
    "FAILED      0 entries (0 added, 0 changed, 0 removed)  has the id X1 again, which line 2 has (line 3)",
  );
  await expect(admin("load", "CUSTOM", await file("empty.csv", ""))).rejects.toThrow("is empty");
  await expect(admin("load", "OFAC_SDN", broken)).rejects.toThrow("is none of sdn.csv");
  expect(() => readAdminArguments(["lists", "load"])).toThrow("name the list's source");
  expect(() => readAdminArguments(["lists", "load", "EU"])).toThrow("name the list's file");
  expect(() => readAdminArguments(["lists", "load", "EU", "a", "--published", "today"])).toThrow(
    "--published is a time",
  );
  expect(() => readAdminArguments(["lists", "burn"])).toThrow("there is no command lists burn");
});
