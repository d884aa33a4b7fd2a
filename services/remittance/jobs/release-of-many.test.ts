import type { ReleaseReservationsRequest } from "../../../proto/gen/compliance/v1/compliance.js";
import { silentLog, testDatabase, testTenant, waitFor, type TestDatabase } from "../../../test/support/index.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { refusalToTrailer } from "../../kernel/grpc/refusal-trailer.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { createOutbox, startRelay } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { releaseTogether, rowOfEvent } from "../sagas/outbox-rows.js";
import { createRemittanceStore, type RemittanceStore } from "../store/index.js";
import { migrations } from "../store/migrations.js";
import { complianceNotifications, walletNotifications } from "./notifications.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("remittance_releases");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(() => database.close());

type Together = (ids: readonly string[]) => Promise<(Refusal | undefined)[]>;

const all: Together = async (ids) => ids.map(() => undefined);
const isPaid = new Refusal("STATE_CONFLICT", "the transaction was paid");

/** Compliance as the relay of remittance calls it. */
function complianceOf(together: Together) {
  const calls: (readonly string[])[] = [];
  const released = new Set<string>();
  const refused = new Map<string, Refusal>();
  return {
    calls,
    released,
    refused,
    client: {
      async releaseReservations({ transactionIds = [] }: WirePartial<ReleaseReservationsRequest>) {
        const ids = transactionIds as string[];
        calls.push(ids);
        const refusals = await together(ids);
        for (const [index, id] of ids.entries()) if (refusals[index] === undefined) released.add(id);
        return { answers: refusals.map((one) => ({ refusal: one === undefined ? "" : refusalToTrailer(one) })) };
      },
      async releaseReservation({ transactionId = "" }) {
        calls.push([transactionId]);
        const refusal = refused.get(transactionId);
        if (refusal !== undefined) throw refusal;
        released.add(transactionId);
        return {};
      },
    },
  };
}

type Compliance = ReturnType<typeof complianceOf>;

/** Runs a row of so many until no row of the tenant is due. Rows by what became of them. */
async function run({ client }: Compliance, ids: readonly string[]) {
  const tenantId = testTenant();
  const { db } = database;
  const [store, clock] = [createRemittanceStore(db), { now: () => new Date() }];
  const outbox = createOutbox({ db, clock, log: silentLog, service: "remittance" });
  const cause = { tenantId, interactionId: "expiry:1", actor: "remittance" };
  const expired = ids.map((transactionId) => ({ transactionId, version: 3 }));
  await store.transaction(
    async (session) => outbox.add(releaseTogether(cause, tenantId, expired), session),
    async () => undefined,
  );
  const handlers = complianceNotifications(client as never, { ...store, ...outbox });
  const relay = startRelay({ outbox, handlers, pollMs: 20, backoff: () => 20 });
  const rows = db.collection<{ aggregate: string; state: string; seq: number }>("outbox");
  try {
    await waitFor(async () => (await rows.countDocuments({ tenantId, state: "DUE" })) === 0);
  } finally {
    await relay.stop();
  }
  return rows
    .find({ tenantId }, { sort: { _id: 1 }, projection: { _id: 0, aggregate: 1, state: 1, seq: 1 } })
    .toArray();
}

const ids = Array.from({ length: 300 }, (_, index) => `t${index}`);
const group = { aggregate: expect.stringMatching(/^expiry:/) as string, seq: 1, state: "DONE" };

test("300 that expired together are released by one call", async () => {
  const compliance = complianceOf(all);
  expect(await run(compliance, ids)).toEqual([group]);
  expect(compliance.calls).toEqual([ids]);
});

test("one that is refused is parked by itself, where an operator sees it, and the others are released", async () => {
  const compliance = complianceOf(async (requested) => requested.map((id) => (id === "t2" ? isPaid : undefined)));
  compliance.refused.set("t2", isPaid);
  const parked = { aggregate: "transaction:t2", seq: 3, state: "PARKED" };
  expect(await run(compliance, ["t1", "t2", "t3"])).toEqual([group, parked]);
  expect([...compliance.released].toSorted()).toEqual(["t1", "t3"]);
  expect(compliance.calls).toEqual([["t1", "t2", "t3"], ["t2"]]);
});

