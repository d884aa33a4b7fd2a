import type { Connection } from "mongoose";
import {
  erasedDocuments,
  erasedText,
  storedResponses,
  type PersonalRecords,
  type RetainedRecords,
} from "../../platform/erasure/erasure.js";
import { waitingEvents } from "../../platform/events/erasure.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import type { DocumentOf } from "../../kernel/mongo/record-collection.js";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import type { WalletAccount } from "../domain/account.js";
import type { BankAccount } from "../domain/bank-account.js";
import type { Movement, MovementKind } from "../domain/movement.js";
import type { PayableItem } from "../domain/payable.js";
import { collections, type Session } from "./collections.js";

type Owned = { tenantId: string };
type StoredBankAccount = DocumentOf<BankAccount, "bankAccountId"> & Owned;
type StoredPayable = DocumentOf<PayableItem, "payableId"> & Owned;

const assignCreditOperation = "wallet.v1.AssignCredit";
/** Money went, or is on its way, to the bank account. */
const sent = ["PAYING", "PAID", "SENDING", "SENT", "REFUSED", "RETURNED"] as const;
/** The bank has still to be asked, with number and name. */
const underWay = ["PAYING", "PAID", "SENDING"] as const;

/** What the wallet keeps of people, and how long. */
export function personalRecords(db: Connection, idempotency: Idempotency) {
  return {
    atOnce: [unusedBankAccounts(db), paymentRequests(db, "unpaid"), storedResponses(idempotency), waitingEvents(db)],
    afterRetention: [
      usedBankAccounts(db),
      paymentRequests(db, "all"),
      receivedTransfers(db),
      assignedTransfers(db, idempotency),
      counterPayables(db),
      paidCounterPayables(db, idempotency),
    ],
  };
}

/**
 * Erases bank accounts that no money was sent to, takes all from the customer's list and ends
 * unpaid withdrawals.
 */
function unusedBankAccounts(db: Connection): PersonalRecords {
  const { bankAccountsWith, usedBy, endOpenWithdrawals, eraseAccounts } = bankAccountsOf(db);
  return {
    kind: "unused-bank-accounts",
    async erase({ tenantId, customerId }, limit, session) {
      await endOpenWithdrawals(tenantId, customerId, session);
      await bankAccountsWith(tenantId).updateMany(
        { customerId, status: "VERIFIED" },
        { $set: { status: "REMOVED" } },
        { session },
      );
      return eraseAccounts(tenantId, customerId, await usedBy(tenantId, customerId, sent, session), limit, session);
    },
  };
}

/** Bank accounts that withdrawals went to: where money went is part of the record of it. */
function usedBankAccounts(db: Connection): RetainedRecords {
  const { bankAccountsWith, usedBy, eraseAccounts } = bankAccountsOf(db);
  return {
    kind: "bank-accounts",
    erase: async ({ tenantId, customerId }, limit, session) =>
      eraseAccounts(tenantId, customerId, await usedBy(tenantId, customerId, underWay, session), limit, session),
    count: ({ tenantId, customerId }) => bankAccountsWith(tenantId).count(withNumber(customerId)),
  };
}

/**
 * Requests for payment, with the customer's name as payee: those that nobody paid are cancelled and
 * erased at once.
 */
function paymentRequests(db: Connection, which: "unpaid" | "all"): RetainedRecords {
  const all = tenantCollection<StoredPayable>(db, collections.payables);
  const own = (customerId: string): Filter<StoredPayable> => ({
    payeeCustomerId: customerId,
    type: "PAYMENT_REQUEST",
    payeeName: { $ne: erasedText },
  });
  const gone = { payeeName: erasedText, description: "", reference: "" };
  return {
    kind: which === "unpaid" ? "unpaid-payment-requests" : "payment-requests",
    async erase({ tenantId, customerId }, limit, session) {
      const items = all.forTenant(tenantId);
      const unpaid = { status: { $in: ["OPEN", "CANCELLED"] } } as Filter<StoredPayable>;
      const settled = which === "unpaid" ? unpaid : ({ status: { $ne: "PAYING" } } as Filter<StoredPayable>);
      const found = await items.find({ ...own(customerId), ...settled } as Filter<StoredPayable>, { limit, session });
      for (const { _id, status } of found) {
        const change = { ...gone, ...(status === "OPEN" && { status: "CANCELLED" as const }) };
        await items.updateOne({ _id, status }, { $set: change }, { session });
      }
      return found.length;
    },
    count: ({ tenantId, customerId }) => all.forTenant(tenantId).count(own(customerId)),
  };
}

/** Bank transfers into the customer's wallets, with who sent them. */
function receivedTransfers(db: Connection): RetainedRecords {
  const accountsOf = accountsIn(db);
  return erasedDocuments(db, {
    kind: "received-bank-transfers",
    collection: collections.credits,
    which: async ({ tenantId, customerId }, session) => ({
      accountId: { $in: await accountsOf(tenantId, customerId, session) },
      senderName: { $ne: erasedText },
    }),
    settled: { status: { $in: ["BOOKED", "ASSIGNED"] } },
    change: { $set: { senderName: erasedText, senderAccountNumber: "", reference: "" } },
  });
}

type AssignedRow = Movement & { _id: string; tenantId: string; status: string };

