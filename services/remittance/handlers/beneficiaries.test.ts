import { DeliveryMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { testTenant } from "../../../test/support/index.js";
import {
  ada,
  agent,
  ben,
  beneficiary,
  cashier,
  createWorld,
  faultOf,
  manager,
  on,
  refused,
  type World,
} from "../../../test/support/remittance-fixture.js";

let world: World;
beforeAll(async () => void (world = await createWorld("beneficiaries")));
afterEach(() => world.reset());
afterAll(() => world.close());

const create = (tenantId: string, part: object = {}) =>
  world.operator.createBeneficiary({ ...beneficiary, ...part }, on(tenantId));

describe("CreateBeneficiary", () => {
  test("saves a recipient with account details as fields of their own", async () => {
    const { beneficiary: saved } = await create(testTenant());
    expect(saved).toMatchObject({
      code: "B-NGOZI",
      customerId: "c1",
      name: "Ngozi Okafor",
      country: "NGA",
      currency: "NGN",
      accountNumber: "3012345678",
      bankName: "First Bank",
      bankCode: "011",
      creditParty: beneficiary.creditParty,
      relationship: "sister",
    });
  });

  test("makes a code where none is chosen", async () => {
    const { beneficiary: saved } = await create(testTenant(), { code: "" });
    expect(saved!.code).toMatch(/^B-[0-9A-HJKMNP-TV-Z]{8}$/);
  });

  test("the same key gives the same beneficiary; the same key for another request is refused", async () => {
    const tenantId = testTenant();
    expect(await create(tenantId)).toEqual(await create(tenantId));
    expect((await refused(create(tenantId, { firstName: "Other" }))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await world.store.forTenant(tenantId).listBeneficiaries()).toHaveLength(1);
  });

  test("409 ALREADY_EXISTS for a code that is taken, also when two come at once; another tenant may have it", async () => {
    const tenantId = testTenant();
    const both = await Promise.allSettled([create(tenantId), create(tenantId, { idempotencyKey: "b-2" })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await refused(create(tenantId, { idempotencyKey: "b-3" }))).code).toBe("ALREADY_EXISTS");
    await create(testTenant());
  });

  test("400 INVALID_INPUT names the fault", async () => {
    const faults: [object, string][] = [
      [{ idempotencyKey: "" }, "idempotencyKey"],
      [{ customerId: "" }, "customerId"],
      [{ code: "a b" }, "code"],
      [{ firstName: "", lastName: " " }, "lastName"],
      [{ lastName: "x".repeat(101) }, "lastName"],
      [{ country: "Narnia" }, "country"],
      [{ currency: "QQQ" }, "currency"],
      [{ deliveryMethods: [] }, "deliveryMethods"],
      [{ deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_UNSPECIFIED] }, "deliveryMethods[0]"],
      [{ creditParty: [] }, "creditParty"],
      [{ creditParty: [{ key: "bankaccountno", value: "" }] }, "creditParty[0].value"],
    ];
    for (const [part, path] of faults) {
      expect(await faultOf(create(testTenant(), part))).toEqual(["INVALID_INPUT", path]);
    }
  });

  test("422 CREDIT_PARTY_INVALID where details are not enough for a delivery method", async () => {
    const deliveryMethods = [
      DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT,
      DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY,
    ];
    expect((await refused(create(testTenant(), { deliveryMethods }))).code).toBe("CREDIT_PARTY_INVALID");
  });

  test("404 CUSTOMER_NOT_FOUND, 403 CALLER_NOT_ALLOWED", async () => {
    expect((await refused(create(testTenant(), { customerId: "nobody" }))).code).toBe("CUSTOMER_NOT_FOUND");
    expect((await refused(world.gateway.createBeneficiary(beneficiary, on(testTenant(), ada)))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
  });

  test("writes no account number into the log", async () => {
    await create(testTenant());
    await refused(create(testTenant(), { creditParty: [{ key: "bankaccountno", value: "9/8/7/6/5" }] }));
    expect(world.logged.join("\n")).not.toMatch(/3012345678|9\/8\/7\/6\/5/);
  });
});

describe("ListBeneficiaries", () => {
  test("gives customers their own, agents those of whom they manage, managers all", async () => {
    const tenantId = testTenant();
    await create(tenantId);
    await create(tenantId, { idempotencyKey: "b-2", code: "B-BEN", customerId: "c2" });
    const seenBy = async (
      user: typeof ada | typeof ben | typeof agent | typeof manager | { role: "AGENT"; userId: string },
    ) => {
      const { beneficiaries } = await world.gateway.listBeneficiaries({}, on(tenantId, user));
      return beneficiaries.map(({ code }) => code);
    };
    expect(await seenBy(ada)).toEqual(["B-NGOZI"]);
    expect(await seenBy(ben)).toEqual(["B-BEN"]);
    expect(await seenBy(agent)).toEqual(["B-NGOZI"]);
    expect(await seenBy({ role: "AGENT", userId: "AG2" })).toEqual([]);
    expect(await seenBy(manager)).toEqual(["B-NGOZI", "B-BEN"]);
    expect((await refused(world.gateway.listBeneficiaries({}, on(tenantId, cashier)))).code).toBe("FORBIDDEN");
  });

  test("gives agents all of the tenant where its agentScope says so", async () => {
    const tenantId = testTenant();
    world.neighbours.preference.agentScope = "TENANT";
    await create(tenantId, { customerId: "c2" });
    const { beneficiaries } = await world.gateway.listBeneficiaries({}, on(tenantId, agent));
    expect(beneficiaries.map(({ code }) => code)).toEqual(["B-NGOZI"]);
  });

  test("never shows another tenant's; 401 without a user", async () => {
    await create(testTenant());
    expect((await world.gateway.listBeneficiaries({}, on(testTenant(), manager))).beneficiaries).toEqual([]);
    expect((await refused(world.gateway.listBeneficiaries({}, on(testTenant())))).code).toBe("UNAUTHENTICATED");
  });
});
