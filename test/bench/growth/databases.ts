import type { Connection } from "mongoose";
import { pino } from "pino";
import { openKeyring } from "../../../services/identity/credentials/keyring.js";
import { createFieldCipher } from "../../../services/identity/credentials/sealing.js";
import { createAcrossTenantsStore } from "../../../services/identity/store/across-tenants.js";
import { createEventsStore } from "../../../services/events/store/index.js";
import { createPartyCipher } from "../../../services/remittance/store/party-cipher.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { createDataKeys } from "../../../services/kernel/keys/data-keys.js";
import { createFileKeys } from "../../../services/kernel/keys/file-keys.js";
import { createWrappedKeys } from "../../../services/kernel/keys/wrapped-keys.js";
import { connectMongo } from "../../../services/kernel/mongo/connect.js";
import type { Cluster } from "./world.js";

const names = ["identity", "compliance", "ledger", "remittance", "wallet", "events"] as const;
export type ServiceName = (typeof names)[number];

export type Databases = Awaited<ReturnType<typeof openDatabases>>;

/** The databases that are filled, with what the services seal personal data by. */
export async function openDatabases({ file }: Cluster) {
  const log = pino({ level: "silent" });
  const opened = await Promise.all(
    names.map((name) => connectMongo({ uri: file.mongoUri, database: `manilla_${name}`, log })),
  );
  const db = Object.fromEntries(names.map((name, at) => [name, opened[at]!.db])) as Record<ServiceName, Connection>;
  const wrapper = createFileKeys(file.keys.masterKeyFile);
  const wrapped = createWrappedKeys({ db: db.identity, collection: "keys", service: "identity", wrapper });
  const across = createAcrossTenantsStore(db.identity, wrapped);
  const keyring = await openKeyring({ store: across, wrapper, clock: systemClock, log });
  const dataKeys = (service: "remittance" | "events") =>
    createDataKeys({ db: db[service], wrapper, service, purpose: "personal-data" });
  return {
    ...db,
    people: createFieldCipher(keyring),
    parties: createPartyCipher(dataKeys("remittance")),
    told: createEventsStore(db.events, dataKeys("events")),
    async close(): Promise<void> {
      await keyring.stop();
      for (const { close } of opened) await close();
    },
  };
}

const batch = 2_000;

/**
 * Inserts `count` documents that `make` gives, as they are stored; two
 * batches are under way at any time.
 */
export async function insertAll(
  db: Connection,
  collection: string,
  count: number,
  make: (index: number) => object | Promise<object>,
): Promise<void> {
  const native = db.collection(collection);
  const under: Promise<unknown>[] = [];
  for (let from = 0; from < count; from += batch) {
    const documents = [];
    for (let at = from; at < Math.min(count, from + batch); at++) documents.push(await make(at));
    under.push(native.insertMany(documents as never[], { ordered: false, writeConcern: { w: 1, j: false } }));
    if (under.length >= 2) await under.shift();
    progress(collection, Math.min(count, from + batch), count);
  }
  await Promise.all(under);
}

/** One document that a service has written, to be multiplied; without its id. */
export async function templateOf<T extends object>(db: Connection, collection: string, filter: object): Promise<T> {
  const found = await db.collection(collection).findOne(filter, { sort: { _id: -1 } });
  if (found === null) throw new Error(`nothing in ${collection} to multiply`);
  return found as unknown as T;
}

const shown = new Map<string, number>();

/** A line of progress every five seconds. */
export function progress(what: string, done: number, all: number): void {
  const now = performance.now();
  if (done < all && now - (shown.get(what) ?? 0) < 5_000) return;
  shown.set(what, now);
  process.stdout.write(`  ${what}: ${done.toLocaleString("en")} of ${all.toLocaleString("en")}\n`);
}
