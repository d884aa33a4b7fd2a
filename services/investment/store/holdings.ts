import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Holding, Unpaid } from "../domain/holding.js";
import type { Movement } from "../domain/movement.js";
import type { HoldingChange, Settlement, SettlementEnding } from "../domain/settlement.js";
import {
  changeToDocument,
  holdingFromDocument,
  holdingToDocument,
  movementForm,
  settlementForm,
} from "./holding-rows.js";
import { collections, type HoldingRow, type TotalsRow } from "./collections.js";
import { sliceOf } from "./slices.js";
import { idIn, type Page, type Session } from "./types.js";

/**
 * A holding of which something is unpaid, and since which day: what a look at it
 * needs, whatever else is in it.
 */
export interface UntriedHolding extends Pick<Holding, "holdingId" | "version" | "walletAccountId"> {
  readonly since: string;
}

/** Holdings, what is paid of them, their statements, and each customer's sums. */
export function holdingStore(db: Connection) {
  const holdings = tenantCollection<HoldingRow>(db, collections.holdings);
  const settlements = recordCollection(db, collections.settlements, "settlementId", settlementForm);
  const movements = recordCollection(db, collections.movements, "movementId", movementForm);
  const totals = tenantCollection<TotalsRow>(db, collections.totals);

  return (tenantId: string) => ({
    async insertHolding(holding: Holding, createdAt: Date, session: Session): Promise<void> {
      const row = holdingToDocument(holding, sliceOf(holding.customerId), createdAt);
      await holdings.forTenant(tenantId).insertOne(row, { session });
    },
    async findHolding(holdingId: string, session?: Session): Promise<Holding | undefined> {
      const row = await holdings.forTenant(tenantId).findOne({ _id: holdingId }, { session });
      return row === null ? undefined : holdingFromDocument(row);
    },
    /** Newest first. */
    async listHoldings(customerId: string, { limit, cursor }: Page): Promise<Holding[]> {
      const filter = { customerId, ...(cursor !== undefined && { _id: { $lt: cursor } }) };
      const rows = await holdings.forTenant(tenantId).find(filter, { sort: { _id: -1 }, limit });
      return rows.map(holdingFromDocument);
    },
    /**
     * Sets the holding aside for a settlement. True when nobody else had, and it is still what was
     * decided on.
     */
    async lockHolding(holding: Holding, settlementId: string, session: Session): Promise<boolean> {
      const { holdingId, version } = holding;
      const free = { _id: holdingId, version, settlementId: null };
      const change = { $set: { settlementId, version: version + 1 } };
      return (await holdings.forTenant(tenantId).updateOne(free, change, { session })).matchedCount === 1;
    },
    /**
     * Gives a holding that was set aside free again, as it is after the settlement,
     * or as it was, and answers it so.
     */
    async releaseHolding(
      holdingId: string,
      settlementId: string,
      after: HoldingChange | { readonly unpaid: Unpaid } | undefined,
      session: Session,
    ): Promise<Holding> {
      if (after !== undefined && "unpaid" in after)
        return this.leaveUnpaid(holdingId, settlementId, after.unpaid, session);
      const held = { _id: holdingId, settlementId };
      const ended = after?.dueOn === undefined || after.status !== "ACTIVE";
      const change = {
        $set: { ...(after && withoutDue(changeToDocument(after), ended)), settlementId: null },
        ...(after !== undefined && ended && { $unset: { dueOn: true as const } }),
        $inc: { version: 1 },
      };
      const options = { session, returnDocument: "after" } as const;
      const row = await holdings.forTenant(tenantId).findOneAndUpdate(held, change, options);
      if (row === null) throw new Error(`holding ${holdingId} is not held by settlement ${settlementId}`);
      return holdingFromDocument(row);
    },
    /** Gives it free as it was, and notes that what is due of it could not be paid. */
    async leaveUnpaid(holdingId: string, settlementId: string, unpaid: Unpaid, session: Session): Promise<Holding> {
      const { since, triedOn, code } = unpaid;
      const noted = { since: since.toString(), triedOn: triedOn.toString(), code };
      const change = { $set: { settlementId: null, unpaid: noted }, $inc: { version: 1 } };
      const held = { _id: holdingId, settlementId };
      const options = { session, returnDocument: "after" } as const;
      const row = await holdings.forTenant(tenantId).findOneAndUpdate(held, change, options);
      if (row === null) throw new Error(`holding ${holdingId} is not held by settlement ${settlementId}`);
      return holdingFromDocument(row);
    },
    /**
     * Raises the versions of holdings that something was paid for beside their settlements, and
     * answers them as they are then.
     */
    async raiseHoldings(ids: readonly string[], session: Session): Promise<Map<string, Holding>> {
      const those = { _id: { $in: [...ids] } };
      await holdings.forTenant(tenantId).updateMany(those, { $inc: { version: 1 } }, { session });
      const rows = await holdings.forTenant(tenantId).find(those, { session });
      return new Map(rows.map((row) => [row._id, holdingFromDocument(row)]));
    },
    /** Those with a due payment that could not be made, newest first. */
    async listUnpaid({ limit, cursor }: Page): Promise<Holding[]> {
      const filter = { "unpaid.since": { $gt: "" }, ...(cursor !== undefined && { _id: { $lt: cursor } }) };
      return (await holdings.forTenant(tenantId).find(filter, { sort: { _id: -1 }, limit })).map(holdingFromDocument);
    },
    /** Of those the ones that were not tried on this day yet. */
    async untriedUnpaid(day: string, limit: number): Promise<UntriedHolding[]> {
      const filter = { "unpaid.since": { $gt: "" }, "unpaid.triedOn": { $lt: day } };
      const projection = { version: 1, walletAccountId: 1, unpaid: 1 };
      const rows = await holdings.forTenant(tenantId).find(filter, { sort: { _id: -1 }, limit, projection });
      return rows.map(({ _id, version, walletAccountId, unpaid }) => {
        return { holdingId: _id, version, walletAccountId, since: unpaid?.since ?? "" };
      });
    },
    /** Nothing changes but the day of the last try. */
    async noteTried({ holdingId, version }: UntriedHolding, day: string): Promise<void> {
      const same = { _id: holdingId, version, "unpaid.since": { $gt: "" } };
      await holdings.forTenant(tenantId).updateOne(same, { $set: { "unpaid.triedOn": day } });
    },
    /** What is due is looked for again by accrual. */
    async clearUnpaid({ holdingId, version }: UntriedHolding): Promise<void> {
      const same = { _id: holdingId, version };
      const change = { $unset: { unpaid: true as const }, $set: { version: version + 1 } };
      await holdings.forTenant(tenantId).updateOne(same, change);
    },
    /**
     * Where everything is paid to from now on; what could not be paid is due again. True where
     * nobody was paying meanwhile.
     */
    async redirectHolding(
      holding: Holding,
      to: { walletAccountId: string; at: Date; by: string },
      session: Session,
    ): Promise<boolean> {
      const { holdingId, version, walletAccountId } = holding;
      const before = { walletAccountId, until: to.at, changedBy: to.by };
      const change = {
        $set: { walletAccountId: to.walletAccountId, version: version + 1 },
        $unset: { unpaid: true as const },
        $push: { walletsBefore: before },
      };
      const free = { _id: holdingId, version, settlementId: null };
      return (await holdings.forTenant(tenantId).updateOne(free, change, { session })).matchedCount === 1;
    },

    insertSettlement: (settlement: Settlement, session: Session): Promise<void> =>
      settlements.forTenant(tenantId).insertOne(settlement, { session }),
    findSettlement: (settlementId: string): Promise<Settlement | undefined> =>
      settlements.forTenant(tenantId).findOne({ _id: settlementId }),
    /** True when this call ended it. */
    async endSettlement(settlementId: string, ending: SettlementEnding, session: Session): Promise<boolean> {
      const pending = { _id: settlementId, status: "PENDING" as const };
      const change = { $set: { status: ending.status, ending } };
      return (await settlements.forTenant(tenantId).updateOne(pending, change, { session })).matchedCount === 1;
    },
    countPendingSettlements: () => settlements.forTenant(tenantId).count({ status: "PENDING" }),

    insertMovements: (made: readonly Movement[], session: Session): Promise<void> =>
      movements.forTenant(tenantId).insertMany(made, { session }),
    /** Oldest first. */
    listMovements(holdingId: string, { limit, cursor }: Page): Promise<Movement[]> {
      const filter = { holdingId, ...(cursor !== undefined && { _id: { $gt: cursor } }) };
      return movements.forTenant(tenantId).find(filter, { sort: { _id: 1 }, limit });
    },
    allMovements: (holdingId: string): Promise<Movement[]> =>
      movements.forTenant(tenantId).find({ holdingId }, { sort: { _id: 1 } }),

    /** Adds to a customer's sums in one currency. */
    async addToTotals(
      customerId: string,
      currency: string,
      { principalMinor, interestMinor }: { principalMinor: bigint; interestMinor: bigint },
      session: Session,
    ): Promise<void> {
      const _id = idIn(tenantId, customerId, currency);
      const change = { $inc: { principalMinor, interestMinor }, $setOnInsert: { customerId, currency } };
      await totals.forTenant(tenantId).updateOne({ _id }, change, { session, upsert: true });
    },
    /** A customer's sums, one row per currency. */
    async totalsOf(customerId: string): Promise<Pick<TotalsRow, "currency" | "principalMinor" | "interestMinor">[]> {
      return totals.forTenant(tenantId).find({ customerId }, { sort: { currency: 1 } });
    },
    streamTotals: () => totals.forTenant(tenantId).stream({}, { batchSize: 1_000 }),

    /** What reconciliation adds up, holding by holding, in the order of customers. */
    streamForSums: () =>
      holdings.forTenant(tenantId).stream(
        { status: "ACTIVE" },
        {
          batchSize: 1_000,
          sort: { customerId: 1, _id: -1 },
          projection: { customerId: 1, productId: 1, currency: 1, principalMinor: 1, accruedMinor: 1, units: 1 },
        },
      ),
  });
}

/** What is over has nothing due; its last due day must not stand there. */
function withoutDue<T extends { dueOn?: string }>(row: T, isOver: boolean): T {
  if (!isOver) return row;
  const { dueOn: _dueOn, ...rest } = row;
  return rest as T;
}
