import type { ClientSession, mongo } from "mongoose";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { chartRow } from "../domain/chart.js";
import { dayOf } from "../domain/days.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { migrations } from "./migrations.js";
import type { TenantStore } from "./index.js";
import { readSnapshot } from "./snapshot.js";
import { createSumsStore } from "./sums.js";
import { createVerificationStore } from "./verifications.js";

let database: TestDatabase;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let store: TenantStore;
let verifications: ReturnType<typeof createVerificationStore>;
let now = Date.parse("2026-11-01T12:00:00Z");
const dayMs = 86_400_000;

beforeAll(async () => {
  database = await testDatabase("ledger_read_plans");
  await runMigrations(database.db, migrations, silentLog);
  // Another tenant's documents stand beside what is read.
  await fill(await openLedger(database.db, { now: () => new Date(now) }));
  ledger = await openLedger(database.db, { now: () => new Date(now) });
  store = ledger.store;
  await fill(ledger);
  verifications = createVerificationStore(database.db);
  const stored = verifications.forTenant(ledger.tenantId);
  for (let n = 0; n < 3; n++) {
    await stored.begin("user-1", new Date());
    const leased = await verifications.take(60_000);
    const nothing = { pass: 1, checkedSeq: 0n, lastSeq: 0n, faults: [], endedAt: new Date() };
    await verifications.end(leased!, nothing);
  }
  await stored.begin("user-1", new Date());
});
afterAll(() => database.close());

/** Twenty days of postings over six accounts, and two hundred accounts that nobody uses. */
async function fill(into: typeof ledger): Promise<void> {
  now = Date.parse("2026-11-01T12:00:00Z");
  await into.accounts(["a", "b", "c", "d", "e"]);
  await into.store.ensureAccounts(
    Array.from({ length: 200 }, (_, n) => ({
      ...chartRow("customer_wallet")!,
      accountId: `idle${String(n).padStart(3, "0")}`,
      code: n % 20 === 0 ? "remittance_clearing" : "customer_wallet",
      currency: n >= 197 ? "JPY" : "USD",
      name: "",
      ownerId: `owner${n % 50}`,
      flags: [],
      metadata: n % 40 === 0 ? [["group", `g${n}`] as const, ["tier", "1"] as const] : [["tier", "1"] as const],
      createdAt: new Date(),
    })),
  );
  const { journal } = await into.open();
  for (let n = 0; n < 200; n++) {
    if (n % 10 === 0) now += dayMs;
    await fund(journal, "abcde"[n % 5]!, 10n);
  }
  await journal.post({ ...linked(move("a", "b", 1n, { key: "t" })), interactionId: "wanted" });
  await journal.post(linked(move("a", "b", 1n, { key: "p", mode: "PENDING" })));
  await journal.post(linked(move("a", "b", 1_000_000n, { key: "refused" })));
  const reversal = { key: "r", mode: "POSTED", debitAccountId: "", creditAccountId: "", refersTo: "t" } as const;
  await journal.post(linked({ ...reversal, kind: "reversal", description: "", metadata: [] }));
  await into.close();
}

interface Stage {
  stage: string;
  indexName?: string;
  inputStage?: Stage;
  queryPlan?: Stage;
}
interface Read {
  /** "collection.index", or the stage that used none. */
  by: string;
  examined: number;
  returned: number;
}

/**
 * Runs a read of the store, catches what it sends, and has MongoDB explain each command as it was
 * sent.
 */
async function readsOf(run: () => Promise<unknown>): Promise<Read[]> {
  const client = database.db.getClient();
  const sent: mongo.Document[] = [];
  const listen = ({ command }: mongo.CommandStartedEvent) => {
    if ("find" in command || "aggregate" in command) sent.push(command);
  };
  client.on("commandStarted", listen);
  await run();
  client.off("commandStarted", listen);
  return Promise.all(sent.map(explained));
}

async function explained(command: mongo.Document): Promise<Read> {
  const { find, filter, sort, limit, hint, projection } = command;
  const requested = { find, filter, ...(sort && { sort }), ...(limit && { limit }), ...(hint && { hint }) };
  const explain = { ...requested, ...(projection && { projection }) };
  const { queryPlanner, executionStats } = (await database.db.db!.command({
    explain,
    verbosity: "executionStats",
  })) as {
    queryPlanner: { winningPlan: Stage };
    executionStats: { totalDocsExamined: number | bigint; nReturned: number | bigint };
  };
  let stage: Stage | undefined = queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan;
  let by = stage.stage;
  for (; stage !== undefined; stage = stage.inputStage) {
    // A sort in memory reads all before it gives the first.
    if (stage.stage === "SORT") return { by: `${find}: SORT`, examined: -1, returned: -1 };
    by = stage.indexName ?? stage.stage;
  }
  return {
    by: `${find}.${by}`,
    examined: Number(executionStats.totalDocsExamined),
    returned: Number(executionStats.nReturned),
  };
}

