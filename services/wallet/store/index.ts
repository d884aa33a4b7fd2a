import type { Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { createSharedTransactions } from "../../kernel/mongo/shared-transactions.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../kernel/mongo/take-due.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { AgentBalance } from "../domain/agent-balance.js";
import type { BookingKind } from "../domain/booking.js";
import type { WalletAccount } from "../domain/account.js";
import type { AgentSettlement } from "../domain/agent-settlement.js";
import type { BankAccount } from "../domain/bank-account.js";
import type { BranchAssignment } from "../domain/branch-assignment.js";
import type { CashIn } from "../domain/cash-in-approval.js";
import type { CashLimit } from "../domain/cash-limit.js";
import type { CounterPayable } from "../domain/counter-payable.js";
import type { CreditCursor, CreditReader, StoredCredit } from "../domain/credit.js";
import type { ExchangeQuote } from "../domain/exchange.js";
import type { HeldArrival } from "../domain/held-arrival.js";
import type { Hold } from "../domain/hold.js";
import type { PayableItem } from "../domain/payable.js";
import type { Refund } from "../domain/refund.js";
import type { TillCount } from "../domain/till-count.js";
import type { TillLine } from "../domain/till-line.js";
import type { Vault, VaultLine } from "../domain/vault.js";
import type { WalletLimit } from "../domain/wallet-limit.js";
import { accountReads, accountStore } from "./accounts.js";
import { agentTransferStore, type StoredAgentTransfer } from "./agent-transfers.js";
import { agentBalanceStore } from "./agent-balances.js";
import { agentLineStore, type StoredAgentLine } from "./agent-lines.js";
import type { UnbookedPickup } from "../domain/agent-payout.js";
import { agentPickupStore } from "./agent-pickups.js";
import { agentSettlementStore } from "./agent-settlements.js";
import { agentStore, type StoredAgent, type StoredPlan } from "./agents.js";
import { bankAccountStore } from "./bank-accounts.js";
import { branchAssignmentStore } from "./branch-assignments.js";
import { bookingPage } from "./bookings.js";
import { cashInStore } from "./cash-ins.js";
import { cashOrderStore, type StoredCashOrder } from "./cash-orders.js";
import { cashLimitStore } from "./cash-limits.js";
import { collections, type Session } from "./collections.js";
import { counterPayableStore } from "./counter-payables.js";
import { creditReaderStore } from "./credit-readers.js";
import { creditStore } from "./credits.js";
import { customerBlockStore, type CustomerBlocks } from "./customer-blocks.js";
import { dayLimitStore, type SpendingRow } from "./wallet-daily-limit.js";
import { quoteStore } from "./exchange-quotes.js";
import { handOverStore, type StoredHandOver } from "./hand-overs.js";
import { heldStore } from "./held-arrivals.js";
import { holdStore } from "./holds.js";
import { movementStore, type StoredMovement } from "./movements.js";
import { payableStore } from "./payables.js";
import { paymentReads, paymentStore, type StoredPayment } from "./payments.js";
import { refundStore } from "./refunds.js";
import { takenOr } from "./taken.js";
import { tillStore, type StoredTill } from "./tills.js";
import { topUpStore, type StoredTopUp } from "./top-ups.js";
import { vaultStore } from "./vaults.js";
import { walletLimitStore } from "./wallet-limits.js";

export type WalletStore = ReturnType<typeof createWalletStore>;

export type TenantStore = ReturnType<WalletStore["forTenant"]>;

/** The only place that knows how the wallet's database looks. */
export function createWalletStore(db: Connection) {
  const shared = createSharedTransactions(db);
  const accounts = recordCollection<WalletAccount, "accountId">(db, collections.accounts, "accountId");
  const payments = recordCollection<StoredPayment, "paymentId">(db, collections.payments, "paymentId");
  const movements = recordCollection<StoredMovement, "movementId">(db, collections.movements, "movementId");
  const bankAccounts = recordCollection<BankAccount, "bankAccountId">(db, collections.bankAccounts, "bankAccountId");
  const payables = recordCollection<PayableItem, "payableId">(db, collections.payables, "payableId");
  const limits = recordCollection<WalletLimit>(db, collections.limits);
  const spending = recordCollection<SpendingRow>(db, collections.spending);
  const tills = recordCollection<StoredTill, "tillId">(db, collections.tills, "tillId");
  const handOvers = recordCollection<StoredHandOver, "handOverId">(db, collections.handOvers, "handOverId");
  const counterPayables = recordCollection<CounterPayable, "payableId">(db, collections.counterPayables, "payableId");
  const tillLines = recordCollection<TillLine>(db, collections.tillLines);
  const tillCounts = recordCollection<TillCount, "countId">(db, collections.tillCounts, "countId");
  const assignments = recordCollection<BranchAssignment>(db, collections.branchAssignments);
  const cashOrders = recordCollection<StoredCashOrder, "orderId">(db, collections.cashOrders, "orderId");
  const vaults = recordCollection<Vault>(db, collections.vaults);
  const vaultLines = recordCollection<VaultLine>(db, collections.vaultLines);
  const holds = recordCollection<Hold, "holdId">(db, collections.holds, "holdId");
  const quotes = recordCollection<ExchangeQuote, "quoteId">(db, collections.quotes, "quoteId");
  const credits = recordCollection<StoredCredit>(db, collections.credits);
  const readers = recordCollection<CreditReader>(db, collections.creditReaders);
  const cursors = recordCollection<CreditCursor>(db, collections.creditCursors);
  const topUps = recordCollection<StoredTopUp, "topUpId">(db, collections.topUps, "topUpId");
  const refunds = recordCollection<Refund, "refundId">(db, collections.refunds, "refundId");

  const cashLimits = recordCollection<CashLimit>(db, collections.cashLimits);
  const cashIns = recordCollection<CashIn, "cashInId">(db, collections.cashIns, "cashInId");
  const held = recordCollection<HeldArrival>(db, collections.held);

  const customerBlocks = recordCollection<CustomerBlocks>(db, collections.customerBlocks);

  const plans = recordCollection<StoredPlan>(db, collections.commissionPlans);
  const agents = recordCollection<StoredAgent, "agentId">(db, collections.agents, "agentId");
  const agentLines = recordCollection<StoredAgentLine>(db, collections.agentLines);
  const agentPickups = recordCollection<UnbookedPickup, "movementId">(db, collections.agentPickups, "movementId");
  const agentTransfers = recordCollection<StoredAgentTransfer, "transferId">(
    db,
    collections.agentTransfers,
    "transferId",
  );
  const agentBalances = recordCollection<AgentBalance>(db, collections.agentBalances);
  const agentSettlements = recordCollection<AgentSettlement, "settlementId">(
    db,
    collections.agentSettlements,
    "settlementId",
  );

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

    /** Takes a bank's reader that is due. */
    takeDueReader: createTakeDue<CreditReader>(db, collections.creditReaders, {
      key: [],
      reason: "reading of what arrived at tenants' banks",
    }),

    forTenant: perTenant((tenantId: string) => ({
      ...accountStore(accounts.forTenant(tenantId)),
      ...paymentStore(payments.forTenant(tenantId)),
      ...bankAccountStore(bankAccounts.forTenant(tenantId)),
      ...payableStore(payables.forTenant(tenantId)),
      ...walletLimitStore(limits.forTenant(tenantId)),
      ...dayLimitStore(spending.forTenant(tenantId)),
      ...tillStore({
        tills: tills.forTenant(tenantId),
        lines: tillLines.forTenant(tenantId),
        counts: tillCounts.forTenant(tenantId),
      }),
      ...handOverStore(handOvers.forTenant(tenantId)),
      ...branchAssignmentStore(assignments.forTenant(tenantId)),
      ...cashOrderStore(cashOrders.forTenant(tenantId)),
      ...vaultStore({ vaults: vaults.forTenant(tenantId), lines: vaultLines.forTenant(tenantId) }),
      ...counterPayableStore(counterPayables.forTenant(tenantId)),
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
      ...agentStore({ plans: plans.forTenant(tenantId), agents: agents.forTenant(tenantId) }),
      ...agentLineStore({ lines: agentLines.forTenant(tenantId), balances: agentBalances.forTenant(tenantId) }),
      ...agentPickupStore(agentPickups.forTenant(tenantId)),
      ...agentBalanceStore(agentBalances.forTenant(tenantId)),
      ...agentTransferStore(agentTransfers.forTenant(tenantId)),
      ...agentSettlementStore(agentSettlements.forTenant(tenantId)),
      ...movementStore(movements.forTenant(tenantId)),

      findAccounts: (accountIds: readonly string[]) => readAccounts.findAccounts(tenantId, accountIds),
      accountsOf: (customerId: string) => readAccounts.accountsOf(tenantId, customerId),
      findPaymentByReference: (customerId: string, paymentGatewayRef: string) =>
        readPayment(tenantId, customerId, paymentGatewayRef),

      /** A page of documents of a kind, by id, for comparing them with the ledger. */
      bookingPage: (kind: BookingKind, after: string, limit: number) =>
        bookingPage({ payments, movements, topUps, credits, held, payables, agentSettlements }, tenantId, {
          kind,
          after,
          limit,
        }),
    })),
  };
}
