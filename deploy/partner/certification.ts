import { listenForCallbacks } from "../../services/platform/certification/callback-listener.js";
import { certify, type CertifiedKind } from "../../services/platform/certification/index.js";
import { fetchExchange } from "../../services/platform/partners/exchange.js";
import type { PayoutContract } from "../../services/platform/plugins/payout-version.js";
import { hasPassed } from "../../services/platform/plugins/test-runs.js";

// Outcomes are forced for sandboxes, and this is the name of one.
const defaultAccount = "certification--sandbox";

export interface Certified {
  url: string;
  apiKey: string;
  account?: string | undefined;
  /** Callbacks are checked by it; left out where it is absent. */
  secret?: string | undefined;
  kind?: CertifiedKind;
  /** Of a payout connector. */
  contract?: PayoutContract | undefined;
}

/** Runs the checks and prints a line for each; the process ends with 1 where one has failed. */
export async function printCertification(certified: Certified): Promise<void> {
  const { url, apiKey, account = defaultAccount, secret, kind = "PAYOUT", contract = 1 } = certified;
  const listener = secret === undefined ? undefined : await listenForCallbacks(secret);
  const callbacks = listener && { url: listener.url, has: (reference: string) => listener.has(reference) };
  const target = { url, apiKey, account, contract, exchange: fetchExchange };
  const reports = await certify({ ...target, ...(callbacks && { callbacks }) }, kind);
  await listener?.stop();
  for (const { name, result, detail, durationMs } of reports) {
    const seen = detail === "" ? "" : `\n${" ".repeat(10)}${detail}`;
    process.stdout.write(`${result.padEnd(8)}  ${name} (${durationMs} ms)${seen}\n`);
  }
  const passed = reports.filter(({ result }) => result === "PASSED").length;
  process.stdout.write(`${passed} of ${reports.length} passed\n`);
  if (!hasPassed(reports)) process.exitCode = 1;
}
