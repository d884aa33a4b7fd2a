import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { DeliveryMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { testTenant } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { beneficiary, corridor, openTenant, order } from "../../../test/support/remittance-samples.js";

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
      accountNumber: "3012345671",
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
      [{ firstName: "\u{1f642}" }, "firstName"],
      [{ firstName: "4711", lastName: "" }, "firstName"],
      [{ firstName: "4711", lastName: "0815" }, "lastName"],
      [{ firstName: "", lastName: "\u{1f642}\u{1f643}" }, "lastName"],
      [{ lastName: "x".repeat(71) }, "lastName"],
      [{ firstName: "x".repeat(35), lastName: "y".repeat(35) }, "lastName"],
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

  test("404 CUSTOMER_NOT_FOUND, 403 CALLER_NOT_ALLOWED, 401 without a person", async () => {
    expect((await refused(create(testTenant(), { customerId: "nobody" }))).code).toBe("CUSTOMER_NOT_FOUND");
    expect((await refused(world.wallet.createBeneficiary(beneficiary, on(testTenant())))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
    expect((await refused(world.gateway.createBeneficiary(beneficiary, on(testTenant())))).code).toBe(
      "UNAUTHENTICATED",
    );
  });

  test("writes no account number into the log", async () => {
    await create(testTenant());
    await refused(create(testTenant(), { creditParty: [{ key: "bankaccountno", value: "9/8/7/6/5" }] }));
    expect(world.logged.join("\n")).not.toMatch(/3012345671|9\/8\/7\/6\/5/);
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

describe("beneficiaries of customers and managers", () => {
  const { customerId: _customerId, code: _code, ...content } = beneficiary;
  const save = (tenantId: string, user: typeof ada | typeof ben | typeof manager, part: object = {}) =>
    world.gateway.createBeneficiary({ ...content, ...part }, on(tenantId, user));
  const change = (tenantId: string, code: string, part: object = {}, user: object = ada) =>
    world.gateway.changeBeneficiary(
      { ...content, idempotencyKey: randomUUID(), code, ...part },
      on(tenantId, user as typeof ada),
    );
  const remove = (tenantId: string, code: string, user: object = ada, idempotencyKey: string = randomUUID()) =>
    world.gateway.removeBeneficiary({ idempotencyKey, code }, on(tenantId, user as typeof ada));
  const codesOf = async (tenantId: string) =>
    (await world.gateway.listBeneficiaries({}, on(tenantId, ada))).beneficiaries.map(({ code }) => code);

  test("customers save their own, managers for whom they name, nobody else", async () => {
    const tenantId = testTenant();
    expect((await save(tenantId, ada)).beneficiary!.customerId).toBe("c1");
    expect((await save(tenantId, manager, { customerId: "c2" })).beneficiary!.customerId).toBe("c2");
    expect((await refused(save(tenantId, ada, { customerId: "c2" }))).code).toBe("FORBIDDEN");
    expect((await refused(save(tenantId, manager, { customerId: "c9" }))).code).toBe("CUSTOMER_NOT_FOUND");
    for (const user of [agent, cashier]) {
      expect((await refused(save(tenantId, user as never))).code).toBe("FORBIDDEN");
    }
  });

  test("a change replaces all of it and keeps code and owner; a removed one is gone and its code stays taken", async () => {
    const tenantId = testTenant();
    const { code } = (await save(tenantId, ada)).beneficiary!;
    const changed = await change(tenantId, code, { firstName: "Nneka", relationship: "" });
    expect(changed.beneficiary).toMatchObject({ code, customerId: "c1", name: "Nneka Okafor", relationship: "" });
    await remove(tenantId, code, ada, "r-1");
    await remove(tenantId, code, ada, "r-1");
    expect(await codesOf(tenantId)).toEqual([]);
    for (const work of [remove(tenantId, code), change(tenantId, code)]) {
      expect((await refused(work)).code).toBe("BENEFICIARY_NOT_FOUND");
    }
    expect((await refused(create(tenantId, { code, idempotencyKey: "again" }))).code).toBe("ALREADY_EXISTS");
  });

  test("400 names each field of a change that is wrong; what was there stays", async () => {
    const tenantId = await openTenant(world);
    const faults: [object, string][] = [
      [{ idempotencyKey: "" }, "idempotencyKey"],
      [{ code: "" }, "code"],
      [{ firstName: "", lastName: " " }, "lastName"],
      [{ firstName: "x".repeat(71) }, "firstName"],
      [{ firstName: "?!" }, "firstName"],
      [{ country: "" }, "country"],
      [{ currency: "ngn" }, "currency"],
      [{ deliveryMethods: [] }, "deliveryMethods"],
      [{ creditParty: [] }, "creditParty"],
      [{ creditParty: [{ key: "", value: "1" }] }, "creditParty[0].key"],
      [{ relationship: "x".repeat(101) }, "relationship"],
    ];
    for (const [part, path] of faults) {
      expect([path, await faultOf(change(tenantId, "B-NGOZI", part))]).toEqual([path, ["INVALID_INPUT", path]]);
    }
    expect(await faultOf(remove(tenantId, ""))).toEqual(["INVALID_INPUT", "code"]);
    const { beneficiaries } = await world.gateway.listBeneficiaries({}, on(tenantId, ada));
    expect(beneficiaries).toMatchObject([{ code: "B-NGOZI", name: "Ngozi Okafor", relationship: "sister" }]);
  });

  test("nothing is sent to a removed one, and another customer's is forbidden", async () => {
    const tenantId = await openTenant(world);
    for (const work of [change(tenantId, "B-NGOZI", {}, ben), remove(tenantId, "B-NGOZI", ben)]) {
      expect((await refused(work)).code).toBe("FORBIDDEN");
    }
    expect((await refused(change(testTenant(), "B-NGOZI"))).code).toBe("BENEFICIARY_NOT_FOUND");
    expect((await refused(remove(testTenant(), "B-NGOZI", manager))).code).toBe("BENEFICIARY_NOT_FOUND");
    await remove(tenantId, "B-NGOZI", manager);
    const sent = world.gateway.createTransaction(order(), on(tenantId, ada));
    expect((await refused(sent)).code).toBe("BENEFICIARY_NOT_FOUND");
  });

  test("companies and people of one name are recipients, in any script", async () => {
    const tenantId = await openTenant(world);
    for (const [firstName, lastName] of [
      ["", "7-Eleven"],
      ["3", "Suisses"],
      ["Suharto", "-"],
      ["", "\u674e"],
    ] as const) {
      const { beneficiary: saved } = await save(tenantId, ada, {
        idempotencyKey: randomUUID(),
        code: "",
        firstName,
        lastName,
      });
      expect(saved).toMatchObject({ firstName, lastName });
    }
  });

  test("details are checked for their country, on creation, on change, and where an order gives its own", async () => {
    const tenantId = await openTenant(world);
    const wrong = beneficiary.creditParty.map((pair) =>
      pair.key === "bankaccountno" ? { ...pair, value: "3012345672" } : pair,
    );
    const path = "creditParty[1].value";
    expect(await faultOf(save(tenantId, ada, { creditParty: wrong }))).toEqual(["CREDIT_PARTY_INVALID", path]);
    expect(await faultOf(change(tenantId, "B-NGOZI", { creditParty: wrong }))).toEqual(["CREDIT_PARTY_INVALID", path]);
    const sent = world.gateway.createTransaction(order({ creditParty: wrong }), on(tenantId, ada));
    expect(await faultOf(sent)).toEqual(["CREDIT_PARTY_INVALID", path]);
  });

  test("the number of a document lies sealed, is shown by its end, and may be repeated as it was shown", async () => {
    const tenantId = await openTenant(world);
    const secret = "A12345678";
    const creditParty = [
      { key: "payoutpointid", value: "p-1" },
      { key: "recipientname", value: "Ngozi Okafor" },
      { key: "iddocumentnumber", value: secret },
    ];
    const deliveryMethods = [DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP];
    await world.gateway.putCorridor({ corridor: { ...corridor, deliveryMethods } }, on(tenantId, manager));
    const saved = (await save(tenantId, ada, { creditParty, deliveryMethods })).beneficiary!;
    const shown = saved.creditParty.map(({ key, value }) => ({ key, value }));
    expect(shown[2]).toEqual({ key: "iddocumentnumber", value: "*****678" });
    const type = DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP;
    const requested = order({ type, recipientCustomerCode: saved.code, creditParty: shown });
    const { transaction } = await world.gateway.createTransaction(requested, on(tenantId, ada));
    expect(transaction!.creditParty.map(({ value }) => value)).toContain("*****678");
    const stored = await world.store.forTenant(tenantId).findTransaction(transaction!.transactionId);
    expect(stored!.creditParty[2]!.value).toBe(secret);
    expect(stored!.creditPartySource).toBe("BENEFICIARY");
    await change(tenantId, saved.code, { creditParty: shown, deliveryMethods });
    const recipient = await world.store.forTenant(tenantId).findBeneficiary({ code: saved.code });
    expect(recipient!.creditParty[2]!.value).toBe(secret);
    const collections = await world.db.db!.collections();
    const rows = await Promise.all(collections.map((collection) => collection.find({ tenantId }).toArray()));
    const lying = Buffer.from(mongo.BSON.serialize({ rows: rows.flat() }));
    expect([lying.includes("Ngozi Okafor"), lying.includes(secret)]).toEqual([true, false]);
    expect(world.logged.join("\n")).not.toContain(secret);
  });
});
