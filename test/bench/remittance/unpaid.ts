import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";

type Document = Record<string, unknown> & { _id?: unknown };

const groupSize = 1_000;
const perMs = 20;

/**
 * Unpaid transactions in the databases of a cluster that runs: copies of those that were made
 * through the gateway, each with its decision and its part of its customer's day.
 */
export async function openUnpaid(mongoUri: string) {
  const client = await mongo.MongoClient.connect(mongoUri, { useBigInt64: true });
  const transactions = client.db("manilla_remittance").collection<Document>("transactions");
  const outbox = client.db("manilla_remittance").collection<Document>("outbox");
  const decisions = client.db("manilla_compliance").collection<Document>("decisions");
  const days = client.db("manilla_compliance").collection<Document>("activity_days");
  const idsOf = (rows: Document[]) => rows.map(({ transactionId }) => transactionId as string);

  /** The day with as much again as it has, `times` over. */
  async function multiplyDay(customerId: string, times: number): Promise<void> {
    const day = await days.findOne({ customerId });
    if (day === null) throw new Error(`no day is kept of ${customerId}`);
    const cells = (day["cells"] as { count: number; sumMinor: bigint }[]).map((cell) => ({
      ...cell,
      count: cell.count * times,
      sumMinor: cell.sumMinor * BigInt(times),
    }));
    const sizes = (day["sizes"] as { count: number }[]).map((size) => ({ ...size, count: size.count * times }));
    const usage = (day["usage"] as { reservedMinor: bigint }[]).map((one) => ({
      ...one,
      reservedMinor: one.reservedMinor * BigInt(times),
    }));
    await days.updateOne({ _id: day._id as never }, { $set: { cells, sizes, usage } });
  }

  /** Copies a transaction and its decision so many times. */
  async function copy(original: Document, count: number): Promise<void> {
    const decision = await decisions.findOne({ transactionId: original["transactionId"] });
    if (decision === null) throw new Error("no decision is kept of a transaction");
    for (let from = 0; from < count; from += groupSize) {
      const ids = Array.from({ length: Math.min(groupSize, count - from) }, () => randomUUID());
      const { _id: _own, ...transaction } = original;
      const request = transaction["request"] as object;
      await transactions.insertMany(
        ids.map((id) => ({ ...transaction, transactionId: id, transactionCode: id, request: { ...request, key: id } })),
      );
      const { _id: _its, ...stored } = decision;
      const inputs = stored["inputs"] as { facts: object };
      await decisions.insertMany(
        ids.map((id) => ({
          ...stored,
          transactionId: id,
          inputs: { ...inputs, facts: { ...inputs.facts, transactionId: id } },
        })),
      );
    }
  }

  return {
    /** The one unpaid transaction of each of these customers becomes so many of each. */
    async multiply(customerCodes: readonly string[], each: number): Promise<string[]> {
      const originals = await transactions
        .find({ status: "AWAITING_PAYMENT", "sender.customerCode": { $in: [...customerCodes] } })
        .toArray();
      if (originals.length !== customerCodes.length) throw new Error(`${originals.length} transactions are unpaid`);
      for (const original of originals) {
        await copy(original, each - 1);
        await multiplyDay((original["sender"] as { customerId: string }).customerId, each);
      }
      const all = { status: "AWAITING_PAYMENT", "sender.customerCode": { $in: [...customerCodes] } };
      return idsOf(await transactions.find(all, { projection: { transactionId: 1 } }).toArray());
    },
    /** Their time to pay is over from this moment on, of twenty in each millisecond. */
    async makeDue(ids: readonly string[], at: number): Promise<void> {
      const tenantId = (await transactions.findOne({ transactionId: ids[0]! }))?.["tenantId"];
      await transactions.bulkWrite(
        ids.map((transactionId, index) => ({
          updateOne: {
            // The tenant leads to the index.
            filter: { tenantId, transactionId },
            update: { $set: { expiresAt: new Date(at + Math.floor(index / perMs)) } },
          },
        })) as never,
        { ordered: false },
      );
    },
    /**
     * Whether nothing is overdue, and nothing that follows from it is left
     * to do. Looks at few documents.
     */
    async isOver(): Promise<boolean> {
      const overdue = { status: "AWAITING_PAYMENT", expiresAt: { $lte: new Date() } };
      if ((await transactions.countDocuments(overdue, { limit: 1 })) > 0) return false;
      return (await outbox.countDocuments({ state: "DUE", dueAt: { $lte: new Date() } }, { limit: 1 })) === 0;
    },
    /** How many of them have expired and are released. */
    async countOver(ids: readonly string[]): Promise<number> {
      const some = { transactionId: { $in: [...ids] } };
      const expired = await transactions.countDocuments({ ...some, status: "EXPIRED" });
      return Math.min(expired, await decisions.countDocuments({ ...some, reservation: "RELEASED" }));
    },
    /** What their customers still hold of their days. */
    async heldOf(customerCodes: readonly string[]): Promise<bigint> {
      const codes = { "sender.customerCode": { $in: [...customerCodes] } };
      const customerIds = await transactions.distinct("sender.customerId", codes);
      const found = await days.find({ customerId: { $in: customerIds as string[] } }).toArray();
      const usage = found.flatMap((day) => day["usage"] as { reservedMinor: bigint }[]);
      return usage.reduce((sum, { reservedMinor }) => sum + BigInt(reservedMinor), 0n);
    },
    close: () => client.close(),
  };
}
