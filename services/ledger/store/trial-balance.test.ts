import { silentLog, waitFor } from "../../../test/support/index.js";
import { fund, openLedger } from "../../../test/support/ledger-journal.js";
import { startOwnServers, type OwnServers } from "../../../test/support/own-servers.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { dayOf } from "../domain/days.js";
import { readHandlers } from "../handlers/reads.js";
import type { LedgerDeps } from "../handlers/deps.js";
import { createAccountStore } from "./accounts.js";
import { migrations } from "./migrations.js";
import { SnapshotEnded } from "./snapshot.js";
import { createSumsStore } from "./sums.js";
import { createTrialBalance } from "./trial-balance.js";

// Its MongoDB ends a transaction after one second.
let servers: OwnServers;
beforeAll(async () => {
  servers = await startOwnServers("trial_balance");
  await runMigrations(servers.db, migrations, silentLog);
});
afterAll(() => servers?.close());

/**
 * A trial balance of a tenant whose later days take longer to read than
 * MongoDB lets a transaction live.
 */
async function slow() {
  const { db } = servers;
  const ledger = await openLedger(db);
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  await fund(journal, "a", 10n);
  await ledger.close();
  const accounts = createAccountStore(db, ledger.tenantId);
  const openTransactions = async () => Number((await db.db!.admin().serverStatus())["transactions"].currentOpen);
  let attempts = 0;
  const stores = {
    sums: createSumsStore(db, ledger.tenantId),
    accounts: {
      ...accounts,
      openTotalsAfter: async (...given: Parameters<typeof accounts.openTotalsAfter>) => {
        attempts += 1;
        await waitFor(async () => (await openTransactions()) === 0);
        return accounts.openTotalsAfter(...given);
      },
    },
  };
  return { ...createTrialBalance(db, stores), attempts: () => attempts };
}

test("a trial balance that MongoDB ends is tried once, and says that it was ended", async () => {
  const { totalsAtDate, attempts } = await slow();
  await expect(totalsAtDate(dayOf(Date.parse("2020-01-01")))).rejects.toBeInstanceOf(SnapshotEnded);
  expect(attempts()).toBe(1);
});

test("whoever asked for it is told that the day lies too far back, and what to do instead", async () => {
  const { totalsAtDate } = await slow();
  const store = { forTenant: () => ({ totalsAtDate }) };
  const { getTrialBalance } = readHandlers({ store } as unknown as LedgerDeps);
  const requested = getTrialBalance({ effectiveDate: "2020-01-01" }, { tenantId: "t" } as never);
  await expect(requested).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("export"),
    details: { errors: [{ path: "effective_date", message: expect.stringContaining("lies too far back") }] },
  });
});
