import type { Connection, mongo } from "mongoose";

const natives = new WeakMap<mongo.Db, Map<string, mongo.Collection>>();

/**
 * The driver's own collection, past mongoose. Nothing outside services/kernel/mongo may hold one.
 */
export function nativeCollection(db: Connection, name: string): mongo.Collection {
  if (!db.db) throw new Error("MongoDB is not connected");
  let known = natives.get(db.db);
  if (known === undefined) natives.set(db.db, (known = new Map()));
  let collection = known.get(name);
  if (collection === undefined) known.set(name, (collection = db.db.collection(name)));
  return collection;
}
