import { silentLog, testDatabase, testTenant } from "../../../test/support/index.js";
import { systemClock } from "../../shared/clocks/clock.js";
import { runMigrations } from "../../shared/mongo/migrations.js";
import { migrations } from "../store/migrations.js";
import { createCacheBudget } from "./cache.js";
import { createOwnership } from "./ownership.js";

test("journals are no longer left to a replica that did not serve, until the next look names one", async () => {
  const { db, close } = await testDatabase("ledger_left_to");
  await runMigrations(db, migrations, silentLog);
  const tenantId = testTenant();
  const gone = "127.0.0.1:1";
  const ownership = createOwnership({
    db,
    address: Promise.resolve("127.0.0.1:2"),
    leaseTtlMs: 60_000,
    idleMs: 60_000,
    clock: systemClock,
    limits: { maxQueuedTransfers: 100, cache: createCacheBudget(100) },
    log: silentLog,
  });
  ownership.leaveNewTo(gone);
  expect(await ownership.find(tenantId)).toEqual({ kind: "other", address: gone });
  ownership.forget(tenantId);
  expect(await ownership.find(tenantId)).toMatchObject({ kind: "self" });
  const another = testTenant();
  ownership.leaveNewTo(gone);
  expect(await ownership.find(another)).toEqual({ kind: "other", address: gone });
  await ownership.stop();
  await close();
});
