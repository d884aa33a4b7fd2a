import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { HandOver } from "../domain/hand-over.js";
import type { Session } from "./collections.js";

/** `people` are those who may read it. */
export type StoredHandOver = HandOver & { people: readonly string[] };

export function handOverStore(handOvers: RecordCollection<StoredHandOver, "handOverId">) {
  return {
    insertHandOver: (handOver: HandOver, session: Session): Promise<void> =>
      handOvers.insertOne({ ...handOver, people: [handOver.giverId, handOver.receiverId] }, { session }),
    findHandOver: (handOverId: string, session?: Session): Promise<HandOver | undefined> =>
      handOvers.findOne({ _id: handOverId }, { session }),
    /** Of one person, given or received, or of all; the newest first. */
    listHandOvers(fit: { userId?: string; openOnly: boolean }, before: string, limit: number): Promise<HandOver[]> {
      const { userId, openOnly } = fit;
      const filter = {
        ...(userId !== undefined && { people: userId }),
        ...(openOnly && { status: "OFFERED" as const }),
        ...(before !== "" && { _id: { $lt: before } }),
      };
      return handOvers.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** The first that is offered out of a till; undefined where there is none. */
    async offeredOutOf(fromTillId: string, giverId: string, session: Session): Promise<HandOver | undefined> {
      const filter = { people: giverId, fromTillId, status: { $in: ["OFFERED", "ACCEPTING"] } };
      return (await handOvers.find(filter as never, { limit: 1, session }))[0];
    },
    /** True when this call moved it on. */
    async moveHandOver(
      handOverId: string,
      from: HandOver["status"],
      change: Partial<HandOver>,
      session: Session,
    ): Promise<boolean> {
      const moved = await handOvers.updateOne({ _id: handOverId, status: from }, { $set: change }, { session });
      return moved.matchedCount === 1;
    },
  };
}
