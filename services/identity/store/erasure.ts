import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../shared/mongo/collection.js";
import type { ErasureAnswer, ErasureDocument } from "./documents.js";

/** Who was erased in one tenant, and what the services answered. */
export function erasurePart(erasures: GuardedCollection<ErasureDocument>) {
  return {
    insertErasure: (erasure: Omit<ErasureDocument, "tenantId">, session: ClientSession) =>
      erasures.insertOne(erasure, { session }),
    findErasure: (customerId: string, session?: ClientSession) => erasures.findOne({ customerId }, { session }),
    /** Keeps what a service answered at a stage, in the place of what it answered there before. */
    async noteErasureAnswer(customerId: string, answer: ErasureAnswer, session: ClientSession): Promise<void> {
      const { service, stage } = answer;
      await erasures.updateOne({ customerId }, { $pull: { answers: { service, stage } } } as object, { session });
      await erasures.updateOne({ customerId }, { $push: { answers: answer } } as object, { session });
    },
  };
}
