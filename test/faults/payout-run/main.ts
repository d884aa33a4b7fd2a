// `npm run faults:payouts`: 2,000 payments by 32 clients among every fault, and all books compared
// afterwards. Prints what it finds; with `-- --keep` it keeps a table and a timeline in
// docs/benchmarks.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { markdownOf, timelineOf } from "./report.js";
import { runPayoutFaults } from "./run.js";

const { values: options } = parseArgs({
  options: {
    payments: { type: "string", default: "2000" },
    clients: { type: "string", default: "32" },
    seconds: { type: "string", default: "60" },
    keep: { type: "boolean", default: false },
  },
});
const folder = "docs/benchmarks";
const say = (line: string) => void process.stdout.write(`${line}\n`);

const clients = Number(options.clients);
const result = await runPayoutFaults({
  clients,
  payments: Number(options.payments),
  seconds: Number(options.seconds),
  everyFault: true,
  say,
});
const broken = result.invariants.flatMap(({ what, broken: faults }) => faults.map((fault) => `${what}: ${fault}`));
for (const fault of broken) say(`BROKEN  ${fault}`);
const machine = `${cpus().length} processors, ${cpus()[0]?.model ?? "unknown"}`;
const about = {
  command: `npm run faults:payouts -- --payments ${options.payments} --clients ${clients} --keep`,
  machine,
};
const caption = `${result.attempts.length} transactions by ${clients} clients, ${result.injected.length} faults, ${machine}`;
const report = markdownOf(result, about);
say(report);
if (options.keep) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/payout-faults.md`, report);
  writeFileSync(`${folder}/payout-faults.svg`, timelineOf(result, caption));
  say(`kept in ${folder}/payout-faults.md and .svg`);
}
process.exitCode = broken.length === 0 ? 0 : 1;
