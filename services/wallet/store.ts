import type { ClientSession, Connection, mongo } from "mongoose";
import { createGatheredRead } from "../shared/gathered-read.js";
import { createSharedTransactions } from "../shared/mongo/shared-transactions.js";
import { tenantCollection } from "../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../shared/mongo/transaction.js";
import type { AccountChange, WalletAccount } from "./domain/account.js";
import { limitStore, type LimitRow, type SpendingRow } from "./store/limits.js";
import { payableStore, type PayableRow } from "./store/payables.js";
import { bookingState, type BookingKind, type BookingRow } from "./store/bookings.js";
import { creditStore, dueReaderStore, type CreditReader, type CreditRow } from "./store/credits.js";
import { holdStore, type HoldRow, type QuoteRow } from "./store/holds.js";
import { tillStore, type TillRow } from "./store/tills.js";
import { refundStore, topUpStore, type RefundRow, type TopUpRow } from "./store/top-ups.js";
import { bankAccountStore, type BankAccountRow } from "./store/bank-accounts.js";
import type { Deposit, DepositEnding } from "./domain/deposit.js";
import type { Movement, MovementEnding } from "./domain/movement.js";
import type { Payment, PaymentEnding, PaymentRefund } from "./domain/payment.js";

export type Session = ClientSession;

export const collections = {
  accounts: "wallet_accounts",
  payments: "payments",
  deposits: "deposits",
  movements: "movements",
  bankAccounts: "bank_accounts",
  payables: "payables",
  limits: "wallet_limits",
  spending: "wallet_spending",
  tills: "tills",
  holds: "holds",
  quotes: "exchange_quotes",
  credits: "bank_credits",
  creditReaders: "bank_credit_readers",
  topUps: "top_ups",
  refunds: "refunds",
} as const;

/** Names of the unique indexes, which say what was taken. */
export const uniqueIndexes = {
  accountNumber: "one_per_account_number",
  customerCurrency: "one_open_per_customer_and_currency",
  paymentReference: "one_per_payment_reference",
  bankAccount: "one_per_bank_account",
  till: "one_open_till",
} as const;

/** Another document holds what must be unique. It has already aborted the transaction. */
export class Taken extends Error {
  override readonly name = "Taken";
  readonly what: keyof typeof uniqueIndexes;

  constructor(what: keyof typeof uniqueIndexes, cause: unknown) {
    super(`${what} is taken`, { cause });
    this.what = what;
  }
}

type AccountRow = Omit<WalletAccount, "accountId"> & { _id: string; tenantId: string };
type PaymentRow = Omit<Payment, "paymentId" | "total" | "ending"> & {
  _id: string;
  tenantId: string;
  totalMinor: bigint;
  currency: string;
  status: "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED" | "PARTIALLY_REFUNDED";
  ending?: PaymentEnding;
  /** While one of its refunds is being booked. */
  refundPosting?: true;
  /** Absent once a payment was withdrawn: its reference is free again. */
  referenceHeld?: true;
};
type DepositRow = Omit<Deposit, "depositId" | "amount" | "ending"> & {
  _id: string;
  tenantId: string;
  amountMinor: bigint;
  currency: string;
  status: "PENDING" | "DONE" | "FAILED";
  ending?: DepositEnding;
};
type MovementRow = Omit<Movement, "movementId" | "ending"> & {
  _id: string;
  tenantId: string;
  status: "PENDING" | "DONE" | "FAILED";
  ending?: MovementEnding;
};

type Reference = Pick<Payment, "customerId" | "paymentGatewayRef">;

function nameOfReference({ customerId, paymentGatewayRef }: Reference): string {
  return JSON.stringify([customerId, paymentGatewayRef]);
}

export type WalletStore = ReturnType<typeof createWalletStore>;
export type TenantStore = ReturnType<WalletStore["forTenant"]>;