test("where compliance is away, or its answer is lost, the same are asked for again", async () => {
  let calls = 0;
  const compliance = complianceOf(async (requested) => {
    calls += 1;
    if (calls === 2) for (const id of requested) compliance.released.add(id);
    if (calls < 3) throw new Refusal(calls === 1 ? "UNAVAILABLE" : "DEADLINE_EXCEEDED", "nobody knows");
    return all(requested);
  });
  expect(await run(compliance, ["t1", "t2"])).toEqual([group]);
  expect([...compliance.released]).toEqual(["t1", "t2"]);
  expect(compliance.calls).toEqual([1, 2, 3].map(() => ["t1", "t2"]));
});

test("an answer that is short of some has those asked for by themselves", async () => {
  const compliance = complianceOf(async (requested) => requested.slice(0, 1).map(() => undefined));
  await run(compliance, ["t1", "t2"]);
  expect([...compliance.released].toSorted()).toEqual(["t1", "t2"]);
});

test("what one transaction has to tell and is refused is set aside, its neighbours' of every kind are told", async () => {
  const tenantId = testTenant();
  const { db } = database;
  const [store, clock] = [createRemittanceStore(db), { now: () => new Date() }];
  const outbox = createOutbox({ db, clock, log: silentLog, service: "remittance" });
  const events = {
    RESERVATION_CONFIRMED: "confirmReservation",
    RESERVATION_RELEASED: "releaseReservation",
    RESERVATION_GIVEN_BACK: "giveBackReservation",
    PAYMENT_REFUNDED: "markPaymentRefunded",
  } as const;
  const cases = Object.entries(events) as [keyof typeof events, string][];
  const published: string[] = [];
  const rpcs = Object.values(events).map((rpc) => [
    rpc,
    async ({ transactionId }: { transactionId: string }) => {
      if (transactionId.startsWith("poisoned")) throw new Refusal("STATE_CONFLICT", "it cannot be taken");
      published.push(`${rpc} ${transactionId}`);
      return {};
    },
  ]);
  const neighbour = Object.fromEntries(rpcs) as never;
  const refunded = async (transactionId: string) => ({
    transactionId,
    paymentId: "P1",
    status: "REFUNDED",
    payout: { refundedAt: new Date() },
    price: { total: { minor: 100n, currency: "NGN" } },
  });
  const reads = { forTenant: () => ({ findTransaction: refunded }) } as unknown as RemittanceStore;
  const names = cases.flatMap(([event]) => [`poisoned-${event}`, `sound-${event}`]);
  const cause = { tenantId, interactionId: "told:1", actor: "remittance", seq: 1 };
  await store.transaction(
    async (session) =>
      outbox.addAll(
        cases.flatMap(([event]) =>
          ["poisoned", "sound"].map((which) => {
            const transactionId = `${which}-${event}`;
            return { ...cause, ...rowOfEvent(event, transactionId), payload: { transactionId } };
          }),
        ),
        session,
      ),
    async () => undefined,
  );
  const handlers = {
    ...complianceNotifications(neighbour, { ...store, ...outbox }),
    ...walletNotifications(neighbour, reads),
  };
  // One at a time: the one that is refused comes before its neighbour.
  const relay = startRelay({ outbox, handlers, pollMs: 20, backoff: () => 20, concurrency: 1 });
  const rows = db.collection<{ aggregate: string; state: string; payload: { transactionId: string } }>("outbox");
  try {
    await waitFor(async () => (await rows.countDocuments({ tenantId, state: "DUE" })) === 0);
  } finally {
    await relay.stop();
  }
  expect(published.toSorted()).toEqual(cases.map(([event, rpc]) => `${rpc} sound-${event}`).toSorted());
  const states = await rows.find({ tenantId }).toArray();
  const stateOf = new Map(states.map(({ aggregate, state }) => [aggregate.slice(aggregate.indexOf(":") + 1), state]));
  expect(names.map((name) => stateOf.get(name))).toEqual(cases.flatMap(() => ["PARKED", "DONE"]));
});
