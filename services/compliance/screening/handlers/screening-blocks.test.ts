import { CustomerStatus, Decision } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
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
  world = await createComplianceWorld("blocks");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const {
  sender,
  listed,
  at,
  ofTenant,
  stopped,
  falsely,
  surely,
  release,
  stateOf,
  customerOf,
  decisionOf,
  confirmed,
  key,
} = hitWords(() => world);

test("a confirmation tells all that it does before it is approved; what is stopped beyond that is told to identity", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId, transactionId } = await stopped(tenantId);
  const requested = await at().decideHit(surely(screeningId), on(tenantId, manager));
  const { approvalId } = requested.screening!.hits[0]!;
  const blocked = (id: string) => ({ kind: "TRANSACTION_BLOCKED", subject: `transaction:${id}` });
  const late = `late-${transactionId}`;
  const nothingElse = { amount: undefined, change: undefined };
  world.state.wallets = [`w-${transactionId}`];
  const answer = (underWay: number, ...transactionIds: string[]) => ({
    underWay,
    transactionIds,
    effects: transactionIds.map((id) => ({ ...blocked(id), ...nothingElse })),
  });
  world.state.blockAnswers = [answer(1, transactionId), answer(0, transactionId, late)];
  const { foreseen } = await world.decideApproval(tenantId, approvalId, secondManager.userId);
  expect(foreseen).toMatchObject([
    { kind: "CUSTOMER_BLOCKED", subject: "customer:c1" },
    { kind: "CUSTOMER_STATUS_SET", subject: "customer:c1", change: { field: "status", after: "BLOCKED" } },
    { kind: "HIT_CONFIRMED", subject: `hit:${screeningId}/1` },
    blocked(transactionId),
    { kind: "WALLET_FROZEN", subject: `wallet:w-${transactionId}` },
  ]);
  const published = () => world.told(tenantId).joined.filter((one) => one.approvalId === approvalId);
  await waitFor(() => published().length === 2);
  // The confirmation's, also where a release is asked for before the next round.
  const toRelease = await at().releaseConfirmedHit({ ...release(screeningId), ...key() }, on(tenantId, manager));
  expect(toRelease.screening!.hits[0]!.approvalId).not.toBe(approvalId);
  world.state.now = new Date(world.state.now.getTime() + 60_000);
  await waitFor(() => published().length === 3);
  expect(published()).toEqual(
    expect.arrayContaining([
      { approvalId, ...blocked(transactionId) },
      { approvalId, ...blocked(late) },
      { approvalId, kind: "WALLET_FROZEN", subject: `wallet:w-${transactionId}` },
    ]),
  );
});

test("a confirmation cannot be foreseen while remittance is away", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const requested = await at().decideHit(surely(screeningId), on(tenantId, manager));
  const { approvalId } = requested.screening!.hits[0]!;
  world.state.isRemittanceAway = true;
  const decided = world.decideApproval(tenantId, approvalId, secondManager.userId);
  expect((await refused(decided)).code).toBe("UNAVAILABLE");
  world.state.isRemittanceAway = false;
  expect(await ofTenant(tenantId).screenings.find(screeningId)).toMatchObject({ status: "IN_REVIEW" });
  // Refusing asks nobody.
  await world.decideApproval(tenantId, approvalId, secondManager.userId, "REFUSED");
  expect(await ofTenant(tenantId).screenings.find(screeningId)).toMatchObject({ hits: [{ state: "OPEN" }] });
});

