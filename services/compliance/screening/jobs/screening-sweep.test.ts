import { withoutKeys } from "../../../../test/support/without-keys.js";
import { silentLog, testDatabase, waitFor, type TestDatabase } from "../../../../test/support/index.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import { createOutbox } from "../../../kernel/outbox/index.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { ScreeningSubjectStore } from "../store/screening-subjects.js";
import { operatorsLists } from "../../lists/domain/list-owner.js";
import { createComplianceStore } from "../../decisions/store/index.js";
import { migrations } from "../../store/migrations.js";
import { rowKinds } from "../../common/store/outbox-rows.js";
import { rescreening } from "./rescreening.js";
import { startScreeningSweep, type SweepDeps } from "./screening-sweep.js";

jest.setTimeout(120_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("screening_sweep");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(() => database.close());

const tenants = ["t-1-away", "t-2-unknown", "t-3-there"] as const;
const [away, unknown, there] = tenants;
const nextTenant = async (after: string) => tenants.find((one) => one > after);
const gone = () => new Refusal("TENANT_NOT_FOUND", "no such tenant");
const rowsOf = (tenantId: string, kind: string) => database.db.collection("outbox").find({ tenantId, kind }).toArray();

const waitingIn = (tenantId: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    tenantId,
    transactionId: `t${String(at).padStart(5, "0")}`,
    isOpen: true,
    reasonCode: "SCREENING_UNAVAILABLE",
    inputs: { facts: { customerId: `c${at}` } },
  }));

/**
 * A sweep of the real database, with lists that are away for the first tenant,
 * and a second tenant nobody knows.
 */
function startSweep() {
  const log = silentLog;
  const store = createComplianceStore(database.db, withoutKeys);
  const outbox = createOutbox({ db: database.db, clock: systemClock, log, service: "compliance" });
  const engine = {
    comparisonOf: (tenantId: string) => ({ state: tenantId === away ? "UNAVAILABLE" : "DONE", basis: "b", lists: [] }),
  };
  const policies = {
    async current(tenantId: string) {
      if (tenantId === unknown) throw gone();
      return { rescreenAfterDays: 0 };
    },
  };
  const subjects = { nextTenant, forTenant: () => ({ countDue: async () => 1 }) };
  const times = { forTenant: async () => systemClock };
  const deps = { store, outbox, engine, policies, subjects, times, clock: systemClock, log };
  return startScreeningSweep({
    ...(deps as unknown as SweepDeps),
    waitingEveryMs: 50,
    subjectsEveryMs: 50,
    maxWaiting: 3,
  });
}

test("tenants whose lists are away, or whom nobody knows, keep back nobody behind them, however many wait", async () => {
  const many = [...waitingIn(away, 7), ...waitingIn(unknown, 1), ...waitingIn(there, 7)];
  await database.db.collection("decisions").insertMany(many);
  const sweep = startSweep();
  try {
    // More than one look at a tenant takes: the next goes on where it ended.
    await waitFor(
      async () => {
        const rows = await rowsOf(there, rowKinds.reconsiderScreened);
        return new Set(rows.map(({ payload }) => (payload as { customerId: string }).customerId)).size === 7;
      },
      { timeoutMs: 90_000 },
    );
    expect(await rowsOf(away, rowKinds.reconsiderScreened)).toEqual([]);
    expect((await waitFor(async () => (await rowsOf(there, rowKinds.rescreen))[0])).tenantId).toBe(there);
    expect(await rowsOf(away, rowKinds.rescreen)).toEqual([]);
    expect(await rowsOf(unknown, rowKinds.rescreen)).toEqual([]);
  } finally {
    await sweep.stop();
  }
});

describe("what a new version of the operator's list asks for", () => {
  const row = { tenantId: operatorsLists, interactionId: "i", actor: "operator" };
  const work = (failing: ReadonlySet<string>, ending = new AbortController()) => {
    const done: string[] = [];
    const rescreen = async ({ tenantId }: { tenantId: string }) => {
      if (failing.has(tenantId)) throw gone();
      done.push(tenantId);
    };
    const subjects = { nextTenant } as unknown as ScreeningSubjectStore;
    const handler = rescreening({ subjects, rescreen, log: silentLog })[rowKinds.rescreen]!;
    const run = () => handler(row as never, { signal: ending.signal } as never);
    return { done, run };
  };

  test("is done for those behind a tenant that is refused, and tried again by an error that parks nothing", async () => {
    const failing = new Set<string>([away]);
    const { done, run } = work(failing);
    const error: unknown = await run().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const message = "people of 1 tenants could not be compared anew";
    expect(error).toEqual(expect.objectContaining({ code: "UNAVAILABLE", message }));
    expect(done).toEqual([unknown, there]);
    failing.clear();
    await run();
    expect(done).toEqual([unknown, there, ...tenants]);
  });

  test("is done one list after the other: whose turn has not come is no failure", async () => {
    const { done, run } = work(new Set());
    const [first, second] = await Promise.all([run(), run()]);
    expect([first, second]).toEqual([undefined, "later"]);
    expect(done).toEqual([...tenants]);
    expect(await run()).toBeUndefined();
  });

  test("ends where it is told to", async () => {
    const ending = new AbortController();
    ending.abort(new Error("over"));
    const { done, run } = work(new Set([away]), ending);
    await expect(run()).rejects.toThrow("over");
    expect(done).toEqual([]);
  });
});
