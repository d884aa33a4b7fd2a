// A process that works on a day: node … replica.ts MONGODB REDIS DATE. It says "ready", begins on a line of its input, and says what it took.
import { once } from "node:events";
import { openLending, tenantId } from "./service.js";

const [uri = "", redisUrl = "", date = ""] = process.argv.slice(2);
const lending = await openLending(uri, redisUrl);
process.stdout.write("ready\n");
await once(process.stdin, "data");
const before = process.cpuUsage();
let highestRss = 0;
const watch = setInterval(() => (highestRss = Math.max(highestRss, process.memoryUsage.rss())), 50);
while (!(await lending.accruals.runDay(tenantId, date))) await new Promise((resolve) => setTimeout(resolve, 100));
clearInterval(watch);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ highestRss, cpuMs: Math.round((user + system) / 1_000) })}\n`);
await lending.close();
process.exit(0);
