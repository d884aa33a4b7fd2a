import mongoose, { type Connection, type mongo } from "mongoose";

/**
 * What is sent to a database for a tenant while something runs, as "find cases"; every client of
 * this process is watched. What relays do meanwhile is work of its own and left out.
 */
export async function commandsOf<T>(
  db: Connection,
  tenantId: string,
  work: () => Promise<T>,
): Promise<{ result: T; commands: string[] }> {
  const commands: string[] = [];
  const watch = ({ commandName, command, databaseName }: mongo.CommandStartedEvent) => {
    const about = String(command[commandName]);
    if (databaseName !== db.name || about === "outbox") return;
    if (JSON.stringify(command, plain).includes(tenantId)) commands.push(`${commandName} ${about}`);
  };
  const result = await watched("commandStarted", watch, work);
  return { result, commands: commands.toSorted() };
}

/**
 * How many documents of some collections are read out of a database while something runs; every
 * client of this process is watched.
 */
export async function documentsReadOf<T>(
  db: Connection,
  collections: readonly string[],
  work: () => Promise<T>,
): Promise<{ result: T; documents: number }> {
  let documents = 0;
  const watch = ({ reply }: mongo.CommandSucceededEvent) => {
    const { cursor } = reply as { cursor?: { ns: string; firstBatch?: unknown[]; nextBatch?: unknown[] } };
    if (!collections.some((name) => cursor?.ns === `${db.name}.${name}`)) return;
    documents += (cursor?.firstBatch ?? cursor?.nextBatch ?? []).length;
  };
  const result = await watched("commandSucceeded", watch, work);
  return { result, documents };
}

async function watched<E extends "commandStarted" | "commandSucceeded", T>(
  event: E,
  watch: mongo.MongoClientEvents[E],
  work: () => Promise<T>,
): Promise<T> {
  const clients = new Set(
    mongoose.connections.filter(({ readyState }) => readyState === 1).map((one) => one.getClient()),
  );
  for (const client of clients) client.on(event, watch);
  try {
    return await work();
  } finally {
    for (const client of clients) client.off(event, watch);
  }
}

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
