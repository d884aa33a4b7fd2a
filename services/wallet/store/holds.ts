import type { Hold, HoldStatus } from "../domain/hold.js";
import type { Collection, Session } from "./collections.js";

export type HoldRow = Omit<Hold, "holdId"> & { _id: string; tenantId: string };

export function holdStore(holds: Collection<HoldRow>) {
  return {
    async insertHold({ holdId, ...rest }: Hold, session: Session): Promise<void> {
      await holds.insertOne({ _id: holdId, ...rest }, { session });
    },
    async findHold(holdId: string): Promise<Hold | undefined> {
      const row = await holds.findOne({ _id: holdId });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, ...rest } = row;
      return { holdId: _id, ...rest };
    },
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
