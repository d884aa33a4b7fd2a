// `npm run openapi`: writes docs/openapi.json from the routes; with --check it only says whether that file is up to date.
import { readFile, writeFile } from "node:fs/promises";
import { openApiDocument } from "./openapi.js";
import { routes } from "./routes/index.js";

const file = "docs/openapi.json";
const text = `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;

if (process.argv.includes("--check")) {
  const committed = await readFile(file, "utf8").catch(() => "");
  if (committed !== text) {
    process.stderr.write(`${file} is not what the routes declare: run \`npm run openapi\` and commit it.\n`);
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
  process.stdout.write(`${file} written\n`);
}
