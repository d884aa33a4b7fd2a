import { randomUUID } from "node:crypto";
import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { ada, agent, cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("block_views")));
afterEach(() => world.reset());
afterAll(() => world.close());

const officerToken = { ...manager, scopes: ["transactions:read", "compliance:read"] };
const deskToken = { ...manager, scopes: ["transactions:read", "transactions:write", "reports:read"] };
const publishedTypes = [
  ["a manager", manager],
  ["a manager's token with compliance's scope", officerToken],
] as const;
const unpublished = [
  ["the sender", ada],
  ["a cashier", cashier],
  ["an agent", agent],
  ["a manager's token without it", deskToken],
] as const;

/**
 * Two of a cashier's desk: one that waits for its payment under a block, one in an ordinary review.
 */
async function scene() {
  const tenantId = await openTenant(world);
  const create = async () =>
    (await world.gateway.createTransaction(order(), on(tenantId, cashier))).transaction!.transactionId;
  const blocked = await create();
  world.neighbours.check = async () => ({ decision: Decision.DECISION_REVIEW, policyVersion: 1 });
  const inReview = await create();
  const blockId = `hit-${randomUUID()}`;
  await world.compliance.blockTransactions({ blockId, transactionIds: [blocked] }, on(tenantId));
  return { tenantId, blocked, inReview, blockId };
}
type User = (typeof publishedTypes | typeof unpublished)[number][1];
const read = async (tenantId: string, transactionId: string, user: User) =>
  (await world.gateway.getTransaction({ transactionId }, on(tenantId, user))).transaction!;
const listed = async (tenantId: string, user: User, statuses: string[] = []) =>
  (await world.gateway.listTransactions({ statuses }, on(tenantId, user))).transactions.map(
    ({ transactionId, status }) => [transactionId, status],
  );

describe("a blocked transaction", () => {
  test.each(publishedTypes)("is BLOCKED for %s, with the block's id and who laid it", async (_who, user) => {
    const { tenantId, blocked, inReview, blockId } = await scene();
    const { status, timeline } = await read(tenantId, blocked, user);
    expect(status).toBe("BLOCKED");
    expect(timeline.at(-1)).toMatchObject({ status: "BLOCKED", actor: "compliance", reason: `block ${blockId}` });
    expect(await listed(tenantId, user, ["BLOCKED"])).toEqual([[blocked, "BLOCKED"]]);
    expect(await listed(tenantId, user, ["AWAITING_COMPLIANCE"])).toEqual([[inReview, "AWAITING_COMPLIANCE"]]);
    expect(await listed(tenantId, user, ["AWAITING_PAYMENT"])).toEqual([]);
  });

  test.each(unpublished)("waits for compliance as every review for %s", async (_who, user) => {
    const { tenantId, blocked, inReview, blockId } = await scene();
    const [one, other] = [await read(tenantId, blocked, user), await read(tenantId, inReview, user)];
    expect([one.status, one.compliance, one.expiresAt]).toEqual([other.status, other.compliance, other.expiresAt]);
    const text = JSON.stringify(one, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toMatch(new RegExp(`BLOCKED|${blockId}`));
    expect(one.timeline.at(-1)).toMatchObject({ status: "AWAITING_COMPLIANCE", actor: "remittance", reason: "" });
    const waiting = [inReview, blocked].map((id) => [id, "AWAITING_COMPLIANCE"]);
    expect(await listed(tenantId, user)).toEqual(waiting);
    expect(await listed(tenantId, user, ["AWAITING_COMPLIANCE"])).toEqual(waiting);
    expect(await listed(tenantId, user, ["BLOCKED"])).toEqual([]);
    expect(await listed(tenantId, user, ["AWAITING_PAYMENT", "BLOCKED"])).toEqual([]);
  });

  test("is counted so by reports, of every one of them by what they may know", async () => {
    const { tenantId } = await scene();
    const count = async (user: User) => {
      const { rows } = await world.gateway.getCallOverReport({ date: "" }, on(tenantId, user));
      return rows.map(({ status, count: of }) => [status, Number(of)]);
    };
    const date = world.now().toISOString().slice(0, 10);
    const analysed = async (user: User) => {
      const { rows } = await world.gateway.getAnalytics({ from: date, to: date }, on(tenantId, user));
      return rows.map(({ status, count: of }) => [status, Number(of)]);
    };
    const apart = [
      ["AWAITING_COMPLIANCE", 1],
      ["BLOCKED", 1],
    ];
    expect([await count(manager), await analysed(officerToken)]).toEqual([apart, apart]);
    const together = [["AWAITING_COMPLIANCE", 2]];
    expect([await count(agent), await analysed(agent), await count(deskToken)]).toEqual([together, together, together]);
  });

  test("answers an order that is repeated, its cancellation by a cashier and by hand as a review does", async () => {
    const { tenantId, blocked, inReview } = await scene();
    const expire = (transactionId: string) =>
      world.gateway.updateTransactionStatus(
        { idempotencyKey: randomUUID(), transactionId, status: "EXPIRED", reason: "r" },
        on(tenantId, cashier),
      );
    const [one, other] = [await refused(expire(blocked)), await refused(expire(inReview))];
    expect([one.code, one.message, one.details]).toEqual([other.code, other.message, other.details]);
    const cancel = async (transactionId: string) =>
      (
        await world.gateway.cancelTransaction(
          { idempotencyKey: randomUUID(), transactionId, reason: "" },
          on(tenantId, cashier),
        )
      ).transaction!;
    const [mine, theirs] = [await cancel(blocked), await cancel(inReview)];
    expect([mine.status, theirs.status]).toEqual(["CANCELLED", "CANCELLED"]);
    expect(JSON.stringify(mine.timeline)).not.toMatch(/BLOCKED/);
  });

  test("has no word of its block on a receipt, whoever prints it", async () => {
    const { tenantId, blocked } = await scene();
    await world.db
      .collection("transactions")
      .updateOne({ tenantId, transactionId: blocked }, { $set: { paidAt: new Date(), "block.shownAs": "PROCESSING" } });
    for (const user of [manager, ada]) {
      const { transaction } = await world.gateway.getReceipt({ transactionId: blocked }, on(tenantId, user));
      expect(transaction!.status).toBe("PROCESSING");
      expect(transaction!.timeline.map(({ status }) => status)).not.toContain("BLOCKED");
    }
  });
});
