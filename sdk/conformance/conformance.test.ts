import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildLibrary } from "../test/build.js";
import { runConformance } from "../test/conformance.js";

jest.setTimeout(300_000);

interface Suite {
  operations: Record<string, { operationId: string; method: string; path: string }>;
  cases: { name: string; steps: Record<string, unknown>[] }[];
}
const suite = JSON.parse(readFileSync(resolve("sdk/conformance/cases.json"), "utf8")) as Suite;

let library: ReturnType<typeof buildLibrary> | undefined;
beforeAll(() => void (library = buildLibrary()));
afterAll(() => library?.remove());

test("every case holds on this Node", async () => {
  const { ran, failed, text } = await runConformance(process.execPath, library!.index);
  expect(failed.length > 0 ? text : "").toBe("");
  expect(ran).toBe(suite.cases.length);
});

test("a case that does not hold is told, and ends the run with a failure", async () => {
  const { failed, text } = await runConformance(
    process.execPath,
    resolve("sdk/test/careless-client.mjs"),
    "--only=money in: negative",
  );
  expect(failed).toEqual(["money in: negative amounts"]);
  expect(text).toContain("value is ");
});

test("there are 60 cases or more, each with a name of its own, and only operations of the contract", () => {
  const names = suite.cases.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
  type Paths = Record<string, Record<string, { operationId: string }>>;
  const { paths } = JSON.parse(readFileSync(resolve("docs/openapi.json"), "utf8")) as { paths: Paths };
  const called = suite.cases.flatMap(({ steps }) => steps.flatMap((step) => [step["call"], step["list"]]));
  expect(Object.keys(suite.operations).toSorted()).toEqual([...new Set(called.filter(Boolean))].toSorted());
  for (const { operationId, method, path } of Object.values(suite.operations)) {
    expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(operationId);
  }
});