/** The only place that knows how the wallet's database looks. */
export function createWalletStore(db: Connection) {
  const shared = createSharedTransactions(db);
  const accounts = tenantCollection<AccountRow>(db, collections.accounts);
  const payments = tenantCollection<PaymentRow>(db, collections.payments);
  const deposits = tenantCollection<DepositRow>(db, collections.deposits);
  const movements = tenantCollection<MovementRow>(db, collections.movements);
  const bankAccounts = tenantCollection<BankAccountRow>(db, collections.bankAccounts);
  const payables = tenantCollection<PayableRow>(db, collections.payables);
  const limits = tenantCollection<LimitRow>(db, collections.limits);
  const spending = tenantCollection<SpendingRow>(db, collections.spending);
  const tills = tenantCollection<TillRow>(db, collections.tills);
  const holds = tenantCollection<HoldRow>(db, collections.holds);
  const quotes = tenantCollection<QuoteRow>(db, collections.quotes);
  const credits = tenantCollection<CreditRow>(db, collections.credits);
  const readers = tenantCollection<CreditReader>(db, collections.creditReaders);
  const topUps = tenantCollection<TopUpRow>(db, collections.topUps);
  const refunds = tenantCollection<RefundRow>(db, collections.refunds);

  const accountById = createGatheredRead<string, AccountRow>({
    nameOf: (accountId) => accountId,
    readOne: async (tenantId, _id) => (await accounts.forTenant(tenantId).findOne({ _id })) ?? undefined,
    async readMany(tenantId, ids) {
      const found = await accounts.forTenant(tenantId).find({ _id: { $in: [...ids] } });
      return new Map(found.map((row) => [row._id, row]));
    },
  });
  const paymentByReference = createGatheredRead<Reference, PaymentRow>({
    nameOf: nameOfReference,
    readOne: async (tenantId, reference) =>
      (await payments.forTenant(tenantId).findOne({ ...reference, referenceHeld: true })) ?? undefined,
    async readMany(tenantId, references) {
      const found = await payments
        .forTenant(tenantId)
        .find({ $or: references.map((reference) => ({ ...reference, referenceHeld: true as const })) });
      return new Map(found.map((row) => [nameOfReference(row), row]));
    },
  });

  return {
    /**
     * One transaction; what is taken throws Taken. `readBack` tells what it had written when its commit is unknown. With a lane it is
     * shared with others of the same steps.
     */
    async transaction<T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      lane?: string,
    ): Promise<T> {
      try {
        return await (lane === undefined
          ? inTransaction(db, work, { readBack })
          : shared.run(lane, work, { readBack }));
      } catch (error) {
        throw takenOr(error);
      }
    },

    ...dueReaderStore(db, collections.creditReaders),

    forTenant: (tenantId: string) => ({
      ...accountStore(accounts.forTenant(tenantId)),
      ...paymentStore(payments.forTenant(tenantId)),
      ...depositStore(deposits.forTenant(tenantId)),
      ...bankAccountStore(bankAccounts.forTenant(tenantId)),
      ...payableStore(payables.forTenant(tenantId)),
      ...limitStore(limits.forTenant(tenantId), spending.forTenant(tenantId)),
      ...tillStore(tills.forTenant(tenantId)),
      ...holdStore(holds.forTenant(tenantId), quotes.forTenant(tenantId)),
      ...creditStore(credits.forTenant(tenantId), readers.forTenant(tenantId)),
      ...topUpStore(topUps.forTenant(tenantId)),
      ...refundStore(refunds.forTenant(tenantId)),
      ...movementStore(movements.forTenant(tenantId)),

      /** Of any status. */
      async findAccounts(accountIds: readonly string[]): Promise<WalletAccount[]> {
        const rows = await Promise.all([...new Set(accountIds)].map((accountId) => accountById(tenantId, accountId)));
        return rows.flatMap((row) => (row === undefined ? [] : [accountOf(row) as WalletAccount]));
      },
      async findPaymentByReference(customerId: string, paymentGatewayRef: string): Promise<Payment | undefined> {
        return paymentOf((await paymentByReference(tenantId, { customerId, paymentGatewayRef })) ?? null);
      },

      /** A page of documents of a kind, by id, for comparing them with the ledger. */
      async bookingPage(kind: BookingKind, after: string, limit: number): Promise<BookingRow[]> {
        const byId = { _id: { $gt: after } } as never;
        const page = { sort: { _id: 1 as const }, limit };
        const of = <T extends { _id: string; status: string }>(row: T) => ({
          id: row._id,
          state: bookingState(row.status),
        });
        switch (kind) {
          case "payment": {
            const rows = await payments.forTenant(tenantId).find(byId, page);
            return rows.map((row) => ({ ...of(row), payment: paymentOf(row) as Payment }));
          }
          case "deposit": {
            const rows = await deposits.forTenant(tenantId).find(byId, page);
            return rows.map((row) => ({ ...of(row), deposit: depositOf(row) as Deposit }));
          }
          case "movement": {
            const rows = await movements.forTenant(tenantId).find(byId, page);
            return rows.map(({ _id, ...row }) => ({ ...of({ _id, ...row }), movement: { movementId: _id, ...row } }));
          }
          case "top-up": {
            const rows = await topUps.forTenant(tenantId).find(byId, page);
            return rows.map(({ _id, ...row }) => ({ ...of({ _id, ...row }), topUp: { topUpId: _id, ...row } }));
          }
          case "credit": {
            const rows = await credits
              .forTenant(tenantId)
              .find({ creditId: { $gt: after } }, { sort: { creditId: 1 }, limit });
            return rows.map((row) => ({ id: row.creditId, state: bookingState(row.status), credit: row }));
          }
          case "withdrawal": {
            const on = ["SENDING", "SENT", "REFUSED", "RETURNED"] as const;
            const filter = { _id: { $gt: after }, type: "WITHDRAWAL", status: { $in: on } } as never;
            const rows = await payables.forTenant(tenantId).find(filter, page);
            return rows.map(({ _id, ...row }) => ({ ...of({ _id, ...row }), withdrawal: { payableId: _id, ...row } }));
          }
        }
      },
    }),
  };
}

