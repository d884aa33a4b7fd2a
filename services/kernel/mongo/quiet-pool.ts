import type { mongo } from "mongoose";

interface Pool {
  ensureMinPoolSize?: () => void;
}

/** What of the driver's own parts is looked at here. */
interface Insides {
  topology?: { s?: { servers?: Map<string, { pool?: Pool }> } };
}

/**
 * Keeps the driver from looking ten times a second whether a pool has its least size, which is 0
 * here: an idle process took 1 to 2 ms of a processor a second for it (docs/benchmarks/README.md).
 * There is no option for it. Connections that are of no use any more are found where one is taken.
 */
export function quietPools(client: mongo.MongoClient): void {
  const quieten = (): void => {
    const servers = (client as unknown as Insides).topology?.s?.servers?.values() ?? [];
    for (const { pool } of servers) {
      if (pool?.ensureMinPoolSize !== undefined) pool.ensureMinPoolSize = () => undefined;
    }
  };
  quieten();
  // Of a server that is met later: told before its first look.
  client.on("connectionPoolReady", quieten);
}
