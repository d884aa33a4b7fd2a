import type { ClientSession, Connection } from "mongoose";
import { isDiskFull } from "../../kernel/mongo/disk-space.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { recordCollection, type RecordCollection } from "../../kernel/mongo/record-collection.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { sandboxIds } from "../../platform/sandbox/sandbox.js";
import {
  changed,
  type Change,
  type StatusChange,
  type Transaction,
  type TransactionStatus,
} from "../domain/transaction.js";
import { isCountedAnew } from "../domain/counted.js";
import { notLinked, type Sent, type SentBetween } from "../domain/transparency.js";
import { collections } from "./collections.js";
import type { PartyCipher } from "./party-cipher.js";
import { createTransactionCipher, type StoredTransaction } from "./transaction-cipher.js";

/** Transactions, one document each. What identifies a person in their details lies sealed. */
export function createTransactionStore(db: Connection, cipher: PartyCipher) {
  const transactions = recordCollection<StoredTransaction>(db, collections.transactions);
  const unpaid = acrossTenants<Transaction & { tenantId: string }>(
    db,
    collections.transactions,
    "expiry of unpaid transactions",
  );
  const held = createHeldTenants(db, collections.transactions);
  const { open, sealed, sealedChange, linkedBy } = createTransactionCipher(cipher);

  return {
    /** A transaction as it was found, with what is sealed in it opened. */
    open,

    /**
     * Transactions of all tenants but held ones whose time to be paid is over, oldest
     * first, without those that are named; none while the disk is full.
     */
    findOverdue: async (
      now: Date,
      limit: number,
      but: readonly string[],
    ): Promise<{ tenantId: string; transactionId: string }[]> => {
      if (isDiskFull(db)) return [];
      return unpaid.find(
        {
          ...(await held.otherTenants()),
          status: "AWAITING_PAYMENT",
          expiresAt: { $lte: now },
          ...(but.length > 0 && { transactionId: { $nin: [...but] } }),
        },
        { sort: { expiresAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1 } },
      );
    },

    /** Unpaid transactions of sandboxes that are not held, those that expire first. */
    findUnpaidInSandboxes: async (
      limit: number,
    ): Promise<{ tenantId: string; transactionId: string; expiresAt?: Date }[]> =>
      unpaid.find(
        {
          status: "AWAITING_PAYMENT",
          // Any time: whether there is one, MongoDB does not say from its index alone.
          expiresAt: { $gt: new Date(0) },
          tenantId: { $regex: sandboxIds, ...(await held.otherTenants()).tenantId },
        },
        { sort: { expiresAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1, expiresAt: 1 } },
      ),

    forTenant(tenantId: string) {
      const own = transactions.forTenant(tenantId);
      return {
        ...readsOf(own, (found) => open(tenantId, found)),
        ...changesOf(own, (set, after) => sealedChange(tenantId, set, after)),

        /**
         * What a transaction's sender has sent to the same recipient in a time, of what counts
         * together, but for itself; some of it. Nothing that is sealed is read.
         */
        async listSentTogether(
          { since, until }: SentBetween,
          transaction: Transaction,
          limit: number,
        ): Promise<Sent[]> {
          const createdAt = { $gte: since, ...(until !== undefined && { $lte: until }) };
          const links = await linkedBy(tenantId, transaction);
          const which = { linkedBy: { $in: links }, createdAt, status: { $nin: [...notLinked] } };
          const filter = { ...which, transactionId: { $ne: transaction.transactionId } };
          return own.find(filter, { projection: { _id: 0, "price.principal": 1 }, limit });
        },

        async insertTransaction(transaction: Transaction, session: ClientSession): Promise<void> {
          await own.insertOne({ ...(await sealed(tenantId, transaction)), ...uncounted() }, { session });
        },
      };
    },
  };
}

