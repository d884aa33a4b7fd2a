// Writes sdk/src/generated from docs/openapi.json; with --check it says what differs instead, and ends with status 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { checkPlainNames, operationsOf, reachable, answersOf, bodyOf, readDocument } from "./document.js";
import { printCodes, printGroups, printWire } from "./printed.js";
import { printSchema } from "./schema.js";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "sdk/src/generated");
const document = readDocument(join(root, "docs/openapi.json"));
const operations = operationsOf(document).map(({ operation }) => operation);
checkPlainNames(
  reachable(document, [...operations.flatMap(answersOf), ...operations.flatMap((each) => bodyOf(each) ?? [])]),
);

const files = {
  "codes.ts": printCodes(document),
  "groups.ts": printGroups(document),
  "schema.ts": await printSchema(document),
  "wire.ts": printWire(document),
};

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = join(folder, name);
  const printed = await format(text, { ...(await resolveConfig(file)), parser: "typescript" });
  if (existsSync(file) && readFileSync(file, "utf8") === printed) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`sdk/src/generated/${name} is not what docs/openapi.json gives: run npm run sdk:gen\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, printed);
  }
}
