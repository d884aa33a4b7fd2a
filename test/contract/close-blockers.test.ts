import type { Connection } from "mongoose";
import { migrations as complianceMigrations } from "../../services/compliance/store/migrations.js";
import { migrations as eventsMigrations } from "../../services/events/store/migrations.js";
import { countIdentityBlockers } from "../../services/identity/store/close-blockers.js";
import { migrations as identityMigrations } from "../../services/identity/store/migrations.js";
import { migrations as investmentMigrations } from "../../services/investment/store/migrations.js";
import { runMigrations, type Migration } from "../../services/kernel/mongo/migrations.js";
import { createOutbox } from "../../services/kernel/outbox/index.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { countLedgerBlockers } from "../../services/ledger/store/close-blockers.js";
import { migrations as ledgerMigrations } from "../../services/ledger/store/migrations.js";
import { parseDay } from "../../services/ledger/domain/days.js";
import { countLendingBlockers } from "../../services/lending/store/close-blockers.js";
import { migrations as lendingMigrations } from "../../services/lending/store/migrations.js";
import { closeBlockers, type BlockingService } from "../../services/platform/closing/close-blocker-kinds.js";
import { blockersOf, closingEnd, type CountBlockers } from "../../services/platform/closing/close-blockers.js";
import { migrations as remittanceMigrations } from "../../services/remittance/store/migrations.js";
import { countWalletBlockers } from "../../services/wallet/store/close-blockers.js";
import { migrations as walletMigrations } from "../../services/wallet/store/migrations.js";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../support/index.js";
import { plansOf } from "../support/read-plans.js";

const throughDate = "2026-11-30";
// Of a credit at midnight of UTC, thirty days before the end of November 30th.
const [justOld, justYoung] = [new Date("2026-10-31T23:59:59.999Z"), new Date("2026-11-01T00:00:00Z")];
const old = new Date("2026-01-01");
type Row = { _id: string } & Record<string, unknown>;

interface Service {
  migrations: readonly Migration[];
  count?: (db: Connection) => CountBlockers;
  /** Of each collection, in a tenant of Auckland. */
  rows?: Record<string, readonly Row[]>;
  expected?: Record<string, { count: number; oldestAt: Date }>;
}

const approval = (_id: string, more: object = {}) => ({
  _id,
  status: "PENDING",
  kind: "REFUND",
  askedAt: new Date("2026-11-30T10:59:59.999Z"),
  ...more,
});
const settlement = (_id: string, status: string, more: object = {}) => ({
  _id,
  status,
  valueDay: parseDay(throughDate)!,
  // Noon in Auckland.
  valueAt: new Date("2026-11-29T23:00:00Z"),
  askedAt: new Date(`2026-12-01T00:00:0${_id}Z`),
  ...more,
});
const journal = (_id: string, status: string, more: object = {}) => ({
  _id,
  status,
  valueDate: throughDate,
  approvalId: `approval-${_id}`,
  askedAt: new Date(`2026-12-02T00:00:0${_id}Z`),
  ...more,
});

