import type { Connection } from "mongoose";
import { readHeld } from "../../../services/kernel/mongo/held-tenants.js";
import { collectionNames, comment, nativeOf, type DatabaseService, type Place } from "../places.js";
import { readBooks, type Books } from "./books.js";
import { copyCollection } from "./copy.js";
import { digestOf, isSame } from "./digest.js";
import { findOpen, holdTenant, neverHeld } from "./hold.js";
import { checkKeys, copyKeys } from "./keys.js";
import { awaitEnd } from "./settle.js";

export interface CopyOptions {
  readonly print?: (line: string) => void;
  /** Takes locks that were left behind on either side. */
  readonly isTaken?: boolean;
  /** Waits so many ms; tests need not. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * What belongs to a cell and not to a tenant. Sessions end: their tokens are signed by the cell's
 * own keys.
 */
const ofTheCell: ReadonlySet<string> = new Set([...neverHeld, "sessions", "revocations"]);

export interface Proof {
  readonly documents: number;
  /** Empty where both sides are the same. */
  readonly differences: readonly string[];
  readonly books: { readonly from: Books; readonly to: Books };
}

/**
 * Copies a tenant into another cell's databases and proves that both are the same. Both sides stay
 * held, so that nobody works on it twice; whoever opens one of them ends the move. Cut off at any
 * place, it is run again. Throws where the target has other migrations, other keys for look-ups, no
 * master key for the tenant's, or the tenant already and open.
 */
export async function copyTenant(from: Place, to: Place, tenantId: string, options: CopyOptions = {}): Promise<Proof> {
  const { print = () => {}, isTaken, pause } = options;
  await checkMigrations(from, to);
  await checkTenant(from, tenantId);
  await checkTarget(to, tenantId);
  await checkKeys([...pairsOf(from, to)], print);
  await holdTenant(from, tenantId, isTaken);
  await makeCollections(from, to);
  await holdTenant(to, tenantId, isTaken);
  await awaitEnd([from, to], tenantId, print, pause);
  for (const [service, source, target] of pairsOf(from, to)) {
    const keys = await copyKeys(service, source, target);
    if (keys > 0) print(`${service}: ${keys} keys`);
    for (const name of await tenantCollections(source)) {
      const { count, sent } = await copyCollection(of(source, name), of(target, name), tenantId);
      if (count > 0) print(`${service}.${name}: ${count} documents, ${sent} sent`);
    }
    if (service === "ledger") await copyLease(source, target, tenantId);
  }
  return compareTenant(from, to, tenantId);
}

/**
 * Compares every collection by count and digest, and recomputes the books of both sides. A
 * collection that takes the tenant's writes on either side is a difference: it may differ next.
 */
export async function compareTenant(from: Place, to: Place, tenantId: string): Promise<Proof> {
  const differences = [
    ...(await findOpen(from, tenantId)).map((name) => `${name}: the tenant is not held here`),
    ...(await findOpen(to, tenantId)).map((name) => `${name}: the tenant is not held there`),
  ];
  let documents = 0;
  for (const [service, source, target] of pairsOf(from, to)) {
    const names = new Set([...(await tenantCollections(source)), ...(await tenantCollections(target))]);
    for (const name of names) {
      const [here, there] = [await digestOf(of(source, name), tenantId), await digestOf(of(target, name), tenantId)];
      documents += here.count;
      if (!isSame(here, there)) {
        differences.push(`${service}.${name}: ${here.count} documents here, ${there.count} there, or other contents`);
      }
    }
  }
  const [here, there] = [await booksOf(from, tenantId), await booksOf(to, tenantId)];
  return { documents, differences: [...differences, ...faultsOf(here, there)], books: { from: here, to: there } };
}

function faultsOf(here: Books, there: Books): string[] {
  const faults = [
    ...here.faults.map((fault) => `ledger here: ${fault}`),
    ...there.faults.map((fault) => `ledger there: ${fault}`),
  ];
  if (here.transfers !== there.transfers) faults.push(`${here.transfers} transfers here, ${there.transfers} there`);
  for (const currency of new Set([...here.totals.keys(), ...there.totals.keys()])) {
    const [a, b] = [here.totals.get(currency), there.totals.get(currency)];
    const fits =
      a !== undefined && b !== undefined && a.debitsMinor === b.debitsMinor && a.creditsMinor === b.creditsMinor;
    if (!fits) faults.push(`the trial balance differs in ${currency}`);
    else if (a.debitsMinor !== a.creditsMinor) faults.push(`debits are not credits in ${currency}`);
  }
  return faults;
}

/**
 * The next owner there must count on from the epochs here, or the journal's head would refuse it.
 */
async function copyLease(from: Connection, to: Connection, tenantId: string): Promise<void> {
  const lease = await nativeOf(from).collection("leases").findOne({ tenantId });
  if (lease === null) return;
  const free = { address: "", holder: "", until: new Date(0), sessionIds: [] };
  const change = { $setOnInsert: free, $max: { epoch: lease["epoch"] as bigint } };
  await nativeOf(to).collection("leases").updateOne({ _id: lease._id, tenantId }, change, { upsert: true });
}

/** Documents of one version are no good to a cell of another. */
async function checkMigrations(from: Place, to: Place): Promise<void> {
  for (const [service, source, target] of pairsOf(from, to)) {
    const [here, there] = [await migrationsOf(source), await migrationsOf(target)];
    if (here !== there) {
      throw new Error(`${service}: migrations are ${here || "none"} here and ${there || "none"} there; upgrade first`);
    }
  }
}

async function migrationsOf(db: Connection): Promise<string> {
  const done = nativeOf(db)
    .collection("migrations")
    .find({ doneAt: { $exists: true } }, { comment });
  return (await done.map(({ _id }) => String(_id)).toArray()).sort().join(", ");
}

async function checkTenant(from: Place, tenantId: string): Promise<void> {
  const found = await of(databaseOf(from, "identity"), "tenants").findOne({ tenantId });
  if (found === null) throw new Error(`no tenant ${tenantId} is here`);
}

/** What it did there would be replaced: whoever wants that holds it first. */
async function checkTarget(to: Place, tenantId: string): Promise<void> {
  const identity = databaseOf(to, "identity");
  const found = await of(identity, "tenants").findOne({ tenantId });
  if (found === null || (await readHeld(identity, "tenants")).includes(tenantId)) return;
  throw new Error(`tenant ${tenantId} is open there: hold it there first, and its documents are replaced`);
}

/** Some are made by their first document, and one that is not there cannot refuse any. */
async function makeCollections(from: Place, to: Place): Promise<void> {
  for (const [, source, target] of pairsOf(from, to)) {
    const there = new Set(await collectionNames(target));
    for (const name of await collectionNames(source)) {
      if (!there.has(name)) await nativeOf(target).createCollection(name);
    }
  }
}

async function tenantCollections(db: Connection): Promise<string[]> {
  return (await collectionNames(db)).filter((name) => !ofTheCell.has(name));
}

function* pairsOf(from: Place, to: Place): Generator<[DatabaseService, Connection, Connection]> {
  for (const [service, source] of from.databases) yield [service, source, databaseOf(to, service)];
}

function databaseOf(place: Place, service: DatabaseService): Connection {
  const db = place.databases.get(service);
  if (db === undefined) throw new Error(`no database of ${service} is given`);
  return db;
}

const of = (db: Connection, name: string) => nativeOf(db).collection(name);
const booksOf = (place: Place, tenantId: string) => readBooks(databaseOf(place, "ledger"), tenantId);
