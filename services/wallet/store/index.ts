import type { ClientSession, Connection, mongo } from "mongoose";
import { createSharedTransactions } from "../../shared/mongo/shared-transactions.js";
import { perTenant } from "../../shared/mongo/per-tenant.js";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../../shared/mongo/transaction.js";
import { accountReads, accountStore, type AccountRow } from "./accounts.js";
import { depositOf, depositStore, type DepositRow } from "./deposits.js";
import { movementStore, type MovementRow } from "./movements.js";
import { paymentOf, paymentReads, paymentStore, type PaymentRow } from "./payments.js";
import { limitStore, type LimitRow, type SpendingRow } from "./limits.js";
import { payableStore, type PayableRow } from "./payables.js";
import { bookingState, type BookingKind, type BookingRow } from "./bookings.js";
import { creditStore, dueReaderStore, type CreditReader, type CreditRow } from "./credits.js";
import { heldOf, heldStore, type HeldRow } from "./held.js";
import { holdStore, type HoldRow, type QuoteRow } from "./holds.js";
import { cashStore, type CashInRow, type CashLimitRow } from "./cash.js";
import { tillStore, type TillRow } from "./tills.js";
import { refundStore, topUpStore, type RefundRow, type TopUpRow } from "./top-ups.js";
import { bankAccountStore, type BankAccountRow } from "./bank-accounts.js";
import type { Deposit } from "../domain/deposit.js";
import type { Payment } from "../domain/payment.js";

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
  held: "held_arrivals",
  cashLimits: "cash_limits",
  cashIns: "cash_ins",
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

  const cashLimits = tenantCollection<CashLimitRow>(db, collections.cashLimits);
  const cashIns = tenantCollection<CashInRow>(db, collections.cashIns);
  const held = tenantCollection<HeldRow>(db, collections.held);

  const accountsTogether = accountReads(accounts);
  const paymentTogether = paymentReads(payments);

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

    forTenant: perTenant((tenantId: string) => ({
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
      ...cashStore(cashLimits.forTenant(tenantId), cashIns.forTenant(tenantId)),
      ...heldStore(held.forTenant(tenantId)),
      ...movementStore(movements.forTenant(tenantId)),

      /** Of any status. */
      findAccounts: (accountIds: readonly string[]) => accountsTogether(tenantId, accountIds),
      findPaymentByReference: (customerId: string, paymentGatewayRef: string) =>
        paymentTogether(tenantId, customerId, paymentGatewayRef),

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
          case "held": {
            const rows = await held
              .forTenant(tenantId)
              .find({ heldId: { $gt: after } }, { sort: { heldId: 1 }, limit });
            return rows.map((row) => ({ id: row.heldId, state: "DONE" as const, held: heldOf(row) }));
          }
          case "withdrawal": {
            const on = ["SENDING", "SENT", "REFUSED", "RETURNED"] as const;
            const filter = { _id: { $gt: after }, type: "WITHDRAWAL", status: { $in: on } } as never;
            const rows = await payables.forTenant(tenantId).find(filter, page);
            return rows.map(({ _id, ...row }) => ({ ...of({ _id, ...row }), withdrawal: { payableId: _id, ...row } }));
          }
        }
      },
    })),
  };
}

export type Collection<Row extends { tenantId: string }> = ReturnType<
  ReturnType<typeof tenantCollection<Row>>["forTenant"]
>;

function takenOr(error: unknown): unknown {
  if (!isDuplicateKey(error)) return error;
  const { message } = error as mongo.MongoServerError;
  const names = Object.keys(uniqueIndexes) as (keyof typeof uniqueIndexes)[];
  const what = names.find((name) => message.includes(` ${uniqueIndexes[name]} `));
  return what === undefined ? error : new Taken(what, error);
}
