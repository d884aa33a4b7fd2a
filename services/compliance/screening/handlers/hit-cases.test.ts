import { RuleAction, Visibility } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  manager,
  on,
  question,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("hit_cases");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, stopped, falsely, release, confirmed, decisionOf, key } = hitWords(() => world);

const casesOf = async (tenantId: string) =>
  (await world.cases[0]!.listCases({ queue: "ALL" }, on(tenantId, manager))).cases;
const settled = (tenantId: string) =>
  waitFor(async () => {
    // Rows that met each other on one case are tried again a little later.
    world.state.now = new Date(world.state.now.getTime() + 1_000);
    const waiting = { tenantId, kind: "case.join", state: { $in: ["DUE", "PARKED"] } };
    return (await world.db.collection("outbox").countDocuments(waiting)) === 0;
  });
const timelineOf = async (tenantId: string, caseId: string) =>
  (await world.cases[0]!.getCase({ caseId }, on(tenantId, manager))).case!.timeline;
async function onlyCase(tenantId: string) {
  await settled(tenantId);
  const cases = await casesOf(tenantId);
  expect(cases).toHaveLength(1);
  return cases[0]!;
}
const asksForPerson = {
  transactionRules: [
    { name: "all", action: RuleAction.RULE_ACTION_REVIEW, visibility: Visibility.VISIBILITY_STAFF, condition: {} },
  ],
};

test("a hit opens one case, and what waits for it stands there, later transactions too", async () => {
  const tenantId = await world.openTenant({});
  const { transactionId, screeningId } = await stopped(tenantId);
  const next = question({ parties: [sender, listed] });
  await world.remittance.checkTransaction(next, on(tenantId));
  const found = await onlyCase(tenantId);
  expect(found).toMatchObject({
    kind: "SCREENING",
    subjectKind: "RECIPIENT",
    subjectId: "c1/B-1",
    customerId: "c1",
    screeningIds: [screeningId],
    transactionIds: [transactionId, next.transactionId],
  });
  await at().decideHit(falsely(screeningId), on(tenantId, manager));
  await waitFor(async () => (await decisionOf(tenantId, next.transactionId)) === "APPROVED");
  await settled(tenantId);
  const kinds = (await timelineOf(tenantId, found.caseId)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "TRANSACTION_DECIDED")).toHaveLength(2);
  expect(await casesOf(tenantId)).toHaveLength(1);
});

test("a hit of the sender is one case of the customer, and of sender and recipient one each", async () => {
  const tenantId = await world.openTenant({});
  const own = await stopped(tenantId, [{ ...sender, name: listed.name, countries: ["MEX"] }]);
  expect(await onlyCase(tenantId)).toMatchObject({
    kind: "SCREENING",
    subjectKind: "CUSTOMER",
    subjectId: "c1",
    transactionIds: [own.transactionId],
  });
  const two = await stopped(tenantId, [{ ...sender, name: listed.name, countries: ["MEX"] }, listed]);
  await settled(tenantId);
  const all = await casesOf(tenantId);
  expect(all.map(({ kind, subjectId }) => [kind, subjectId]).toSorted()).toEqual([
    ["SCREENING", "c1"],
    ["SCREENING", "c1/B-1"],
  ]);
  for (const { transactionIds } of all) expect(transactionIds).toContain(two.transactionId);
});

test("what a rule asks a person for as well is a matter of the customer's own, and stays one when the hit is told apart", async () => {
  const tenantId = await world.openTenant(asksForPerson);
  const { transactionId, screeningId } = await stopped(tenantId);
  await settled(tenantId);
  const kindsNow = async () =>
    (await casesOf(tenantId))
      .map(({ kind, subjectId, transactionIds }) => [kind, subjectId, transactionIds])
      .toSorted();
  const expected = [
    ["MONITORING", "c1", [transactionId]],
    ["SCREENING", "c1/B-1", [transactionId]],
  ];
  expect(await kindsNow()).toEqual(expected);
  await at().decideHit(falsely(screeningId), on(tenantId, manager));
  await settled(tenantId);
  expect(await kindsNow()).toEqual(expected);
});

test("a review that a new policy asks for once the hit is told apart opens the customer's own case then", async () => {
  const tenantId = await world.openTenant({});
  const { transactionId, screeningId } = await stopped(tenantId);
  expect((await onlyCase(tenantId)).kind).toBe("SCREENING");
  await world.operator.putPolicy(asksForPerson, on(tenantId));
  await at().decideHit(falsely(screeningId), on(tenantId, manager));
  const monitoring = await waitFor(async () => (await casesOf(tenantId)).find(({ kind }) => kind === "MONITORING"));
  expect(monitoring).toMatchObject({ subjectId: "c1", transactionIds: [transactionId] });
});

