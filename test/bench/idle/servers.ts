import { Redis } from "ioredis";
import { mongo } from "mongoose";

export type Servers = Awaited<ReturnType<typeof openServers>>;

interface Top {
  totals: Record<string, { total: { count: number } } | string>;
}

interface Status {
  metrics: { commands: Record<string, { total?: number | bigint } | number> };
  connections: { current: number };
}

/** What MongoDB and Redis say of themselves, in counts since they began. */
export async function openServers({ mongoUri, redisUrl }: { mongoUri: string; redisUrl: string }) {
  const client = await mongo.MongoClient.connect(mongoUri, { heartbeatFrequencyMS: 60_000, maxPoolSize: 1 });
  const redis = new Redis(redisUrl);
  const admin = client.db("admin");
  return {
    async requested() {
      const status = (await admin.command({ serverStatus: 1 })) as unknown as Status;
      const { totals } = (await admin.command({ top: 1 })) as unknown as Top;
      const { commands, connections } = { commands: status.metrics.commands, connections: status.connections.current };
      const info = await redis.info();
      return {
        commands: countsOf(Object.entries(commands), (of) => (typeof of === "object" ? Number(of.total ?? 0) : 0)),
        collections: countsOf(Object.entries(totals), (of) => (typeof of === "object" ? of.total.count : 0)),
        redis: new Map(
          [...(await redis.info("commandstats")).matchAll(/^cmdstat_(\S+):calls=(\d+)/gm)].map(
            ([, name = "", calls]) => [name, Number(calls)] as const,
          ),
        ),
        mongoConnections: connections,
        redisConnections: Number(/connected_clients:(\d+)/.exec(info)?.[1] ?? 0),
      };
    },
    async close() {
      await client.close();
      redis.disconnect();
    },
  };
}

function countsOf<T>(entries: readonly [string, T][], count: (of: T) => number): Map<string, number> {
  return new Map(entries.map(([name, of]) => [name, count(of)]));
}
