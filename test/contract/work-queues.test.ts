import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { migrations as complianceMigrations } from "../../services/compliance/store/migrations.js";
import { createWorkQueueStore as complianceStore } from "../../services/compliance/store/work-queues.js";
import { migrations as eventsMigrations } from "../../services/events/store/migrations.js";
import { createWorkQueueStore as eventsStore } from "../../services/events/store/work-queues.js";
import { migrations as identityMigrations } from "../../services/identity/store/migrations.js";
import { createWorkQueueStore as identityStore } from "../../services/identity/store/work-queues.js";
import { migrations as lendingMigrations } from "../../services/lending/store/migrations.js";
import { createWorkQueueStore as lendingStore } from "../../services/lending/store/work-queues.js";
import { migrations as remittanceMigrations } from "../../services/remittance/store/migrations.js";
import { createWorkQueueStore as remittanceStore } from "../../services/remittance/store/work-queues.js";
import {
  workQueues,
  type QueueingService,
  type QueueName,
} from "../../services/platform/work-queues/work-queue-names.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { runMigrations, type Migration } from "../../services/kernel/mongo/migrations.js";
import { createOutbox } from "../../services/kernel/outbox/index.js";
import type { WorkQueue } from "../../services/platform/work-queues/work-queues.js";
import { migrations as walletMigrations } from "../../services/wallet/store/migrations.js";
import { createWorkQueueStore as walletStore } from "../../services/wallet/store/work-queues.js";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../support/index.js";
import { plansOf } from "../support/read-plans.js";

const [old, young, now] = [new Date("2026-01-01"), new Date("2026-02-01"), new Date("2026-03-01")];
const me = "manager-1";
type Row = { _id?: string } & Record<string, unknown>;

interface Service {
  migrations: readonly Migration[];
  count(db: Connection, tenantId: string): Promise<WorkQueue>[];
  /** Of each collection: rows that wait, and rows that do not or not for this manager. */
  rows: Record<string, readonly Row[]>;
  expected: Partial<Record<QueueName, { count: number; oldestAt?: Date }>>;
}

const aCase = (number: number, more: Row) => ({ number, caseId: `c${number}`, isOpen: true, openedAt: young, ...more });
const approval = (more: Row) => ({ status: "PENDING", kind: "REFUND", askedBy: "cashier", askedAt: young, ...more });
const transaction = (more: Row) => ({
  createdAt: young,
  transactionCode: randomUUID(),
  deliveryMethod: "ACCOUNTPAYMENT",
  ...more,
});