/** The copies of such transfers that staff assigned to a wallet, and what staff was answered. */
function assignedTransfers(db: Connection, idempotency: Idempotency): RetainedRecords {
  const movements = tenantCollection<AssignedRow>(db, collections.movements);
  const assigned = (customerId: string) =>
    ({
      customerId,
      kind: "CREDIT_ASSIGNMENT",
      "credit.senderName": { $ne: erasedText },
    }) as unknown as Filter<AssignedRow>;
  const gone = { "credit.senderName": erasedText, "credit.senderAccountNumber": "", "credit.reference": "" };
  return {
    kind: "assigned-bank-transfers",
    async erase({ tenantId, customerId }, limit, session) {
      const ended = { ...assigned(customerId), status: { $ne: "PENDING" } } as Filter<AssignedRow>;
      const own = movements.forTenant(tenantId);
      const found = await own.find(ended, { limit, session });
      for (const { _id, caller, idempotencyKey: key } of found) {
        await own.updateOne({ _id }, { $set: gone } as object, { session });
        await idempotency.forgetAnswer({ tenantId, caller, operation: assignCreditOperation, key }, session);
      }
      return found.length;
    },
    count: ({ tenantId, customerId }) => movements.forTenant(tenantId).count(assigned(customerId)),
  };
}

/**
 * The document that was shown for what came back of a counter sale, and the code that was said.
 * What is owed is kept until it is paid.
 */
const counterPayables = (db: Connection): RetainedRecords =>
  erasedDocuments(db, {
    kind: "counter-payables",
    collection: collections.counterPayables,
    which: ({ customerId }) => ({
      customerId,
      $or: [{ document: { $exists: true } }, { code: { $exists: true } }, { status: { $ne: "PAID" } }],
    }),
    settled: { status: "PAID" },
    change: { $unset: { document: true, code: true } },
  });

const payableAnswers: Partial<Record<MovementKind, string>> = {
  COUNTER_PAYABLE: "wallet.v1.PayCounterPayable",
  AGENT_PAYABLE: "wallet.v1.PayCounterPayableAsAgent",
};

/** The same in the movements that paid them, and in what whoever paid was answered. */
function paidCounterPayables(db: Connection, idempotency: Idempotency): RetainedRecords {
  const movements = tenantCollection<AssignedRow>(db, collections.movements);
  const paid = (customerId: string) =>
    ({
      customerId,
      kind: { $in: Object.keys(payableAnswers) },
      "counterPayable.document": { $exists: true },
    }) as unknown as Filter<AssignedRow>;
  return {
    kind: "paid-counter-payables",
    async erase({ tenantId, customerId }, limit, session) {
      const own = movements.forTenant(tenantId);
      const ended = { ...paid(customerId), status: { $ne: "PENDING" } } as Filter<AssignedRow>;
      const found = await own.find(ended, { limit, session });
      for (const { _id, kind, caller, idempotencyKey: key } of found) {
        await own.updateOne({ _id }, { $unset: { "counterPayable.document": true } } as object, { session });
        await idempotency.forgetAnswer({ tenantId, caller, operation: payableAnswers[kind] ?? "", key }, session);
      }
      return found.length;
    },
    count: ({ tenantId, customerId }) => movements.forTenant(tenantId).count(paid(customerId)),
  };
}

function accountsIn(db: Connection) {
  const accounts = tenantCollection<WalletAccount & { _id: string; tenantId: string }>(db, collections.accounts);
  return async (tenantId: string, customerId: string, session?: Session): Promise<string[]> => {
    const own = await accounts.forTenant(tenantId).find({ customerId }, { session, projection: { _id: 1 } });
    return own.map(({ _id }) => _id);
  };
}

const withNumber = (customerId: string): Filter<StoredBankAccount> => ({
  customerId,
  accountNumber: { $ne: erasedText },
});

function bankAccountsOf(db: Connection) {
  const accounts = tenantCollection<StoredBankAccount>(db, collections.bankAccounts);
  const payables = tenantCollection<StoredPayable>(db, collections.payables);
  return {
    bankAccountsWith: (tenantId: string) => accounts.forTenant(tenantId),
    /** Ids of those that withdrawals in these states name. */
    async usedBy(tenantId: string, customerId: string, states: readonly string[], session: Session) {
      const filter = { payerCustomerId: customerId, type: "WITHDRAWAL", status: { $in: [...states] } };
      const projection = { bankAccountId: 1 };
      const found = await payables.forTenant(tenantId).find(filter as Filter<StoredPayable>, { session, projection });
      return [...new Set(found.flatMap(({ bankAccountId }) => bankAccountId ?? []))];
    },
    /** So that none of them is paid while its bank account goes. */
    async endOpenWithdrawals(tenantId: string, customerId: string, session: Session): Promise<void> {
      const open = { payerCustomerId: customerId, type: "WITHDRAWAL", status: "OPEN" } as Filter<StoredPayable>;
      await payables.forTenant(tenantId).updateMany(open, { $set: { status: "CANCELLED" } }, { session });
    },
    async eraseAccounts(tenantId: string, customerId: string, but: string[], limit: number, session: Session) {
      const filter = { ...withNumber(customerId), _id: { $nin: but } } as Filter<StoredBankAccount>;
      const found = await accounts.forTenant(tenantId).find(filter, { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      const gone = { accountNumber: erasedText, accountHolderName: erasedText, status: "REMOVED" as const };
      if (found.length > 0) await accounts.forTenant(tenantId).updateMany(those, { $set: gone }, { session });
      return found.length;
    },
  };
}