test("the case shows what a block has stopped, wallets too, and what its release did to each", async () => {
  const tenantId = await world.openTenant({});
  const { transactionId, screeningId } = await stopped(tenantId);
  world.state.blockAnswers = [
    { blocked: 2, underWay: 1, tooLate: [], transactionIds: [transactionId, "t-paid"] },
    { blocked: 2, underWay: 0, tooLate: ["t-late"], transactionIds: [transactionId, "t-paid"] },
  ];
  world.state.wallets = ["W1", "W2"];
  await confirmed(tenantId, screeningId);
  await waitFor(() => {
    world.state.now = new Date(world.state.now.getTime() + 1_000);
    return world.told(tenantId).blocked.length > 1 && world.told(tenantId).frozen.length > 0;
  });
  const found = await onlyCase(tenantId);
  expect(found.transactionIds).toEqual([transactionId, "t-paid"]);
  const texts = async () => {
    await settled(tenantId);
    const events = await timelineOf(tenantId, found.caseId);
    return events.filter(({ kind }) => kind === "BLOCK_NOTED").map(({ text }) => text);
  };
  const stops = [
    `Stopped by the block: ${transactionId}, t-paid.`,
    "Paid out before the block came: t-late.",
    "Wallets of customer c1 are frozen: W1, W2.",
  ];
  await waitFor(async () => (await texts()).length === stops.length);
  expect((await texts()).toSorted()).toEqual(stops.toSorted());

  world.state.releaseAnswer = {
    released: 2,
    transactions: [
      { transactionId, status: "CANCELLED" },
      { transactionId: "t-paid", status: "CANCELLING" },
    ],
    effects: [transactionId, "t-paid"].map((id) => ({
      kind: "TRANSACTION_SENT_BACK",
      subject: `transaction:${id}`,
      amount: undefined,
      change: undefined,
    })),
  };
  const asking = { ...release(screeningId), transactions: "REFUND", ...key() };
  const requested = await at().releaseConfirmedHit(asking, on(tenantId, manager));
  await world.decideApproval(tenantId, requested.screening!.hits[0]!.approvalId, secondManager.userId);
  await waitFor(async () => (await texts()).length === stops.length + 2);
  const { approvalId } = requested.screening!.hits[0]!;
  const ofRelease = world.told(tenantId).joined.filter((one) => one.approvalId === approvalId);
  expect(ofRelease.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual(
    [
      `TRANSACTION_SENT_BACK transaction:${transactionId}`,
      "TRANSACTION_SENT_BACK transaction:t-paid",
      "WALLET_UNFROZEN wallet:W1",
      "WALLET_UNFROZEN wallet:W2",
    ].toSorted(),
  );
  const ended = (await texts()).filter((text) => !stops.includes(text));
  expect(ended.toSorted()).toEqual([
    `The block was released with REFUND: ${transactionId} is cancelled, nobody had paid for it, t-paid is given back to who paid.`,
    "Wallets of customer c1 are free again: W1, W2.",
  ]);
});

test("nobody reads that what was given back was approved: it waits no more, and its case says what became of it", async () => {
  const tenantId = await world.openTenant({});
  const { transactionId, screeningId } = await stopped(tenantId);
  const other = await stopped(tenantId, [sender, listed], { recipientCode: "B-2" });
  await confirmed(tenantId, screeningId);
  await waitFor(() => world.told(tenantId).blocked.length > 0);
  world.state.releaseAnswer = { released: 1, transactions: [{ transactionId, status: "CANCELLED" }] };
  await at().decideHit(falsely(other.screeningId), on(tenantId, manager));
  const asking = { ...release(screeningId), transactions: "REFUND", ...key() };
  const requested = await at().releaseConfirmedHit(asking, on(tenantId, manager));
  await world.decideApproval(tenantId, requested.screening!.hits[0]!.approvalId, secondManager.userId);
  // What the block had not reached is decided anew behind it.
  await waitFor(async () => (await decisionOf(tenantId, other.transactionId)) === "APPROVED");
  await settled(tenantId);
  const stored = await world.store.forTenant(tenantId).findDecision(transactionId);
  expect(stored).toMatchObject({ decision: "REVIEW", isOpen: false });
  expect(world.told(tenantId).decided.map((one) => one.transactionId)).not.toContain(transactionId);
  const found = (await casesOf(tenantId)).find(({ screeningIds }) => screeningIds.includes(screeningId))!;
  const texts = (await timelineOf(tenantId, found.caseId)).map(({ text }) => text).join("\n");
  expect(texts).not.toContain("decided: APPROVED");
  expect(texts).toContain(`${transactionId} is cancelled, nobody had paid for it`);
});
