import { CustomerStatus, Decision } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  agent,
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("hits");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, ofTenant, stopped, falsely, surely, stateOf, customerOf, decisionOf, confirmed, key } =
  hitWords(() => world);

test("another person than the entry is told apart by one manager, once, and what waited goes on by itself", async () => {
  const tenantId = await world.openTenant({});
  const { answer, screeningId, transactionId } = await stopped(tenantId);
  expect(answer).toMatchObject({ decision: Decision.DECISION_REVIEW, reasonCode: "" });
  expect(answer.message).toBe("the transaction is being looked at");
  const by = on(tenantId, manager);
  const approve = { transactionId, approve: true, reason: "known" };
  expect((await refused(world.gateway.decideReview(approve, by))).code).toBe("STATE_CONFLICT");

  expect((await refused(at().decideHit(falsely(screeningId), on(tenantId, agent)))).code).toBe("FORBIDDEN");
  const elsewhere = await world.openTenant({});
  expect((await refused(at().decideHit(falsely(screeningId), on(elsewhere, manager)))).code).toBe("NOT_FOUND");
  expect((await refused(at().decideHit(falsely(screeningId, { hitId: "9" }), by))).code).toBe("NOT_FOUND");
  for (const [part, path] of [
    [{ decision: "MAYBE" }, "decision"],
    [{ reason: " " }, "reason"],
    [{ reason: "a\u0000b" }, "reason"],
    [{ exemptUntil: new Date("2026-04-30T00:00:00Z") }, "exemptUntil"],
    [{ exemptUntil: new Date("2029-04-30T00:00:00Z") }, "exemptUntil"],
    [{ decision: "CONFIRMED", exemptUntil: new Date("2026-06-30T00:00:00Z") }, "exemptUntil"],
  ] as const) {
    const refusal = await refused(at().decideHit(falsely(screeningId, part), by));
    expect([refusal.code, refusal.details?.errors?.[0]?.path]).toEqual(["INVALID_INPUT", path]);
  }

  const of = { screeningId, hitId: "1", ...key() };
  const open = { customerId: "c1", status: CustomerStatus.CUSTOMER_STATUS_CONFIRMED, ...key() };
  const asks: Record<string, (reason: string) => Promise<unknown>> = {
    decideHit: (reason) => at().decideHit(surely(screeningId, { reason }), by),
    decideHits: (reason) => at().decideHits({ ...of, hitIds: ["1"], decision: "CONFIRMED", reason }, by),
    releaseConfirmedHit: (reason) => at().releaseConfirmedHit({ ...of, transactions: "CONTINUE", reason }, by),
    requestOverride: (reason) => world.gateway.requestOverride({ ...open, reason }, on(tenantId, agent)),
  };
  for (const [rpc, ask] of Object.entries(asks)) {
    for (const reason of [" ", "a\u0007b", "x".repeat(301)]) {
      const refusal = await refused(ask(reason));
      expect([rpc, refusal.code, refusal.details?.errors?.[0]?.path]).toEqual([rpc, "INVALID_INPUT", "reason"]);
    }
  }
  expect([...world.state.approvals.keys()].filter((requested) => requested.startsWith(tenantId))).toEqual([]);

  const word = falsely(screeningId);
  const decided = await at().decideHit(word, by);
  expect(decided.screening).toMatchObject({ status: "NO_HIT", hits: [{ state: "FALSE_POSITIVE", decidedBy: "MA1" }] });
  expect(await at(1).decideHit(word, by)).toMatchObject({ screening: { status: "NO_HIT" } });
  expect(stateOf(await at(1).decideHit(falsely(screeningId), by))).toBe("FALSE_POSITIVE");
  expect((await refused(at().decideHit(falsely(screeningId), on(tenantId, secondManager)))).code).toBe(
    "STATE_CONFLICT",
  );
  expect((await refused(at().decideHit(surely(screeningId), by))).code).toBe("STATE_CONFLICT");
  const until = { exemptUntil: new Date("2026-06-30T00:00:00Z") };
  expect((await refused(at().decideHit(falsely(screeningId, until), by))).code).toBe("STATE_CONFLICT");

  await waitFor(() => world.told(tenantId).decided.find((one) => one.transactionId === transactionId));
  expect(await decisionOf(tenantId, transactionId)).toBe("APPROVED");
  expect((await customerOf(tenantId)).holds).toEqual([]);
  const again = await world.remittance.checkTransaction(question({ parties: [sender, listed] }), on(tenantId));
  expect(again.decision).toBe(Decision.DECISION_APPROVED);

  const [{ caseId }] = (await waitFor(async () => {
    const { cases } = await world.cases[0]!.listCases({ queue: "ALL", kind: "SCREENING" }, by);
    const { case: one } = await world.cases[0]!.getCase({ caseId: cases[0]?.caseId ?? "none" }, by).catch(() => ({
      case: undefined,
    }));
    return one?.timeline.some(({ kind }) => kind === "HIT_DECIDED") === true ? [one] : undefined;
  })) as [{ caseId: string }];
  const { case: one } = await world.cases[0]!.getCase({ caseId }, by);
  expect(one).toMatchObject({ kind: "SCREENING", subjectKind: "RECIPIENT", screeningIds: [screeningId] });
  const close = { caseId, version: one!.version, reason: "told apart" };
  const risk = world.cases[0]!.closeCase({ ...close, ...key(), outcome: "CONFIRMED_RISK" }, by);
  expect((await refused(risk)).code).toBe("STATE_CONFLICT");
  const closed = await world.cases[0]!.closeCase({ ...close, ...key(), outcome: "FALSE_POSITIVE" }, by);
  expect(closed.case!.status).toBe("CLOSED");
});

