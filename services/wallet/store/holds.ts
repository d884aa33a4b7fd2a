import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Hold, HoldStatus } from "../domain/hold.js";
import type { Session } from "./collections.js";

export function holdStore(holds: RecordCollection<Hold, "holdId">) {
  return {
    insertHold: (hold: Hold, session: Session): Promise<void> => holds.insertOne(hold, { session }),
    findHold: (holdId: string): Promise<Hold | undefined> => holds.findOne({ _id: holdId }),
    /** True when this call moved it on; `openAt` also demands that its time is not over then. */
    async moveHold(
      holdId: string,
      from: HoldStatus,
      to: HoldStatus,
      session: Session,
      { openAt, confirmedMinor }: { openAt?: Date; confirmedMinor?: bigint } = {},
    ): Promise<boolean> {
      const filter = { _id: holdId, status: from, ...(openAt === undefined ? {} : { expiresAt: { $gt: openAt } }) };
      const change = { $set: { status: to, ...(confirmedMinor === undefined ? {} : { confirmedMinor }) } };
      return (await holds.updateOne(filter, change, { session })).matchedCount === 1;
    },
  };
}
