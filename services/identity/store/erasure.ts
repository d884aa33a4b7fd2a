import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { Scope } from "../../kernel/idempotency/index.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { ErasureAnswer, ErasureRecord, PersonalAnswerRecord } from "../domain/erasure.js";

/**
 * Who was erased in one tenant, what the services answered, and which stored answers hold whose
 * data.
 */
export function erasurePart(
  erasures: RecordCollection<ErasureRecord, "erasureId">,
  answers: RecordCollection<PersonalAnswerRecord, "personalAnswerId">,
) {
  return {
    insertErasure: (erasure: ErasureRecord, session: ClientSession) => erasures.insertOne(erasure, { session }),
    findErasure: (customerId: string, session?: ClientSession) => erasures.findOne({ customerId }, { session }),
    /** Keeps what a service answered at a stage, in the place of what it answered there before. */
    async noteErasureAnswer(customerId: string, answer: ErasureAnswer, session: ClientSession): Promise<void> {
      const { service, stage } = answer;
      await erasures.updateOne({ customerId }, { $pull: { answers: { service, stage } } } as object, { session });
      await erasures.updateOne({ customerId }, { $push: { answers: answer } } as object, { session });
    },

    /** Notes that the stored answer of this request holds the person's data. */
    notePersonalAnswer: (userId: string, { caller, operation, key }: Scope, session: ClientSession) =>
      answers.insertOne({ personalAnswerId: uuidv7(), userId, caller, operation, key }, { session }),
    listPersonalAnswers: (userId: string, session?: ClientSession) => answers.find({ userId }, { session }),
    deletePersonalAnswers: (userId: string, session: ClientSession) => answers.deleteMany({ userId }, { session }),
  };
}
