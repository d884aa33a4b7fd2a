import type { Connection } from "mongoose";
import { holdOf, readHeld } from "../../../services/shared/mongo/held-tenants.js";
import { collectionNames, nativeOf, type Place } from "../places.js";

/**
 * No document of a tenant is in them, or they are a process's own: leases of journals are renewed
 * for many tenants at once, and one refused row would end all of them.
 */
const neverHeld: ReadonlySet<string> = new Set([
  "migrations",
  "keys",
  "data_keys",
  "master_keys",
  "replicas",
  "leases",
]);

/**
 * MongoDB refuses every new or changed document of the tenant from now on, whoever writes: what was
 * under way has committed or is refused when this returns. Safe to run again, and after it was cut
 * off.
 */
export function holdTenant(place: Place, tenantId: string): Promise<void> {
  return changeHolds(place, (held) => [...new Set([...held, tenantId])]);
}

/** Lets the tenant's documents be written again. Safe to run again. */
export function releaseTenant(place: Place, tenantId: string): Promise<void> {
  return changeHolds(place, (held) => held.filter((one) => one !== tenantId));
}

/** Tenants whose documents some collection refuses; `everyTenant` among them where a barrier is. */
export async function listHolds(place: Place): Promise<string[]> {
  const all = new Set<string>();
  await eachCollection(place, async (db, name) => (await readHeld(db, name)).forEach((one) => all.add(one)));
  return [...all].sort();
}

async function changeHolds(place: Place, change: (held: string[]) => string[]): Promise<void> {
  await eachCollection(place, async (db, name) => {
    const held = await readHeld(db, name);
    const wanted = change(held);
    if (wanted.length === held.length && wanted.every((one) => held.includes(one))) return;
    await setValidator(db, name, holdOf(wanted));
  });
}

/** Takes the collection's lock for a moment: it waits for commits under way. */
async function setValidator(db: Connection, collMod: string, validator: object): Promise<void> {
  const strict = { validationLevel: "strict", validationAction: "error" };
  await nativeOf(db).command({ collMod, validator, ...strict, writeConcern: { w: "majority" } });
}

async function eachCollection(place: Place, work: (db: Connection, name: string) => Promise<void>): Promise<void> {
  for (const db of place.databases.values()) {
    for (const name of await collectionNames(db)) if (!neverHeld.has(name)) await work(db, name);
  }
}
