import { CustomerStatus, Decision, type MoveKind } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("wallet_owners")));
afterEach(() => world.reset());
afterAll(() => world.close());

const { confirmed, listed, at, ofTenant, falsely, release, key, decisionOf } = hitWords(() => world);
const { DECISION_APPROVED: approved, DECISION_REVIEW: review } = Decision;
const into = (recipientCustomerId: string) => question({ recipientCustomerId });
const check = (tenantId: string, requested: ReturnType<typeof question>) =>
  world.remittance.checkTransaction(requested, on(tenantId));
const holdsOf = async (tenantId: string, customerId: string) =>
  (await world.store.forTenant(tenantId).findCustomer(customerId))?.holds ?? [];

/** c3, whom a list has, is paid into a wallet by c1, who calls them by another name. */
async function stoppedByOwner(tenantId: string) {
  world.state.names.set("c3", listed.name);
  const requested = into("c3");
  const answer = await check(tenantId, requested);
  const [found] = await ofTenant(tenantId).screenings.list({ transactionId: requested.transactionId }, { limit: 10 });
  return { requested, answer, found };
}

test("whose wallet is paid is compared, whatever the sender calls them; it goes on once they are told apart", async () => {
  const tenantId = await world.openTenant({});
  const { requested, answer, found } = await stoppedByOwner(tenantId);
  expect(answer).toMatchObject({ decision: review, reasonCode: "", message: "the transaction is being looked at" });
  expect(found!.subject).toMatchObject({ kind: "CUSTOMER", id: "c3", customerId: "c3" });
  expect(await holdsOf(tenantId, "c3")).toEqual([{ recipientKey: "", status: "OPEN" }]);
  expect(await holdsOf(tenantId, "c1")).toEqual([]);
  // What goes to others does not wait.
  expect((await check(tenantId, into("c2"))).decision).toBe(approved);

  // Stopped already: asked about them, nobody has to be found once more.
  const second = into("c3");
  expect((await check(tenantId, second)).decision).toBe(review);
  const by = on(tenantId, manager);
  const word = { transactionId: requested.transactionId, approve: true, reason: "known" };
  expect((await refused(world.gateway.decideReview(word, by))).code).toBe("STATE_CONFLICT");

  await at().decideHit(falsely(found!.screeningId), by);
  for (const { transactionId } of [requested, second]) {
    await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED" || undefined, {
      timeoutMs: 30_000,
    });
  }
  await waitFor(() => world.told(tenantId).decided.some(({ decision }) => decision === approved));
});

test("once the hit of a wallet's owner is confirmed, what pays into it waits for the release and no more for a review", async () => {
  const tenantId = await world.openTenant({});
  const by = on(tenantId, manager);
  const { requested, found } = await stoppedByOwner(tenantId);
  const waiting = async () => (await world.gateway.listReviews({}, by)).reviews.map((one) => one.transactionId);
  expect(await waiting()).toEqual([requested.transactionId]);
  await confirmed(tenantId, found!.screeningId);
  expect(await waiting()).toEqual([]);
  const word = { transactionId: requested.transactionId, approve: false, reason: "known" };
  expect((await refused(world.gateway.decideReview(word, by))).message).toContain("the release of the hit decides");

  const toRelease = await at().releaseConfirmedHit({ ...release(found!.screeningId), ...key() }, by);
  const { noted } = await world.decideApproval(tenantId, toRelease.screening!.hits[0]!.approvalId, "MA2");
  expect(noted).toEqual([
    "CUSTOMER_STATUS_SET customer:c3 status: BLOCKED → PENDING",
    "CUSTOMER_UNBLOCKED customer:c3",
    `HIT_RELEASED hit:${found!.screeningId}/1`,
    `TRANSACTION_DECIDED_ANEW transaction:${requested.transactionId}`,
  ]);
  await waitFor(async () => (await decisionOf(tenantId, requested.transactionId)) === "APPROVED");
});

test("an owner whom identity does not know is compared with nothing: a person decides", async () => {
  const tenantId = await world.openTenant({});
  const requested = into("x1");
  expect(await check(tenantId, requested)).toMatchObject({ decision: review, reasonCode: "" });
});

test("who pays into their own wallet is compared as the sender", async () => {
  const tenantId = await world.openTenant({});
  expect((await check(tenantId, into("c1"))).decision).toBe(approved);
});

test("a hit of a customer keeps money where it is for every move, until they are told apart", async () => {
  const tenantId = await world.openTenant({});
  const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
  await world.operator.setCustomerStatus({ customerId: "c3", status, reason: "seen" }, on(tenantId));
  const kinds: MoveKind[] = [
    "MOVE_KIND_CASH_OUT",
    "MOVE_KIND_WITHDRAWAL",
    "MOVE_KIND_HOLD_CONFIRMATION",
    "MOVE_KIND_EXCHANGE",
    "MOVE_KIND_REFUND_GIVEN",
    "MOVE_KIND_LOAN_DISBURSEMENT",
    "MOVE_KIND_TOP_UP",
    "MOVE_KIND_CASH_IN",
    "MOVE_KIND_TRANSFER_RECEIVED",
    "MOVE_KIND_REFUND_RECEIVED",
  ];
  const ask = async (customerId: string) => {
    const moves = kinds.map((kind) => ({ customerId, kind }));
    const { answers } = await world.wallet.checkMoves({ moves }, on(tenantId));
    return answers.map(({ verdict, reasonCode }) => `${verdict.replace("MOVE_VERDICT_", "")} ${reasonCode}`.trim());
  };
  const passes = kinds.map(() => "PASS");
  expect(await ask("c3")).toEqual(passes);
  const { found } = await stoppedByOwner(tenantId);
  const refusals = Array.from({ length: 7 }, () => "REFUSE COMPLIANCE_REJECTED");
  expect(await ask("c3")).toEqual([...refusals, "HOLD", "HOLD", "HOLD"]);
  expect(await ask("c1")).toEqual(passes);
  await at().decideHit(falsely(found!.screeningId), on(tenantId, manager));
  expect(await ask("c3")).toEqual(passes);
});