const services: Record<BlockingService, Service> = {
  identity: {
    migrations: identityMigrations,
    count: countIdentityBlockers,
    rows: {
      approvals: [
        approval("1"),
        approval("2", { kind: "JOURNAL" }),
        // Asked for on December 1st, as Auckland has it.
        approval("3", { askedAt: new Date("2026-11-30T11:00:00Z") }),
        approval("4", { status: "APPROVED" }),
        approval("5", { kind: "PARTNER_CHANGE" }),
      ],
    },
    expected: { APPROVALS_OPEN: { count: 2, oldestAt: new Date("2026-11-30T10:59:59.999Z") } },
  },
  compliance: { migrations: complianceMigrations },
  remittance: { migrations: remittanceMigrations },
  wallet: {
    migrations: walletMigrations,
    count: countWalletBlockers,
    rows: {
      bank_credits: [
        { _id: "1", creditId: "1", status: "UNMATCHED", receivedAt: justYoung },
        { _id: "2", creditId: "2", status: "UNMATCHED", receivedAt: justOld },
        { _id: "3", creditId: "3", status: "UNMATCHED", receivedAt: old },
        { _id: "4", creditId: "4", status: "ASSIGNED", receivedAt: old },
      ],
    },
    expected: { SUSPENSE_OLD: { count: 2, oldestAt: old } },
  },
  lending: {
    migrations: lendingMigrations,
    count: countLendingBlockers,
    rows: {
      bank_credits: [
        { _id: "1", state: "SUSPENSE", receivedAt: justYoung },
        { _id: "2", state: "SUSPENSE", receivedAt: justOld },
        { _id: "3", state: "MATCHED", receivedAt: old },
      ],
    },
    expected: { SUSPENSE_OLD: { count: 1, oldestAt: justOld } },
  },
  investment: { migrations: investmentMigrations },
  events: { migrations: eventsMigrations },
  ledger: {
    migrations: ledgerMigrations,
    count: countLedgerBlockers,
    rows: {
      settlements: [
        settlement("1", "PROPOSING"),
        settlement("2", "PROPOSED"),
        settlement("3", "APPROVED"),
        settlement("4", "POSTED"),
        settlement("5", "REFUSED"),
        settlement("6", "REVERSED"),
        // Of the day after: noon of it is November 30th by UTC.
        settlement("7", "PROPOSED", {
          valueDay: parseDay("2026-12-01")!,
          valueAt: new Date("2026-11-30T23:00:00Z"),
        }),
      ].map((row) => ({ accountId: "a", reference: row._id, ...row })),
      manual_journals: [
        journal("1", "PROPOSED"),
        journal("2", "APPROVED"),
        journal("3", "POSTED"),
        journal("4", "REFUSED"),
        journal("5", "PROPOSED", { valueDate: "2026-12-01" }),
        journal("6", "PROPOSED", { approvalId: undefined }),
      ],
    },
    expected: {
      SETTLEMENTS_OPEN: { count: 3, oldestAt: new Date("2026-12-01T00:00:01Z") },
      JOURNALS_OPEN: { count: 2, oldestAt: new Date("2026-12-02T00:00:01Z") },
    },
  },
};

/** What positions lack is counted where they are tried. */
const elsewhere: readonly string[] = ["REVALUATION_MISSING"];

describe.each(Object.entries(services))("what keeps books open in %s", (name, { migrations, ...service }) => {
  const { count = () => async () => [], rows = {}, expected = {} } = service;
  const tenants = [testTenant(), testTenant()] as const;
  let database: TestDatabase;
  const outbox = () => createOutbox({ db: database.db, clock: systemClock, log: silentLog, service: name });
  const blockers = (tenantId: string, through = throughDate) =>
    blockersOf(outbox(), count(database.db), { tenantId }, closingEnd(through));
  const put = (collection: string, tenantId: string, { _id, ...row }: Row) =>
    database.db.db!.collection(collection).insertOne({ _id: `${tenantId}/${_id}`, ...row, tenantId } as never);

  beforeAll(async () => {
    database = await testDatabase(`closing_${name}`);
    await runMigrations(database.db, migrations, silentLog);
    for (const tenantId of tenants) {
      if (name === "identity") {
        const tenant = { _id: tenantId, tenantId, hosts: [], preference: { timeZone: "Pacific/Auckland" } };
        await database.db.db!.collection("tenants").insertOne(tenant as never);
      }
      for (const [collection, some] of Object.entries(rows)) {
        for (const row of some) await put(collection, tenantId, row);
      }
      await put("outbox", tenantId, { _id: "1", state: "PARKED", aggregate: "a", seq: 1, createdAt: old });
      await put("outbox", tenantId, { _id: "2", state: "DUE", aggregate: "a", seq: 2, createdAt: old });
    }
  });
  afterAll(() => database.close());

  test("is counted by kind with its oldest, of one tenant, up to the end of its day", async () => {
    const found = (await blockers(tenants[0])).filter(({ kind }) => !elsewhere.includes(kind));
    const shown = Object.fromEntries(found.map(({ kind, isAtLeast: _more, ...rest }) => [kind, rest]));
    expect(shown).toEqual({ ...expected, ROWS_PARKED: { count: 1, oldestAt: old } });
    const all = closeBlockers[name as BlockingService] as readonly string[];
    expect(Object.keys(shown).toSorted()).toEqual(all.filter((kind) => !elsewhere.includes(kind)).toSorted());
    expect((await blockers(testTenant())).filter(({ kind }) => !elsewhere.includes(kind))).toEqual([]);
  });

  test("is found along indexes", async () => {
    const plans = await plansOf(database, () => blockers(tenants[0]));
    expect(plans.length).toBeGreaterThan(Object.keys(expected).length);
    const scanned = plans.filter(({ plan }) => /COLLSCAN/.test(plan)).map(({ collection }) => collection);
    expect(scanned).toEqual([]);
  });
});

test("a closing goes through a day of the calendar", () => {
  for (const none of ["2026-02-29", "2026-13-01", "2026-11", "", "today"]) {
    expect(() => closingEnd(none)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  }
});
