import { cpus, loadavg } from "node:os";
import { listedNames } from "../screening/in-memory.js";

/** What a run prints. */
export function reportOf(rows: readonly string[], screeningRows: readonly string[]): string {
  const { length } = cpus();
  return [
    "# Compliance",
    "",
    "`npm run bench:compliance`: a transaction check inside the service, with 50 rules over windows of up to 90 days, 16 clients with a",
    `customer each, one mongod with 0.25 GB of cache, as \`npm start\` gives it, beside it. ${new Date().toISOString().slice(0, 10)}, ${length} cores (${cpus()[0]?.model ?? "unknown"}).`,
    "Target: p99 under 15 ms with 1,000 past transactions, and at most 1.5 times that with 100,000.",
    "",
    "| load | past transactions | checks per second | p50, ms | p99, ms (each round, and what the host took of the processors) | CPU per check, ms |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `The same with 1,000 past transactions, with and without screening against ${listedNames.toLocaleString("en")} made-up names, in turns; the ratios are`,
    "the medians of pairs of rounds. Target: at most 1.2 times.",
    "",
    "| recipients | load | p50, ms | p99, ms | CPU per check, ms | ratio of p50 | of p99 | of CPU |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...screeningRows,
    "",
    `Load average of the machine at the end: ${loadavg()[0]?.toFixed(1)}. CPU is the process's own, other work on the machine left out.`,
    "",
  ].join("\n");
}