export type Collection<Row extends { tenantId: string }> = ReturnType<
  ReturnType<typeof tenantCollection<Row>>["forTenant"]
>;

function accountStore(accounts: Collection<AccountRow>) {
  return {
    async insertAccount({ accountId, ...rest }: WalletAccount, session: Session): Promise<void> {
      await accounts.insertOne({ _id: accountId, ...rest }, { session });
    },
    /** Of any status. */
    async findAccount(accountId: string): Promise<WalletAccount | undefined> {
      return accountOf(await accounts.findOne({ _id: accountId }));
    },
    /** By their numbers, which are unique in the tenant; of any status. */
    async accountsByNumber(accountNumbers: readonly string[]): Promise<WalletAccount[]> {
      const rows = await accounts.find({ accountNumber: { $in: [...accountNumbers] } });
      return rows.map((row) => accountOf(row) as WalletAccount);
    },
    /** The customer's accounts that the ledger has, by currency. */
    async accountsOf(customerId: string): Promise<WalletAccount[]> {
      const shown = { $in: ["ACTIVE", "FROZEN", "CLOSED"] as const };
      const rows = await accounts.find({ customerId, status: shown as never }, { sort: { currency: 1, createdAt: 1 } });
      return rows.map((row) => accountOf(row) as WalletAccount);
    },
    /** True when this call moved it on from that state. */
    async changeAccount(accountId: string, from: WalletAccount["status"], change: AccountChange): Promise<boolean> {
      const update = { $set: { status: change.to }, $push: { changes: change } as never };
      return (await accounts.updateOne({ _id: accountId, status: from }, update)).matchedCount === 1;
    },
    /** True when this call made it active. */
    async activateAccount(accountId: string, session: Session): Promise<boolean> {
      const opening = { _id: accountId, status: "OPENING" as const };
      return (await accounts.updateOne(opening, { $set: { status: "ACTIVE" } }, { session })).matchedCount === 1;
    },
  };
}

function paymentStore(payments: Collection<PaymentRow>) {
  return {
    async insertPayment({ paymentId, total, ...rest }: Payment, session: Session): Promise<void> {
      const row = { _id: paymentId, ...rest, totalMinor: total.minor, currency: total.currency };
      await payments.insertOne({ ...row, status: "PENDING", referenceHeld: true }, { session });
    },
    async findPayment(paymentId: string): Promise<Payment | undefined> {
      return paymentOf(await payments.findOne({ _id: paymentId }));
    },
    /** True when this call ended it. `release` frees its reference for another payment. */
    async endPayment(paymentId: string, ending: PaymentEnding, release: boolean, session: Session): Promise<boolean> {
      const change = {
        $set: { status: ending.status, ending },
        ...(release ? { $unset: { referenceHeld: true as const } } : {}),
      };
      const ended = await payments.updateOne({ _id: paymentId, status: "PENDING" }, change, { session });
      return ended.matchedCount === 1;
    },
    /** True when so much of it was neither refunded nor held for a refund: now it is held. One document decides. */
    async holdRefund(paymentId: string, minor: bigint, session: Session): Promise<boolean> {
      const found = await payments.findOne({ _id: paymentId }, { session });
      if (found === null || (found.status !== "SUCCESS" && found.status !== "PARTIALLY_REFUNDED")) return false;
      const { totalMinor, refundedMinor = 0n, refundHeldMinor = 0n } = found;
      if (totalMinor - refundedMinor - refundHeldMinor < minor) return false;
      await payments.updateOne({ _id: paymentId }, { $set: { refundHeldMinor: refundHeldMinor + minor } }, { session });
      return true;
    },
    /** How much had come back before this refund; undefined while another one is being booked. */
    async beginRefundPosting(paymentId: string, session: Session): Promise<bigint | undefined> {
      const free = { _id: paymentId, refundPosting: { $ne: true as const } };
      const claimed = await payments.findOneAndUpdate(free, { $set: { refundPosting: true } }, { session });
      return claimed === null ? undefined : (claimed.refundedMinor ?? 0n);
    },
    /** What a refund held has come back, or may be refunded by another. */
    async endRefund(paymentId: string, minor: bigint, isDone: boolean, session: Session): Promise<void> {
      const found = await payments.findOne({ _id: paymentId }, { session });
      if (found === null) throw new Error(`payment ${paymentId} is not there`);
      const { totalMinor, refundedMinor = 0n, refundHeldMinor = 0n } = found;
      const back = isDone ? refundedMinor + minor : refundedMinor;
      const status = back === 0n ? "SUCCESS" : back === totalMinor ? "REFUNDED" : "PARTIALLY_REFUNDED";
      const change = { refundHeldMinor: refundHeldMinor - minor, refundedMinor: back, status } as const;
      const update = { $set: change, $unset: { refundPosting: true as const } };
      await payments.updateOne({ _id: paymentId }, update, { session });
    },
    /** All of it is back in the wallet: SUCCESS to REFUNDED. */
    async refundWhole(paymentId: string, session: Session): Promise<void> {
      const found = await payments.findOne({ _id: paymentId }, { session });
      const change = { status: "REFUNDED" as const, refundedMinor: found?.totalMinor ?? 0n };
      await payments.updateOne({ _id: paymentId, status: "SUCCESS" }, { $set: change }, { session });
    },
    /** True when this call noted it, onto what was known of it before. */
    async refundPayment(
      { paymentId, refund: known }: Pick<Payment, "paymentId" | "refund">,
      refund: PaymentRefund,
    ): Promise<boolean> {
      const status = refund.isPart === true ? ("PARTIALLY_REFUNDED" as const) : ("REFUNDED" as const);
      const as =
        known === undefined
          ? { status: "SUCCESS" as const }
          : { status: "PARTIALLY_REFUNDED" as const, "refund.amount.minor": known.amount.minor };
      return (await payments.updateOne({ _id: paymentId, ...as }, { $set: { status, refund } })).matchedCount === 1;
    },
  };
}

