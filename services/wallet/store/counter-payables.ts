import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { maxTries, type CounterPayable, type PayableCode } from "../domain/counter-payable.js";
import type { Session } from "./collections.js";

export interface PayableFit {
  readonly customerIds?: readonly string[];
  readonly status?: CounterPayable["status"];
  readonly transactionCode?: string;
}

export function counterPayableStore(payables: RecordCollection<CounterPayable, "payableId">) {
  return {
    insertCounterPayable: (payable: CounterPayable, session: Session): Promise<void> =>
      payables.insertOne(payable, { session }),
    findCounterPayable: (payableId: string, session?: Session): Promise<CounterPayable | undefined> =>
      payables.findOne({ _id: payableId }, { session }),
    /** The newest first. */
    listCounterPayables({ customerIds, ...fit }: PayableFit, before: string, limit: number): Promise<CounterPayable[]> {
      const ofCustomers = customerIds !== undefined && { customerId: { $in: [...customerIds] } };
      const filter = { ...fit, ...ofCustomers, ...(before !== "" && { _id: { $lt: before } }) };
      return payables.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** Of what is owed to a sender, or being paid out. */
    countUnpaidPayables: (customerId: string): Promise<number> =>
      payables.count({ customerId, status: { $in: ["OPEN", "PAYING"] } } as never),
    /** The payable then; undefined where it is not OPEN. */
    putPayableCode: (payableId: string, code: PayableCode): Promise<CounterPayable | undefined> =>
      payables.findOneAndUpdate({ _id: payableId, status: "OPEN" }, { $set: { code } }, { returnDocument: "after" }),
    /** How many wrong tries there were with this one; undefined where no more is allowed. */
    async countWrongCode(payableId: string, codeId: string): Promise<number | undefined> {
      const mayBeTried = { _id: payableId, "code.codeId": codeId, "code.tries": { $lt: maxTries } };
      const options = { returnDocument: "after" } as const;
      const counted = await payables.findOneAndUpdate(
        mayBeTried as never,
        { $inc: { "code.tries": 1 } } as never,
        options,
      );
      return counted?.code && Number(counted.code.tries);
    },
    /** OPEN → PAYING; false where the code was replaced or locked since it was right. */
    async takeCounterPayable(payableId: string, codeId: string, session: Session): Promise<boolean> {
      const right = { _id: payableId, status: "OPEN", "code.codeId": codeId, "code.tries": { $lt: maxTries } };
      const change = { $set: { status: "PAYING" as const } };
      return (await payables.updateOne(right as never, change, { session })).matchedCount === 1;
    },
    /** PAYING → PAID, or OPEN again where nothing left the till. */
    async endCounterPayable(payableId: string, change: Partial<CounterPayable>, session: Session): Promise<void> {
      await payables.updateOne({ _id: payableId, status: "PAYING" }, { $set: change }, { session });
    },
  };
}