async function daysAfter(day: number, session: ClientSession): Promise<number> {
  let count = 0;
  const batches = createSumsStore(database.db, ledger.tenantId).allDaysAfter(day, 5, session);
  for await (const batch of batches) count += batch.length;
  return count;
}

const filter = { code: "", currency: "", ownerId: "", metadata: [], exists: [] };
const lastDay = dayOf(Date.parse("2026-11-21T12:00:00Z"));

test.each<[string, () => Promise<unknown>, Read[]]>([
  ["accounts by id", () => store.findAccounts(["a", "b"]), [{ by: "accounts._id_", examined: 2, returned: 2 }]],
  ["accounts, a page", () => store.listAccounts(filter, "c", 10), [{ by: "accounts.id", examined: 10, returned: 10 }]],
  [
    "accounts by code",
    () => store.listAccounts({ ...filter, code: "remittance_clearing" }, "", 10),
    [{ by: "accounts.code_id", examined: 10, returned: 10 }],
  ],
  [
    "accounts by currency",
    () => store.listAccounts({ ...filter, currency: "JPY" }, "", 10),
    [{ by: "accounts.currency_id", examined: 3, returned: 3 }],
  ],
  [
    "accounts by code and currency",
    () => store.listAccounts({ ...filter, code: "customer_wallet", currency: "JPY" }, "", 10),
    [{ by: "accounts.code_currency_id", examined: 3, returned: 3 }],
  ],
  [
    "verifications, a page",
    () => verifications.forTenant(ledger.tenantId).list(undefined, 2),
    [{ by: "verifications.newest", examined: 2, returned: 2 }],
  ],
  [
    "a verification that runs",
    () => verifications.forTenant(ledger.tenantId).isRunning(),
    [{ by: "verifications.one_running", examined: 1, returned: 1 }],
  ],
  [
    "what all accounts moved on the last two days but the open one",
    () => readSnapshot(database.db, (session) => daysAfter(lastDay - 3, session)),
    [{ by: "days.day_account", examined: 12, returned: 12 }],
  ],
  [
    "accounts by owner",
    () => store.listAccounts({ ...filter, ownerId: "owner7" }, "", 10),
    [{ by: "accounts.owner", examined: 4, returned: 4 }],
  ],
  [
    "accounts by metadata",
    () => store.listAccounts({ ...filter, metadata: [["group", "g40"]] }, "", 10),
    [{ by: "accounts.metadata_value", examined: 1, returned: 1 }],
  ],
  [
    "accounts by metadata that exists",
    () => store.listAccounts({ ...filter, exists: ["group"] }, "", 10),
    [{ by: "accounts.metadata_name", examined: 5, returned: 5 }],
  ],
  ["a transfer by key", () => store.findDecision("t"), [{ by: "transfers._id_", examined: 1, returned: 1 }]],
  ["what became of keys", () => store.findDecisions(["t", "p"]), [{ by: "transfers._id_", examined: 2, returned: 2 }]],
  [
    "keys that were decided against, a page",
    () => store.refusalsAfter("", 10),
    [{ by: "transfers.refusal", examined: 1, returned: 1 }],
  ],
  [
    "accounts of a commit",
    () => ledger.journalStore.findAccounts(["a", "b", "nobody"]),
    [{ by: "accounts._id_", examined: 2, returned: 2 }],
  ],
  [
    "pending transfers of a commit",
    () => ledger.journalStore.findPendings(["p", "t"]),
    [{ by: "pendings._id_", examined: 1, returned: 1 }],
  ],
  [
    "keys of a commit",
    () => ledger.journalStore.findDecisions(["t", "new"]),
    [{ by: "transfers._id_", examined: 1, returned: 1 }],
  ],
  ["what a transfer became", () => store.findPending("p"), [{ by: "pendings._id_", examined: 1, returned: 1 }]],
  ["what reversed a transfer", () => store.findReversedBy("t"), [{ by: "reversals._id_", examined: 1, returned: 1 }]],
  [
    "history by interaction id",
    () => store.findByInteraction("wanted", 10),
    [{ by: "transfers.interaction", examined: 1, returned: 1 }],
  ],
  [
    "a page of a statement",
    () => store.findByAccount("c", { after: 50n, before: 150n, limit: 10 }),
    [{ by: "transfers.account", examined: 10, returned: 10 }],
  ],
  [
    "a page of a statement, newest first",
    () => store.findByAccount("c", { after: 0n, newestFirst: true, limit: 10 }),
    [{ by: "transfers.account", examined: 10, returned: 10 }],
  ],
  [
    "a page of the journal",
    () => store.journalAfter(100n, 20),
    [{ by: "transfers.sequence", examined: 20, returned: 20 }],
  ],
  ["the head", () => store.findHead(), [{ by: "heads._id_", examined: 1, returned: 1 }]],
  [
    "a balance at a date, of a day before the last two",
    () => store.findWithDaysAfter("a", lastDay - 3),
    [
      { by: "accounts._id_", examined: 1, returned: 1 },
      { by: "days.account_day", examined: 2, returned: 2 },
    ],
  ],
  [
    "volumes of three days",
    () => store.volumesBetween(lastDay - 5, lastDay - 3),
    [
      { by: "heads._id_", examined: 1, returned: 1 },
      { by: "volumes.day", examined: 3, returned: 3 },
    ],
  ],
  [
    "accounts with their days, a page",
    () => store.accountDaysAfter("", 2),
    [
      { by: "accounts.id", examined: 2, returned: 2 },
      { by: "days.account_day", examined: 38, returned: 38 },
      { by: "heads._id_", examined: 1, returned: 1 },
    ],
  ],
  [
    "volumes as they are stored, a page",
    () => store.storedVolumesAfter(lastDay - 4),
    [
      { by: "heads._id_", examined: 1, returned: 1 },
      { by: "volumes.day", examined: 3, returned: 3 },
    ],
  ],
  [
    "links of reversals, a page",
    () => store.reversalsAfter("", 10),
    [{ by: "reversals._id_", examined: 1, returned: 1 }],
  ],
  [
    "what a reversal names",
    () => ledger.journalStore.findReversibles(["t"]),
    [
      { by: "transfers._id_", examined: 1, returned: 1 },
      { by: "reversals._id_", examined: 1, returned: 1 },
    ],
  ],
])("%s: an index, and nothing examined but what is returned", async (_what, run, expected) => {
  const reads = await readsOf(run);
  expect(reads.sort(byName)).toEqual(expected.sort(byName));
});