const services: Record<Exclude<QueueingService, "investment" | "ledger">, Service> = {
  identity: {
    migrations: identityMigrations,
    count: (db, tenantId) => identityStore(db).forTenant(tenantId).countWork({ userId: me }),
    rows: {
      approvals: [
        approval({ _id: "1", askedAt: old }),
        approval({ _id: "2", askedBy: me }),
        approval({ _id: "3", kind: "WRITE_OFF" }),
        approval({ _id: "4", concernedUserId: me }),
        approval({ _id: "5", status: "APPROVED" }),
      ],
    },
    expected: {
      APPROVALS_PENDING: { count: 3, oldestAt: old },
      APPROVALS_TO_DECIDE: { count: 2, oldestAt: old },
      REFUNDS_TO_DECIDE: { count: 1, oldestAt: old },
    },
  },
  compliance: {
    migrations: complianceMigrations,
    count: (db, tenantId) => complianceStore(db).forTenant(tenantId).countWork({ userId: me, now }),
    rows: {
      cases: [
        aCase(1, { subjectId: "1", dueAt: young, openedAt: old }),
        aCase(2, { subjectId: "2", dueAt: old, assignee: me }),
        aCase(3, { subjectId: "3", dueAt: new Date("2027-01-01"), snoozedUntil: new Date("2027-01-01") }),
        aCase(4, { subjectId: me, subjectKind: "STAFF", dueAt: old }),
        { number: 5, caseId: "c5", subjectId: "1", dueAt: old },
      ],
      decisions: [
        { transactionId: "1", isOpen: true, decidedAt: young, earlier: [{ decidedAt: old }] },
        { transactionId: "2", isOpen: true, decidedAt: young, earlier: [] },
        { transactionId: "3", decidedAt: old, earlier: [] },
        { transactionId: "0", isOpen: true, isBlocked: true, decidedAt: old, earlier: [] },
      ],
      screenings: [
        { screeningId: "1", hasOpenHits: true, screenedAt: old, subject: { kind: "CUSTOMER", id: "1" } },
        { screeningId: "2", hasOpenHits: true, screenedAt: old, subject: { kind: "STAFF", id: me } },
        { screeningId: "3", hasOpenHits: false, screenedAt: old, subject: { kind: "CUSTOMER", id: "1" } },
      ],
      "documents.files": [
        { _id: "1", uploadDate: old, metadata: { state: "SUBMITTED" } },
        { _id: "2", uploadDate: old, metadata: { state: "ACCEPTED" } },
      ],
      screening_lists: [
        { listId: "1", source: "OFAC", version: 1, isActive: true, lastSeenAt: young },
        { listId: "2", source: "EU", version: 1, isActive: true, lastSeenAt: old },
        { listId: "3", source: "EU", version: 2, lastSeenAt: young },
      ],
    },
    expected: {
      CASES_OPEN: { count: 2, oldestAt: old },
      CASES_OVERDUE: { count: 2, oldestAt: old },
      CASES_UNASSIGNED: { count: 1, oldestAt: old },
      CASES_MINE: { count: 1, oldestAt: young },
      REVIEWS_WAITING: { count: 2, oldestAt: old },
      SCREENING_HITS_IN_REVIEW: { count: 1, oldestAt: old },
      DOCUMENTS_TO_REVIEW: { count: 1, oldestAt: old },
      SCREENING_LISTS_IN_USE: { count: 2, oldestAt: old },
    },
  },
  remittance: {
    migrations: remittanceMigrations,
    count: (db, tenantId) => remittanceStore(db).forTenant(tenantId).countWork(),
    rows: {
      transactions: [
        transaction({ transactionId: "1", status: "AWAITING_COMPLIANCE", createdAt: old }),
        transaction({ transactionId: "2", status: "AWAITING_COMPLIANCE" }),
        transaction({ transactionId: "3", status: "PROCESSING" }),
        transaction({ transactionId: "4", status: "FAILED" }),
        transaction({ transactionId: "5", status: "PAID", payout: { heldAt: old } }),
        transaction({ transactionId: "6", status: "REFUNDED", payout: { heldAt: old } }),
        transaction({ transactionId: "7", status: "COMPLETED" }),
        transaction({ transactionId: "8", status: "COMPLETED", payout: { unclear: { said: "refused", since: old } } }),
        transaction({
          transactionId: "9",
          status: "COMPLETED",
          payout: { unclear: { said: "refused", since: young } },
        }),
        transaction({ transactionId: "10", status: "PAID", payout: { noCarrierSince: young } }),
        transaction({ transactionId: "11", status: "REFUNDED", payout: { noCarrierSince: old } }),
      ],
    },
    expected: {
      TRANSACTIONS_AWAITING_COMPLIANCE: { count: 2, oldestAt: old },
      PAYOUTS_PROCESSING: { count: 1, oldestAt: young },
      PAYOUTS_HELD: { count: 1, oldestAt: old },
      PAYOUTS_UNCLEAR: { count: 2, oldestAt: old },
      PAYOUTS_WITHOUT_CARRIER: { count: 1, oldestAt: young },
      PAYOUTS_FAILED: { count: 1, oldestAt: young },
    },
  },
  wallet: {
    migrations: walletMigrations,
    count: (db, tenantId) => walletStore(db).forTenant(tenantId).countWork(),
    rows: {
      bank_credits: [
        { creditId: "1", status: "UNMATCHED", receivedAt: young },
        { creditId: "2", status: "UNMATCHED", receivedAt: old },
        { creditId: "3", status: "BOOKED", receivedAt: old },
      ],
      held_arrivals: [
        { heldId: "1", status: "HELD", heldAt: old },
        { heldId: "2", status: "RELEASED", heldAt: old },
      ],
    },
    expected: { CREDITS_UNMATCHED: { count: 2, oldestAt: old }, ARRIVALS_HELD: { count: 1, oldestAt: old } },
  },
  lending: {
    migrations: lendingMigrations,
    count: (db, tenantId) => lendingStore(db).forTenant(tenantId).countWork(),
    rows: {
      loan_applications: [
        { _id: "1", status: "SUBMITTED", createdAt: old },
        { _id: "2", status: "APPROVED", createdAt: old },
      ],
      repayments: [
        { _id: "1", status: "PENDING_VERIFICATION", createdAt: old, accountId: "a" },
        { _id: "2", status: "PENDING_VERIFICATION", createdAt: young, accountId: "b" },
        { _id: "3", status: "VERIFIED", createdAt: old, accountId: "a" },
      ],
      bank_credits: [
        { _id: "1", state: "SUSPENSE", receivedAt: old },
        { _id: "2", state: "MATCHED", receivedAt: old },
      ],
    },
    expected: {
      REPAYMENTS_TO_VERIFY: { count: 2, oldestAt: old },
      LOAN_APPLICATIONS_TO_DECIDE: { count: 1, oldestAt: old },
      LOAN_CREDITS_IN_SUSPENSE: { count: 1, oldestAt: old },
    },
  },
  events: {
    migrations: eventsMigrations,
    count: (db, tenantId) => eventsStore(db).forTenant(tenantId).countWork(),
    rows: {
      webhook_endpoints: [
        { endpointId: "1", status: "DISABLED", changedAt: old },
        { endpointId: "2", status: "ACTIVE", changedAt: old },
      ],
      webhook_lanes: [
        { endpointId: "1", isActive: false, failingSince: old },
        { endpointId: "2", isActive: true, failingSince: old },
        { endpointId: "3", isActive: true },
      ],
    },
    expected: {
      WEBHOOK_ENDPOINTS_DISABLED: { count: 1, oldestAt: old },
      WEBHOOK_ENDPOINTS_FAILING: { count: 1, oldestAt: old },
    },
  },
};

