import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { isDuplicateKey } from "../../../services/kernel/mongo/transaction.js";
import { comment, lockCollection, nativeOf, type Place } from "../places.js";

interface Lock {
  _id: "holds";
  token: string;
  owner: string;
  since: Date;
}

/**
 * Runs what changes the holds of a place while nobody else does: a hold is read, changed and
 * written back, collection by collection. Throws where somebody has the lock, or left it behind;
 * `isTaken` takes it over.
 */
export async function withLock<T>(place: Place, isTaken: boolean, work: () => Promise<T>): Promise<T> {
  const [db] = place.databases.values();
  const locks = nativeOf(db!).collection<Lock>(lockCollection);
  const token = randomUUID();
  const owner = `${userInfo().username}, process ${process.pid} of ${hostname()}`;
  try {
    if (isTaken) await locks.deleteOne({ _id: "holds" }, { comment });
    await locks.insertOne({ _id: "holds", token, owner, since: new Date() }, { comment });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new Error(await heldBy(place), { cause: error });
  }
  try {
    return await work();
  } finally {
    await locks.deleteOne({ _id: "holds", token }, { comment });
  }
}

/** A sentence of who has the lock since when; that it is free where nobody has. */
async function heldBy(place: Place): Promise<string> {
  const lock = await readLock(place);
  if (lock === undefined) return "somebody changed the holds at this moment: run it again";
  return `${lock}; once that process is gone, --take-lock goes past it`;
}

/** Who changes the holds of a place, and for how long already; undefined where nobody does. */
export async function readLock(place: Place): Promise<string | undefined> {
  const [db] = place.databases.values();
  const found = await nativeOf(db!).collection<Lock>(lockCollection).findOne({ _id: "holds" }, { comment });
  if (found === null) return undefined;
  const seconds = Math.round((Date.now() - found.since.getTime()) / 1_000);
  return `holds are being changed by ${found.owner} since ${found.since.toISOString()}, ${seconds} s ago`;
}