function depositStore(deposits: Collection<DepositRow>) {
  return {
    async insertDeposit({ depositId, amount, ...rest }: Deposit, session: Session): Promise<void> {
      const row = { _id: depositId, ...rest, amountMinor: amount.minor, currency: amount.currency };
      await deposits.insertOne({ ...row, status: "PENDING" }, { session });
    },
    async findDeposit(depositId: string): Promise<Deposit | undefined> {
      return depositOf(await deposits.findOne({ _id: depositId }));
    },
    /** True when this call ended it. */
    async endDeposit(depositId: string, ending: DepositEnding, session: Session): Promise<boolean> {
      const pending = { _id: depositId, status: "PENDING" as const };
      const ended = await deposits.updateOne(pending, { $set: { status: ending.status, ending } }, { session });
      return ended.matchedCount === 1;
    },
  };
}

function movementStore(movements: Collection<MovementRow>) {
  return {
    async insertMovement({ movementId, ...rest }: Movement, session: Session): Promise<void> {
      await movements.insertOne({ _id: movementId, ...rest, status: "PENDING" }, { session });
    },
    async findMovement(movementId: string): Promise<Movement | undefined> {
      const row = await movements.findOne({ _id: movementId });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, status: _status, ...rest } = row;
      return { movementId: _id, ...rest };
    },
    /** True when this call ended it. */
    async endMovement(movementId: string, ending: MovementEnding, session: Session): Promise<boolean> {
      const pending = { _id: movementId, status: "PENDING" as const };
      const ended = await movements.updateOne(pending, { $set: { status: ending.status, ending } }, { session });
      return ended.matchedCount === 1;
    },
  };
}

function accountOf(row: AccountRow | null): WalletAccount | undefined {
  if (row === null) return undefined;
  const { _id, tenantId: _tenantId, ...rest } = row;
  return { accountId: _id, ...rest };
}

function paymentOf(row: PaymentRow | null): Payment | undefined {
  if (row === null) return undefined;
  const {
    _id,
    tenantId: _tenantId,
    status: _status,
    referenceHeld: _held,
    refundPosting: _posting,
    totalMinor,
    currency,
    ...rest
  } = row;
  return { paymentId: _id, ...rest, total: { minor: totalMinor, currency } };
}

function depositOf(row: DepositRow | null): Deposit | undefined {
  if (row === null) return undefined;
  const { _id, tenantId: _tenantId, status: _status, amountMinor, currency, ...rest } = row;
  return { depositId: _id, ...rest, amount: { minor: amountMinor, currency } };
}

function takenOr(error: unknown): unknown {
  if (!isDuplicateKey(error)) return error;
  const { message } = error as mongo.MongoServerError;
  const names = Object.keys(uniqueIndexes) as (keyof typeof uniqueIndexes)[];
  const what = names.find((name) => message.includes(` ${uniqueIndexes[name]} `));
  return what === undefined ? error : new Taken(what, error);
}
