import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { bodyOf, type RecordedEvent } from "../../../services/events/domain/event.js";
import { searchWordsOf } from "../../../services/remittance/domain/transaction-list.js";
import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import { createTransactionStore } from "../../../services/remittance/store/transactions.js";
import { insertAll, progress, templateOf, type Databases } from "./databases.js";
import type { Customer } from "./people.js";
import type { Tenant } from "./world.js";

const days = 92;
const dayMs = 86_400_000;

/** One that a share of all is: in ten thousand. */
function ofTenThousand<T>(index: number, shares: readonly (readonly [T, number])[]): T {
  let left = (index * 7_919) % 10_000;
  for (const [value, share] of shares) {
    if (left < share) return value;
    left -= share;
  }
  return shares[0]![0];
}

const statuses = [
  ["COMPLETED", 9_000],
  ["CANCELLED", 400],
  ["REFUNDED", 300],
  ["EXPIRED", 250],
  ["REJECTED", 50],
] as const;
const ways = [
  ["ACCOUNTPAYMENT", 9_000],
  ["MOBILE_MONEY", 900],
  ["CASH_PICKUP", 99],
  ["WALLET", 1],
] as const;
const countries = [
  ["NGA", 9_000],
  ["KEN", 900],
  ["GBR", 99],
  ["DEU", 1],
] as const;

interface Made {
  transactionId: string;
  sender: Transaction["sender"];
  at: Date;
  interactionId: string;
}

/**
 * Transactions of 92 days, copies of the one that was walked through: each with its sender's
 * and its own ids, words and moments, with its decision of compliance and the event of its
 * end. One of a hundred is Amina's.
 */
export async function addTransactions(
  databases: Databases,
  tenant: Tenant,
  customers: readonly Customer[],
  like: string,
): Promise<void> {
  const { remittance, compliance, parties } = databases;
  const tenantId = tenant.id;
  const {
    _id: _transaction,
    tenantId: _tenant,
    ...stored
  } = await templateOf<Transaction & { _id: unknown; tenantId: string }>(remittance, "transactions", {
    tenantId,
    transactionId: like,
  });
  const plain = await createTransactionStore(remittance, parties).open(tenantId, stored);
  const stepMs = Math.floor((days * dayMs) / tenant.transactions);
  const startMs = Date.now() - days * dayMs;
  const made: Made[] = [];
  await insertAll(remittance, "transactions", tenant.transactions, async (index) => {
    const at = new Date(startMs + index * stepMs);
    const transaction = copyOf(plain, index, at, customers);
    const { transactionId, sender, interactionId } = transaction;
    made.push({ transactionId, sender, at, interactionId });
    const creditParty = await parties.seal(plain.creditParty, `${tenantId} transaction ${transactionId}`);
    return { ...transaction, creditParty, tenantId, uncountedSince: new Date() };
  });
  await addDecisions(compliance, tenantId, like, made);
  await addEvents(databases, tenantId, made);
}

function copyOf(plain: Transaction, index: number, at: Date, customers: readonly Customer[]): Transaction {
  const transactionId = uuidv7({ msecs: at.getTime() });
  const status = ofTenThousand(index, statuses);
  const of = customers[(index * 7) % customers.length]!;
  const to = customers[(index * 13 + 1) % customers.length]!;
  const sender =
    index % 100 === 0
      ? plain.sender
      : { ...plain.sender, customerId: of.customerId, customerCode: of.code, name: of.name };
  const recipient = { ...plain.recipient, customerCode: `B-${of.code}`, name: to.name };
  const moved = at.getTime() - plain.createdAt.getTime();
  const later = (date: Date) => new Date(date.getTime() + moved);
  const { payout, paidAt, paymentId, agentId, ...rest } = plain;
  const wasPaid = status === "COMPLETED" || status === "REFUNDED";
  const codes = { transactionId, transactionCode: `MN${String(index).padStart(10, "0")}`, sender, recipient };
  const receivingCountry = ofTenThousand(index + 1, countries);
  return {
    ...rest,
    ...codes,
    status,
    searchWords: searchWordsOf(codes),
    deliveryMethod: ofTenThousand(index + 2, ways),
    transferInformation: { ...plain.transferInformation, receivingCountry },
    ...(index % 5 === 0 && agentId !== undefined && { agentId }),
    interactionId: randomUUID(),
    createdAt: at,
    createdBy: index % 100 === 0 ? plain.createdBy : of.userId,
    ...(plain.expiresAt !== undefined && { expiresAt: later(plain.expiresAt) }),
    ...(wasPaid && paidAt !== undefined && { paidAt: later(paidAt), paymentId: paymentId! }),
    ...(wasPaid && {
      payout: { ...payout!, sentAt: later(payout!.sentAt!), settledAt: later(payout!.settledAt!) },
    }),
    timeline: [
      ...plain.timeline.slice(0, -1).map((entry) => ({ ...entry, at: later(entry.at) })),
      { ...plain.timeline.at(-1)!, status, at: later(plain.timeline.at(-1)!.at) },
    ],
    // Unique, as a key of a request is.
    request: { ...plain.request, key: transactionId },
  };
}

async function addDecisions(
  compliance: Databases["compliance"],
  tenantId: string,
  like: string,
  made: readonly Made[],
): Promise<void> {
  type Decision = { _id: unknown; inputs: { facts: object; day: string } };
  const { _id: _decision, ...plain } = await templateOf<Decision>(compliance, "decisions", {
    tenantId,
    transactionId: like,
  });
  await insertAll(compliance, "decisions", made.length, (index) => {
    const { transactionId, sender, at, interactionId } = made[index]!;
    const facts = { ...plain.inputs.facts, transactionId, customerId: sender.customerId };
    const inputs = { ...plain.inputs, facts, day: at.toISOString().slice(0, 10) };
    return { ...plain, transactionId, interactionId, inputs, decidedAt: at };
  });
}

// As many as events itself keeps in one transaction.
const eventsAtOnce = 200;
const writers = 2;

async function addEvents({ told }: Databases, tenantId: string, made: readonly Made[]): Promise<void> {
  const own = told.events.forTenant(tenantId);
  let next = 0;
  const write = async () => {
    for (
      let from = (next += eventsAtOnce) - eventsAtOnce;
      from < made.length;
      from = (next += eventsAtOnce) - eventsAtOnce
    ) {
      const some = made.slice(from, from + eventsAtOnce);
      await told.transaction(
        async (session) => {
          const last = await own.takePlaces(some.length, session);
          await own.insert(
            some.map((one, at) => eventOf(one, last - some.length + at + 1)),
            session,
          );
          return true;
        },
        async () => undefined,
      );
      progress("events", Math.min(made.length, from + eventsAtOnce), made.length);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

function eventOf({ transactionId, sender, at, interactionId }: Made, place: number): RecordedEvent {
  const event = {
    eventId: uuidv7({ msecs: at.getTime() }),
    type: "transaction.completed" as const,
    occurredAt: at,
    subjectId: transactionId,
    interactionId,
    customerId: sender.customerId,
    isConfidential: false,
  };
  const body = bodyOf({ ...event, dataJson: JSON.stringify({ transactionId }) }, 1, 1);
  return { ...event, subjectType: "transaction", sequence: 1, place, recordedAt: new Date(), body };
}