test("a hit confirmed by two blocks the customer, neutrally and for good, until two release it", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId, transactionId } = await stopped(tenantId);
  const by = on(tenantId, manager);
  const word = surely(screeningId);
  const requested = await at().decideHit(word, by);
  expect(requested.screening).toMatchObject({
    status: "IN_REVIEW",
    hits: [{ state: "CONFIRMATION_ASKED", decidedBy: "MA1" }],
  });
  expect((await at(1).decideHit(word, by)).screening!.hits[0]!.approvalId).toBe(
    requested.screening!.hits[0]!.approvalId,
  );
  expect(stateOf(await at().decideHit(surely(screeningId), by))).toBe("CONFIRMATION_ASKED");
  for (const other of [falsely(screeningId), surely(screeningId)]) {
    const refusal = await refused(at().decideHit(other, on(tenantId, secondManager)));
    expect(refusal.code).toBe("STATE_CONFLICT");
  }
  expect((await refused(at().releaseConfirmedHit({ ...release(screeningId), ...key() }, by))).code).toBe(
    "STATE_CONFLICT",
  );

  const { approvalId } = requested.screening!.hits[0]!;
  await Promise.all([
    world.decideApproval(tenantId, approvalId, secondManager.userId),
    world.decideApproval(tenantId, approvalId, secondManager.userId),
  ]);
  expect(await ofTenant(tenantId).screenings.find(screeningId)).toMatchObject({
    status: "CONFIRMED_HIT",
    hits: [{ state: "CONFIRMED", decidedBy: "MA1" }],
  });
  const blockId = `${screeningId}.1`;
  await waitFor(() => world.told(tenantId).blocked.length > 0 && world.told(tenantId).frozen.length > 0);
  expect(world.told(tenantId).blocked).toEqual([
    expect.objectContaining({ blockId, customerId: "c1", recipientCode: "", transactionIds: [transactionId] }),
  ]);
  expect(world.told(tenantId).frozen).toEqual([{ blockId, customerId: "c1", frozen: true }]);
  await waitFor(() => world.told(tenantId).noted.some(({ status }) => status === "BLOCKED"));
  expect(await customerOf(tenantId)).toMatchObject({
    status: "BLOCKED",
    holds: [{ recipientKey: "B-1", status: "CONFIRMED" }],
  });
  // The release decides on it, and no review.
  expect((await world.gateway.listReviews({}, by)).reviews).toEqual([]);
  const reject = { transactionId, approve: false, reason: "x" };
  expect((await refused(world.gateway.decideReview(reject, by))).message).toContain("the release of the hit decides");
  expect((await refused(world.gateway.decideReview({ transactionId, approve: true, reason: "x" }, by))).code).toBe(
    "STATE_CONFLICT",
  );

  // Neither an ordinary word nor a new policy ends it, and nobody reads why.
  const open = { customerId: "c1", status: CustomerStatus.CUSTOMER_STATUS_CONFIRMED, reason: "seen" };
  expect((await refused(world.operator.setCustomerStatus(open, on(tenantId)))).code).toBe("STATE_CONFLICT");
  const override = world.gateway.requestOverride({ ...open, ...key() }, on(tenantId, agent));
  expect(await refused(override)).toMatchObject({
    code: "STATE_CONFLICT",
    message: "this customer's status cannot be changed now",
  });
  await world.operator.putPolicy({ dailyLimits: [] }, on(tenantId));
  for (const user of [ada, agent]) {
    const { customer } = await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, user));
    expect(customer!.status).toBe("CUSTOMER_STATUS_BLOCKED");
    expect(
      JSON.stringify(customer, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toMatch(/screen|hit|list|sanction|Tarquesada/i);
  }
  const refusedNow = await world.remittance.checkTransaction(question(), on(tenantId));
  expect(refusedNow).toMatchObject({
    reasonCode: "CUSTOMER_BLOCKED",
    message: "the customer is blocked".replace("is blocked", "may not send money"),
  });

  const asking = { ...release(screeningId), ...key() };
  const toRelease = await at().releaseConfirmedHit(asking, on(tenantId, secondManager));
  expect(stateOf(toRelease)).toBe("CONFIRMED");
  expect(stateOf(await at(1).releaseConfirmedHit(asking, on(tenantId, secondManager)))).toBe("CONFIRMED");
  expect((await refused(at().releaseConfirmedHit({ ...release(screeningId), ...key() }, by))).code).toBe(
    "STATE_CONFLICT",
  );
  const releaseId = toRelease.screening!.hits[0]!.approvalId;
  expect(releaseId).not.toBe(approvalId);
  const { noted } = await world.decideApproval(tenantId, releaseId, manager.userId);
  expect(noted).toEqual([
    "CUSTOMER_STATUS_SET customer:c1 status: BLOCKED → CONFIRMED",
    "CUSTOMER_UNBLOCKED customer:c1",
    `HIT_RELEASED hit:${screeningId}/1`,
    `TRANSACTION_DECIDED_ANEW transaction:${transactionId}`,
  ]);
  await world.decideApproval(tenantId, releaseId, manager.userId);
  await waitFor(() => world.told(tenantId).released.length > 0 && world.told(tenantId).frozen.length > 1);
  expect(world.told(tenantId).released).toEqual([{ blockId, outcome: "CONTINUE" }]);
  expect(world.told(tenantId).frozen.at(-1)).toEqual({ blockId, customerId: "c1", frozen: false });
  expect(await customerOf(tenantId)).toMatchObject({ status: "CONFIRMED", holds: [], blocks: [] });
  await waitFor(() => world.told(tenantId).decided.find((one) => one.transactionId === transactionId));
  expect(await decisionOf(tenantId, transactionId)).toBe("APPROVED");
  const caseIds = await world.replicas[0]!.cases.forTenant(tenantId).caseIdsOf([screeningId]);
  // The case may still be hearing of it.
  const refusal = await waitFor(async () => {
    const { case: one } = await world.cases[0]!.getCase({ caseId: caseIds.get(screeningId)! }, by);
    const { caseId, version } = one!;
    const close = { caseId, version, outcome: "FALSE_POSITIVE", reason: "x", ...key() };
    const { message } = await refused(world.cases[0]!.closeCase(close, by));
    return message.includes("read it again") ? undefined : message;
  });
  expect(refusal).toContain("was confirmed");
  const recorded = (await world.store.forTenant(tenantId).listAudit({ limit: 100, subject: "customer:c1" })).map(
    ({ action }) => action,
  );
  expect(recorded.filter((action) => action.startsWith("screening.")).toSorted()).toEqual([
    "screening.confirmation-approved",
    "screening.confirmation-ask",
    "screening.release-approved",
    "screening.release-ask",
  ]);
});

