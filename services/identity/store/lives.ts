import type { Connection } from "mongoose";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";

/** One life of identity's database: from its making, or from a restore, to the next one. */
export interface LifeRecord {
  life: string;
  /** Counted up while identity runs. */
  beat: bigint;
}

const id = "identity";

export function createLifeStore(db: Connection) {
  const lives = acrossTenants<LifeRecord & { _id: string }>(db, "lives", "whether the database was restored");
  const change = (update: object, upsert: boolean): Promise<(LifeRecord & { _id: string }) | null> =>
    lives.findOneAndUpdate({ _id: id }, update, { upsert, returnDocument: "after" });
  return {
    /** The life that is now; `life` where there was none. */
    async findOrBegin(life: string): Promise<LifeRecord> {
      return (await lives.findOne({ _id: id })) ?? (await change({ $setOnInsert: { life, beat: 0n } }, true))!;
    },
    async beat(): Promise<LifeRecord> {
      const found = await change({ $inc: { beat: 1n } }, false);
      if (found === null) throw new Error("the database has lost its life");
      return found;
    },
  };
}
