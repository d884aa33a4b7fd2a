import {
  createComplianceWorld,
  manager,
  agent,
  on,
  question,
  refused,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { RuleAction, Visibility } from "../../../../proto/gen/compliance/v1/compliance.js";
import { waitFor } from "../../../../test/support/index.js";
import { createOutbox } from "../../../kernel/outbox/index.js";
import { createLogger } from "../../../kernel/process/log.js";
import type { CaseJoin } from "../../common/domain/case-join.js";
import { caseJoinRow } from "../../common/store/outbox-rows.js";

const log = createLogger({ service: "compliance", level: "silent" });

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("cases");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const at = new Date("2026-05-01T12:00:00Z");
const subject = { subjectKind: "CUSTOMER", subjectId: "c1", customerId: "c1" } as const;
const hit = (part: Partial<CaseJoin> = {}): CaseJoin => ({
  ...subject,
  kind: "SCREENING",
  event: "HIT",
  screeningId: "s1",
  text: "Resembles an entry.",
  actor: "compliance",
  at,
  ...part,
});

async function joined(tenantId: string, source: string, seq: number, join: CaseJoin, replica = 0) {
  const origin = { tenantId, interactionId: "i", actor: "compliance" };
  const outbox = createOutbox({ db: world.db, clock: { now: () => world.state.now }, log, service: "compliance" });
  await world.store.transaction(
    async (session) => void (await outbox.add(caseJoinRow(origin, source, seq, join), session)),
    async () => undefined,
  );
  world.outboxes[replica]!.wake();
}

const listed = async (tenantId: string) =>
  (await world.cases[0]!.listCases({ queue: "ALL" }, on(tenantId, manager))).cases;

test("hits of one subject that come at once through two replicas join one case, numbered without gaps", async () => {
  const tenantId = await world.openTenant({});
  await Promise.all(
    Array.from({ length: 6 }, (_, i) => joined(tenantId, `screening:s${i}`, 1, hit({ screeningId: `s${i}` }), i % 2)),
  );
  await joined(tenantId, "screening:other", 1, hit({ subjectId: "c2", customerId: "c2", screeningId: "other" }));
  const found = await waitFor(async () => {
    // Rows that met each other on one case are tried again a little later.
    world.state.now = new Date(world.state.now.getTime() + 1_000);
    const all = await listed(tenantId);
    return all.length === 2 && all.reduce((sum, one) => sum + one.screeningIds.length, 0) === 7 ? all : undefined;
  });
  expect(found.map(({ number }) => number)).toEqual([1n, 2n]);
  const { case: one } = await world.cases[1]!.getCase({ caseId: found[0]!.caseId }, on(tenantId, manager));
  expect(one!.timeline.map(({ sequence }) => sequence)).toEqual(one!.timeline.map((_, i) => i + 1));
  expect(one).toMatchObject({ kind: "SCREENING", priority: "HIGH", status: "OPEN" });
});

test("a case is worked, closed only when nothing waits, reopened and exported in any letters", async () => {
  const tenantId = await world.openTenant({});
  const call = on(tenantId, manager);
  const [client] = world.cases;
  await joined(tenantId, "screening:s1", 1, hit());
  const { caseId } = (await waitFor(async () => (await listed(tenantId))[0]))!;
  const assigned = await client!.changeCase({ idempotencyKey: "k1", caseId, version: 2, assignee: "MA2" }, call);
  expect(assigned.case).toMatchObject({ status: "INVESTIGATING", assignee: "MA2", version: 3 });
  const stale = client!.changeCase({ idempotencyKey: "k2", caseId, version: 2, priority: "LOW" }, call);
  expect((await refused(stale)).code).toBe("STATE_CONFLICT");
  const stranger = client!.changeCase({ idempotencyKey: "k3", caseId, version: 3, assignee: agent.userId }, call);
  expect((await refused(stranger)).details?.errors?.[0]?.path).toBe("assignee");
  const past = client!.changeCase({ idempotencyKey: "k4", caseId, version: 3, snoozedUntil: new Date(0) }, call);
  expect((await refused(past)).details?.errors?.[0]?.path).toBe("snoozedUntil");
  const close = { caseId, outcome: "FALSE_POSITIVE", reason: "another person" };
  expect((await refused(client!.closeCase({ ...close, idempotencyKey: "k5", version: 3 }, call))).code).toBe(
    "STATE_CONFLICT",
  );
  await joined(tenantId, "screening:s1", 2, hit({ event: "HIT_DECIDED", actor: "MA1" }));
  await waitFor(async () => (await listed(tenantId))[0]!.version === 4);
  const noted = await client!.addCaseNote({ idempotencyKey: "k6", caseId, text: "محمد علي 123 Иван 王伟" }, call);
  const closed = await client!.closeCase({ ...close, idempotencyKey: "k7", version: noted.case!.version }, call);
  expect(closed.case).toMatchObject({ status: "CLOSED", outcome: "FALSE_POSITIVE" });
  const reopen = { idempotencyKey: "k8", caseId, reason: "new facts", version: closed.case!.version };
  expect((await client!.reopenCase(reopen, call)).case!.status).toBe("INVESTIGATING");
  const pdf = await client!.exportCase({ idempotencyKey: "k9", caseId, form: "PDF" }, call);
  expect(Buffer.from(pdf.data).subarray(0, 5).toString()).toBe("%PDF-");
  expect(pdf.case!.timeline.at(-1)!.kind).toBe("EXPORTED");
  expect((await refused(client!.getCase({ caseId }, on(tenantId, agent)))).code).toBe("FORBIDDEN");
  const elsewhere = await world.openTenant({});
  expect((await refused(client!.getCase({ caseId }, on(elsewhere, manager)))).code).toBe("NOT_FOUND");
});

test("a transaction that the rules review joins the customer's case, and its decision is noted there", async () => {
  const tenantId = await world.openTenant({
    transactionRules: [
      { name: "all", action: RuleAction.RULE_ACTION_REVIEW, visibility: Visibility.VISIBILITY_STAFF, condition: {} },
    ],
  });
  const requested = question();
  await world.remittance.checkTransaction(requested, on(tenantId));
  const found = await waitFor(async () => (await listed(tenantId))[0]);
  expect(found).toMatchObject({ kind: "MONITORING", subjectId: "c1", transactionIds: [requested.transactionId] });
  const call = on(tenantId, manager);
  const close = { idempotencyKey: "c1", caseId: found!.caseId, outcome: "USEFUL", reason: "seen", version: 2 };
  expect((await refused(world.cases[0]!.closeCase(close, call))).code).toBe("STATE_CONFLICT");
  const { transactionId } = requested;
  await world.gateway.decideReview({ transactionId, approve: true, reason: "known" }, call);
  await waitFor(async () => (await listed(tenantId))[0]!.version === 3);
  const { case: one } = await world.cases[0]!.getCase({ caseId: found!.caseId }, call);
  expect(one!.timeline.map(({ kind }) => kind)).toEqual(["OPENED", "TRANSACTION_JOINED", "TRANSACTION_DECIDED"]);
  const closed = await world.cases[0]!.closeCase({ ...close, idempotencyKey: "c2", version: 3 }, call);
  expect(closed.case!.status).toBe("CLOSED");
});
