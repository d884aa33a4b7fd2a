import { mongo } from "mongoose";

/** How MongoDB came by what was asked for. */
export interface ReadPlan {
  collection: string;
  /** Such as `IXSCAN { tenantId: 1, status: 1, _id: -1 }`. */
  plan: string;
  /** What was found was put in order in memory. */
  isSorted: boolean;
  examined: number;
  /** Such as `createdAt,transactionId`; empty where no order was asked for. */
  sort: string;
}

/**
 * What the reads of `work` went along, by the database's own profiler; over a connection
 * that no guard of tenants watches. Where a tenant is named, of its reads alone: jobs read those
 * of others meanwhile.
 */
export async function plansOf(
  { uri, database }: { uri: string; database: string },
  work: () => Promise<unknown>,
  tenantId = "",
): Promise<ReadPlan[]> {
  const client = await new mongo.MongoClient(uri).connect();
  try {
    return await profiled(client.db(database), work, tenantId);
  } finally {
    await client.close();
  }
}

async function profiled(db: mongo.Db, work: () => Promise<unknown>, tenantId: string): Promise<ReadPlan[]> {
  await db.command({ profile: 0 });
  await db
    .collection("system.profile")
    .drop()
    .catch(() => undefined);
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const reads = { op: { $in: ["query", "command"] }, planSummary: { $exists: true } };
  const found = await db.collection("system.profile").find(reads).toArray();
  const own = found.filter(({ command }) => JSON.stringify(command).includes(tenantId));
  return own.map(({ ns, command, planSummary, hasSortStage = false, keysExamined = 0, docsExamined = 0 }) => ({
    collection: (ns as string).slice(db.databaseName.length + 1),
    plan: planSummary as string,
    isSorted: hasSortStage as boolean,
    examined: Number(keysExamined) + Number(docsExamined),
    sort: Object.keys((command as { sort?: object }).sort ?? {}).join(),
  }));
}
