import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { tenantCollection, type BulkOperation, type Filter } from "../../kernel/mongo/tenant-collection.js";
import { unlessThere } from "../../kernel/mongo/transaction.js";
import type { Accrued, LaggingHoldings, SliceLease } from "../domain/accrual.js";
import type { Holding } from "../domain/holding.js";
import { accrualToDocument, holdingFromDocument, settlementForm } from "./holding-rows.js";
import { collections, type HoldingRow, type SliceRow, type TenantRow, type TotalsRow } from "./collections.js";
import { sliceCount } from "./slices.js";
import { idIn, type Session } from "./types.js";

/**
 * The day's work: slices and their leases, holdings that lag behind, and what a batch of them
 * earned.
 */
export function accrualStore(db: Connection) {
  const holdings = tenantCollection<HoldingRow>(db, collections.holdings);
  const settlements = recordCollection(db, collections.settlements, "settlementId", settlementForm);
  const totals = tenantCollection<TotalsRow>(db, collections.totals);
  const slices = tenantCollection<SliceRow>(db, collections.slices);
  const tenants = tenantCollection<TenantRow>(db, collections.tenants);

  return (tenantId: string) => ({
    /** Makes the tenant's slices where they are not there yet. */
    async ensureSlices(): Promise<void> {
      if ((await slices.forTenant(tenantId).count({}, { limit: sliceCount })) === sliceCount) return;
      const fresh = { doneOn: "", leasedUntil: new Date(0), leaseToken: "" };
      const rows = Array.from({ length: sliceCount }, (_, slice) => ({ _id: idIn(tenantId, slice), slice }));
      const upserts = rows.map(({ _id, slice }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: { slice, ...fresh } }, upsert: true },
      }));
      // Another replica may make the same rows at the same time.
      await unlessThere(slices.forTenant(tenantId).bulkWrite(upserts, { ordered: false }));
    },
    /**
     * A slice whose day is not done and that nobody works on. The lease only spares work: two that
     * worked on one slice would write-conflict, and no holding earns a day twice.
     */
    async leaseSlice(day: string, token: string, now: Date, leaseMs: number): Promise<SliceLease | undefined> {
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const row = await slices
        .forTenant(tenantId)
        .findOneAndUpdate(
          { doneOn: { $lt: day }, leasedUntil: { $lte: now } },
          { $set: { leasedUntil, leaseToken: token } },
          { sort: { slice: 1 } },
        );
      return row === null ? undefined : { slice: row.slice, token };
    },
    /** False when somebody else has the slice by now. */
    async renewSlice({ slice, token }: SliceLease, until: Date): Promise<boolean> {
      const held = { _id: idIn(tenantId, slice), leaseToken: token };
      const renewed = await slices.forTenant(tenantId).updateOne(held, { $set: { leasedUntil: until } });
      return renewed.matchedCount === 1;
    },
    /** Gives a slice back; `doneOn` where its day is done. */
    async leaveSlice({ slice, token }: SliceLease, doneOn?: string): Promise<void> {
      const held = { _id: idIn(tenantId, slice), leaseToken: token };
      const change = { $set: { leasedUntil: new Date(0), leaseToken: "", ...(doneOn !== undefined && { doneOn }) } };
      await slices.forTenant(tenantId).updateOne(held, change);
    },
    /** True when every slice has done the day. */
    async isDayDone(day: string): Promise<boolean> {
      return (await slices.forTenant(tenantId).count({ doneOn: { $gte: day } }, { limit: sliceCount })) === sliceCount;
    },
    async scheduleNextRun(nextRunAt: Date): Promise<void> {
      await tenants.forTenant(tenantId).updateOne({ _id: tenantId }, { $set: { nextRunAt } });
    },

    /**
     * Holdings that lag behind the day, are not set aside and owe nothing that cannot be paid; what
     * is written makes them leave this list.
     */
    async laggingHoldings(of: LaggingHoldings, day: string, limit: number, session: Session): Promise<Holding[]> {
      const [filter, options] = lagging(of, day);
      return (await holdings.forTenant(tenantId).find(filter, { ...options, limit, session })).map(holdingFromDocument);
    },
    /**
     * Sets the holding aside that comes first of a slice, since it cannot be counted; undefined
     * where none is left. Whatever else is in it is not looked at.
     */
    async setFirstAside(of: LaggingHoldings, day: string, session: Session): Promise<string | undefined> {
      const [filter, options] = lagging(of, day);
      const change = { $set: { setAside: true as const } };
      return (await holdings.forTenant(tenantId).findOneAndUpdate(filter, change, { ...options, session }))?._id;
    },
    async takeBack(holdingId: string): Promise<void> {
      await holdings.forTenant(tenantId).updateOne({ _id: holdingId }, { $unset: { setAside: true as const } });
    },
    /** Writes what a batch earned: holdings, what is due of them, and their customers' sums. */
    async writeAccrued(batch: readonly Accrued[], session: Session): Promise<void> {
      const changes = batch.map(({ holding, interest, accruedMinor, settlement }): BulkOperation<HoldingRow> => ({
        updateOne: {
          filter: { _id: holding.holdingId, version: holding.version },
          update: {
            $set: {
              ...accrualToDocument(interest),
              accruedMinor,
              version: holding.version + 1,
              ...(settlement && { settlementId: settlement.settlementId }),
            },
          },
        },
      }));
      const written = await holdings.forTenant(tenantId).bulkWrite(changes, { session });
      if (written.matchedCount !== batch.length)
        throw new Error("a holding changed inside this transaction's snapshot");
      const due = batch.flatMap(({ settlement }) => settlement ?? []);
      await settlements.forTenant(tenantId).insertMany(due, { session });
      await totals.forTenant(tenantId).bulkWrite(sumsOf(tenantId, batch), { session });
    },
  });
}

/** Which holdings lag behind, and which of them come first. */
function lagging(of: LaggingHoldings, day: string): [Filter<HoldingRow>, { sort?: { through: 1; customerId: 1 } }] {
  const free = { status: "ACTIVE" as const, settlementId: null, unpaid: { $exists: false } };
  // One that is named may have been counted up to today, and what is due today not have been paid.
  if ("holdingId" in of) return [{ _id: of.holdingId, through: { $lte: day }, ...free }, {}];
  const filter = { slice: of.slice, through: { $lt: day }, ...free, setAside: { $exists: false } };
  return [filter, { sort: { through: 1, customerId: 1 } }];
}

/** One change per customer and currency. */
function sumsOf(tenantId: string, batch: readonly Accrued[]): BulkOperation<TotalsRow>[] {
  const sums = new Map<string, { customerId: string; currency: string; interestMinor: bigint }>();
  for (const { holding, addedMinor } of batch) {
    const { customerId, currency } = holding;
    const id = idIn(tenantId, customerId, currency);
    const sum = sums.get(id);
    if (sum === undefined) sums.set(id, { customerId, currency, interestMinor: addedMinor });
    else sum.interestMinor += addedMinor;
  }
  return [...sums]
    .filter(([, { interestMinor }]) => interestMinor !== 0n)
    .map(([_id, { interestMinor }]) => ({ updateOne: { filter: { _id }, update: { $inc: { interestMinor } } } }));
}