test("a case does not close while a hit of its subject is open, whether or not the case has heard of it", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const by = on(tenantId, manager);
  const { cases } = await waitFor(async () => {
    const found = await world.cases[0]!.listCases({ queue: "ALL", kind: "SCREENING" }, by);
    return found.cases.length > 0 ? found : undefined;
  });
  const { caseId } = cases[0]!;
  // Its transaction may be joining it at this moment.
  await waitFor(async () => {
    const { case: seen } = await world.cases[0]!.getCase({ caseId }, by);
    const close = { caseId, version: seen!.version, outcome: "USEFUL", reason: "seen", ...key() };
    const refusal = await refused(world.cases[0]!.closeCase(close, by));
    expect(refusal.code).toBe("STATE_CONFLICT");
    return refusal.message.includes(screeningId);
  });
});

test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
  "a word on a hit that identity takes no question about is nobody's, and a repeat is refused as well: %s",
  async (code) => {
    const tenantId = await world.openTenant({});
    const { screeningId } = await stopped(tenantId);
    const by = on(tenantId, manager);
    const hit = async () => (await ofTenant(tenantId).screenings.find(screeningId))!.hits[0]!;
    const word = surely(screeningId);
    const ways = { transactions: "CONTINUE", reason: "it is another one" };
    const release = { screeningId, hitId: "1", ...ways, ...key() };
    const asks = {
      OPEN: () => at().decideHit(word, by),
      CONFIRMED: () => at().releaseConfirmedHit(release, by),
    };
    for (const [state, ask] of Object.entries(asks)) {
      const before = await hit();
      expect(before.state).toBe(state);
      world.state.takesNoQuestion = code;
      const codes = [(await refused(ask())).code, (await refused(ask())).code];
      world.state.takesNoQuestion = undefined;
      expect(codes).toEqual([code, code]);
      expect(await hit()).toEqual(before);
      await ask();
      const { approvalId } = await hit();
      expect(approvalId).not.toBe(before.approvalId);
      await world.decideApproval(tenantId, approvalId!, secondManager.userId);
    }
    expect((await hit()).state).not.toBe("CONFIRMED");
  },
);

test("a confirmation that a second manager refuses, or nobody answers, leaves the hit open for another word", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const by = on(tenantId, manager);
  for (const status of ["REFUSED", "EXPIRED"]) {
    const { screening } = await at().decideHit(surely(screeningId), by);
    await world.decideApproval(tenantId, screening!.hits[0]!.approvalId, secondManager.userId, status);
    const [hit] = (await ofTenant(tenantId).screenings.find(screeningId))!.hits;
    expect(hit).toMatchObject({ state: "OPEN" });
    expect(hit!.decidedBy).toBeUndefined();
  }
  expect(stateOf(await at().decideHit(falsely(screeningId), on(tenantId, secondManager)))).toBe("FALSE_POSITIVE");
  expect(world.told(tenantId).blocked).toEqual([]);
  expect((await customerOf(tenantId)).status).toBe("CONFIRMED");
});

test("of two managers who decide at once one is heard, whatever they say", async () => {
  const tenantId = await world.openTenant({});
  for (const second of [falsely, surely]) {
    const { screeningId } = await stopped(tenantId, [sender, listed], { recipientCode: `B-${second.name}` });
    const words = [
      at(0).decideHit(falsely(screeningId), on(tenantId, manager)),
      at(1).decideHit(second(screeningId), on(tenantId, secondManager)),
    ];
    const ended = await Promise.allSettled(words);
    const [lost] = ended.filter((one) => one.status === "rejected");
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((lost as PromiseRejectedResult).reason).toMatchObject({ code: "STATE_CONFLICT" });
    const { version, hits } = (await ofTenant(tenantId).screenings.find(screeningId))!;
    expect(version).toBe(2);
    expect(["FALSE_POSITIVE", "CONFIRMATION_ASKED"]).toContain(hits[0]!.state);
  }
});

