import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";

interface Step {
  _id: { ns: string; op: string; plan: string };
  times: number;
  keys: number;
  docs: number;
  sorted: number;
  ms: number;
}

/**
 * What mongod did in five seconds: for each collection and plan how often, the most keys and
 * documents looked at in one of them, and how many sorted in memory.
 */
export async function stepsOf(db: Db): Promise<string> {
  await db.command({ profile: 2 });
  await sleep(5_000);
  await db.command({ profile: 0 });
  const own = { ns: { $ne: `${db.databaseName}.system.profile` }, planSummary: { $exists: true } };
  const group = {
    _id: { ns: "$ns", op: "$op", plan: "$planSummary" },
    times: { $sum: 1 },
    keys: { $max: "$keysExamined" },
    docs: { $max: "$docsExamined" },
    sorted: { $sum: { $cond: [{ $eq: ["$hasSortStage", true] }, 1, 0] } },
    ms: { $avg: "$millis" },
  };
  const steps = db
    .collection("system.profile")
    .aggregate<Step>([{ $match: own }, { $group: group }, { $sort: { _id: 1 } }]);
  const rows: string[] = [];
  for (const { _id, times, keys, docs, sorted, ms } of await steps.toArray()) {
    const found = `${times} times, at most ${keys} keys and ${docs} documents, ${sorted} sorted in memory, ${ms.toFixed(1)} ms`;
    rows.push(`  ${_id.ns} ${_id.op} ${_id.plan}: ${found}`);
  }
  return rows.join("\n");
}