test("where the policy says so, a recipient's confirmed hit stops what is sent to them and not the sender", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const { policies } = ofTenant(tenantId);
  const current = await policies.current();
  await world.replicas[0]!.store.transaction(
    (session) => policies.insert({ ...current, version: 1, blocksSender: false }, session),
    async () => undefined,
  );
  await confirmed(tenantId, screeningId);
  await waitFor(() => world.told(tenantId).blocked.length > 0);
  expect(world.told(tenantId).blocked[0]).toMatchObject({ customerId: "c1", recipientCode: "B-1" });
  expect(world.told(tenantId).frozen).toEqual([]);
  expect((await customerOf(tenantId)).status).toBe("CONFIRMED");
  expect((await world.remittance.checkTransaction(question(), on(tenantId))).decision).toBe(Decision.DECISION_REVIEW);
  const other = question({ recipientCode: "B-7" });
  expect((await world.remittance.checkTransaction(other, on(tenantId))).decision).toBe(Decision.DECISION_APPROVED);
  // What went to them before and what goes to them now waits for the release.
  expect((await world.gateway.listReviews({}, on(tenantId, manager))).reviews).toEqual([]);
});

test("a customer under two blocks stays blocked until both are released, and is then what was decided meanwhile", async () => {
  const tenantId = await world.openTenant({});
  const first = await stopped(tenantId);
  const second = await stopped(tenantId, [sender, listed], { recipientCode: "B-2" });
  for (const { screeningId } of [first, second]) await confirmed(tenantId, screeningId);
  const status = CustomerStatus.CUSTOMER_STATUS_BLOCKED;
  await world.operator.setCustomerStatus({ customerId: "c1", status, reason: "court order" }, on(tenantId));
  for (const [index, { screeningId }] of [first, second].entries()) {
    const requested = await at().releaseConfirmedHit(
      { ...release(screeningId), transactions: "REFUND", ...key() },
      on(tenantId, manager),
    );
    await world.decideApproval(tenantId, requested.screening!.hits[0]!.approvalId, secondManager.userId);
    const { status: now, blocks } = await customerOf(tenantId);
    expect([now, blocks?.length]).toEqual(["BLOCKED", 1 - index]);
  }
  await waitFor(() => world.told(tenantId).released.length === 2);
  expect(world.told(tenantId).released.map(({ outcome }) => outcome)).toEqual(["REFUND", "REFUND"]);
});

