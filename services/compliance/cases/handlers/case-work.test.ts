import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import { createLogger } from "../../../kernel/process/log.js";
import { createOutbox } from "../../../kernel/outbox/index.js";
import { createCaseStore } from "../store/cases.js";
import { caseJoinRow } from "../../common/store/outbox-rows.js";

const log = createLogger({ service: "compliance", level: "silent" });

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("case_work");
});
afterEach(() => world.reset());
afterAll(() => world.close());

let keys = 0;
const key = () => ({ idempotencyKey: `key-${(keys += 1)}` });
const cases = () => world.cases[0]!;

async function opened(tenantId: string, customerId: string, part: object = {}) {
  const requested = { ...key(), customerId, note: "asked about limits", ...part };
  return (await cases().openCase(requested, on(tenantId, manager))).case!;
}

/** A hit on a customer, by the outbox as what decides writes it. */
async function hitOn(tenantId: string, customerId: string, part: object = {}, seq = 1) {
  const origin = { tenantId, interactionId: "i", actor: "compliance" };
  const join = {
    subjectKind: "CUSTOMER",
    subjectId: customerId,
    customerId,
    kind: "SCREENING",
    event: "HIT",
    screeningId: "s1",
    text: "Resembles an entry.",
    actor: "compliance",
    at: world.state.now,
    ...part,
  } as const;
  const outbox = createOutbox({ db: world.db, clock: { now: () => world.state.now }, log, service: "compliance" });
  await world.store.transaction(
    async (session) => void (await outbox.add(caseJoinRow(origin, "screening:s1", seq, join), session)),
    async () => undefined,
  );
  world.outboxes[0]!.wake();
}

type Listed = Parameters<ComplianceWorld["cases"][number]["listCases"]>[0];
async function numbers(tenantId: string, requested: Listed, user = manager as typeof manager | typeof secondManager) {
  const found = await cases().listCases(requested, on(tenantId, user));
  return { numbers: found.cases.map(({ number }) => Number(number)), next: found.nextCursor };
}

/** Every page of a queue, one case each after the other. */
async function paged(tenantId: string, requested: Listed, pageSize: number): Promise<number[]> {
  const all: number[] = [];
  let cursor = "";
  do {
    const page = await numbers(tenantId, { ...requested, pageSize, cursor });
    all.push(...page.numbers);
    cursor = page.next;
  } while (cursor !== "");
  return all;
}

describe("queues", () => {
  test("are in the order asked for, and pages leave nothing out and repeat nothing", async () => {
    const tenantId = await world.openTenant({});
    const priorities = ["LOW", "URGENT", "NORMAL", "URGENT", "HIGH", "LOW"];
    for (const [i, priority] of priorities.entries()) {
      world.at(`2026-05-0${i + 1}T12:00:00Z`);
      await opened(tenantId, `c${i + 1}`, { priority });
    }
    // Due on: 31st, 3rd, 10th, 5th, 8th, and 5th of June.
    const expected = { AGE: [1, 2, 3, 4, 5, 6], PRIORITY: [2, 4, 5, 3, 1, 6], DUE: [2, 4, 5, 3, 1, 6] };
    for (const [order, sorted] of Object.entries(expected)) {
      expect([order, (await numbers(tenantId, { order })).numbers]).toEqual([order, sorted]);
      for (const size of [1, 2, 3]) expect([size, await paged(tenantId, { order }, size)]).toEqual([size, sorted]);
    }
    const { next } = await numbers(tenantId, { order: "AGE", pageSize: 1 });
    const mixed = cases().listCases({ order: "DUE", cursor: next }, on(tenantId, manager));
    expect((await refused(mixed)).details?.errors?.[0]?.path).toBe("cursor");
    for (const part of [{ queue: "NONE" }, { order: "NAME" }, { status: "DONE" }, { kind: "X" }, { pageSize: 101 }]) {
      const refusal = await refused(cases().listCases(part, on(tenantId, manager)));
      expect(refusal.details?.errors?.map(({ path }) => path)).toEqual(Object.keys(part));
    }
  });

  test("hold and count what they say: mine, unassigned, overdue, snoozed, of a kind, customer or status", async () => {
    const tenantId = await world.openTenant({});
    const [first, second, third] = [
      await opened(tenantId, "c1", { priority: "URGENT" }),
      await opened(tenantId, "c2"),
      await opened(tenantId, "c3"),
    ];
    const call = on(tenantId, manager);
    await cases().changeCase({ ...key(), caseId: first.caseId, version: first.version, assignee: "MA1" }, call);
    await cases().changeCase({ ...key(), caseId: second.caseId, version: second.version, assignee: "MA2" }, call);
    const closed = { ...key(), caseId: third.caseId, version: third.version, outcome: "USEFUL", reason: "seen" };
    await cases().closeCase(closed, call);
    world.at("2026-05-03T12:00:00Z");
    expect(await cases().countCases({}, call)).toMatchObject({
      open: 2n,
      mine: 1n,
      overdue: 1n,
      unassigned: 0n,
      snoozed: 0n,
    });
    const requested: [Listed, number[]][] = [
      [{ queue: "OPEN" }, [1, 2]],
      [{ queue: "MINE" }, [1]],
      [{ queue: "OVERDUE" }, [1]],
      [{ queue: "UNASSIGNED" }, []],
      [{ queue: "ALL" }, [1, 2, 3]],
      [{ status: "CLOSED" }, [3]],
      [{ customerId: "c2" }, [2]],
      [{ kind: "MONITORING" }, []],
      [{ kind: "MANUAL" }, [1, 2]],
    ];
    for (const [query, found] of requested)
      expect([query, (await numbers(tenantId, query)).numbers]).toEqual([query, found]);
    expect((await numbers(tenantId, { queue: "MINE" }, secondManager)).numbers).toEqual([2]);
    const elsewhere = await world.openTenant({});
    expect((await numbers(elsewhere, { queue: "ALL" })).numbers).toEqual([]);
  });
});

