import { randomUUID } from "node:crypto";
import { createPayoutWorld, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { manager, on, refused } from "../../../test/support/remittance-calls.js";

let world: PayoutWorld;
beforeAll(async () => void (world = await createPayoutWorld("described")));
afterEach(() => world.reset());
afterAll(() => world.close());

jest.setTimeout(180_000);

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

test("compliance reads where transactions stand, blocks included, and those of its tenant alone", async () => {
  const tenantId = await world.tenant();
  const { transactionId } = await world.paid(tenantId, { behaviour: "STALL" });
  const ask = (transactionIds: string[], tenant = tenantId) =>
    world.compliance.describeTransactions({ transactionIds }, on(tenant));
  const blockId = `block-${randomUUID()}`;
  await world.compliance.blockTransactions({ blockId, transactionIds: [transactionId] }, on(tenantId));
  const { transactions } = await ask([transactionId, "unknown"]);
  expect(transactions).toMatchObject([{ transactionId, status: "BLOCKED", since: expect.any(Date) }]);
  const { recipient, transactionCode } = await world.find(tenantId, transactionId);
  expect(transactions[0]).toMatchObject({ transactionCode, recipientName: recipient.name });
  // What is shown in a case is no more than that.
  expect(JSON.stringify(transactions, plain)).not.toContain(blockId);
  expect((await ask([transactionId], await world.tenant())).transactions).toEqual([]);
  expect((await ask([])).transactions).toEqual([]);
});

test("only compliance asks, and of at most a thousand", async () => {
  const tenantId = await world.tenant();
  for (const client of [world.gateway, world.wallet, world.operator]) {
    const refusal = await refused(client.describeTransactions({ transactionIds: ["t"] }, on(tenantId, manager)));
    expect(refusal.code).toBe("CALLER_NOT_ALLOWED");
  }
  const many = Array.from({ length: 1_001 }, (_, index) => `t${index}`);
  const refusal = await refused(world.compliance.describeTransactions({ transactionIds: many }, on(tenantId)));
  expect([refusal.code, refusal.details?.errors?.[0]?.path]).toEqual(["INVALID_INPUT", "transactionIds"]);
});
