import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Connection } from "mongoose";
import { systemClock, type Clock } from "../../kernel/time/clock.js";
import { createIndexes } from "../../kernel/mongo/migrations.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { ForcedOutcome, OutcomeKeeper, OutcomeKind } from "./sandbox-outcomes.js";

/**
 * A forced outcome in the database of the service that it is of. It stays when it is used up: told
 * again under its id it is not new.
 */
export interface StoredForcedOutcome {
  outcomeId: string;
  /** As it was told. */
  forced: Omit<ForcedOutcome, "id">;
  /** Empty for the next one, whichever it is. */
  subject: string;
  /** How often it still holds; -1 for as long as it stands, 0 once it is over. */
  left: number;
  createdAt: Date;
  /** When it is over whatever is left of it, by real time. */
  endsAt: Date;
}

const standsForMs = 30 * 24 * 60 * 60 * 1_000;

export type ForcedOutcomeStore = ReturnType<typeof forcedOutcomeStore>;

/** Forced outcomes of a tenant. They end by real time, also where the business date was moved. */
export function forcedOutcomeStore(outcomes: RecordCollection<StoredForcedOutcome>, clock: Clock = systemClock) {
  const inForce = () => ({ left: { $ne: 0 }, endsAt: { $gt: clock.now() } });
  return {
    async insertForced({ id: outcomeId, ...forced }: ForcedOutcome, session: ClientSession): Promise<void> {
      const createdAt = clock.now();
      const endsAt = new Date(createdAt.getTime() + standsForMs);
      const { subject = "", times = -1 } = forced;
      await outcomes.insertOne({ outcomeId, forced, subject, left: times, createdAt, endsAt }, { session });
    },
    findForced: (outcomeId: string, session?: ClientSession) => outcomes.findOne({ outcomeId }, { session }),
    listForced: () => outcomes.find(inForce(), { sort: { createdAt: 1 }, limit: 1_000 }),
    hasForced: async () => (await outcomes.findOne(inForce())) !== undefined,
    /**
     * What is forced for the first of the subjects that has anything, else for anybody; the latest
     * of them. Counts it down.
     */
    async takeForced(subjects: readonly string[], session: ClientSession): Promise<StoredForcedOutcome | undefined> {
      const inOrder = [...subjects, ""];
      const filter = { ...inForce(), subject: { $in: inOrder } };
      const found = await outcomes.find(filter, { session, sort: { createdAt: -1 } });
      const rank = ({ subject }: StoredForcedOutcome) => inOrder.indexOf(subject);
      const taken = found.toSorted((a, b) => rank(a) - rank(b))[0];
      if (taken === undefined) return undefined;
      if (taken.left > 0) await outcomes.updateOne({ outcomeId: taken.outcomeId }, { $inc: { left: -1 } }, { session });
      return taken;
    },
    async endForced(outcomeId: string | undefined): Promise<number> {
      const which = { ...inForce(), ...(outcomeId !== undefined && { outcomeId }) };
      return (await outcomes.updateMany(which, { $set: { left: 0 } })).modifiedCount;
    },
  };
}

/** Indexes of a collection of forced outcomes, for a migration. */
export function createForcedOutcomeIndexes(db: Connection, name: string): Promise<void> {
  return createIndexes(db, name, [
    { key: { tenantId: 1, outcomeId: 1 }, name: "one_per_id", unique: true },
    { key: { tenantId: 1, createdAt: 1 }, name: "by_time" },
    { key: { endsAt: 1 }, name: "expiry", expireAfterSeconds: 0 },
  ]);
}

interface Store {
  transaction<T>(work: (session: ClientSession) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T>;
  forTenant(tenantId: string): Pick<ForcedOutcomeStore, "findForced" | "insertForced" | "listForced" | "endForced">;
}

/** Outcomes that a service keeps itself, in its own database. */
export function createForcedOutcomes(store: Store, kinds: readonly OutcomeKind[]): OutcomeKeeper {
  return {
    kinds,
    async force(outcome, { tenantId }) {
      const own = store.forTenant(tenantId);
      const { id, ...requested } = outcome;
      return store.transaction<"new" | "known" | "other">(
        async (session) => {
          const known = await own.findForced(id, session);
          if (known !== undefined) return isDeepStrictEqual(known.forced, requested) ? "known" : "other";
          await own.insertForced(outcome, session);
          return "new";
        },
        async () => ((await own.findForced(id)) === undefined ? undefined : "new"),
      );
    },
    list: async ({ tenantId }) => (await store.forTenant(tenantId).listForced()).map(outcomeOf),
    clear: (id, { tenantId }) => store.forTenant(tenantId).endForced(id),
  };
}

function outcomeOf({ outcomeId, forced, left }: StoredForcedOutcome): ForcedOutcome {
  const { times: _times, ...rest } = forced;
  return { id: outcomeId, ...rest, ...(left > 0 && { times: left }) };
}
