import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Movement, MovementEnding, MovementDecision } from "../domain/movement.js";
import type { Session } from "./collections.js";

export type StoredMovement = Omit<Movement, "ending"> & {
  status: "PENDING" | "DONE" | "FAILED";
  ending?: MovementEnding;
};

/** Cash that came in or went out at a desk. */
export type DeskCash = Pick<
  Movement,
  "kind" | "createdBy" | "createdByRole" | "transfers" | "subjectMinor" | "pickup" | "cashInId"
>;

export function movementStore(movements: RecordCollection<StoredMovement, "movementId">) {
  return {
    insertMovement: (movement: Movement, session: Session): Promise<void> =>
      movements.insertOne({ ...movement, status: "PENDING" } as StoredMovement, { session }),
    findMovement: (movementId: string): Promise<Movement | undefined> => movements.findOne({ _id: movementId }),
    /** Cash that came in or went out at desks, of the business day of its lines. */
    streamCash: (day: string): AsyncIterable<DeskCash> =>
      movements.stream(
        {
          kind: { $in: ["CASH_IN", "CASH_OUT", "CASH_PICKUP", "COUNTER_PAYABLE"] },
          "ending.day": day,
          status: "DONE",
        } as never,
        {
          hint: "booked_by_day",
          projection: {
            kind: 1,
            createdBy: 1,
            createdByRole: 1,
            transfers: 1,
            subjectMinor: 1,
            pickup: 1,
            cashInId: 1,
          },
        },
      ),
    /** What was decided first, and stands. */
    async decideMovement(movementId: string, decision: MovementDecision): Promise<MovementDecision | undefined> {
      const undecided = { _id: movementId, status: "PENDING" as const, decision: { $exists: false } };
      const first = await movements.findOneAndUpdate(undecided as never, { $set: { decision } });
      return first === undefined ? (await movements.findOne({ _id: movementId }))?.decision : decision;
    },
    /** True when this call ended it. */
    async endMovement(movementId: string, ending: MovementEnding, session: Session): Promise<boolean> {
      const pending = { _id: movementId, status: "PENDING" as const };
      const ended = await movements.updateOne(pending, { $set: { status: ending.status, ending } }, { session });
      return ended.matchedCount === 1;
    },
  };
}
