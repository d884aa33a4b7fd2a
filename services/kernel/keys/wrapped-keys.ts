import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientSession, Connection } from "mongoose";
import { crashPoint } from "../process/crash-point.js";
import type { Logger } from "../process/log.js";
import { createIndexes } from "../mongo/migrations.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../mongo/transaction.js";
import { Refusal } from "../refusal.js";
import { contextText, MasterKeyError, type KeyContext, type KeyWrapper, type WrappedSecret } from "./key-wrapper.js";

/** What every wrapped key of a service has, whatever else is stored with it. */
interface StoredKey {
  _id: string;
  purpose: string;
  secret: WrappedSecret;
}

/**
 * The guard document of one version: who stores a key under it and who retires it both write it.
 */
interface MasterKeyUse {
  _id: string;
  stored?: bigint;
  retiredAt?: Date;
}

/** A version of the master key as one service knows it. */
export interface MasterKeyVersion {
  masterKeyId: string;
  /** How many keys lie wrapped under it. */
  keys: number;
  isNewest: boolean;
  retiredAt?: Date;
}

export type WrappedKeys = ReturnType<typeof createWrappedKeys>;

const uses = "master_keys";

/** Made beforehand, since transactions that make a collection conflict with each other. */
export const createMasterKeyIndexes = (db: Connection): Promise<void> =>
  createIndexes(db, uses, [{ key: { retiredAt: 1 }, name: "retired" }]);

const versionsOf = (db: Connection) => acrossTenants<MasterKeyUse>(db, uses, "versions of the master key");

/**
 * What belongs to the transaction that stores a key under a version. It throws MasterKeyError where
 * that is retired, also by somebody at the same moment: whoever is second meets the other's write.
 */
export function createKeyUseRecords(db: Connection) {
  const versions = versionsOf(db);
  return async (masterKeyId: string, session: ClientSession): Promise<void> => {
    const living = { _id: masterKeyId, retiredAt: { $exists: false } };
    try {
      await versions.updateOne(living, { $inc: { stored: 1n } }, { upsert: true, session });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new MasterKeyError(`the master key ${masterKeyId} is retired: nothing new is wrapped by it`);
    }
  };
}

/** The keys that a service keeps in one collection of its database, wrapped by the master key. */
export function createWrappedKeys(parts: { db: Connection; collection: string; service: string; wrapper: KeyWrapper }) {
  const { db, service, wrapper } = parts;
  const keys = acrossTenants<StoredKey>(db, parts.collection, "keys that the master key wraps");
  const versions = versionsOf(db);
  const contextOf = (purpose: string, keyId: string): KeyContext => ({ service, purpose, keyId });
  const notUnder = (masterKeyId: string) => ({ "secret.masterKeyId": { $ne: masterKeyId } });

  const noteUse = createKeyUseRecords(db);

  async function list(): Promise<MasterKeyVersion[]> {
    const newest = await wrapper.newest();
    const stored = await keys.find({}, { projection: { "secret.masterKeyId": 1 } });
    const known = await versions.find({});
    const ids = new Set([...known.map(({ _id }) => _id), ...stored.map(({ secret }) => secret.masterKeyId), newest]);
    return [...ids].map((masterKeyId) => {
      const retiredAt = known.find(({ _id }) => _id === masterKeyId)?.retiredAt;
      return {
        masterKeyId,
        keys: stored.filter(({ secret }) => secret.masterKeyId === masterKeyId).length,
        isNewest: masterKeyId === newest,
        ...(retiredAt !== undefined && { retiredAt }),
      };
    });
  }

  /** Wraps one key anew, having proved that the new form opens to the same secret. */
  async function rewrapOne({ _id, purpose, secret: before }: StoredKey): Promise<void> {
    const context = contextOf(purpose, _id);
    const secret = await wrapper.rewrap(before, context);
    const old = await wrapper.unwrap(before, context);
    const anew = await wrapper.unwrap(secret, context);
    if (old.length !== anew.length || !timingSafeEqual(old, anew)) {
      throw new MasterKeyError(`${contextText(context)} wrapped anew is another one; it stays as it was`);
    }
    crashPoint("master-key.rewrap.wrapped");
    await inTransaction(
      db,
      async (session) => {
        await noteUse(secret.masterKeyId, session);
        crashPoint("master-key.rewrap.noted");
        // Gone or wrapped anew by another call meanwhile: both are well.
        await keys.updateOne({ _id, "secret.sealed": before.sealed }, { $set: { secret } }, { session });
        return true;
      },
      { readBack: async () => ((await keys.findOne({ _id, "secret.sealed": secret.sealed })) ? true : undefined) },
    );
    crashPoint("master-key.rewrap.stored");
  }

  return {
    contextOf,
    noteUse,
    list,

    /** Wraps up to `limit` keys anew under the newest version. Called again, it goes on. */
    async rewrap(limit: number): Promise<{ rewrapped: number; remaining: number; masterKeyId: string }> {
      const masterKeyId = await wrapper.newest();
      const found = await keys.find(notUnder(masterKeyId), { sort: { _id: 1 }, limit });
      for (const key of found) await rewrapOne(key);
      const remaining = (await keys.find(notUnder(masterKeyId), { projection: { _id: 1 } })).length;
      return { rewrapped: found.length, remaining, masterKeyId };
    },

    /**
     * Nothing is wrapped by this version any more. Refuses STATE_CONFLICT while it is the newest or
     * still wraps a key. Done again it changes nothing.
     */
    async retire(masterKeyId: string, now: Date): Promise<void> {
      if (masterKeyId === (await wrapper.newest())) {
        throw new Refusal("STATE_CONFLICT", `${masterKeyId} is the newest version: it wraps what is to come`);
      }
      const isRetired = async () => (await versions.findOne({ _id: masterKeyId }))?.retiredAt !== undefined;
      await inTransaction(
        db,
        async (session) => {
          const left = await keys.find({ "secret.masterKeyId": masterKeyId }, { projection: { _id: 1 }, session });
          if (left.length > 0) {
            throw new Refusal("STATE_CONFLICT", `${masterKeyId} still wraps ${left.length} keys of ${service}`);
          }
          crashPoint("master-key.retire.checked");
          const known = await versions.findOne({ _id: masterKeyId }, { session });
          if (known?.retiredAt !== undefined) return true;
          await versions.updateOne({ _id: masterKeyId }, { $set: { retiredAt: now } }, { upsert: true, session });
          return true;
        },
        { readBack: async () => ((await isRetired()) ? true : undefined) },
      );
    },

    /** For the gauge of keys that wait to be wrapped anew. */
    countBehind: async (): Promise<number> => {
      const newest = await wrapper.newest();
      return (await keys.find(notUnder(newest), { projection: { _id: 1 } })).length;
    },
  };
}

/**
 * Does what needs the master key at a start, again and again while the key service is away, for
 * `waitS` at most. What it refuses for good ends the start at once.
 */
export async function awaitMasterKey<T>(work: () => Promise<T>, waitS: number | undefined, log: Logger): Promise<T> {
  const giveUpAt = performance.now() + (waitS ?? 0) * 1_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof Refusal && error.code === "UNAVAILABLE";
      if (!isAway || performance.now() >= giveUpAt) throw error;
      log.warn({ reason: error.message }, "the master key's service is not there yet, trying again");
      await sleep(1_000);
    }
  }
}
