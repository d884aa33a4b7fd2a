// One replica of the day's work: argument 1 is MongoDB's URI, 2 the day. Prints what it did as
// JSON.
import { openInvestment, tenantId } from "./service.js";

const [, , uri = "", day = "1"] = process.argv;
const investment = await openInvestment(uri, () => Number(day));
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const seen: number[] = [];
const timer = setInterval(() => seen.push(process.memoryUsage().rss), 50);
const { counted } = await investment.days.workOn(tenantId);
clearInterval(timer);
const third = Math.ceil(seen.length / 3);
const [rssEarly, rssLate] = [Math.max(0, ...seen.slice(0, third)), Math.max(0, ...seen.slice(-third))];
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(
  `${JSON.stringify({ counted, ms: performance.now() - startedAt, rssEarly, rssLate, cpuMs: (user + system) / 1_000 })}\n`,
);
process.exit(0);