describe("a snoozed case", () => {
  test("is out of the queues until then, is overdue all the same, and comes back by itself or when told", async () => {
    const tenantId = await world.openTenant({});
    const call = on(tenantId, manager);
    const { caseId, version } = await opened(tenantId, "c1", { priority: "URGENT" });
    const snoozedUntil = new Date("2026-05-10T12:00:00Z");
    const snoozed = await cases().changeCase({ ...key(), caseId, version, snoozedUntil }, call);
    world.at("2026-05-04T12:00:00Z");
    const seen = async () => {
      const { open, unassigned, overdue, snoozed: asleep } = await cases().countCases({}, call);
      return [open, unassigned, overdue, asleep].map(Number);
    };
    expect(await seen()).toEqual([0, 0, 1, 1]);
    expect((await numbers(tenantId, { queue: "SNOOZED" })).numbers).toEqual([1]);
    world.at("2026-05-10T12:00:00Z");
    expect(await seen()).toEqual([1, 1, 1, 0]);
    world.at("2026-05-04T12:00:00Z");
    const ended = { ...key(), caseId, version: snoozed.case!.version, endSnooze: true };
    expect((await cases().changeCase(ended, call)).case!.snoozedUntil).toBeUndefined();
    expect(await seen()).toEqual([1, 1, 1, 0]);
    const far = new Date(world.state.now.getTime() + 181 * 86_400_000);
    const tooLong = { ...key(), caseId, version: version + 2, snoozedUntil: far };
    expect((await refused(cases().changeCase(tooLong, call))).details?.errors?.[0]?.path).toBe("snoozedUntil");
  });

  test("is woken by a hit, which says so and raises its priority and its due date", async () => {
    const tenantId = await world.openTenant({});
    const call = on(tenantId, manager);
    const { caseId, version } = await opened(tenantId, "c1", { priority: "LOW" });
    const snoozedUntil = new Date("2026-06-10T12:00:00Z");
    await cases().changeCase({ ...key(), caseId, version, snoozedUntil }, call);
    await hitOn(tenantId, "c1");
    const woken = await waitFor(async () => {
      const { case: one } = await cases().getCase({ caseId }, call);
      return one!.screeningIds.length > 0 ? one! : undefined;
    });
    expect(woken).toMatchObject({ kind: "SCREENING", priority: "HIGH", dueAt: new Date("2026-05-04T12:00:00Z") });
    expect(woken.snoozedUntil).toBeUndefined();
    expect(woken.timeline.at(-1)!.details).toMatchObject({
      snoozeEnded: snoozedUntil.toISOString(),
      kindBefore: "MANUAL",
      priorityBefore: "LOW",
    });
  });
});