test("a place in time is found in two round trips here, five in a billion", async () => {
  const reads = await readsOf(() => store.sequenceBefore(Date.parse("2026-11-10T00:00:00Z"), 203n));
  expect(reads.length).toBeLessThanOrEqual(2);
  for (const { by, examined, returned } of reads) {
    expect(by).toBe("transfers.sequence");
    expect(examined).toBe(returned);
  }
});

/** The index that an aggregation goes by, and how many accounts it looks at; it returns totals. */
async function totalsExplained(run: () => Promise<unknown>) {
  const client = database.db.getClient();
  const sent: mongo.Document[] = [];
  const listen = ({ command }: mongo.CommandStartedEvent) => void ("aggregate" in command && sent.push(command));
  client.on("commandStarted", listen);
  await run();
  client.off("commandStarted", listen);
  const { aggregate, pipeline, hint } = sent[0]!;
  const explain = { aggregate, pipeline, cursor: {}, ...(hint && { hint }) };
  const answer = await database.db.db!.command({ explain, verbosity: "executionStats" });
  const text = JSON.stringify(answer, (_key, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
  const examined = /"totalDocsExamined":(\d+)/.exec(text)?.[1];
  return {
    commands: sent.length,
    isScan: text.includes("COLLSCAN"),
    index: /"indexName":"(\w+)"/.exec(text)?.[1],
    examined,
  };
}

test("totals of a code look at its accounts and at no others", async () => {
  const { index, ...rest } = await totalsExplained(() => store.totals("remittance_clearing"));
  expect(rest).toEqual({ commands: 1, isScan: false, examined: "10" });
  expect(index).toMatch(/^code(_id)?$/);
});

test("a trial balance is one read of the tenant's accounts by an index, and of nobody else's", async () => {
  // Six that are used and two hundred that are not; as many are another tenant's.
  const { index, ...rest } = await totalsExplained(() => store.totals());
  expect(rest).toEqual({ commands: 1, isScan: false, examined: "206" });
  expect(index).toBeDefined();
});

function byName(a: Read, b: Read): number {
  return a.by < b.by ? -1 : 1;
}
