// `npm run faults:payouts`: 2,000 payments by 32 clients among every fault, and all books compared
// afterwards. Prints what it finds.
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { markdownOf } from "./report.js";
import { runPayoutFaults } from "./run.js";

const { values: options } = parseArgs({
  options: {
    payments: { type: "string", default: "2000" },
    clients: { type: "string", default: "32" },
    seconds: { type: "string", default: "60" },
  },
});
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
  command: `npm run faults:payouts -- --payments ${options.payments} --clients ${clients}`,
  machine,
};
say(markdownOf(result, about));
process.exitCode = broken.length === 0 ? 0 : 1;