describe("opening by hand", () => {
  test("joins the customer's open case, and after its end makes another that names it", async () => {
    const tenantId = await world.openTenant({});
    const first = await opened(tenantId, "c1", { priority: "LOW" });
    expect(first).toMatchObject({
      number: 1n,
      kind: "MANUAL",
      priority: "LOW",
      dueAt: new Date("2026-05-31T12:00:00Z"),
    });
    const joined = await opened(tenantId, "c1", { note: "again", priority: "URGENT" });
    expect(joined).toMatchObject({ caseId: first.caseId, priority: "URGENT", dueAt: new Date("2026-05-02T12:00:00Z") });
    const close = {
      ...key(),
      caseId: first.caseId,
      version: joined.version,
      outcome: "FALSE_POSITIVE",
      reason: "none",
    };
    await cases().closeCase(close, on(tenantId, manager));
    const next = await opened(tenantId, "c1");
    expect(next).toMatchObject({ number: 2n, previousCaseId: first.caseId, priority: "NORMAL", status: "OPEN" });
    const reopen = { ...key(), caseId: first.caseId, version: joined.version + 1, reason: "new facts" };
    expect((await refused(cases().reopenCase(reopen, on(tenantId, manager)))).code).toBe("STATE_CONFLICT");
  });

  test("takes transactions of that customer alone", async () => {
    const tenantId = await world.openTenant({});
    const own = question();
    await world.remittance.checkTransaction(own, on(tenantId));
    const { transactionIds } = await opened(tenantId, "c1", { transactionIds: [own.transactionId, own.transactionId] });
    expect(transactionIds).toEqual([own.transactionId]);
    const foreign = opened(tenantId, "c3", { transactionIds: [own.transactionId] });
    expect((await refused(foreign)).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(opened(tenantId, "nobody"))).code).toBe("CUSTOMER_NOT_FOUND");
    expect((await numbers(tenantId, { queue: "ALL" })).numbers).toEqual([1]);
  });

  test("is one case under one key through two replicas, and the key is for that request alone", async () => {
    const tenantId = await world.openTenant({});
    const call = on(tenantId, manager);
    const requested = { ...key(), customerId: "c1", note: "asked about limits" };
    const answers = await Promise.allSettled([0, 1, 0, 1].map((at) => world.cases[at]!.openCase(requested, call)));
    const made = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value.case!] : []));
    expect(made.length).toBeGreaterThan(0);
    const again = (await cases().openCase(requested, call)).case!;
    expect(new Set([...made, again].map(({ caseId, version }) => `${caseId} ${version}`)).size).toBe(1);
    const { case: one } = await cases().getCase({ caseId: again.caseId }, call);
    expect(one!.timeline.map(({ kind }) => kind)).toEqual(["OPENED", "NOTED"]);
    const other = cases().openCase({ ...requested, note: "something else" }, call);
    expect((await refused(other)).code).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});

test("a repeated note, change, end and export of one key is done once", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const { caseId, version } = await opened(tenantId, "c1");
  const twice = async <T>(run: () => Promise<T>) => (await run(), await run());
  const note = { ...key(), caseId, text: "seen" };
  await twice(() => cases().addCaseNote(note, call));
  const change = { ...key(), caseId, version: version + 1, tags: { tags: ["FRAUD"] } };
  const changed = await twice(() => cases().changeCase(change, call));
  expect(changed.case).toMatchObject({ version: version + 2, tags: ["FRAUD"] });
  const close = { ...key(), caseId, version: version + 2, outcome: "CONFIRMED_RISK", reason: "seen" };
  await twice(() => cases().closeCase(close, call));
  const exported = { ...key(), caseId, form: "JSON" };
  const whole = await twice(() => cases().exportCase(exported, call));
  const kinds = ["OPENED", "NOTED", "NOTED", "CHANGED", "CLOSED", "EXPORTED"];
  expect(whole.case!.timeline.map(({ kind }) => kind)).toEqual(kinds);
  expect((await cases().getCase({ caseId }, call)).case!.version).toBe(kinds.length);
});

