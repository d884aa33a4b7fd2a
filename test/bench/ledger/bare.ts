import { randomBytes, randomUUID } from "node:crypto";
import { mongo, type Connection } from "mongoose";
import { genesisHash } from "../../../services/ledger/domain/canonical.js";
import { dayOf } from "../../../services/ledger/domain/days.js";
import type { Transfer } from "../../../services/ledger/domain/model.js";
import type { DecisionDocument } from "../../../services/ledger/store/collections.js";
import { transferToDocument } from "../../../services/ledger/store/mapping.js";

// What one would write by hand with the driver: the ledger's documents and indexes, none of its
// rules, keys, chain or head.

const transaction: mongo.TransactionOptions = {
  readConcern: { level: "snapshot" },
  readPreference: "primary",
  writeConcern: { w: "majority", journal: true },
};

/** Same fields and sizes as the ledger's; the hash is noise and the balances are made up. */
function documentOf(tenantId: string, debit: string, credit: string, seq: bigint, groupId: string): DecisionDocument {
  const key = randomUUID();
  const transfer: Transfer = {
    seq,
    timeMs: Date.now(),
    key,
    mode: "POSTED",
    debitAccountId: debit,
    creditAccountId: credit,
    currency: "USD",
    amountMinor: 1n,
    kind: "bench",
    refersTo: "",
    effectiveAtMs: Date.now(),
    day: dayOf(Date.now()),
    description: "",
    metadata: [],
    interactionId: key,
    createdBy: "bench",
    service: "wallet",
    link: { key, index: 0, size: 1 },
    debitBalanceMinor: -seq,
    creditBalanceMinor: seq,
    hash: noise,
  };
  return transferToDocument(tenantId, transfer, groupId, noise);
}

const noise = genesisHash("bench");

const increment = (side: "debits" | "credits", minor: bigint, lastSeq: bigint) => ({
  $inc: { [`${side}PostedMinor`]: minor },
  $max: { lastSeq },
});

/**
 * (a) One transaction per transfer, as the driver's guide has it: insert, debit, credit, commit.
 */
export function createSingle(db: Connection, tenantId: string) {
  const { transfers, accounts } = collectionsOf(db);
  let seq = 0n;
  return async (debit: string, credit: string): Promise<void> => {
    const session = db.getClient().startSession();
    try {
      await session.withTransaction(async () => {
        seq += 1n;
        const document = documentOf(tenantId, debit, credit, seq, "single");
        await transfers.insertOne(document as never, { session });
        for (const [side, accountId] of [["debits", debit] as const, ["credits", credit] as const]) {
          const filter = { _id: `${tenantId}:${accountId}` as never, tenantId };
          const { matchedCount } = await accounts.updateOne(filter, increment(side, 1n, seq), { session });
          if (matchedCount !== 1) throw new Error(`no account ${accountId}`);
        }
      }, transaction);
    } finally {
      await session.endSession();
    }
  };
}

/**
 * (b) Group commit and nothing else: while one transaction commits the next gathers; an insert and
 * a bulk of `$inc`.
 */
export function createBareGroups(db: Connection, tenantId: string) {
  const { transfers, accounts } = collectionsOf(db);
  const session = db.getClient().startSession();
  const waiting: { debit: string; credit: string; resolve(): void; reject(error: unknown): void }[] = [];
  let isCommitting = false;
  let seq = 0n;

  async function commit(): Promise<void> {
    isCommitting = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, 1_000);
      try {
        await commitGroup(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isCommitting = false;
  }

  async function commitGroup(group: readonly { debit: string; credit: string }[]): Promise<void> {
    const groupId = randomBytes(12).toString("base64url");
    const sums = new Map<string, { debits: bigint; credits: bigint }>();
    const documents = group.map(({ debit, credit }) => {
      for (const id of [debit, credit]) if (!sums.has(id)) sums.set(id, { debits: 0n, credits: 0n });
      sums.get(debit)!.debits += 1n;
      sums.get(credit)!.credits += 1n;
      seq += 1n;
      return documentOf(tenantId, debit, credit, seq, groupId);
    });
    const updates = [...sums].map(([accountId, { debits, credits }]) => ({
      updateOne: {
        filter: { _id: `${tenantId}:${accountId}` as never, tenantId },
        update: { $inc: { debitsPostedMinor: debits, creditsPostedMinor: credits }, $set: { lastSeq: seq } },
      },
    }));
    session.startTransaction(transaction);
    await transfers.insertMany(documents as never[], { session });
    await accounts.bulkWrite(updates, { session });
    await session.commitTransaction();
  }

  return (debit: string, credit: string): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ debit, credit, resolve, reject });
      // Lets all that came in the same turn of the event loop go together.
      if (!isCommitting && waiting.length === 1) setImmediate(() => void commit());
    });
}

function collectionsOf(db: Connection) {
  return { transfers: db.db!.collection("transfers"), accounts: db.db!.collection("accounts") };
}
