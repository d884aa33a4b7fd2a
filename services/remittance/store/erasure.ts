import type { ClientSession, Connection } from "mongoose";
import {
  erasedText,
  storedResponses,
  type ErasedPerson,
  type PersonalRecords,
  type RetainedRecords,
} from "../../platform/erasure/erasure.js";
import { waitingEvents } from "../../platform/events/erasure.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Filter } from "../../kernel/mongo/tenant-collection.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import { overStatuses, type Transaction } from "../domain/transaction.js";
import { collections } from "./collections.js";
import type { StoredPayeeCheck } from "./payee-checks.js";
import { exportsOfPerson } from "./report-exports.js";

/** What remittance keeps of people, and how long. */
export function personalRecords(db: Connection, idempotency: Idempotency) {
  return {
    atOnce: [
      savedRecipients(db),
      payeeChecks(db),
      exportsOfPerson(db),
      unpaidTransactions(db),
      storedResponses(idempotency),
      waitingEvents(db),
    ],
    afterRetention: [paidTransactions(db)],
  };
}

/**
 * Saved recipients: each transaction keeps its own copy of whom it went to. Their codes stay taken.
 */
function savedRecipients(db: Connection): PersonalRecords {
  const all = recordCollection<Beneficiary>(db, collections.beneficiaries);
  return {
    kind: "beneficiaries",
    async erase({ tenantId, customerId }, limit, session) {
      const own = all.forTenant(tenantId);
      const found = await own.find({ customerId, firstName: { $ne: erasedText } }, { limit, session });
      const now = new Date();
      const gone = { firstName: erasedText, lastName: "", creditParty: [], relationship: "" };
      for (const { beneficiaryId, removedAt = now } of found) {
        const change = {
          $set: { ...gone, removedAt },
          $unset: { sealedDetails: true, payeeCheck: true, sealedAccountName: true },
        } as object;
        await own.updateOne({ beneficiaryId }, change, { session });
      }
      return found.length;
    },
  };
}

/** What partners said of those whom somebody wanted to pay. */
function payeeChecks(db: Connection): PersonalRecords {
  const all = recordCollection<StoredPayeeCheck>(db, collections.payeeChecks);
  return {
    kind: "payee-checks",
    async erase({ tenantId, customerId }, limit, session) {
      const own = all.forTenant(tenantId);
      const found = await own.find({ customerId }, { limit, session });
      const ids = found.map(({ payeeCheckId }) => payeeCheckId);
      if (ids.length > 0) await own.deleteMany({ payeeCheckId: { $in: ids } }, { session });
      return found.length;
    },
  };
}

/** Transactions that nobody paid for: no money moved. */
function unpaidTransactions(db: Connection): PersonalRecords {
  const erase = eraserOf(db);
  return {
    kind: "unpaid-transactions",
    erase: (person, limit, session) =>
      erase(person, { status: { $in: ["CANCELLED", "EXPIRED"] }, paidAt: { $exists: false } }, limit, session),
  };
}

/** Transactions with the names and account details of sender and recipient: records of payments. */
function paidTransactions(db: Connection): RetainedRecords {
  const erase = eraserOf(db);
  const all = recordCollection<Transaction>(db, collections.transactions);
  return {
    kind: "transactions",
    erase: (person, limit, session) => erase(person, { status: { $in: [...overStatuses] } }, limit, session),
    count: ({ tenantId, customerId }) => all.forTenant(tenantId).count(named(customerId)),
  };
}

const named = (customerId: string) =>
  ({ "sender.customerId": customerId, "sender.name": { $ne: erasedText } }) as Filter<Transaction>;

function eraserOf(db: Connection) {
  const all = recordCollection<Transaction>(db, collections.transactions);
  const change = {
    $set: {
      "sender.name": erasedText,
      "recipient.name": erasedText,
      creditParty: [],
      descriptionText: "",
      ipAddress: "",
      searchWords: [],
      "timeline.$[].reason": "",
    },
    $unset: {
      dynamicFields: true,
      eligibleDocuments: true,
      relationship: true,
      sealedParties: true,
      sealedRecipientDetails: true,
      sealedOrderParties: true,
      sealedAmendments: true,
      sealedPayer: true,
      sealedTraces: true,
      linkedBy: true,
      payeeCheck: true,
      sealedAccountName: true,
    },
    // Whoever decides on what they read before begins anew.
    $inc: { version: 1 },
  } as object;
  const refunds = { $set: { "refunds.$[].reason": "" } } as object;
  return async (
    { tenantId, customerId }: ErasedPerson,
    which: Filter<Transaction>,
    limit: number,
    session: ClientSession,
  ): Promise<number> => {
    const own = all.forTenant(tenantId);
    const projection = { transactionId: 1, refunds: 1 };
    const found = await own.find({ ...which, ...named(customerId) }, { limit, session, projection });
    const ids = found.map(({ transactionId }) => transactionId);
    if (ids.length > 0) await own.updateMany({ transactionId: { $in: ids } }, change, { session });
    const refunded = found.filter((one) => one.refunds !== undefined).map(({ transactionId }) => transactionId);
    if (refunded.length > 0) await own.updateMany({ transactionId: { $in: refunded } }, refunds, { session });
    return found.length;
  };
}