test("a closed case is opened again where the entry of a confirmed hit has left its list, and only noted where it was not confirmed", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const { caseId } = await opened(tenantId, "c1");
  const whole = async () => (await cases().getCase({ caseId }, call)).case!;
  await hitOn(tenantId, "c1");
  await waitFor(async () => (await whole()).screeningIds.length === 1);
  await hitOn(tenantId, "c1", { event: "HIT_DECIDED" }, 2);
  await waitFor(async () => (await whole()).timeline.at(-1)!.kind === "HIT_DECIDED");
  const close = { ...key(), caseId, outcome: "FALSE_POSITIVE", reason: "seen" };
  await cases().closeCase({ ...close, version: (await whole()).version }, call);
  const left = { event: "OFF_LIST", text: "EU 1 is not on the list since version 4." };
  await hitOn(tenantId, "c1", left, 3);
  await waitFor(async () => (await whole()).timeline.at(-1)!.kind === "LIST_CHANGED");
  expect((await whole()).status).toBe("CLOSED");
  await hitOn(tenantId, "c1", { ...left, reopens: true }, 4);
  await waitFor(async () => (await whole()).status !== "CLOSED");
  const { status, timeline } = await whole();
  expect([status, timeline.slice(-2).map(({ kind, text }) => [kind, text])]).toEqual([
    "OPEN",
    [
      ["REOPENED", left.text],
      ["LIST_CHANGED", left.text],
    ],
  ]);
});

test("a case that is larger than an export may be is refused, and nothing says that it was exported", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const { caseId } = await opened(tenantId, "c1");
  const ofTenant = createCaseStore(world.db, world.replicas[0]!.screeningCipher).forTenant(tenantId);
  const note = { kind: "NOTED" as const, text: "word ".repeat(790), details: {} };
  const add = (count: number) =>
    world.store.transaction(
      async (session) => {
        const before = (await ofTenant.findCase(caseId, session))!;
        const events = Array.from({ length: count }, () => note);
        return ofTenant.putCase({ after: before, events }, { actor: "MA1", at: world.state.now }, session);
      },
      async () => undefined,
    );
  await add(500);
  const whole = await cases().exportCase({ ...key(), caseId, form: "PDF" }, call);
  expect(whole.case!.timeline).toHaveLength(503);
  expect(whole.case!.timeline.at(-1)).toMatchObject({ kind: "EXPORTED", sequence: 503, actor: manager.userId });
  await add(10);
  for (const form of ["PDF", "JSON"]) {
    const refusal = await refused(cases().exportCase({ ...key(), caseId, form }, call));
    expect([form, refusal.code]).toEqual([form, "EXPORT_TOO_LARGE"]);
  }
  const { case: after } = await cases().getCase({ caseId }, call);
  expect(after!.version).toBe(513);
});

test("a note that is empty, too long or hides something is refused by its place, and a closed case takes notes", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const { caseId, version } = await opened(tenantId, "c1");
  for (const text of ["", "  ", "x".repeat(4_001), "paid\u202e1000", "a\u200bb", "nul\u0000"]) {
    const refusal = await refused(cases().addCaseNote({ ...key(), caseId, text }, call));
    expect([text, refusal.details?.errors?.[0]?.path]).toEqual([text, "text"]);
    const opening = await refused(opened(tenantId, "c3", { note: text }));
    expect(opening.details?.errors?.[0]?.path).toBe("note");
  }
  const close = { caseId, version, outcome: "USEFUL", reason: "seen" };
  for (const [path, part] of [
    ["outcome", { outcome: "" }],
    ["outcome", { outcome: "RISK" }],
    ["reason", { reason: "\u2066" }],
  ] as const) {
    const refusal = await refused(cases().closeCase({ ...close, ...key(), ...part }, call));
    expect(refusal.details?.errors?.[0]?.path).toBe(path);
  }
  await cases().closeCase({ ...close, ...key() }, call);
  const noted = await cases().addCaseNote({ ...key(), caseId, text: "first line\r\nsecond\tline" }, call);
  expect(noted.case).toMatchObject({ status: "CLOSED", version: version + 2 });
  const { case: one } = await cases().getCase({ caseId, afterSequence: version + 1 }, call);
  expect(one!.timeline.map(({ text }) => text)).toEqual(["first line\nsecond\tline"]);
  const late = cases().changeCase({ ...key(), caseId, version: version + 2, priority: "LOW" }, call);
  expect((await refused(late)).code).toBe("STATE_CONFLICT");
});
