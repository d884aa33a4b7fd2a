import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { Dividend, DividendShare, Holder } from "../domain/dividend.js";
import { dividendForm, shareForm } from "./dividend-form.js";
import { collections, type HoldingRow, type RateRow } from "./collections.js";
import { idIn, type Session } from "./types.js";

export function dividendStore(db: Connection) {
  const dividends = recordCollection(db, collections.dividends, "dividendId", dividendForm);
  const shares = recordCollection(db, collections.shares, "shareId", shareForm);
  const holdings = tenantCollection<HoldingRow>(db, collections.holdings);
  const rates = tenantCollection<RateRow>(db, collections.rates);

  return (tenantId: string) => ({
    insertDividend: (dividend: Dividend, session: Session): Promise<void> =>
      dividends.forTenant(tenantId).insertOne(dividend, { session }),
    findDividend: (dividendId: string): Promise<Dividend | undefined> =>
      dividends.forTenant(tenantId).findOne({ _id: dividendId }),
    /** True when this call took it from DECLARED to PAYING. */
    async startPaying(dividendId: string, count: bigint, session: Session): Promise<boolean> {
      const declared = { _id: dividendId, status: "DECLARED" as const };
      const change = { $set: { status: "PAYING" as const, holdings: count } };
      return (await dividends.forTenant(tenantId).updateOne(declared, change, { session })).matchedCount === 1;
    },
    /** Does nothing while a share waits for its tax or its payment. */
    async finishPaying(dividendId: string): Promise<void> {
      const open = { dividendId, status: { $in: ["UNTAXED", "DUE", "ASIDE"] satisfies DividendShare["status"][] } };
      if ((await shares.forTenant(tenantId).findOne(open)) !== undefined) return;
      const paying = { _id: dividendId, status: "PAYING" as const };
      await dividends.forTenant(tenantId).updateOne(paying, { $set: { status: "PAID" } });
    },
    async addToDividend(
      dividendId: string,
      sums: { paidMinor: bigint; taxMinor: bigint; failedMinor: bigint },
      session: Session,
    ): Promise<void> {
      await dividends.forTenant(tenantId).updateOne({ _id: dividendId }, { $inc: sums }, { session });
    },

    /** Whoever ever held the product, by id: always in the same order. */
    async *holdersOf(productId: string): AsyncGenerator<Holder> {
      const projection = { customerId: 1, walletAccountId: 1, history: 1, productVersion: 1 };
      const rows = holdings
        .forTenant(tenantId)
        .stream({ productId }, { sort: { _id: 1 }, projection, batchSize: 1_000 });
      for await (const { _id, customerId, walletAccountId, history, productVersion } of rows) {
        yield { holdingId: _id, productVersion, customerId, walletAccountId, history: historyOf(_id, history) };
      }
    },
    /** Adds shares that are not there yet. */
    async putShares(some: readonly DividendShare[]): Promise<void> {
      const upserts = some.map((share) => {
        const { shareId: _id, ...row } = shareForm.toDocument(share);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
      });
      await shares.forTenant(tenantId).bulkWrite(upserts, { ordered: false });
    },
    untaxedShares: (dividendId: string, productVersion: number, limit: number): Promise<DividendShare[]> =>
      shares.forTenant(tenantId).find({ dividendId, status: "UNTAXED", productVersion }, { sort: { _id: 1 }, limit }),
    /** Shares that were untaxed are due, less the tax that each has now. */
    async taxShares(taxed: readonly DividendShare[]): Promise<void> {
      const updates = taxed.map(({ shareId: _id, taxMinor }) => {
        const update = { $set: { status: "DUE" as const, taxMinor } };
        return { updateOne: { filter: { _id, status: "UNTAXED" as const }, update } };
      });
      await shares.forTenant(tenantId).bulkWrite(updates, { ordered: false });
    },
    dueShares: (dividendId: string, limit: number): Promise<DividendShare[]> =>
      shares.forTenant(tenantId).find({ dividendId, status: "DUE" }, { sort: { _id: 1 }, limit }),
    /** False where somebody else has paid it, or set it aside. */
    async setShareAside(shareId: string, session: Session): Promise<boolean> {
      const due = { _id: shareId, status: "DUE" as const };
      const aside = { $set: { status: "ASIDE" as const } };
      return (await shares.forTenant(tenantId).updateOne(due, aside, { session })).matchedCount === 1;
    },
    /** Undefined where it is over. */
    findShareAside: (shareId: string): Promise<DividendShare | undefined> =>
      shares.forTenant(tenantId).findOne({ _id: shareId, status: "ASIDE" }),
    /** How many of the named shares this call ended. */
    async endShares(ids: readonly string[], status: "PAID" | "FAILED", session: Session): Promise<number> {
      const open = { _id: { $in: [...ids] }, status: { $in: ["DUE", "ASIDE"] satisfies DividendShare["status"][] } };
      return (await shares.forTenant(tenantId).updateMany(open, { $set: { status } }, { session })).matchedCount;
    },
    /** Holdings whose share could not be paid. */
    async failedHoldings(dividendId: string, limit: number): Promise<string[]> {
      const filter = { dividendId, status: "FAILED" as const };
      const rows = await shares.forTenant(tenantId).find(filter, { sort: { _id: 1 }, limit });
      return rows.map(({ holdingId }) => holdingId);
    },
    /**
     * A holding's shares that could not be paid are due again, to another wallet. The dividends
     * that they are of.
     */
    async redirectShares(holdingId: string, walletAccountId: string, session: Session): Promise<string[]> {
      const failed = await shares.forTenant(tenantId).find({ holdingId, status: "FAILED" as const }, { session });
      for (const { shareId: _id, dividendId, amount } of failed) {
        const again = { $set: { status: "DUE" as const, walletAccountId }, $inc: { attempt: 1 } };
        await shares.forTenant(tenantId).updateOne({ _id }, again, { session });
        const reopened = { $set: { status: "PAYING" as const }, $inc: { failedMinor: -amount.minor } };
        await dividends.forTenant(tenantId).updateOne({ _id: dividendId }, reopened, { session });
      }
      return failed.map(({ dividendId }) => dividendId);
    },
    /** Units and principal of holdings, for the statement's lines. */
    async positionsOf(ids: readonly string[]): Promise<Map<string, { units: bigint; principalMinor: bigint }>> {
      const projection = { units: 1, principalMinor: 1 };
      const rows = await holdings.forTenant(tenantId).find({ _id: { $in: [...ids] } }, { projection });
      return new Map(rows.map(({ _id, units, principalMinor }) => [_id, { units, principalMinor }]));
    },

    /** Keeps a rate that somebody's sums were shown with. */
    async keepRate(rate: Omit<RateRow, "_id" | "tenantId">): Promise<void> {
      const { from, to, validFrom } = rate;
      const _id = idIn(tenantId, from, to, validFrom.toISOString(), rate.rate);
      const own = rates.forTenant(tenantId);
      await retryDuplicates(() => own.updateOne({ _id }, { $setOnInsert: rate }, { upsert: true }));
    },
    async storedRates(): Promise<Omit<RateRow, "_id" | "tenantId">[]> {
      return rates.forTenant(tenantId).find({}, { sort: { firstUsedAt: 1 }, limit: 1_000 });
    },
  });
}

/**
 * What a holding weighs hangs on every day of it, so one that cannot be
 * read is named and ends it all.
 */
function historyOf(holdingId: string, history: HoldingRow["history"]): Holder["history"] {
  try {
    return history.map(({ from, units }) => ({ from: Temporal.PlainDate.from(from), units }));
  } catch (error) {
    throw new Error(`the history of holding ${holdingId} cannot be read`, { cause: error });
  }
}
