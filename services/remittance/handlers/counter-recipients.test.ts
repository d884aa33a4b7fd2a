import { testTenant } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { beneficiary } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("counter_recipients")));
afterEach(() => world.reset());
afterAll(() => world.close());

type User = typeof cashier | typeof agent | typeof manager | typeof ada | typeof ben;
const { customerId: _own, ...content } = beneficiary;
const save = (tenantId: string, user: User, part: object = {}) =>
  world.gateway.createBeneficiary({ ...content, customerCode: "C-1", ...part }, on(tenantId, user));
const list = (tenantId: string, user: User, customerCode = "C-1") =>
  world.gateway.listBeneficiaries({ customerCode }, on(tenantId, user)).then(({ beneficiaries }) => beneficiaries);
const looks = (tenantId: string, customerCode = "C-1") =>
  world.gateway.listRecipientLooks({ customerCode }, on(tenantId, manager)).then((answer) => answer.looks);

test("a cashier saves a sender's recipient and reads that sender's alone; who did is kept", async () => {
  const tenantId = testTenant();
  const { beneficiary: saved } = await save(tenantId, cashier);
  expect(saved).toMatchObject({ code: "B-NGOZI", customerId: "c1", name: "Ngozi Okafor" });
  await world.operator.createBeneficiary(
    { ...beneficiary, idempotencyKey: "b-2", code: "B-BENS", customerId: "c2" },
    on(tenantId),
  );
  expect((await list(tenantId, cashier)).map(({ code }) => code)).toEqual(["B-NGOZI"]);
  expect((await list(tenantId, cashier, "C-2")).map(({ code }) => code)).toEqual(["B-BENS"]);
  expect(await looks(tenantId)).toMatchObject([
    { by: "CA1", role: "CASHIER", what: "READ", code: "", interactionId: "i-1" },
    { by: "CA1", role: "CASHIER", what: "SAVED", code: "B-NGOZI" },
  ]);
  expect(await looks(tenantId, "C-2")).toMatchObject([{ by: "CA1", what: "READ" }]);
  expect(await looks(testTenant())).toEqual([]);
});

test("the same key saves once and is noted once", async () => {
  const tenantId = testTenant();
  expect(await save(tenantId, cashier)).toEqual(await save(tenantId, cashier));
  expect((await refused(save(tenantId, cashier, { customerCode: "C-2" }))).code).toBe("IDEMPOTENCY_KEY_REUSED");
  expect(await looks(tenantId)).toHaveLength(1);
  expect(await looks(tenantId, "C-2")).toEqual([]);
});

test("an agent does it for the customers whom they manage, once the organisation has them sell", async () => {
  expect((await refused(save(testTenant(), agent))).code).toBe("FORBIDDEN");
  const tenantId = testTenant();
  world.neighbours.preference.agentCounterSales = true;
  await save(tenantId, agent);
  expect((await refused(save(tenantId, agent, { customerCode: "C-2", idempotencyKey: "k" }))).code).toBe("FORBIDDEN");
  expect((await refused(list(tenantId, agent, "C-2"))).code).toBe("FORBIDDEN");
  expect(await looks(tenantId)).toMatchObject([{ by: "AG1", role: "AGENT" }]);
});

test("nobody names somebody else by it, and who is unknown is said to be so", async () => {
  const tenantId = testTenant();
  expect((await refused(world.gateway.listBeneficiaries({}, on(tenantId, cashier)))).code).toBe("FORBIDDEN");
  expect((await refused(world.gateway.createBeneficiary(beneficiary, on(tenantId, cashier)))).code).toBe("FORBIDDEN");
  expect((await refused(list(tenantId, cashier, "C-9"))).code).toBe("CUSTOMER_NOT_FOUND");
  expect((await refused(list(tenantId, ben))).code).toBe("FORBIDDEN");
  expect((await refused(save(tenantId, ben))).code).toBe("FORBIDDEN");
  expect(await faultOf(save(tenantId, cashier, { country: "Narnia" }))).toEqual(["INVALID_INPUT", "country"]);
  expect(await looks(tenantId)).toEqual([]);
});
