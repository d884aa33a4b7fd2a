import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { DeliveryMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { testRedis, testTenant } from "../../../test/support/index.js";
import { ada, agent, faultOf, manager, on } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { account, beneficiary, openTenant, order } from "../../../test/support/remittance-samples.js";
import { collections } from "../store/collections.js";

let world: World;
beforeAll(async () => void (world = await createWorld("recipient_details")));
afterEach(() => world.reset());
afterAll(() => world.close());

const { customerId: _customerId, code: _code, ...content } = beneficiary;
const details = {
  kind: "PERSON",
  dateOfBirth: "1988-03-14",
  nationality: "GH",
  address: { lines: ["7 Zubairu Street"], city: "Sekonditown", region: "", postalCode: "233 1", country: "GH" },
  phoneNumber: "+234 803 123 4567",
};
const unsaid = { lei: "", phoneNumber: "" };
const known = {
  ...unsaid,
  ...details,
  phoneNumber: "+2348031234567",
  nationality: "GHA",
  address: { ...details.address, country: "GHA" },
};
const person = { ...unsaid, kind: "PERSON", dateOfBirth: "", nationality: "", address: undefined };
const traces = ["1988-03-14", "Zubairu", "Sekonditown", "+2348031234567"];

const save = async (tenantId: string, part: object = {}) =>
  (await world.gateway.createBeneficiary({ ...content, details, ...part }, on(tenantId, ada))).beneficiary!;
const change = async (tenantId: string, code: string, part: object) => {
  const request = { ...content, idempotencyKey: randomUUID(), code, ...part };
  return (await world.gateway.changeBeneficiary(request, on(tenantId, ada))).beneficiary!;
};

/**
 * What of the traces lies in MongoDB as it is written, and what of them in
 * Redis, where no key names a tenant.
 */
async function lying(tenantId: string): Promise<string[]> {
  const all = await world.db.db!.collections();
  const rows = await Promise.all(all.map((collection) => collection.find({ tenantId }).toArray()));
  const redis = await testRedis();
  const answers = await redis.keys("idempotency:*");
  const cached = answers.length === 0 ? [] : await redis.mget(answers);
  redis.disconnect();
  const bytes = Buffer.concat(cached.map((text) => Buffer.from(text ?? "")));
  const stored = mongo.BSON.serialize({ rows: rows.flat() });
  return [
    ...traces.filter((text) => Buffer.from(stored).includes(text)),
    ...traces.slice(1).filter((text) => bytes.includes(text)),
  ];
}

test("whoever is shown names is shown them: the customer, their agent, managers", async () => {
  const tenantId = testTenant();
  expect((await save(tenantId)).details).toEqual(known);
  for (const user of [ada, agent, manager]) {
    const { beneficiaries } = await world.gateway.listBeneficiaries({}, on(tenantId, user));
    expect(beneficiaries.map((one) => one.details)).toEqual([known]);
  }
});

test("they lie sealed, in the answers that are kept for repeats too, and are in no log", async () => {
  const tenantId = testTenant();
  const first = await save(tenantId);
  const request = { ...content, idempotencyKey: "c-1", code: first.code, details: { ...details, kind: "" } };
  const changed = await world.gateway.changeBeneficiary(request, on(tenantId, ada));
  expect(await lying(tenantId)).toEqual([]);
  expect(world.logged.join("\n")).not.toMatch(/1988-03-14|Zubairu|Sekonditown/);
  expect(await save(tenantId)).toEqual(first);
  expect(await world.gateway.changeBeneficiary(request, on(tenantId, ada))).toEqual(changed);
  const stored = await world.store.forTenant(tenantId).findBeneficiary({ code: first.code });
  expect(stored!.details).toMatchObject({ dateOfBirth: "1988-03-14", nationality: "GHA" });
});

test("numbers of accounts and telephones lie sealed, of recipients without details and of transactions too", async () => {
  const tenantId = await openTenant(world);
  const numbers = ["3012345671", "+2348031234567"];
  const creditParty = [
    ...account,
    { key: "mobileoperator", value: "MTN" },
    { key: "mobilenumber", value: numbers[1]! },
  ];
  const deliveryMethods = [...content.deliveryMethods, DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY];
  const both = { details: undefined, creditParty, deliveryMethods, idempotencyKey: randomUUID() };
  expect((await save(tenantId, both)).creditParty).toEqual(creditParty);
  const requested = order();
  const { transaction } = await world.gateway.createTransaction(requested, on(tenantId, ada));
  expect(transaction!.creditParty).toEqual(account);
  const { transactionId } = transaction!;
  const read = await world.gateway.getTransaction({ transactionId }, on(tenantId, ada));
  expect(read.transaction!.creditParty).toEqual(account);
  const cancel = { idempotencyKey: randomUUID(), transactionId, reason: "" };
  const cancelled = await world.gateway.cancelTransaction(cancel, on(tenantId, ada));
  expect(cancelled.transaction!.creditParty).toEqual(account);
  for (const name of [collections.beneficiaries, collections.transactions, "idempotency"]) {
    const rows = await world.db.collection(name).find({ tenantId }).toArray();
    const bytes = Buffer.from(mongo.BSON.serialize({ rows }));
    expect([name, rows.length > 0, numbers.filter((one) => bytes.includes(one))]).toEqual([name, true, []]);
  }
  expect(await world.gateway.createTransaction(requested, on(tenantId, ada))).toEqual({ transaction });
});

test.each(["+234 (0)803 123 4567", "+234 0803 123 4567", "0803-123-4567", "00234 803 1234567", "+2348031234567"])(
  "a mobile number is kept in E.164 (%s), and one on file is meant however it is written",
  async (written) => {
    const tenantId = await openTenant(world);
    const deliveryMethods = [DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY];
    const partyOf = (value: string) => [
      { key: "mobileoperator", value: "MTN" },
      { key: "mobilenumber", value },
      { key: "accountholdername", value: "Ngozi Okafor" },
    ];
    const part = { creditParty: partyOf(written), deliveryMethods, idempotencyKey: randomUUID() };
    const saved = await save(tenantId, part);
    expect(saved.creditParty).toEqual(partyOf("+2348031234567"));
    const refusedFor = (value: string) =>
      faultOf(save(tenantId, { ...part, creditParty: partyOf(value), idempotencyKey: randomUUID() }));
    expect(await refusedFor("+234 (0)803 123")).toEqual(["CREDIT_PARTY_INVALID", "creditParty[1].value"]);
  },
);

test("a recipient without them has none", async () => {
  const tenantId = testTenant();
  expect((await save(tenantId, { details: undefined })).details).toBeUndefined();
  expect((await save(tenantId, { details: { ...person, kind: "" }, idempotencyKey: "b-2" })).details).toBeUndefined();
});

test("a change that names none leaves them, one that names any replaces them all", async () => {
  const tenantId = testTenant();
  const { code } = await save(tenantId);
  expect(await change(tenantId, code, { firstName: "Nneka" })).toMatchObject({ name: "Nneka Okafor", details: known });
  expect((await change(tenantId, code, { details: person })).details).toEqual(person);
  expect((await change(tenantId, code, { details: { ...person, kind: "" } })).details).toBeUndefined();
  const row = await world.db.collection(collections.beneficiaries).findOne({ tenantId, code });
  expect(Object.keys(row!)).not.toContain("sealedDetails");
});

test("a company has no birthday; its name and where it is registered are carried", async () => {
  const tenantId = testTenant();
  const company = { ...details, kind: "COMPANY", dateOfBirth: "" };
  const saved = await save(tenantId, { firstName: "", lastName: "Acme Trading Ltd", details: company });
  expect(saved).toMatchObject({ name: "Acme Trading Ltd", details: { kind: "COMPANY", nationality: "GHA" } });
  const born = { details: { ...details, kind: "COMPANY" }, idempotencyKey: "b-2" };
  expect(await faultOf(save(tenantId, born))).toEqual(["INVALID_INPUT", "dateOfBirth"]);
});

test("what is odd is refused by its path, on creation and on change", async () => {
  const tenantId = testTenant();
  const { code } = await save(tenantId);
  const long = "x".repeat(10_240);
  const of = (part: object) => ({ details: { ...details, ...part } });
  const home = (part: object) => of({ address: { ...details.address, ...part } });
  const faults: [object, string][] = [
    [{ lastName: long }, "lastName"],
    [{ firstName: "Ngo\u200bzi" }, "firstName"],
    [{ lastName: "\u202eOkafor" }, "lastName"],
    [{ lastName: "\u{1f468}\u200d\u{1f469}" }, "lastName"],
    [{ firstName: "", lastName: "" }, "lastName"],
    [{ lastName: "Ok\u0430for" }, "lastName"],
    [of({ kind: long }), "kind"],
    [of({ dateOfBirth: long }), "dateOfBirth"],
    [of({ dateOfBirth: "2999-01-01" }), "dateOfBirth"],
    [of({ nationality: long }), "nationality"],
    [of({ nationality: "\u{1f1f3}\u{1f1ec}" }), "nationality"],
    [home({ lines: ["1", "2", "3"] }), "address.lines"],
    [home({ lines: [long] }), "address.lines[0]"],
    [home({ city: "" }), "address.city"],
    [home({ region: "Tako\u200dradi" }), "address.region"],
    [home({ postalCode: long }), "address.postalCode"],
    [home({ country: "Narnia" }), "address.country"],
  ];
  for (const [part, path] of faults) {
    const created = save(tenantId, { ...part, idempotencyKey: randomUUID() });
    expect([path, await faultOf(created)]).toEqual([path, ["INVALID_INPUT", path]]);
  }
  for (const [part, path] of faults.slice(-3)) {
    expect([path, await faultOf(change(tenantId, code, part))]).toEqual([path, ["INVALID_INPUT", path]]);
  }
  const { beneficiaries } = await world.gateway.listBeneficiaries({}, on(tenantId, ada));
  expect(beneficiaries.map((one) => [one.name, one.details])).toEqual([["Ngozi Okafor", known]]);
});

test.each(["O", "\u0646\u06af\u0648\u0632\u06cc", "Ngozi \u{1f600}", "\u674e\u5c0f\u9f99", "\u05d0\u05d1 Smith"])(
  "%s is carried as it is written",
  async (lastName) => {
    expect((await save(testTenant(), { firstName: "", lastName })).name).toBe(lastName);
  },
);

test("nothing of them is left of who was erased", async () => {
  const tenantId = testTenant();
  const { code } = await save(tenantId);
  const rows = world.db.collection(collections.beneficiaries);
  expect(Object.keys((await rows.findOne({ tenantId, code }))!)).toContain("sealedDetails");
  await world.erase({ tenantId, ...ada }, "AT_ONCE");
  expect(Object.keys((await rows.findOne({ tenantId, code }))!)).not.toContain("sealedDetails");
  const answers = await world.db.collection("idempotency").find({ tenantId, caller: ada.userId }).toArray();
  expect(answers.map(({ answer }) => answer.kind)).toEqual(["refusal"]);
});