test("an approval that is agreed to before its asker has noted it confirms the hit, and one that comes too late changes nothing", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const by = on(tenantId, manager);
  const { screening } = await at().decideHit(surely(screeningId), by);
  const { approvalId } = screening!.hits[0]!;
  // As if the asker had ended between asking and noting it down.
  const tenant = ofTenant(tenantId).screenings;
  const requested = (await tenant.find(screeningId))!;
  const { decidedBy: _by, decidedAt: _at, reason: _reason, approvalId: _id, ...hit } = requested.hits[0]!;
  const before = { ...requested, hits: [{ ...hit, state: "OPEN" as const }], version: requested.version + 1 };
  const write = (one: typeof before) =>
    world.replicas[0]!.store.transaction(
      (session) => tenant.update(one, session),
      async () => undefined,
    );
  await write(before);
  await world.decideApproval(tenantId, approvalId, secondManager.userId, "REFUSED");
  expect((await tenant.find(screeningId))!.hits[0]).toMatchObject({ state: "OPEN", approvalId });
  // The same request again asks identity for the same approval, which was
  // answered: it is not waited for.
  const answer = await at().decideHit(falsely(screeningId), by);
  expect(stateOf(answer)).toBe("FALSE_POSITIVE");

  const other = await stopped(tenantId, [sender, listed], { recipientCode: "B-2" });
  const again = await at().decideHit(surely(other.screeningId), by);
  const late = (await tenant.find(other.screeningId))!;
  await write({
    ...late,
    status: "NO_HIT",
    hits: [{ ...late.hits[0]!, state: "FALSE_POSITIVE" as never }],
    version: late.version + 1,
  });
  await world.decideApproval(tenantId, again.screening!.hits[0]!.approvalId, secondManager.userId);
  expect((await tenant.find(other.screeningId))!.hits[0]!.state).toBe("FALSE_POSITIVE");
  const recorded = await world.store.forTenant(tenantId).listAudit({ limit: 5, subject: "customer:c1" });
  expect(recorded[0]).toMatchObject({ action: "screening.confirmation-late" });
  expect(world.told(tenantId).blocked).toEqual([]);
});

test("an exemption holds for the same person and entry until its day, and ends by a manager's word with a new comparison", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId, transactionId } = await stopped(tenantId);
  const by = on(tenantId, manager);
  const exemptUntil = new Date("2026-07-01T00:00:00Z");
  const word = falsely(screeningId, { exemptUntil });
  await at().decideHit(word, by);
  expect(stateOf(await at(1).decideHit(word, by))).toBe("FALSE_POSITIVE");
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED");
  const listOf = () => ofTenant(tenantId).exemptions.list({ now: world.state.now }, { limit: 10 });
  const [made] = await listOf();
  expect(made).toMatchObject({
    entryId: expect.any(String),
    name: "Eliseo Fabricio Tarquesada Obregonte",
    until: exemptUntil,
    madeBy: "MA1",
    screeningId,
  });
  // Nobody reads in the database who it is about.
  const stored = await world.db.collection("screening_exemptions").findOne({ tenantId });
  expect(JSON.stringify(stored)).not.toMatch(/Tarquesada|another year/);

  const exemptionId = made!.exemptionId;
  const end = { exemptionId, reason: "a document was forged" };
  expect((await refused(at().endScreeningExemption(end, on(tenantId, agent)))).code).toBe("FORBIDDEN");
  const elsewhere = await world.openTenant({});
  expect((await refused(at().endScreeningExemption(end, on(elsewhere, manager)))).code).toBe("NOT_FOUND");
  const ended = await Promise.all([at(0).endScreeningExemption(end, by), at(1).endScreeningExemption(end, by)]);
  expect(ended.map(({ exemption }) => exemption!.state)).toEqual(["ENDED", "ENDED"]);
  expect((await refused(at().endScreeningExemption({ ...end, reason: "other" }, by))).code).toBe("STATE_CONFLICT");
  const open = await waitFor(
    async () => (await ofTenant(tenantId).screenings.findOpenOf({ kind: "RECIPIENT", id: "c1/B-1" }))[0],
    { timeoutMs: 30_000, what: "the subject to be compared anew" },
  );
  expect(open.screeningId).not.toBe(screeningId);
  expect((await customerOf(tenantId)).holds).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
});

