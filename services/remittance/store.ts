import type { ClientSession, Connection } from "mongoose";
import { acrossTenants, tenantCollection } from "../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../shared/mongo/transaction.js";
import { beneficiaryCollection, createBeneficiaryStore } from "./beneficiary-store.js";
import type { Corridor, CorridorKey } from "./corridor.js";
import type { Markup } from "./markup.js";
import type { Branch, PayoutPoint } from "./payout-point.js";
import type { Promotion } from "./promotion.js";
import { createPartyCipher, type PartyCipher } from "./sealed-party.js";
import { createQuoteStore } from "./quote-store.js";
import { createTransactionListStore } from "./transaction-list-store.js";
import { versionedStore } from "./versioned-store.js";
import { changed, type Change, type StatusChange, type Transaction, type TransactionStatus } from "./transaction.js";

export type Session = ClientSession;

/** A rate as it was put. Of those of a pair whose time it is, the one that began last holds, and of those the newest. */
export interface Rate {
  rateId: string;
  sendCurrency: string;
  receivingCurrency: string;
  /** 1, 2, 3… per pair. */
  sequence: number;
  /** Decimal text. */
  rate: string;
  source: string;
  validFrom: Date;
  /** Exclusive; absent where it has no end. */
  validUntil?: Date;
  createdAt: Date;
  createdBy: string;
}

/** A version of a corridor as history keeps it. */
export type CorridorVersion = Corridor & { changedAt: Date; changedBy: string };

/** Payouts that go out together, in one currency. */
export interface PayoutBatch {
  batchId: string;
  currency: string;
  state: "OPEN" | "CLOSED" | "SENT";
  count: number;
  closesAt: Date;
  createdAt: Date;
}

/** How far a tenant's statement at the partner has been read. */
export interface StatementReader {
  tenantId: string;
  readTo: Date;
  dueAt: Date;
}

type Owned<T> = T & { tenantId: string };

export const collections = {
  corridors: "corridors",
  corridorVersions: "corridor_versions",
  rates: "rates",
  beneficiaries: beneficiaryCollection,
  transactions: "transactions",
  payoutBatches: "payout_batches",
  statementReaders: "statement_readers",
  payoutCallbacks: "payout_callbacks",
  markups: "markups",
  promotions: "promotions",
  payoutPoints: "payout_points",
  branches: "branches",
} as const;

const maxAttempts = 5;
const projection = { _id: 0, tenantId: 0 };

export type RemittanceStore = ReturnType<typeof createRemittanceStore>;
export type TenantStore = ReturnType<RemittanceStore["forTenant"]>;

