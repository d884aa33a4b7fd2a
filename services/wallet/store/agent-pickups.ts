import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { AgentAndCurrency } from "../domain/agent-accounts.js";
import type { UnbookedPickup } from "../domain/agent-payout.js";
import type { Session } from "./collections.js";

/** What agents hand out, from when it is asked for until its line is kept or it has failed. */
export function agentPickupStore(pickups: RecordCollection<UnbookedPickup, "movementId">) {
  return {
    insertUnbookedPickup: (pickup: UnbookedPickup, session: Session): Promise<void> =>
      pickups.insertOne(pickup, { session }),
    /** False where another driver was first. */
    async removeUnbookedPickup(movementId: string, session: Session): Promise<boolean> {
      return (await pickups.deleteOne({ _id: movementId }, { session })).deletedCount === 1;
    },
    /** The first one of an agent and currency; undefined where there is none. */
    async firstUnbookedPickup(
      { agentId, currency }: AgentAndCurrency,
      session?: Session,
    ): Promise<UnbookedPickup | undefined> {
      const along = { sort: { businessDay: 1 }, limit: 1, session } as const;
      return (await pickups.find({ agentId, currency }, along))[0];
    },
  };
}
