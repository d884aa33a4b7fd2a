import { randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant, waitFor } from "../../../test/support/index.js";
import { systemClock } from "../../shared/clocks/clock.js";
import { eventRow } from "../../shared/events/row.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { createOutbox, createOutboxIndexes } from "../../shared/outbox/index.js";
import { startInvestmentRelay } from "./relay.js";

test("an event waits for events however long that is away", async () => {
  const database = await testDatabase("investment_relay");
  try {
    await createOutboxIndexes(database.db);
    const outbox = createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: "investment" });
    const tenantId = testTenant();
    const data = { accountId: "W1", accountNumber: "3017760001", currency: "USD", status: "FROZEN" } as const;
    const row = eventRow(
      { tenantId, interactionId: randomUUID(), actor: "u1" },
      { type: "wallet.frozen", subjectId: "W1", version: 1, at: new Date(), customerId: "c1", data },
    );
    const add = async (session: Parameters<typeof outbox.add>[1]) => void (await outbox.add(row, session));
    await inTransaction(database.db, add, { readBack: async () => undefined });
    const rows = database.db.db!.collection("outbox");
    await rows.updateOne({ tenantId }, { $set: { attempts: 5_000 } });
    const deps = {
      outbox,
      applications: {},
      applicationsWaiting: {},
      settlements: {},
      accrual: {},
      dividends: {},
      posting: {},
      events: undefined,
      crashPoint: () => undefined,
      pollMs: 50,
    };
    // Handlers of other rows touch what they are given when such a row comes.
    const relay = startInvestmentRelay(deps as unknown as Parameters<typeof startInvestmentRelay>[0]);
    try {
      const tried = await waitFor(() => rows.findOne({ tenantId, lastError: { $exists: true } }));
      expect(tried).toMatchObject({ state: "DUE", kind: "event.publish" });
      expect(Number(tried["attempts"])).toBe(5_001);
    } finally {
      await relay.stop();
    }
  } finally {
    await database.close();
  }
});
