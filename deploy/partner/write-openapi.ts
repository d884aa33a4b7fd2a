// `npm run openapi` writes docs/payout-connector.openapi.json, too: the
// contract of payout connectors.
import { writeFile } from "node:fs/promises";
import { payoutContract } from "./payout-openapi.js";

const file = "docs/payout-connector.openapi.json";
await writeFile(file, `${JSON.stringify(payoutContract(), null, 2)}\n`);
process.stdout.write(`${file} written\n`);