function readsOf(own: RecordCollection<StoredTransaction>, open: (found: StoredTransaction) => Promise<Transaction>) {
  return {
    async findTransaction(transactionId: string, session?: ClientSession): Promise<Transaction | undefined> {
      const found = await own.findOne({ transactionId }, { session });
      return found && open(found);
    },

    async findTransactionByCode(transactionCode: string): Promise<Transaction | undefined> {
      const found = await own.findOne({ transactionCode });
      return found && open(found);
    },

    /** Whether a tenant's own partner has a payout whose end is open. */
    async isUnderWayAt(installationId: string): Promise<boolean> {
      const open = ["PROCESSING", "READY_FOR_PICKUP", "CANCELLING", "BLOCKED"] as const;
      const filter = { "payout.installationId": installationId, status: { $in: [...open] } };
      return (await own.findOne(filter, { projection: { _id: 0, transactionId: 1 } })) !== undefined;
    },

    /** Transactions of a batch, or of a list of ids. */
    async listTransactions(
      of: { batchId: string } | { ids: readonly string[] },
      session?: ClientSession,
    ): Promise<Transaction[]> {
      const filter = "batchId" in of ? { "payout.batchId": of.batchId } : { transactionId: { $in: [...of.ids] } };
      return Promise.all((await own.find(filter, { session })).map(open));
    },

    /**
     * A page of those whose payout was settled, or came back and was refunded, in a range of time
     * by our clock; oldest first. `after` is the last one of the page before.
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
      const byPartner = { pickup: { $exists: false }, recipientWallet: { $exists: false } };
      const which = moment === "refundedAt" ? { ...byPartner, "payout.outcome": "RETURNED" as const } : byPartner;
      const filter = { [field]: { $gte: last ?? from, $lt: to }, ...which, ...behind };
      const sort = { [field]: 1, transactionId: 1 } as const;
      return own.find(filter, { sort, limit });
    },
  };
}

/** Day sums are behind it from now on, by real time (store/day-sums.ts). */
const uncounted = () => ({ uncountedSince: new Date() });

function changesOf(
  own: RecordCollection<StoredTransaction>,
  seal: (set: NonNullable<Change["set"]>, after: Transaction) => Promise<object>,
) {
  return {
    /**
     * Remembers that a payment was refused, while the transaction is in one of these states and not
     * this payment's; false where it is not. Leaves the version alone: a claim is granted in
     * another state only, and a change of state has a version.
     */
    async refuseClaim(
      transactionId: string,
      paymentId: string,
      states: readonly TransactionStatus[],
    ): Promise<boolean> {
      const result = await own.updateOne(
        { transactionId, status: { $in: [...states] }, paymentId: { $ne: paymentId } },
        { $addToSet: { releasedPayments: paymentId } },
      );
      return result.matchedCount === 1;
    },

    /**
     * Counts a wrong pickup code; how many there were, or undefined where
     * it might not be tried any more.
     */
    async countWrongPickup(transactionId: string, maxTries: number): Promise<number | undefined> {
      const counted = await own.findOneAndUpdate(
        { transactionId, status: "READY_FOR_PICKUP", "pickup.tries": { $lt: maxTries } },
        { $inc: { "pickup.tries": 1 } },
        { returnDocument: "after", projection: { "pickup.tries": 1 } },
      );
      return counted?.pickup?.tries;
    },

    /**
     * Moves several, which were read in this session and are all in one state, into another one by
     * one statement.
     */
    async changeAll(
      before: readonly Transaction[],
      change: Required<Pick<Change, "status" | "reason">>,
      by: Pick<StatusChange, "at" | "actor">,
      session: ClientSession,
    ): Promise<Transaction[]> {
      const [first] = before;
      if (first === undefined) return [];
      const after = before.map((one) => changed(one, change, by));
      const { matchedCount } = await own.updateMany(
        { transactionId: { $in: before.map(({ transactionId }) => transactionId) }, status: first.status },
        {
          $set: { status: change.status, ...uncounted() },
          $inc: { version: 1 },
          $push: { timeline: { ...by, ...change } },
        },
        { session },
      );
      if (matchedCount !== before.length) throw new Error("a transaction changed inside this transaction's snapshot");
      return after;
    },

    /**
     * Writes a change onto the version it was decided on; undefined where somebody else was first.
     */
    async change(
      before: Transaction,
      change: Change,
      by: Pick<StatusChange, "at" | "actor">,
      session?: ClientSession,
    ): Promise<Transaction | undefined> {
      const after = changed(before, change, by);
      const entry = after.timeline.slice(before.timeline.length);
      const { version, status } = after;
      const sealed = await seal(change.set ?? {}, after);
      // Nobody asks again: who they are is not kept longer than it is needed. Nor is a name that an
      // earlier check has found.
      const over = {
        ...(change.set?.compliance !== undefined && { sealedParties: true as const }),
        ...(change.isPayeeUnchecked && { payeeCheck: true as const }),
        ...(isPayeeOther(change) && !("sealedAccountName" in sealed) && { sealedAccountName: true as const }),
      };
      const result = await own.updateOne(
        { transactionId: before.transactionId, version: before.version },
        {
          $set: {
            ...sealed,
            version,
            status,
            ...(isCountedAnew(before, after) && uncounted()),
          },
          ...(Object.keys(over).length > 0 && { $unset: over }),
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
  };
}

const isPayeeOther = ({ set, isPayeeUnchecked }: Change): boolean =>
  isPayeeUnchecked === true || set?.payeeCheck !== undefined;
