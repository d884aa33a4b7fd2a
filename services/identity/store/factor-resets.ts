import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { FactorResetRecord, FactorResetState } from "../domain/factor-resets.js";

/**
 * Resets of second factors: asked for, approved, waited for, done. At most one of a user is open.
 */
export function factorResetPart(resets: RecordCollection<FactorResetRecord, "resetId">) {
  return {
    /** Refuses STATE_CONFLICT where one of the user is open. */
    async insertFactorReset(reset: FactorResetRecord, session: ClientSession): Promise<void> {
      try {
        await resets.insertOne(reset, { session });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new Refusal("STATE_CONFLICT", "a reset was asked for at the same moment");
      }
    },
    findFactorReset: (id: string) => resets.findOne({ _id: id }),
    findOpenFactorReset: (userId: string) => resets.findOne({ userId, open: true }),
    /** Moves it on, if it is where it is thought to be. Undefined where it is not. */
    moveFactorReset: (
      id: string,
      from: FactorResetState,
      to: { state: FactorResetState; dueAt?: Date },
      session: ClientSession,
    ) => {
      const isOpen = to.state === "ASKED" || to.state === "WAITING";
      const change = { $set: to, ...(isOpen ? {} : { $unset: { open: true as const } }) };
      return resets.findOneAndUpdate({ _id: id, state: from }, change, { session, returnDocument: "after" });
    },
  };
}
