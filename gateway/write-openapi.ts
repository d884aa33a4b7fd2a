// `npm run openapi`: writes docs/openapi.json and docs/api-tokens.md from the routes; with --check
// it only says whether they are up to date.
import { readFile, writeFile } from "node:fs/promises";
import { apiTokenGuide } from "./api-token-guide.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./operations/index.js";

const texts = {
  "docs/openapi.json": `${JSON.stringify(openApiDocument(routes), null, 2)}\n`,
  "docs/api-tokens.md": apiTokenGuide(routes),
};

for (const [file, text] of Object.entries(texts)) {
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
}
