// Writes sdk/src/generated, and the console's roles and enums, from docs/openapi.json and the flags
// of the operations. With --check it says what differs instead, and ends with status 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, resolveConfig } from "prettier";
import { routes } from "../../gateway/operations/index.js";
import { sdkFlags } from "../../gateway/openapi-snippets.js";
import { checkPlainNames, operationsOf, reachable, answersOf, bodyOf, readDocument } from "./document.js";
import { printEnums } from "./enums.js";
import { printCodes, printGroups, printRoles, printWire } from "./printed.js";
import { printSchema } from "./schema.js";

const root = join(import.meta.dirname, "../..");
const document = readDocument(join(root, "docs/openapi.json"), sdkFlags(routes));
const operations = operationsOf(document).map(({ operation }) => operation);
checkPlainNames(
  reachable(document, [...operations.flatMap(answersOf), ...operations.flatMap((each) => bodyOf(each) ?? [])]),
);

const files = {
  "sdk/src/generated/codes.ts": printCodes(document),
  "sdk/src/generated/groups.ts": printGroups(document),
  "sdk/src/generated/schema.ts": await printSchema(document),
  "sdk/src/generated/wire.ts": printWire(document),
  "console/src/generated/enums.ts": printEnums(document),
  "console/src/generated/roles.ts": printRoles(document),
};

for (const [name, text] of Object.entries(files)) {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  const printed = await format(text, { ...(await resolveConfig(file)), parser: "typescript" });
  if (existsSync(file) && readFileSync(file, "utf8") === printed) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`${name} is not what docs/openapi.json gives: run npm run sdk:gen\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, printed);
  }
}