test("what is told apart under another recipient's block waits until the last block ends, and is not refused by it", async () => {
  const tenantId = await world.openTenant({});
  const held = await stopped(tenantId);
  const other = await stopped(tenantId, [sender, listed], { recipientCode: "B-2" });
  await confirmed(tenantId, held.screeningId);
  await at().decideHit(falsely(other.screeningId), on(tenantId, manager));
  expect((await customerOf(tenantId)).holds).toEqual([{ recipientKey: "B-1", status: "CONFIRMED" }]);
  const origin = { tenantId, interactionId: "i-1", actor: "compliance" };
  const call = { tenantId, interactionId: "i-1" };
  for (const waitsFor of ["SCREENING", "DOCUMENTS"] as const)
    await world.replicas[0]!.checks.reconsider(origin, "c1", call as never, waitsFor);
  const recorded = await world.store.forTenant(tenantId).findDecision(other.transactionId);
  expect(recorded).toMatchObject({ decision: "REVIEW", isOpen: true });
  const asking = { ...release(held.screeningId), ...key() };
  const requested = await at().releaseConfirmedHit(asking, on(tenantId, manager));
  await world.decideApproval(tenantId, requested.screening!.hits[0]!.approvalId, secondManager.userId);
  await waitFor(async () => (await decisionOf(tenantId, other.transactionId)) === "APPROVED");
});

test("payouts under way are asked about again, what was paid out too late is told to the case once, and a neighbour that is away is waited for", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  world.state.blockAnswers = [
    { blocked: 2, underWay: 1, tooLate: ["t-late"] },
    { blocked: 1, underWay: 0, tooLate: ["t-late", "t-later"] },
  ];
  world.state.tellFails = 2;
  // Rows of other tests may still be told.
  const frozen = () => world.told(tenantId).frozen.filter(({ blockId }) => blockId === `${screeningId}.1`);
  await confirmed(tenantId, screeningId);
  await waitFor(() => world.told(tenantId).blocked.length > 0);
  await waitFor(
    () => {
      world.state.now = new Date(world.state.now.getTime() + 1_000);
      return world.told(tenantId).blocked.length > 1 && frozen().length > 0;
    },
    { timeoutMs: 30_000, what: "the next round, and the wallet to be back" },
  );
  expect(world.told(tenantId).blocked[1]).toEqual(world.told(tenantId).blocked[0]);
  const by = on(tenantId, manager);
  const texts = await waitFor(async () => {
    const caseIds = await world.replicas[0]!.cases.forTenant(tenantId).caseIdsOf([screeningId]);
    const { case: one } = await world.cases[0]!.getCase({ caseId: caseIds.get(screeningId)! }, by);
    const late = one!.timeline.map(({ text }) => text).filter((text) => text.startsWith("Paid out"));
    return late.length > 1 ? late : undefined;
  });
  expect(texts).toEqual(["Paid out before the block came: t-late.", "Paid out before the block came: t-later."]);
  expect(frozen()).toEqual([{ blockId: `${screeningId}.1`, customerId: "c1", frozen: true }]);
});

test("a release does not wait for the next round of its block, however far that is", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const blockId = `${screeningId}.1`;
  world.state.blockAnswers = [{ blocked: 1, underWay: 1, tooLate: [] }];
  await confirmed(tenantId, screeningId);
  const rows = () => world.outboxes[0]!.list({ tenantId, state: "DUE" });
  await waitFor(async () => (await rows()).some(({ aggregate, seq }) => aggregate.endsWith(blockId) && seq === 2));
  const requested = await at().releaseConfirmedHit({ ...release(screeningId), ...key() }, on(tenantId, manager));
  await world.decideApproval(tenantId, requested.screening!.hits[0]!.approvalId, secondManager.userId);
  const later = (await rows()).filter((row) => row.aggregate.endsWith(blockId) && row.dueAt > world.state.now);
  expect(later).toEqual([]);
  await waitFor(() => world.told(tenantId).released.some((one) => one.blockId === blockId));
  expect(world.told(tenantId).blocked.filter((one) => one.blockId === blockId)).toHaveLength(1);
});
