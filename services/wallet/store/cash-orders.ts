import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { openCashOrders, type CashOrder } from "../domain/cash-order.js";
import type { Session } from "./collections.js";

/** `vaults` are those that it is between. */
export type StoredCashOrder = CashOrder & { vaults: readonly string[] };

export function cashOrderStore(orders: RecordCollection<StoredCashOrder, "orderId">) {
  return {
    insertCashOrder: (order: CashOrder, session: Session): Promise<void> =>
      orders.insertOne({ ...order, vaults: [order.from, order.to] }, { session }),
    findCashOrder: (orderId: string, session?: Session): Promise<CashOrder | undefined> =>
      orders.findOne({ _id: orderId }, { session }),
    /** From these vaults or to them, or all of them; the newest first. */
    listCashOrders(
      fit: { vaults?: readonly string[] | undefined; openOnly: boolean },
      before: string,
      limit: number,
    ): Promise<CashOrder[]> {
      const filter = {
        ...(fit.vaults !== undefined && { vaults: { $all: [...fit.vaults] } }),
        ...(fit.openOnly && { status: { $in: [...openCashOrders] } }),
        ...(before !== "" && { _id: { $lt: before } }),
      };
      return orders.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** From a vault or to it: what was in transit on a business day, at its end or for a part. */
    ordersInTransit: (vault: string, day: string): Promise<CashOrder[]> =>
      orders.find(
        {
          vaults: vault,
          sentOn: { $lte: day },
          $or: [{ endedOn: { $exists: false } }, { endedOn: { $gte: day } }],
        } as never,
        { sort: { _id: 1 } },
      ),
    /** True when this call moved it on. */
    async moveCashOrder(
      orderId: string,
      from: CashOrder["status"],
      change: Partial<CashOrder>,
      session?: Session,
    ): Promise<boolean> {
      return (await orders.updateOne({ _id: orderId, status: from }, { $set: change }, { session })).matchedCount === 1;
    },
    /** SENT again where a count waits that nobody was asked about. */
    async forgetUnaskedEnding(orderId: string, endingId: string): Promise<void> {
      const unasked = {
        _id: orderId,
        status: "WAITING",
        "ending.endingId": endingId,
        "ending.approvalId": { $exists: false },
      };
      const change = { status: "SENT", "ending.status": "FAILED", "ending.failure": "NOT_ASKED" };
      await orders.updateOne(unasked as never, { $set: change } as never);
    },
    /** True while this count waits: it is noted what came of its question, or of the decision. */
    async moveCashOrderEnding(
      orderId: string,
      endingId: string,
      noted: Partial<NonNullable<CashOrder["ending"]>>,
      change: Partial<CashOrder>,
      session?: Session,
    ): Promise<boolean> {
      const waiting = { _id: orderId, status: "WAITING", "ending.endingId": endingId };
      const ending = Object.fromEntries(Object.entries(noted).map(([name, value]) => [`ending.${name}`, value]));
      const moved = await orders.updateOne(waiting as never, { $set: { ...change, ...ending } } as never, { session });
      return moved.matchedCount === 1;
    },
  };
}
