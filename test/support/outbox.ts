import { randomUUID } from "node:crypto";
import type { ClientSession, mongo } from "mongoose";
import { silentLog, testDatabase, testTenant, waitFor } from "./index.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { acrossTenants } from "../../services/kernel/mongo/tenant-collection.js";
import { inTransaction } from "../../services/kernel/mongo/transaction.js";
import { createOutbox, createOutboxIndexes, rowKindsOf, startRelay } from "../../services/kernel/outbox/index.js";
import type {
  NewRow,
  Outbox,
  OutboxOptions,
  Relay,
  RelayOptions,
  RowHandler,
} from "../../services/kernel/outbox/index.js";
import type { RowState, StoredRow } from "../../services/kernel/outbox/row.js";

/** A kind that stands in the table of no service. */
export const kindOf = (kind: string) => rowKindsOf({ kind }).kind;

export type OutboxHarness = Awaited<ReturnType<typeof createOutboxHarness>>;

/**
 * An outbox with relays, for tests. A relay sees all tenants, so each test file has a database of
 * its own and empties it after each test.
 */
export async function createOutboxHarness(name: string) {
  const database = await testDatabase(`outbox_${name}`);
  await createOutboxIndexes(database.db);
  const stored = acrossTenants<StoredRow>(database.db, "outbox", "test");
  const relays: Relay[] = [];
  const tenantId = testTenant();
  const base = {
    tenantId,
    aggregate: "payment:1",
    kind: kindOf("note"),
    payload: {},
    interactionId: "i",
    actor: "user-1",
  };

  const make = (options: Partial<OutboxOptions> = {}): Outbox =>
    createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: "wallet", ...options });

  const commit = (work: (session: ClientSession) => Promise<unknown>) =>
    inTransaction(database.db, async (session) => void (await work(session)), { readBack: async () => undefined });

  return {
    database,
    tenantId,
    stored,
    make,
    commit,
    /** Starts a relay that `clean` stops; a single handler is that of kind "note". */
    start(
      outbox: Outbox,
      handlers: Record<string, RowHandler> | RowHandler,
      options: Partial<RelayOptions> = {},
    ): Relay {
      const perKind = typeof handlers === "function" ? { note: handlers } : handlers;
      const relay = startRelay({ outbox, handlers: perKind, pollMs: 50, backoff: () => 30, ...options });
      relays.push(relay);
      return relay;
    },
    /** Adds rows in one transaction; their ids. */
    async add(
      outbox: Outbox,
      ...rows: (Partial<Omit<NewRow, "kind">> & { seq: number; kind?: string })[]
    ): Promise<string[]> {
      const ids: string[] = [];
      await commit(async (session) => {
        ids.length = 0;
        for (const { kind = "note", ...row } of rows)
          ids.push(await outbox.add({ ...base, ...row, kind: kindOf(kind) }, session));
      });
      return ids;
    },
    /** Many rows in one write, past the outbox. */
    async fill(rows: { aggregate: string; seq: number }[]): Promise<void> {
      const now = new Date();
      const fresh = { dueAt: now, notBefore: now, attempts: 0, leasedUntil: new Date(0), createdAt: now };
      await stored.insertMany(rows.map((row) => ({ _id: randomUUID(), ...base, state: "DUE", ...fresh, ...row })));
    },
    async states(): Promise<RowState[]> {
      return (await stored.find({}, { sort: { seq: 1 } })).map(({ state }) => state);
    },
    whenAll: (state: RowState, count: number, everyMs = 20) =>
      waitFor(async () => (await stored.count({ state })) === count, {
        timeoutMs: 25_000,
        everyMs,
        what: `${count} rows ${state}`,
      }),
    /** Commands on the outbox while `work` runs, by name. */
    async commandsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
      const sent: Record<string, number> = {};
      const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
        if (command[commandName] === "outbox") sent[commandName] = (sent[commandName] ?? 0) + 1;
      };
      database.db.getClient().on("commandStarted", watch);
      await work();
      database.db.getClient().off("commandStarted", watch);
      return sent;
    },
    async clean(): Promise<void> {
      await Promise.all(relays.splice(0).map((relay) => relay.stop(0)));
      await stored.deleteMany({});
    },
    close: () => database.close(),
  };
}
