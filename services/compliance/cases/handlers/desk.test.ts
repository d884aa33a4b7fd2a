import { RuleAction, Visibility } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  agent,
  cashier,
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { commandsOf } from "../../../../test/support/commands.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";
import { Refusal } from "../../../kernel/refusal.js";

jest.setTimeout(240_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("desk");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, stopped, falsely, surely, confirmed, release, ofTenant, key } = hitWords(() => world);

const reviewAll = {
  transactionRules: [
    { name: "all", action: RuleAction.RULE_ACTION_REVIEW, visibility: Visibility.VISIBILITY_STAFF, condition: {} },
  ],
};

describe("the queue of what waits", () => {
  test("says why each waits, of whom, what was found and which case it is worked in, in as many reads as one needs", async () => {
    const tenantId = await world.openTenant(reviewAll);
    const by = on(tenantId, manager);
    const ruled = question({ recipientCode: "B-8" });
    await world.remittance.checkTransaction(ruled, on(tenantId));
    const rows = async () => (await world.gateway.listReviews({}, by)).reviews;
    await waitFor(async () => (await rows())[0]!.caseId !== "");
    const { commands: ofOne } = await commandsOf(world.db, tenantId, rows);
    expect(ofOne).toEqual(["find cases", "find decisions", "find screening_subjects", "find screenings"]);

    const first = await stopped(tenantId);
    const others = [];
    for (const code of ["B-2", "B-3"]) others.push(await stopped(tenantId, [sender, listed], { recipientCode: code }));
    const unnamed = question({ parties: [], recipientCode: "B-9" });
    await world.remittance.checkTransaction(unnamed, on(tenantId));
    const joined = await waitFor(async () => {
      const now = await rows();
      return now.length === 5 && now.every(({ caseId }) => caseId !== "") ? now : undefined;
    });
    const rowOf = (transactionId: string) => joined.find((one) => one.transactionId === transactionId)!;
    expect(rowOf(ruled.transactionId)).toMatchObject({
      reason: "RULE",
      screeningIds: [],
      hits: [],
      customerName: "Ada Lovelace",
      customerNameState: "KNOWN",
      recipient: "B-8",
      recipientName: "Emeka Okafor",
    });
    const row = rowOf(first.transactionId);
    expect(row).toMatchObject({
      reason: "SCREENING_HIT",
      screeningIds: [first.screeningId],
      customerName: "Ada Lovelace",
      recipientName: "Eliseo Fabricio Tarquesada Obregonte",
    });
    const [hit] = row.hits;
    expect(hit).toMatchObject({ screeningId: first.screeningId, state: "OPEN", listVersion: 1 });
    expect(hit!.subject!.name).toBe("Eliseo Fabricio Tarquesada Obregonte");
    expect(rowOf(unnamed.transactionId).reason).toBe("PARTIES_UNKNOWN");
    const { case: one } = await world.cases[0]!.getCase({ caseId: row.caseId }, by);
    expect(one!.screeningIds).toContain(first.screeningId);

    // Whose desk it is on, which the case says.
    expect(rowOf(first.transactionId).caseAssignee).toBe("");
    const { caseId } = one!;
    const assign = async () => {
      const { version } = (await world.cases[0]!.getCase({ caseId }, by)).case!;
      await world.cases[0]!.changeCase({ ...key(), caseId, version, assignee: manager.userId }, by);
    };
    // What joins the case meanwhile raises its version: it is read again, as the refusal says.
    await assign().catch(assign);
    const ofHit = (await rows()).find(({ transactionId }) => transactionId === first.transactionId);
    expect(ofHit).toMatchObject({ caseId, caseAssignee: manager.userId });

    const { commands } = await commandsOf(world.db, tenantId, rows);
    expect(commands).toEqual(["find cases", "find decisions", "find screening_subjects", "find screenings"]);
  });

  test("names a customer's own hit, found before the transaction, and lists that are away", async () => {
    const tenantId = await world.openTenant({});
    const name = { firstName: listed.name, lastName: "", country: "MEX" };
    const change = { customerId: "c1", revision: 1, changed: ["NAME"], proven: [] };
    await world.identity.notePersonChange({ ...change, ...name }, on(tenantId));
    const [own] = await ofTenant(tenantId).screenings.findOpenOf({ kind: "CUSTOMER", id: "c1" });
    const requested = question();
    await world.remittance.checkTransaction(requested, on(tenantId));
    const { reviews } = await world.gateway.listReviews({}, on(tenantId, manager));
    expect(reviews).toMatchObject([{ reason: "SCREENING_HIT", screeningIds: [own!.screeningId] }]);
  });

  test("is for managers alone", async () => {
    const tenantId = await world.openTenant({});
    await stopped(tenantId);
    for (const user of [agent, cashier])
      expect((await refused(world.gateway.listReviews({}, on(tenantId, user)))).code).toBe("FORBIDDEN");
  });
});

