import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mongo } from "mongoose";
import type { PayoutRecord, StatementLine } from "../../../deploy/partner/books.js";
import type { DecisionDocument } from "../../../services/ledger/store/collections.js";
import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import { tenantId } from "./fixture.js";
import { readWalletBooks, unfinishedOf, type WalletBooks } from "./wallet-books.js";
import type { FaultyWorld } from "./world.js";

export interface PaymentRow {
  readonly _id: string;
  readonly payableId: string;
  readonly status: "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED" | "PARTIALLY_REFUNDED";
  readonly totalMinor: bigint;
  readonly accountId: string;
  readonly refund?: { readonly amount: { readonly minor: bigint } };
}

export interface LedgerAccount {
  readonly accountId: string;
  readonly code: string;
  readonly currency: string;
  readonly debitsPostedMinor: bigint;
  readonly creditsPostedMinor: bigint;
  readonly debitsPendingMinor: bigint;
  readonly creditsPendingMinor: bigint;
}

/** A row of some service's outbox that is not closed. */
export interface OpenRow {
  readonly service: string;
  readonly kind: string;
  readonly aggregate: string;
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: Date;
  /** Until when somebody works on it. */
  readonly leasedUntil: Date;
  readonly lastError?: string;
}

/** Everything that anybody has written down about the tenant's money. */
export interface AllBooks {
  readonly transactions: readonly Transaction[];
  readonly payments: readonly PaymentRow[];
  /** What was posted, in order; refused keys are left out. */
  readonly transfers: readonly Required<
    Pick<DecisionDocument, "key" | "service" | "currency" | "amountMinor" | "entries">
  >[];
  readonly accounts: readonly LedgerAccount[];
  /** State of what compliance has reserved, by transaction. */
  readonly reservations: ReadonlyMap<string, string>;
  readonly payouts: readonly PayoutRecord[];
  readonly lines: readonly StatementLine[];
  readonly wallet: WalletBooks;
  readonly openRows: readonly OpenRow[];
}

export type Reader = Awaited<ReturnType<typeof openReader>>;

const inFlight = ["AWAITING_COMPLIANCE", "PAYING", "PAID", "PROCESSING", "READY_FOR_PICKUP"];
const outboxes = ["wallet", "remittance", "identity", "compliance"];
/** Rows that look after something for days or weeks after it has ended. */
const reminders = [
  "expire-hold",
  "watch-withdrawal",
  "forget-unasked-refund",
  "forget-unasked-closing",
  "forget-unasked-ending",
];

/** Reads what the services and the partner have stored, past all of them. */
export async function openReader({ cluster: { file }, dataDir }: FaultyWorld) {
  const client = new mongo.MongoClient(file.mongoUri, { useBigInt64: true, serverSelectionTimeoutMS: 10_000 });
  // Before mongod is disturbed: a client that fails to connect by itself at its first read is of no
  // use ever after.
  await client.connect();
  const of = (service: string, collection: string) => client.db(`manilla_${service}`).collection(collection);
  const all = (service: string, collection: string, filter: object = {}, sort: mongo.Sort = {}) =>
    of(service, collection)
      .find({ tenantId, ...filter })
      .sort(sort)
      .toArray();
  const withPartner = <T>(read: (books: DatabaseSync) => T): T => {
    const books = new DatabaseSync(join(dataDir, "partner", "books.db"), { readOnly: true, timeout: 5_000 });
    try {
      return read(books);
    } finally {
      books.close();
    }
  };

  const openRows = async (): Promise<OpenRow[]> => {
    const rows = await Promise.all(
      outboxes.map(async (service) =>
        (await all(service, "outbox", { state: { $in: ["DUE", "PARKED"] } })).map((row) => ({ ...row, service })),
      ),
    );
    const open = rows.flat() as unknown as OpenRow[];
    return open.filter(({ kind, state }) => state === "PARKED" || !reminders.includes(kind));
  };

  return {
    openRows,

    /** State of each of these transactions. */
    async statuses(ids: readonly string[]): Promise<Map<string, string>> {
      const found = await all("remittance", "transactions", { transactionId: { $in: [...ids] } });
      return new Map(found.map(({ transactionId, status }) => [transactionId as string, status as string]));
    },

    /** Whether anything still has to happen by itself, and what. */
    async unfinished(): Promise<string[]> {
      const states = { status: { $in: [...inFlight, "CANCELLING", "FAILED", "RETURNED"] } };
      const transactions = await all("remittance", "transactions", states);
      const payments = await all("wallet", "payments", { status: "PENDING" });
      const sentBack = withPartner((books) =>
        books.prepare("SELECT reference FROM payouts WHERE account = ? AND status = 'RETURNED'").all(tenantId),
      ).map(({ reference }) => reference as string);
      const stored = await all("remittance", "transactions", {
        transactionId: { $in: sentBack },
        status: { $ne: "REFUNDED" },
      });
      const rows = await openRows();
      return [
        ...transactions.map(({ transactionId, status }) => `transaction ${transactionId} is ${status}`),
        ...payments.map(({ _id }) => `payment ${String(_id)} is PENDING`),
        ...stored.map(({ transactionId }) => `transaction ${transactionId} came back and is not refunded`),
        ...unfinishedOf(await readWalletBooks(tenantId, all, withPartner)),
        ...rows.map(({ service, kind, aggregate, state, attempts, dueAt, leasedUntil, lastError = "" }) => {
          const times = `due ${dueAt.toISOString()}, leased until ${leasedUntil.toISOString()}, now ${new Date().toISOString()}`;
          return `${service}: ${kind} of ${aggregate} is ${state} (${attempts} attempts, ${times}) ${lastError}`.trim();
        }),
      ];
    },

    async read(): Promise<AllBooks> {
      const decisions = await all("compliance", "decisions");
      const posted = { seq: { $exists: true }, entries: { $exists: true } };
      return {
        transactions: (await all("remittance", "transactions", {}, { createdAt: 1 })) as unknown as Transaction[],
        payments: (await all("wallet", "payments")) as unknown as PaymentRow[],
        transfers: (await all("ledger", "transfers", posted, { seq: 1 })) as unknown as AllBooks["transfers"],
        accounts: (await all("ledger", "accounts")) as unknown as LedgerAccount[],
        reservations: new Map(decisions.map((one) => [one["transactionId"] as string, one["reservation"] as string])),
        payouts: withPartner(
          (books) =>
            books.prepare("SELECT * FROM payouts WHERE account = ?").all(tenantId) as unknown as PayoutRecord[],
        ),
        lines: withPartner(
          (books) =>
            books.prepare("SELECT * FROM statement WHERE account = ?").all(tenantId) as unknown as StatementLine[],
        ),
        wallet: await readWalletBooks(tenantId, all, withPartner),
        openRows: await openRows(),
      };
    },

    close: () => client.close(),
  };
}
