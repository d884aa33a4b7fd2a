import { readFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../../gateway/routes/index.js";
import { readDemo, type Demo } from "../support/edge-client.js";
import { createSnippetRunner } from "../support/snippets.js";

jest.setTimeout(180_000);

let demo: Demo;
beforeAll(() => {
  demo = readDemo();
});

describe("the documentation's snippets of the client library", () => {
  let snippets: Awaited<ReturnType<typeof createSnippetRunner>>;
  beforeAll(async () => {
    snippets = await createSnippetRunner(demo);
  });

  test.each([...new Set(routes.map(({ tag }) => tag))])("%s: each does what its example does", async (tag) => {
    const seen: [string, number][] = [];
    const expected: [string, number][] = [];
    for (const { operationId, example } of routes.filter((route) => route.tag === tag)) {
      const { status } = await snippets.run(operationId);
      seen.push([operationId, status]);
      expected.push([operationId, example?.answers ?? 200]);
    }
    expect(seen).toEqual(expected);
  });
});
