// Lending's thread of the daily work in a process of its own, for its test: forked with what the
// thread has to know and the days, it tells what became of them.
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { pino } from "pino";
import { startDayThread, type DayThreadData } from "../../services/lending/jobs/day-thread.js";

const { data, days } = JSON.parse(process.env["DAY_THREAD"] ?? "{}") as {
  data: DayThreadData;
  days: { tenantId: string; date: string }[];
};
let works = 0;
const thread = startDayThread(data, { log: pino({ level: "silent" }), onWork: () => (works += 1) });
const done: (boolean | string)[] = [];
for (const { tenantId, date } of days) {
  done.push(await thread.runDay(tenantId, date).catch((error: unknown) => (error as Error).message));
}
// Only Linux tells of threads, and has priorities for them.
const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(priorityOf) : [];
await thread.stop();
const afterwards = await thread.runDay("nobody", "2026-12-01").catch((error: unknown) => (error as Error).message);
process.send?.({
  done,
  works,
  own: getPriority(),
  lowest: Math.max(getPriority(), ...threads),
  afterwards,
});
process.disconnect?.();

/** Of a thread that may just have ended. */
function priorityOf(id: string): number {
  try {
    return getPriority(Number(id));
  } catch {
    return getPriority();
  }
}
