import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sdkFlags } from "../../gateway/openapi-snippets.js";
import { routes } from "../../gateway/operations/index.js";
import { blocksBelow } from "../support/snippets.js";
import { readDocument, type Document } from "../../sdk/gen/document.js";
import { createSnippets, sourcesOf } from "../../sdk/gen/snippets.js";

const root = join(__dirname, "../..");
// Beside the sources, so that types of packages are found.
const folder = mkdtempSync(join(root, "node_modules/.manilla-types-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A function of each snippet, of the client and of what others answered. */
function functionsOf(document: Document): string {
  const { snippetOf } = createSnippets(document);
  const variables = new Map<string, string>();
  const texts = routes.map(({ operationId, example }) => [operationId, snippetOf(operationId, example)] as const);
  for (const [operationId, text] of texts) {
    const variable = /^const (\w+) =/m.exec(text)?.[1];
    if (variable !== undefined) variables.set(operationId, variable);
  }
  const functions = texts.map(([operationId, text]) => {
    const { example = {} } = routes.find((route) => route.operationId === operationId)!;
    const given = [...sourcesOf(example)].map(
      (source) => `${variables.get(source)}: Awaited<ReturnType<typeof ${source}>>`,
    );
    const variable = variables.get(operationId);
    const answer = variable === undefined ? "" : `return ${variable};\n`;
    return `export async function ${operationId}(${["manilla: Manilla", ...given].join(", ")}) {\n${text}${answer}}\n`;
  });
  return `import { Manilla } from "@manilla/client";\n${functions.join("\n")}`;
}

test("the snippets, the guide and the shop are of the client's types", async () => {
  writeFileSync(
    join(folder, "snippets.ts"),
    functionsOf(readDocument(join(root, "docs/openapi.json"), sdkFlags(routes))),
  );
  const guide = blocksBelow(readFileSync(join(root, "sdk/README.md"), "utf8"), "The first ten minutes");
  writeFileSync(join(folder, "guide.ts"), guide.join("\n"));
  const settings = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      rootDir: root,
      noEmit: true,
      noUncheckedIndexedAccess: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      allowImportingTsExtensions: true,
      typeRoots: [join(root, "node_modules/@types")],
      types: ["node"],
      paths: { "@manilla/client": [join(root, "sdk/src/index.ts")] },
    },
    include: [],
    files: ["snippets.ts", "guide.ts", join(root, "sdk/examples/shop/main.ts")],
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = await promisify(execFile)(tsc, ["-p", folder], { cwd: root }).catch((error: Error) => {
    return error as Error & { stdout: string };
  });
  expect(stdout).toBe("");
}, 300_000);
