import { mongo, type Connection } from "mongoose";
import { comment, nativeOf } from "../places.js";

interface IdentityKey {
  _id: string;
  purpose: string;
  state: "CURRENT" | "PREVIOUS";
}

const exact = { promoteValues: false, promoteLongs: false, promoteBuffers: false, useBigInt64: false } as const;

/**
 * Brings identity's keys along that the tenant's records need: those that seal personal data, and
 * the one that look-ups are made with. Keys of tokens stay: each cell signs with its own. Throws
 * where the target makes look-ups with another key, since nobody of the tenant could log in there.
 */
export async function copyIdentityKeys(from: Connection, to: Connection): Promise<number> {
  const [source, target] = [
    nativeOf(from).collection<IdentityKey>("keys"),
    nativeOf(to).collection<IdentityKey>("keys"),
  ];
  const moved = { purpose: { $in: ["personal-data", "mac"] } };
  const keys = await source.find(moved, { ...exact, comment }).toArray();
  const known = await target.find(moved, { projection: { _id: 1, purpose: 1, state: 1 }, comment }).toArray();
  const macs = keys.filter(({ purpose }) => purpose === "mac").map(({ _id }) => _id);
  const strange = known.find(({ _id, purpose }) => purpose === "mac" && !macs.includes(_id));
  if (strange !== undefined) {
    throw new Error(
      `identity there makes look-ups with its own key ${strange._id}: a tenant moves into a cell that has none yet, or that has this cell's`,
    );
  }
  const hasCurrent = new Set(known.filter(({ state }) => state === "CURRENT").map(({ purpose }) => purpose));
  const missing = keys
    .filter(({ _id }) => !known.some((one) => one._id === _id))
    .map((key) => (hasCurrent.has(key.purpose) ? { ...key, state: "PREVIOUS" as const } : key));
  if (missing.length > 0) await target.insertMany(missing, { comment });
  return missing.length;
}

/**
 * Brings a service's data keys along, wrapped as they are: they open only where the master key is
 * the same. Where the target has a current key of the purpose, that one goes on sealing.
 */
export async function copyDataKeys(from: Connection, to: Connection): Promise<number> {
  const [source, target] = [nativeOf(from).collection("data_keys"), nativeOf(to).collection("data_keys")];
  const keys = await source.find({}, { ...exact, comment }).toArray();
  const known = await target.find({}, { projection: { _id: 1, purpose: 1, isCurrent: 1 }, comment }).toArray();
  const ids = new Set(known.map(({ _id }) => String(_id)));
  const current = new Set(known.filter(({ isCurrent }) => isCurrent === true).map(({ purpose }) => String(purpose)));
  const missing = keys
    .filter(({ _id }) => !ids.has(String(_id)))
    .map((key) => (current.has(String(key["purpose"])) ? { ...key, isCurrent: false } : key));
  if (missing.length > 0) await target.insertMany(missing as mongo.BSON.Document[], { comment });
  return missing.length;
}