describe("the audit trail", () => {
  const actionsOf = async (
    tenantId: string,
    subject: string,
    user = manager as typeof manager | typeof secondManager,
  ) => (await world.gateway.listAuditEntries({ subject }, on(tenantId, user))).entries.map(({ action }) => action);

  test("finds what was decided on a hit under the screening, the customer and the recipient", async () => {
    const tenantId = await world.openTenant({});
    const { screeningId } = await stopped(tenantId);
    await confirmed(tenantId, screeningId);
    const { screening } = await at().releaseConfirmedHit({ ...release(screeningId), ...key() }, on(tenantId, manager));
    await world.decideApproval(tenantId, screening!.hits[0]!.approvalId, secondManager.userId);
    const stated = [
      "screening.release-approved",
      "screening.release-ask",
      "screening.confirmation-approved",
      "screening.confirmation-ask",
    ];
    expect(await actionsOf(tenantId, `screening:${screeningId}`)).toEqual(stated);
    expect(await actionsOf(tenantId, "recipient:c1/B-1")).toEqual(stated);
    expect(await actionsOf(tenantId, "customer:c1")).toEqual(expect.arrayContaining(stated));
    expect(await actionsOf(tenantId, "recipient:c1/B-2")).toEqual([]);
  });

  test("finds exemptions with the screening that they came from, until when they were made and who ended them", async () => {
    const tenantId = await world.openTenant({});
    const { screeningId } = await stopped(tenantId);
    const by = on(tenantId, manager);
    const exemptUntil = new Date("2026-07-01T00:00:00Z");
    await at().decideHit(falsely(screeningId, { exemptUntil }), by);
    const [made] = await ofTenant(tenantId).exemptions.list({ now: world.state.now }, { limit: 10 });
    await at().endScreeningExemption({ exemptionId: made!.exemptionId, reason: "a document was forged" }, by);
    const { entries } = await world.gateway.listAuditEntries({ subject: `screening:${screeningId}` }, by);
    expect(entries.map(({ action }) => action)).toEqual(["screening.exemption-end", "screening.false-positive"]);
    expect(JSON.parse(entries[1]!.content)).toMatchObject({
      exemptionId: made!.exemptionId,
      exemptUntil: exemptUntil.toISOString(),
    });
    expect(entries[0]).toMatchObject({
      subject: "customer:c1",
      subjects: ["customer:c1", "recipient:c1/B-1", `screening:${screeningId}`, `exemption:${made!.exemptionId}`],
    });
    expect(await actionsOf(tenantId, `exemption:${made!.exemptionId}`)).toEqual(["screening.exemption-end"]);
  });

  test("finds a review under the customer, and the end of a case under its screenings", async () => {
    const tenantId = await world.openTenant({});
    const by = on(tenantId, manager);
    const { screeningId, transactionId } = await stopped(tenantId);
    await world.gateway.decideReview({ transactionId, approve: false, reason: "not known" }, by);
    expect(await actionsOf(tenantId, "customer:c1")).toContain("transaction.reject");
    expect(await actionsOf(tenantId, `transaction:${transactionId}`)).toEqual(["transaction.reject"]);
    await at().decideHit(falsely(screeningId), by);
    const caseNow = async () => {
      const { cases } = await world.cases[0]!.listCases({ queue: "ALL", kind: "SCREENING" }, by);
      if (cases[0] === undefined) return undefined;
      return (await world.cases[0]!.getCase({ caseId: cases[0].caseId }, by)).case;
    };
    const published = ["HIT_DECIDED", "TRANSACTION_DECIDED"];
    const caseId = await waitFor(
      async () => {
        const now = await caseNow();
        const joined = now?.timeline.map(({ kind }) => kind) ?? [];
        if (now === undefined || !published.every((kind) => joined.includes(kind))) return undefined;
        const close = { caseId: now.caseId, version: now.version, outcome: "USEFUL", reason: "told apart", ...key() };
        // What else joins it meanwhile makes the closing late: read again, as an officer would.
        return await world.cases[0]!.closeCase(close, by).then(
          () => now.caseId,
          (error: unknown) => {
            if (error instanceof Refusal && error.code === "STATE_CONFLICT") return undefined;
            throw error;
          },
        );
      },
      { timeoutMs: 30_000, what: "the case has heard of both decisions and is closed" },
    );
    expect(await actionsOf(tenantId, `screening:${screeningId}`)).toEqual(["case.close", "screening.false-positive"]);
    expect(await actionsOf(tenantId, `case:${caseId}`)).toEqual(["case.close"]);
  });

  test("keeps what was decided about a manager from that manager", async () => {
    const tenantId = await world.openTenant({});
    const about = { customerId: manager.userId, isStaff: true, revision: 1, changed: ["REGISTERED"], proven: [] };
    const name = { firstName: listed.name, lastName: "", country: "MEX" };
    await world.identity.notePersonChange({ ...about, ...name }, on(tenantId));
    const [own] = await ofTenant(tenantId).screenings.findOpenOf({ kind: "STAFF", id: manager.userId });
    const { screeningId } = own!;
    await at().decideHit(surely(screeningId), on(tenantId, secondManager));
    for (const subject of [`screening:${screeningId}`, `staff:${manager.userId}`]) {
      expect(await actionsOf(tenantId, subject, secondManager)).toEqual(["screening.confirmation-ask"]);
      expect(await actionsOf(tenantId, subject)).toEqual([]);
    }
    expect(await actionsOf(tenantId, "")).not.toContain("screening.confirmation-ask");
  });
});
