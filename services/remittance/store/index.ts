import type { ClientSession, Connection } from "mongoose";
import { createSharedTransactions } from "../../shared/mongo/shared-transactions.js";
import { perTenant } from "../../shared/mongo/per-tenant.js";
import { acrossTenants, tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../../shared/mongo/transaction.js";
import { sandboxIds } from "../../shared/sandbox.js";
import { beneficiaryCollection, createBeneficiaryStore } from "./beneficiaries.js";
import { corridorChangeCollection, createCorridorChangeStore } from "./corridor-changes.js";
import { corridorCollections, createCorridorStore } from "./corridors.js";
import type { Markup } from "../domain/markup.js";
import { createPayoutStore, payoutCollections } from "./payouts.js";
import type { Branch, PayoutPoint } from "../domain/payout-point.js";
import { createPriceVersionStore, priceVersionCollection } from "./price-versions.js";
import type { Promotion } from "../domain/promotion.js";
import { createPartyCipher, type PartyCipher } from "./sealed-party.js";
import { createQuoteStore } from "./quotes.js";
import { createTransactionListStore } from "./transaction-lists.js";
import { versionedStore } from "./versioned.js";
import {
  changed,
  type Change,
  type StatusChange,
  type Transaction,
  type TransactionStatus,
} from "../domain/transaction.js";

export type Session = ClientSession;
export type { CorridorVersion, Rate } from "./corridors.js";
export type { PayoutBatch, StatementReader } from "./payouts.js";

type Owned<T> = T & { tenantId: string };

export const collections = {
  ...corridorCollections,
  ...payoutCollections,
  beneficiaries: beneficiaryCollection,
  transactions: "transactions",
  markups: "markups",
  promotions: "promotions",
  payoutPoints: "payout_points",
  branches: "branches",
  priceVersions: priceVersionCollection,
  corridorChanges: corridorChangeCollection,
} as const;

const maxAttempts = 5;
const projection = { _id: 0, tenantId: 0 };

/** What a transaction's personal data is bound to. */
export const transactionRecord = (tenantId: string, transactionId: string) =>
  `${tenantId} transaction ${transactionId}`;

export type RemittanceStore = ReturnType<typeof createRemittanceStore>;
export type TenantStore = ReturnType<RemittanceStore["forTenant"]>;

/** The only place that knows how remittance's database looks. Without a cipher, sealed details stay as they lie. */
export function createRemittanceStore(db: Connection, cipher: PartyCipher = createPartyCipher(undefined)) {
  const shared = createSharedTransactions(db);
  const prices = createPriceVersionStore(db);
  const corridors = createCorridorStore(db, prices);
  const corridorChanges = createCorridorChangeStore(db);
  const beneficiaries = createBeneficiaryStore(db, cipher);
  const transactions = tenantCollection<Owned<Transaction>>(db, collections.transactions);
  const unpaid = acrossTenants<Owned<Transaction>>(db, collections.transactions, "expiry of unpaid transactions");

  const undriven = acrossTenants<Owned<Transaction>>(db, collections.transactions, "payouts that nobody drives");

  const payouts = createPayoutStore(db);
  const quotes = createQuoteStore(db);
  const markups = versionedStore<Markup>(db, collections.markups, (tenantId, session) =>
    prices.forTenant(tenantId).raisePriceVersion(session),
  );
  const promotions = versionedStore<Promotion>(db, collections.promotions);
  const open = async (tenantId: string, found: Transaction): Promise<Transaction> => ({
    ...found,
    creditParty: await cipher.open(found.creditParty, transactionRecord(tenantId, found.transactionId)),
  });

  const lists = createTransactionListStore(db, open);
  const payoutPoints = versionedStore<PayoutPoint>(db, collections.payoutPoints);
  const branches = versionedStore<Branch>(db, collections.branches);

  return {
    /**
     * Runs `work` in one transaction, again where somebody else inserted the same document first. With a lane the transaction is shared
     * with others of the same steps.
     */
    async transaction<T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      lane?: string,
    ): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await (lane === undefined
            ? inTransaction(db, work, { readBack })
            : shared.run(lane, work, { readBack }));
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
        { status: "AWAITING_PAYMENT", expiresAt: { $exists: true }, tenantId: sandboxIds },
        { sort: { expiresAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1, expiresAt: 1 } },
      ),

    /** Transactions of all tenants that were paid for in a version that knew no payouts. */
    findUndriven: (limit: number): Promise<{ tenantId: string; transactionId: string }[]> =>
      undriven.find(
        { status: "PAID", payout: { $exists: false } },
        { sort: { paidAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1 } },
      ),

    takeStatementReader: payouts.takeStatementReader,

    forTenant: perTenant((tenantId: string) => ({
      ...quotes.forTenant(tenantId),
      ...beneficiaries.forTenant(tenantId),
      ...lists.forTenant(tenantId),
      markups: markups.forTenant(tenantId),
      promotions: promotions.forTenant(tenantId),
      payoutPoints: payoutPoints.forTenant(tenantId),
      branches: branches.forTenant(tenantId),
      ...corridors.forTenant(tenantId),
      ...corridorChanges.forTenant(tenantId),
      priceVersion: prices.forTenant(tenantId).priceVersion,
      ...payouts.forTenant(tenantId),

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
        // What our own cashiers hand out, and what goes into a wallet, is nothing of the partner's.
        const own = { pickup: { $exists: false }, recipientWallet: { $exists: false } };
        const came = moment === "refundedAt" ? { ...own, "payout.outcome": "RETURNED" as const } : own;
        const filter = { [field]: { $gte: last ?? from, $lt: to }, ...came, ...behind };
        const sort = { [field]: 1, transactionId: 1 } as const;
        return transactions.forTenant(tenantId).find(filter, { projection, sort, limit });
      },

      async findTransaction(transactionId: string, session?: Session): Promise<Transaction | undefined> {
        const found = await transactions.forTenant(tenantId).findOne({ transactionId }, { projection, session });
        return found === null ? undefined : open(tenantId, found);
      },

      async insertTransaction(transaction: Transaction, session: Session): Promise<void> {
        const record = transactionRecord(tenantId, transaction.transactionId);
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
    })),
  };
}