/** The only place that knows how remittance's database looks. Without a cipher, sealed details stay as they lie. */
export function createRemittanceStore(db: Connection, cipher: PartyCipher = createPartyCipher(undefined)) {
  const corridors = tenantCollection<Owned<Corridor>>(db, collections.corridors);
  const corridorVersions = tenantCollection<Owned<CorridorVersion>>(db, collections.corridorVersions);
  const rates = tenantCollection<Owned<Rate>>(db, collections.rates);
  const beneficiaries = createBeneficiaryStore(db, cipher);
  const transactions = tenantCollection<Owned<Transaction>>(db, collections.transactions);
  const unpaid = acrossTenants<Owned<Transaction>>(db, collections.transactions, "expiry of unpaid transactions");

  const undriven = acrossTenants<Owned<Transaction>>(db, collections.transactions, "payouts that nobody drives");

  const batches = tenantCollection<Owned<PayoutBatch>>(db, collections.payoutBatches);
  const readers = tenantCollection<StatementReader>(db, collections.statementReaders);
  const dueReaders = acrossTenants<StatementReader>(db, collections.statementReaders, "reading of partner statements");
  const callbacks = tenantCollection<{ tenantId: string; webhookId: string; expiresAt: Date }>(
    db,
    collections.payoutCallbacks,
  );

  const quotes = createQuoteStore(db);
  const markups = versionedStore<Markup>(db, collections.markups);
  const promotions = versionedStore<Promotion>(db, collections.promotions);
  // A transaction's details are sealed for that transaction of that tenant.
  const recordOf = (tenantId: string, transactionId: string) => `${tenantId} transaction ${transactionId}`;
  const open = async (tenantId: string, found: Transaction): Promise<Transaction> => ({
    ...found,
    creditParty: await cipher.open(found.creditParty, recordOf(tenantId, found.transactionId)),
  });

  const lists = createTransactionListStore(db, open);
  const payoutPoints = versionedStore<PayoutPoint>(db, collections.payoutPoints);
  const branches = versionedStore<Branch>(db, collections.branches);

  return {
    /** Runs `work` in one transaction, again where somebody else inserted the same document first. */
    async transaction<T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(db, work, { readBack });
        } catch (error) {
          if (!isDuplicateKey(error) || attempt === maxAttempts) throw error;
        }
      }
    },

    /** Transactions of all tenants whose time to be paid is over, oldest first. */
    findOverdue: (now: Date, limit: number): Promise<{ tenantId: string; transactionId: string }[]> =>
      unpaid.find(
        { status: "AWAITING_PAYMENT", expiresAt: { $lte: now } },
        { sort: { expiresAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1 } },
      ),

    /** Unpaid transactions of sandboxes, those that expire first. */
    findUnpaidInSandboxes: (limit: number): Promise<{ tenantId: string; transactionId: string; expiresAt?: Date }[]> =>
      unpaid.find(
        { status: "AWAITING_PAYMENT", expiresAt: { $exists: true }, tenantId: /--sandbox$/ },
        { sort: { expiresAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1, expiresAt: 1 } },
      ),

    /** Transactions of all tenants that were paid for in a version that knew no payouts. */
    findUndriven: (limit: number): Promise<{ tenantId: string; transactionId: string }[]> =>
      undriven.find(
        { status: "PAID", payout: { $exists: false } },
        { sort: { paidAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1 } },
      ),

    /** Takes one tenant's statement that is due and puts its next reading off. */
    async takeStatementReader(now: Date, nextAt: Date): Promise<StatementReader | undefined> {
      for (;;) {
        const [due] = await dueReaders.find({ dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit: 1 });
        if (due === undefined) return undefined;
        const next = { $set: { dueAt: nextAt } };
        const options = { returnDocument: "before" } as const;
        const taken = await readers.forTenant(due.tenantId).findOneAndUpdate({ dueAt: due.dueAt }, next, options);
        // Where another replica was faster, the next one.
        if (taken !== null) return taken;
      }
    },

    forTenant: (tenantId: string) => ({
      ...quotes.forTenant(tenantId),
      ...beneficiaries.forTenant(tenantId),
      ...lists.forTenant(tenantId),
      markups: markups.forTenant(tenantId),
      promotions: promotions.forTenant(tenantId),
      payoutPoints: payoutPoints.forTenant(tenantId),
      branches: branches.forTenant(tenantId),
      ...payoutStore(batches.forTenant(tenantId), readers.forTenant(tenantId), callbacks.forTenant(tenantId)),

      /** Transactions of a batch, or of a list of ids. */
      async listTransactions(of: { batchId: string } | { ids: readonly string[] }): Promise<Transaction[]> {
        const filter = "batchId" in of ? { "payout.batchId": of.batchId } : { transactionId: { $in: [...of.ids] } };
        const found = await transactions.forTenant(tenantId).find(filter, { projection });
        return Promise.all(found.map((one) => open(tenantId, one)));
      },

      /**
       * A page of those whose payout was settled, or came back and was refunded, in a range of time by our clock; oldest first. `after`
       * is the last one of the page before.
       */
      async listPaidOut(
        moment: "settledAt" | "refundedAt",
        { from, to }: { from: Date; to: Date },
        { after, limit }: { after?: Transaction | undefined; limit: number },
      ): Promise<Transaction[]> {
        const field = `payout.${moment}`;
        const last = after?.payout?.[moment];
        const behind = last !== undefined && {
          $or: [{ [field]: { $gt: last } }, { [field]: last, transactionId: { $gt: after!.transactionId } }],
        };
        // What our own cashiers hand out is nothing of the partner's.
        const came =
          moment === "refundedAt" ? { "payout.outcome": "RETURNED" as const } : { pickup: { $exists: false } };
        const filter = { [field]: { $gte: last ?? from, $lt: to }, ...came, ...behind };
        const sort = { [field]: 1, transactionId: 1 } as const;
        return transactions.forTenant(tenantId).find(filter, { projection, sort, limit });
      },

      async findCorridor(key: CorridorKey, session?: Session): Promise<Corridor | undefined> {
        return (await corridors.forTenant(tenantId).findOne({ ...key }, { projection, session })) ?? undefined;
      },

      /** Corridors between two countries, or all. */
      listCorridors: (part: Partial<CorridorKey> = {}): Promise<Corridor[]> =>
        corridors.forTenant(tenantId).find(part, { projection, sort: corridorOrder }),

      /** Replaces what holds and adds to the history. */
      async putCorridor(version: CorridorVersion, session: Session): Promise<void> {
        const { changedAt: _at, changedBy: _by, ...corridor } = version;
        const { originCountry, sendCurrency, receivingCountry, receivingCurrency, ...content } = corridor;
        const key = { originCountry, sendCurrency, receivingCountry, receivingCurrency };
        const change = {
          $set: content,
          ...(content.deliveries === undefined && { $unset: { deliveries: "" as const } }),
        };
        await corridors.forTenant(tenantId).updateOne(key, change, { session, upsert: true });
        await corridorVersions.forTenant(tenantId).insertOne(version, { session });
      },

      /** The rate that holds at a time. */
      async findRate(
        { sendCurrency, receivingCurrency }: { sendCurrency: string; receivingCurrency: string },
        at: Date,
        session?: Session,
      ): Promise<Rate | undefined> {
        const options = { sort: { validFrom: -1, sequence: -1 }, projection, session } as const;
        const open = { $or: [{ validUntil: { $exists: false } }, { validUntil: { $gt: at } }] };
        const found = await rates
          .forTenant(tenantId)
          .findOne({ sendCurrency, receivingCurrency, validFrom: { $lte: at }, ...open }, options);
        return found ?? undefined;
      },

      /** The rate of a pair that was put last, whenever it holds. */
      async findLastRate(
        { sendCurrency, receivingCurrency }: { sendCurrency: string; receivingCurrency: string },
        session?: Session,
      ): Promise<Rate | undefined> {
        const options = { sort: { sequence: -1 }, projection, session } as const;
        return (await rates.forTenant(tenantId).findOne({ sendCurrency, receivingCurrency }, options)) ?? undefined;
      },

      /** Rates of a pair, the newest first. */
      listRates: (
        pair: { sendCurrency: string; receivingCurrency: string },
        { below, limit }: { below?: number; limit: number },
      ): Promise<Rate[]> =>
        rates.forTenant(tenantId).find(
          { ...pair, ...(below !== undefined && { sequence: { $lt: below } }) },
          {
            projection,
            sort: { sequence: -1 },
            limit,
          },
        ),

      /** Versions of a corridor, the newest first. */
      corridorHistory: (
        key: CorridorKey,
        { below, limit }: { below?: number; limit: number },
      ): Promise<CorridorVersion[]> =>
        corridorVersions.forTenant(tenantId).find(
          { ...key, ...(below !== undefined && { version: { $lt: below } }) },
          {
            projection,
            sort: { version: -1 },
            limit,
          },
        ),

      insertRate: (rate: Rate, session: Session) => rates.forTenant(tenantId).insertOne(rate, { session }),

      async findTransaction(transactionId: string, session?: Session): Promise<Transaction | undefined> {
        const found = await transactions.forTenant(tenantId).findOne({ transactionId }, { projection, session });
        return found === null ? undefined : open(tenantId, found);
      },

      async insertTransaction(transaction: Transaction, session: Session): Promise<void> {
        const record = recordOf(tenantId, transaction.transactionId);
        const creditParty = await cipher.seal(transaction.creditParty, record);
        await transactions.forTenant(tenantId).insertOne({ ...transaction, creditParty }, { session });
      },

      /**
       * Remembers that a payment was refused, while the transaction is in one of these states and not this payment's; false where it
       * is not. It leaves the version alone: a claim is granted in another state only, and a change of state has a version.
       */
      async refuseClaim(
        transactionId: string,
        paymentId: string,
        states: readonly TransactionStatus[],
      ): Promise<boolean> {
        const result = await transactions
          .forTenant(tenantId)
          .updateOne(
            { transactionId, status: { $in: [...states] }, paymentId: { $ne: paymentId } },
            { $addToSet: { releasedPayments: paymentId } },
          );
        return result.matchedCount === 1;
      },

      /** Writes a change onto the version it was decided on; undefined when somebody else changed the transaction first. */
      async change(
        before: Transaction,
        change: Change,
        by: Pick<StatusChange, "at" | "actor">,
        session?: Session,
      ): Promise<Transaction | undefined> {
        const after = changed(before, change, by);
        const entry = after.timeline.slice(before.timeline.length);
        const { version, status } = after;
        const result = await transactions.forTenant(tenantId).updateOne(
          { transactionId: before.transactionId, version: before.version },
          {
            $set: { ...change.set, version, status },
            ...((entry.length > 0 || change.released !== undefined) && {
              $push: {
                ...(entry.length > 0 && { timeline: { $each: entry } }),
                ...(change.released !== undefined && { releasedPayments: change.released }),
              },
            }),
          },
          { session },
        );
        return result.matchedCount === 1 ? after : undefined;
      },
    }),
  };
}

