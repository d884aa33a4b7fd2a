// `npm run openapi` writes docs/payout-connector.openapi.json and docs/payee-check.openapi.json,
// too: the contracts of payout connectors and of payee checks.
import { writeFile } from "node:fs/promises";
import { payeeContract } from "./payee-openapi.js";
import { payoutContract } from "./payout-openapi.js";

const documents = {
  "docs/payout-connector.openapi.json": payoutContract(),
  "docs/payee-check.openapi.json": payeeContract(),
};
for (const [file, document] of Object.entries(documents)) {
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write(`${file} written\n`);
}