test("an exemption is void for somebody with another date of birth, and once identity tells that the person is another", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const by = on(tenantId, manager);
  const exemptUntil = new Date("2026-07-01T00:00:00Z");
  await at().decideHit(falsely(screeningId, { exemptUntil }), by);
  const born = { ...listed, dateOfBirth: "1979-11-30" };
  const again = await stopped(tenantId, [sender, born]);
  expect(again.screeningId).not.toBe(screeningId);
  expect(again.screening.hits[0]).toMatchObject({ state: "OPEN" });
  const statesOf = async () => {
    const all = await ofTenant(tenantId).exemptions.list({ now: world.state.now }, { limit: 10 });
    return all.map(({ voidAt }) => (voidAt === undefined ? "VALID" : "VOID"));
  };
  expect(await statesOf()).toEqual(["VOID"]);

  const change = (revision: number, lastName: string) =>
    world.identity.notePersonChange(
      { customerId: "c2", revision, changed: ["NAME"], proven: [], firstName: "Eliseo", lastName, country: "MEX" },
      on(tenantId),
    );
  await change(1, "Fabricio Tarquesada Obregonte");
  const [own] = await ofTenant(tenantId).screenings.list({ customerId: "c2" }, { limit: 1 });
  await at().decideHit(falsely(own!.screeningId, { exemptUntil }), by);
  expect(await statesOf()).toEqual(["VALID", "VOID"]);
  await change(2, "Gomez");
  expect(await statesOf()).toEqual(["VOID", "VOID"]);
});

test("who is paid from wallet to wallet is paid again once they are told apart, and the case that has the payment can be closed", async () => {
  const tenantId = await world.openTenant({});
  const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
  await world.operator.setCustomerStatus({ customerId: "c3", status, reason: "seen" }, on(tenantId));
  world.state.names.set("c3", "Eliseo Fabricio Tarquesada Obregonte");
  const pay = (paymentId: string) => {
    const amount = { amountMinor: 5_00n, currency: "USD" };
    const about = { customerId: "c1", payeeCustomerId: "c3", amount, atOnce: true };
    return world.wallet.checkWalletPayment({ ...about, paymentId: `${paymentId}-${tenantId}` }, on(tenantId));
  };
  expect((await pay("first")).approved).toBe(false);
  const [found] = await ofTenant(tenantId).screenings.list({ customerId: "c3" }, { limit: 1 });
  const by = on(tenantId, manager);
  await at().decideHit(falsely(found!.screeningId), by);
  expect((await pay("second")).approved).toBe(true);
  // The payment is refused, and waits for nobody; the case may still be hearing of it.
  const closed = await waitFor(async () => {
    const { cases } = await world.cases[0]!.listCases({ queue: "ALL", customerId: "c3" }, by);
    const [{ caseId, version, transactionIds } = { transactionIds: [] }] = cases;
    if (transactionIds.length === 0) return undefined;
    const close = { caseId, version, outcome: "USEFUL", reason: "seen", ...key() };
    return world.cases[0]!.closeCase(close, by).catch(() => undefined);
  });
  expect(closed.case).toMatchObject({ status: "CLOSED", transactionIds: [`first-${tenantId}`] });
  expect((await world.cases[0]!.listCases({ queue: "ALL", customerId: "c1" }, by)).cases).toEqual([]);
});

test("a search's hit is decided too, and is about nobody: nothing is blocked and nothing is exempt", async () => {
  const tenantId = await world.openTenant({});
  const { screening } = await stopped(tenantId);
  const found = {
    ...screening,
    screeningId: "search-1",
    subject: { kind: "SEARCH" as const, id: "search-1", customerId: "" },
  };
  const { screenings } = ofTenant(tenantId);
  await world.replicas[0]!.store.transaction(
    (session) => screenings.insert({ ...found, transactionIds: [], version: 1 }, session),
    async () => undefined,
  );
  const by = on(tenantId, manager);
  const exempt = falsely("search-1", { exemptUntil: new Date("2026-06-30T00:00:00Z") });
  expect((await refused(at().decideHit(exempt, by))).details?.errors?.[0]?.path).toBe("exemptUntil");
  await confirmed(tenantId, "search-1");
  expect((await screenings.find("search-1"))!.status).toBe("CONFIRMED_HIT");
  expect((await customerOf(tenantId)).status).toBe("CONFIRMED");
});

test("the customer's erasure takes exemptions with them once the retention is over", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  await at().decideHit(falsely(screeningId, { exemptUntil: new Date("2026-07-01T00:00:00Z") }), on(tenantId, manager));
  const { erased } = await world.erase({ tenantId, customerId: "c1", userId: "u-c1" }, "AFTER_RETENTION");
  expect(erased).toMatchObject({ "screening-exemptions": 1 });
  expect(await ofTenant(tenantId).exemptions.list({ now: world.state.now }, { limit: 10 })).toEqual([]);
});
