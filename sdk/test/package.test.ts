import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = join(__dirname, "../..");

test("what is generated is what docs/openapi.json gives", async () => {
  const hooks = ["./test/bench/edge/hooks.mjs", "./sdk/gen/typescript-5.mjs"].flatMap((file) => ["--import", file]);
  const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: "" } };
  const { stderr } = await promisify(execFile)(process.execPath, [...hooks, "sdk/gen/main.ts", "--check"], options);
  expect(stderr).toBe("");
}, 300_000);

test("the package has its licence and changes, its types for resolvers that know no exports, and no address that is nowhere", () => {
  const manifest = readFileSync(join(root, "sdk/package.json"), "utf8");
  const { main, types, typesVersions, files, exports, version } = JSON.parse(manifest);
  expect(manifest).not.toMatch(/\.example|localhost|"url": ""/);
  expect({ types, default: main }).toEqual(exports["."]);
  expect(typesVersions["*"].groups).toEqual([exports["./groups"].types]);
  for (const name of ["README.md", "CHANGELOG.md", "LICENSE"]) expect(files).toContain(name);
  expect(readFileSync(join(root, "sdk/LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  expect(readFileSync(join(root, "sdk/CHANGELOG.md"), "utf8")).toContain(`\n## ${version}\n`);
});

test("what every call runs through is written by hand in at most 600 lines, comments and empty ones aside", () => {
  // Webhooks, streams and warnings are modules of their own; the other two list exports and groups.
  const beside = ["webhooks.ts", "stream.ts", "payee-warning.ts", "index.ts", "manilla.ts"];
  const names = readdirSync(join(root, "sdk/src")).filter((name) => /(?<!\.test)\.ts$/.test(name));
  expect(names).toEqual(expect.arrayContaining(["transport.ts", ...beside]));
  const lines = names
    .filter((name) => !beside.includes(name))
    .map((name) => readFileSync(join(root, "sdk/src", name), "utf8").replaceAll(/\/\*\*[^]*?\*\//g, ""))
    .flatMap((text) => text.split("\n").filter((line) => /^\s*(?!\/\/)\S/.test(line)));
  expect(lines.length).toBeLessThanOrEqual(600);
});

/** A browser's bundle of a few lines that use the package. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, "sdk/src"), loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
  });
  return outputFiles[0]!.text;
}

const options = `{ baseUrl: "https://a.example", credentials: { apiToken: "t" } }`;

test("the core with a group is at most 12 kB in a browser, and asks for nothing of Node", async () => {
  const core = await bundled(
    `import { createManilla } from "./index.js"; import { quotes } from "./generated/groups.js";
     console.log(createManilla(${options}, { quotes }));`,
  );
  expect(gzipSync(core).length).toBeLessThanOrEqual(12_000);
});

test("a bundle has the groups that it uses, and no others", async () => {
  const some = await bundled(
    `import { createManilla } from "./index.js"; import { loans, quotes } from "./generated/groups.js";
     console.log(createManilla(${options}, { loans, quotes }));`,
  );
  expect(some).toContain("/repay-loan/");
  expect(some).toContain("/transactionmanagement/quotes");
  for (const other of ["/compliance/", "/ledger/", "whsec_"]) expect(some).not.toContain(other);
});