describe.each(Object.entries(services))("work that waits in %s", (name, { migrations, count, rows, expected }) => {
  let database: TestDatabase;
  const tenants = [testTenant(), testTenant()] as const;
  const raw = () => database.db.db!;
  const outbox = () => createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: name });

  async function put(collection: string, tenantId: string, row: Row): Promise<void> {
    const id = row._id === undefined ? {} : { _id: `${tenantId}/${row._id}` };
    await raw()
      .collection(collection)
      .insertOne({ ...row, tenantId, ...id } as never);
  }

  beforeAll(async () => {
    database = await testDatabase(`work_${name}`);
    await runMigrations(database.db, migrations, silentLog);
    for (const tenantId of tenants) {
      for (const [collection, some] of Object.entries(rows))
        for (const row of some) await put(collection, tenantId, row);
      await put("outbox", tenantId, { _id: "1", state: "PARKED", aggregate: "a", seq: 1, createdAt: old });
      await put("outbox", tenantId, { _id: "2", state: "DUE", aggregate: "a", seq: 2, createdAt: old });
    }
  });
  afterAll(() => database.close());

  test("is counted by queue, with the age of the oldest, of one tenant, without what concerns the manager", async () => {
    const counted = await Promise.all(count(database.db, tenants[0]));
    const shown = Object.fromEntries(counted.map(({ queue, isAtLeast: _more, ...rest }) => [queue, rest]));
    expect(shown).toEqual(expected);
    expect(await outbox().countParked(tenants[0], 1_001)).toEqual({ count: 1, oldestAt: old });
    const named = [...Object.keys(shown), `${name.toUpperCase()}_ROWS_PARKED`];
    expect(named.toSorted()).toEqual([...workQueues[name as QueueingService]].toSorted());
    const nobody = await Promise.all(count(database.db, testTenant()));
    expect(nobody.filter(({ count: found }) => found !== 0)).toEqual([]);
  });

  test("parked rows of other tenants are not read past", async () => {
    const many = Array.from({ length: 200 }, (_, at) => ({ state: "PARKED", aggregate: "b", seq: at, createdAt: old }));
    for (const [at, row] of many.entries()) await put("outbox", tenants[1], { _id: `0-${at}`, ...row });
    const plans = await plansOf(database, () => outbox().countParked(tenants[0], 1_001));
    expect(plans).toEqual([expect.objectContaining({ collection: "outbox", isSorted: false, examined: 2 })]);
  });

  test("is read along indexes, without a sort in memory that grows", async () => {
    const work = () => Promise.all([...count(database.db, tenants[0]), outbox().countParked(tenants[0], 1_001)]);
    const plans = await plansOf(database, work);
    expect(plans.length).toBeGreaterThan(Object.keys(expected).length);
    for (const { collection, plan, isSorted } of plans) {
      const of = [collection, plan];
      expect([...of, /COLLSCAN/.test(plan)]).toEqual([...of, false]);
      // A tenant has at most 50 endpoints.
      expect([...of, isSorted && !collection.startsWith("webhook")]).toEqual([...of, false]);
    }
  });
});