type Collection<T extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<T>>["forTenant"]>;

function payoutStore(
  batches: Collection<Owned<PayoutBatch>>,
  readers: Collection<StatementReader>,
  callbacks: Collection<{ tenantId: string; webhookId: string; expiresAt: Date }>,
) {
  return {
    async findOpenBatch(currency: string, session: Session): Promise<PayoutBatch | undefined> {
      return (await batches.findOne({ currency, state: "OPEN" }, { projection, session })) ?? undefined;
    },
    insertBatch: (batch: PayoutBatch, session: Session) => batches.insertOne(batch, { session }),
    /** Counts one more in an open batch; the count after it, undefined where it has closed. */
    async countIn(batchId: string, session: Session): Promise<number | undefined> {
      const counted = await batches.findOneAndUpdate(
        { batchId, state: "OPEN" },
        { $inc: { count: 1 } },
        { session, returnDocument: "after" },
      );
      return counted === null ? undefined : Number(counted.count);
    },
    async setBatchState(batchId: string, from: PayoutBatch["state"], to: PayoutBatch["state"], session?: Session) {
      await batches.updateOne({ batchId, state: from }, { $set: { state: to } }, { session });
    },

    async insertReader(readTo: Date, dueAt: Date): Promise<void> {
      await readers.updateOne({}, { $setOnInsert: { readTo, dueAt } }, { upsert: true });
    },
    async setReadTo(readTo: Date): Promise<void> {
      await readers.updateOne({}, { $set: { readTo } });
    },

    /** False where this callback was taken before. */
    async takeCallback(webhookId: string, expiresAt: Date, session: Session): Promise<boolean> {
      if ((await callbacks.findOne({ webhookId }, { session })) !== null) return false;
      await callbacks.insertOne({ webhookId, expiresAt }, { session });
      return true;
    },
  };
}

const corridorOrder = { originCountry: 1, sendCurrency: 1, receivingCountry: 1, receivingCurrency: 1 } as const;
