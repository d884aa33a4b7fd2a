import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildLibrary } from "../test/build.js";
import { runConformance } from "../test/conformance.js";
import { oldNode } from "../test/old-node.js";

jest.setTimeout(600_000);

const { cases } = JSON.parse(readFileSync(resolve("sdk/conformance/cases.json"), "utf8")) as { cases: unknown[] };

let library: ReturnType<typeof buildLibrary> | undefined;
beforeAll(() => void (library = buildLibrary()));
afterAll(() => library?.remove());

test.each(["20.11.1", "22.23.3"] as const)("every case holds on Node %s", async (version) => {
  const outcome = await runConformance(await oldNode(version), library!.index);
  expect(outcome.failed.length > 0 ? outcome.text : "").toBe("");
  expect(outcome).toMatchObject({ on: `Node ${version}`, ran: cases.length });
});

test("every case holds in Chromium", async () => {
  const outcome = await runConformance(process.execPath, library!.index, "--chromium");
  expect(outcome.failed.length > 0 ? outcome.text : "").toBe("");
  expect(outcome).toMatchObject({ on: expect.stringMatching(/^Chromium \d/), ran: cases.length });
});
