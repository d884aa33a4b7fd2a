import { testDatabase, testTenant, waitFor, silentLog, type TestDatabase } from "../../../test/support/index.js";
import { systemClock } from "../clock.js";
import { inTransaction } from "../mongo/transaction.js";
import { createOutbox, createOutboxIndexes, startRelay } from "./index.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("outbox");
  await createOutboxIndexes(database.db);
});
afterAll(() => database.close());

test("runs the rows of an aggregate in their order", async () => {
  const outbox = createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: "wallet" });
  const tenantId = testTenant();
  const seen: unknown[] = [];
  const relay = startRelay({ outbox, handlers: { note: async ({ seq, payload }) => void seen.push([seq, payload]) } });
  for (const seq of [3, 1, 2]) {
    await inTransaction(
      database.db,
      (session) =>
        outbox.add(
          {
            tenantId,
            aggregate: "a:1",
            seq,
            kind: "note",
            payload: { n: BigInt(seq), at: seq },
            interactionId: "i",
            actor: "x",
          },
          session,
        ),
      { readBack: async () => undefined },
    );
  }
  outbox.wake();
  await waitFor(() => seen.length === 3);
  console.log(seen);
  await relay.stop();
});
