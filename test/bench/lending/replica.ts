// A process that works on a day: node … replica.ts MONGODB REDIS DATE. It says "ready", begins on a
// line of its input, and says what it took.
import { once } from "node:events";
import { pino } from "pino";
import { startDayThread } from "../../../services/lending/jobs/day-thread.js";
import { database, tenantId } from "./service.js";

const [mongoUri = "", redisUrl = "", date = ""] = process.argv.slice(2);
// Postings wait in the outbox: its relay is not what is measured.
const outside = { log: pino({ level: "silent" }), onWork: () => {} };
const thread = startDayThread({ mongoUri, database, redisUrl, atOnce: 1, logLevel: "silent", leaseMs: 2_000 }, outside);
// It is there when it has had a day in which there is nothing to do.
await thread.runDay("nobody", date);
process.stdout.write("ready\n");
await once(process.stdin, "data");
const before = process.cpuUsage();
let highestRss = 0;
const watch = setInterval(() => (highestRss = Math.max(highestRss, process.memoryUsage.rss())), 50);
while (!(await thread.runDay(tenantId, date))) await new Promise((resolve) => setTimeout(resolve, 100));
clearInterval(watch);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ highestRss, cpuMs: Math.round((user + system) / 1_000) })}\n`);
await thread.stop();
process.exit(0);
