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
  const clients = new Set(
    mongoose.connections.filter(({ readyState }) => readyState === 1).map((one) => one.getClient()),
  );
  for (const client of clients) client.on("commandStarted", watch);
  try {
    const result = await work();
    return { result, commands: commands.toSorted() };
  } finally {
    for (const client of clients) client.off("commandStarted", watch);
  }
}

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
