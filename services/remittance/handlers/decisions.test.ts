import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { ada, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => {
  world = await createWorld("decisions");
});
afterEach(() => world.reset());
afterAll(() => world.close());

async function waitingTransaction() {
  const tenantId = await openTenant(world);
  world.neighbours.check = async () => ({ decision: Decision.DECISION_REVIEW, policyVersion: 3 });
  const { transaction } = await world.gateway.createTransaction(order(), on(tenantId, ada));
  const transactionId = transaction!.transactionId;
  const read = async () => (await world.gateway.getTransaction({ transactionId }, on(tenantId, ada))).transaction!;
  const decide = (decision: Decision, part = {}) =>
    world.compliance.decideTransaction({ transactionId, decision, policyVersion: 4, ...part }, on(tenantId));
  return { tenantId, transactionId, read, decide };
}

describe("DecideTransaction", () => {
  test("asks compliance with the recipient's code; a review waits, and goes on once it is approved", async () => {
    const { tenantId, read, decide } = await waitingTransaction();
    expect(world.neighbours.checks.filter((one) => one.tenantId === tenantId)).toMatchObject([
      { recipientCode: "B-NGOZI" },
    ]);
    expect((await read()).status).toBe("AWAITING_COMPLIANCE");
    await decide(Decision.DECISION_APPROVED);
    await decide(Decision.DECISION_APPROVED);
    const { status, expiresAt, timeline } = await read();
    expect(status).toBe("AWAITING_PAYMENT");
    expect(expiresAt!.getTime()).toBeGreaterThan(world.now().getTime() + 29 * 60_000);
    expect(timeline.map((one) => one.actor)).toEqual(["u1", "compliance"]);
  });

  test("is refused once it is rejected, and no later word changes that", async () => {
    const { read, decide } = await waitingTransaction();
    await decide(Decision.DECISION_REJECTED, { reasonCode: "REVIEW_REJECTED" });
    expect((await read()).status).toBe("REJECTED");
    await decide(Decision.DECISION_APPROVED);
    expect((await read()).status).toBe("REJECTED");
  });

  test("503 where the transaction is not there yet, 403 for anybody but compliance", async () => {
    const { tenantId, transactionId } = await waitingTransaction();
    const request = { transactionId: "later", decision: Decision.DECISION_APPROVED };
    expect((await refused(world.compliance.decideTransaction(request, on(tenantId)))).code).toBe("UNAVAILABLE");
    const asGateway = world.gateway.decideTransaction({ ...request, transactionId }, on(tenantId));
    expect((await refused(asGateway)).code).toBe("CALLER_NOT_ALLOWED");
  });
});
