import type { Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { createSharedTransactions } from "../../kernel/mongo/shared-transactions.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { BookingKind } from "../domain/booking.js";
import type { CreditCursor, CreditReader } from "../domain/credit.js";
import { accountReads, accountStore, type AccountRow } from "./accounts.js";
import { bankAccountStore, type BankAccountRow } from "./bank-accounts.js";
import { bookingPage } from "./bookings.js";
import { cashInStore, type CashInRow } from "./cash-ins.js";
import { cashLimitStore, type CashLimitRow } from "./cash-limits.js";
import { collections, type Session } from "./collections.js";
import { creditReaderStore, dueReaderStore } from "./credit-readers.js";
import { creditStore, type CreditRow } from "./credits.js";
import { customerBlockStore, type CustomerBlocks } from "./customer-blocks.js";
import { dayLimitStore, type SpendingRow } from "./wallet-daily-limit.js";
import { quoteStore, type QuoteRow } from "./exchange-quotes.js";
import { heldStore, type HeldRow } from "./held-arrivals.js";
import { holdStore, type HoldRow } from "./holds.js";
import { movementStore, type MovementRow } from "./movements.js";
import { payableStore, type PayableRow } from "./payables.js";
import { paymentReads, paymentStore, type PaymentRow } from "./payments.js";
import { refundStore, type RefundRow } from "./refunds.js";
import { takenOr } from "./taken.js";
import { tillStore, type TillRow } from "./tills.js";
import { topUpStore, type TopUpRow } from "./top-ups.js";
import { walletLimitStore, type LimitRow } from "./wallet-limits.js";

export type WalletStore = ReturnType<typeof createWalletStore>;

export type TenantStore = ReturnType<WalletStore["forTenant"]>;

/** The only place that knows how the wallet's database looks. */
export function createWalletStore(db: Connection) {
  const shared = createSharedTransactions(db);
  const accounts = tenantCollection<AccountRow>(db, collections.accounts);
  const payments = tenantCollection<PaymentRow>(db, collections.payments);
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
  const cursors = tenantCollection<CreditCursor>(db, collections.creditCursors);
  const topUps = tenantCollection<TopUpRow>(db, collections.topUps);
  const refunds = tenantCollection<RefundRow>(db, collections.refunds);

  const cashLimits = tenantCollection<CashLimitRow>(db, collections.cashLimits);
  const cashIns = tenantCollection<CashInRow>(db, collections.cashIns);
  const held = tenantCollection<HeldRow>(db, collections.held);

  const customerBlocks = tenantCollection<CustomerBlocks>(db, collections.customerBlocks);

  const readAccounts = accountReads(accounts);
  const readPayment = paymentReads(payments);

  return {
    /**
     * Runs one transaction. Throws Taken where a unique index has it already. `readBack` gives what
     * it had written when its commit is unknown. Works of one batch key share a transaction.
     */
    async transaction<T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      batchKey?: string,
    ): Promise<T> {
      try {
        return await (batchKey === undefined
          ? inTransaction(db, work, { readBack })
          : shared.run(batchKey, work, { readBack }));
      } catch (error) {
        throw takenOr(error);
      }
    },

    ...dueReaderStore(db, collections.creditReaders),

    forTenant: perTenant((tenantId: string) => ({
      ...accountStore(accounts.forTenant(tenantId)),
      ...paymentStore(payments.forTenant(tenantId)),
      ...bankAccountStore(bankAccounts.forTenant(tenantId)),
      ...payableStore(payables.forTenant(tenantId)),
      ...walletLimitStore(limits.forTenant(tenantId)),
      ...dayLimitStore(spending.forTenant(tenantId)),
      ...tillStore(tills.forTenant(tenantId)),
      ...holdStore(holds.forTenant(tenantId)),
      ...quoteStore(quotes.forTenant(tenantId)),
      ...creditStore(credits.forTenant(tenantId)),
      ...creditReaderStore(readers.forTenant(tenantId), cursors.forTenant(tenantId)),
      ...topUpStore(topUps.forTenant(tenantId)),
      ...refundStore(refunds.forTenant(tenantId)),
      ...cashLimitStore(cashLimits.forTenant(tenantId)),
      ...cashInStore(cashIns.forTenant(tenantId)),
      ...customerBlockStore(customerBlocks.forTenant(tenantId)),
      ...heldStore(held.forTenant(tenantId)),
      ...movementStore(movements.forTenant(tenantId)),

      findAccounts: (accountIds: readonly string[]) => readAccounts.findAccounts(tenantId, accountIds),
      accountsOf: (customerId: string) => readAccounts.accountsOf(tenantId, customerId),
      findPaymentByReference: (customerId: string, paymentGatewayRef: string) =>
        readPayment(tenantId, customerId, paymentGatewayRef),

      /** A page of documents of a kind, by id, for comparing them with the ledger. */
      bookingPage: (kind: BookingKind, after: string, limit: number) =>
        bookingPage({ payments, movements, topUps, credits, held, payables }, tenantId, { kind, after, limit }),
    })),
  };
}
