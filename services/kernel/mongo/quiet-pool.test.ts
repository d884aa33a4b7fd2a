import { silentLog, testDatabase } from "../../../test/support/index.js";
import { connectMongo } from "./connect.js";
import { nothingFor, runsFor } from "../../../test/support/time.js";

interface Pool {
  connections: { prune: (...given: unknown[]) => unknown };
}

test("the pool of an idle process looks at nothing", async () => {
  const { uri, database, close } = await testDatabase("quiet_pool");
  const { db: quiet, close: closeQuiet } = await connectMongo({ uri, database, log: silentLog });
  await quiet.db?.command({ ping: 1 });
  const servers = (quiet.getClient() as unknown as { topology: { s: { servers: Map<string, { pool: Pool }> } } })
    .topology.s.servers;
  expect(servers.size).toBe(1);
  let polls = 0;
  for (const { pool } of servers.values()) {
    const prune = pool.connections.prune.bind(pool.connections);
    pool.connections.prune = (...given) => {
      polls += 1;
      return prune(...given);
    };
  }
  // One that had begun before it was made quiet is its last.
  await runsFor(150);
  polls = 0;
  await nothingFor(500);
  expect(polls).toBe(0);
  expect(await quiet.db?.command({ ping: 1 })).toMatchObject({ ok: 1 });
  await closeQuiet();
  await close();
});
