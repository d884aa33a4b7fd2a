import type { Connection } from "mongoose";
import { holdOf, readHeld } from "../../../services/kernel/mongo/held-tenants.js";
import { collectionNames, nativeOf, type DatabaseService, type Place } from "../places.js";
import { withLock } from "./lock.js";

/**
 * No document of a tenant is in them, or they are a process's own: leases of journals are renewed
 * for many tenants at once, and one refused row would end all of them.
 */
export const neverHeld: ReadonlySet<string> = new Set([
  "migrations",
  "keys",
  "data_keys",
  "master_keys",
  "replicas",
  "lives",
  "leases",
]);

/**
 * MongoDB refuses every new or changed document of the tenant from now on, whoever writes: what was
 * under way has committed or is refused when this returns. Safe to run again, and after it was cut
 * off. Throws where somebody else changes holds there; `isTaken` takes a lock that was left behind.
 */
export function holdTenant(place: Place, tenantId: string, isTaken = false): Promise<void> {
  return withLock(place, isTaken, () => setHold(place, tenantId, true));
}

/** Lets the tenant's documents be written again. Safe to run again; throws as `holdTenant`. */
export function releaseTenant(place: Place, tenantId: string, isTaken = false): Promise<void> {
  return withLock(place, isTaken, () => setHold(place, tenantId, false));
}

/** Tenants whose documents some collection refuses; `everyTenant` among them where a barrier is. */
export async function listHolds(place: Place): Promise<string[]> {
  const all = new Set<string>();
  await eachCollection(place, async (db, name) => (await readHeld(db, name)).forEach((one) => all.add(one)));
  return [...all].sort();
}

/** Collections that do not refuse the tenant's documents, as `service.collection`. */
export async function findOpen(place: Place, tenantId: string): Promise<string[]> {
  return findWhere(place, (held) => !held.includes(tenantId));
}

async function findWhere(place: Place, test: (held: string[]) => boolean): Promise<string[]> {
  const found: string[] = [];
  await eachCollection(place, async (db, name, service) => {
    if (test(await readHeld(db, name))) found.push(`${service}.${name}`);
  });
  return found;
}

/**
 * For who has the lock. Throws where the collections, read back, do not show it all: a tool of
 * another kind changed them.
 */
export async function setHold(place: Place, tenantId: string, isWanted: boolean): Promise<void> {
  await eachCollection(place, async (db, name) => {
    const held = await readHeld(db, name);
    if (held.includes(tenantId) === isWanted) return;
    const others = held.filter((one) => one !== tenantId);
    await setValidator(db, name, holdOf(isWanted ? [...others, tenantId] : others));
  });
  const wrong = await findWhere(place, (held) => held.includes(tenantId) !== isWanted);
  if (wrong.length === 0) return;
  throw new Error(`${tenantId} is ${isWanted ? "not held" : "still held"} in ${wrong.join(", ")}: run it again`);
}

/** Takes the collection's lock for a moment: it waits for commits under way. */
async function setValidator(db: Connection, collMod: string, validator: object): Promise<void> {
  const strict = { validationLevel: "strict", validationAction: "error" };
  await nativeOf(db).command({ collMod, validator, ...strict, writeConcern: { w: "majority" } });
}

async function eachCollection(
  place: Place,
  work: (db: Connection, name: string, service: DatabaseService) => Promise<void>,
): Promise<void> {
  for (const [service, db] of place.databases) {
    for (const name of await collectionNames(db)) if (!neverHeld.has(name)) await work(db, name, service);
  }
}
