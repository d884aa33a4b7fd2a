import { Decision, type CheckTransactionRequest } from "../../../proto/gen/compliance/v1/compliance.js";
import { DeliveryMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { ada, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { account, beneficiary, corridor, openTenant, order } from "../../../test/support/remittance-samples.js";
import { Refusal } from "../../kernel/refusal.js";
import { collections } from "../store/collections.js";

let world: World;
beforeAll(async () => void (world = await createWorld("asked_parties")));
afterEach(() => world.reset());
afterAll(() => world.close());

const { customerId: _customerId, code: _code, idempotencyKey: _key, ...content } = beneficiary;
const details = {
  kind: "PERSON",
  dateOfBirth: "1988-03-14",
  nationality: "GHA",
  address: { lines: ["7 Zubair Street"], city: "Takoradi", region: "", postalCode: "", country: "CIV" },
};
const sender = {
  role: "SENDER",
  name: "Ada Obi",
  kind: "PERSON",
  dateOfBirth: "1990-04-30",
  countries: ["USA", "NGA", "CAN"],
};
const recipient = {
  role: "RECIPIENT",
  name: "Ngozi Okafor",
  kind: "PERSON",
  dateOfBirth: "1988-03-14",
  countries: ["NGA", "GHA", "CIV"],
};
const heldBy = (name: string) =>
  account.map(({ key, value }) => ({ key, value: key === "accountholdername" ? name : value }));

const changeRecipient = (tenantId: string, part: object, idempotencyKey = "change-1") =>
  world.gateway.changeBeneficiary({ ...content, code: "B-NGOZI", idempotencyKey, ...part }, on(tenantId, ada));
const create = (tenantId: string, request = order()) => world.gateway.createTransaction(request, on(tenantId, ada));
const row = (tenantId: string) => world.db.collection(collections.transactions).findOne({ tenantId });

async function openWithDetails(): Promise<string> {
  const tenantId = await openTenant(world);
  await changeRecipient(tenantId, { details });
  return tenantId;
}

/** The question about a transaction that is created now. */
async function requested(tenantId: string, request = order()): Promise<CheckTransactionRequest> {
  const { transaction } = await create(tenantId, request);
  return world.neighbours.checks.find(({ transactionId }) => transactionId === transaction!.transactionId)!;
}

test("compliance is asked with what is known of both sides", async () => {
  expect((await requested(await openWithDetails())).parties).toEqual([sender, recipient]);
  const { parties } = await requested(await openTenant(world));
  expect(parties[1]).toEqual({ ...recipient, kind: "UNKNOWN", dateOfBirth: "", countries: ["NGA"] });
});

test("who owns the account, or collects the cash, is asked about where that is somebody else", async () => {
  const tenantId = await openWithDetails();
  const { parties } = await requested(tenantId, order({ creditParty: heldBy("Acme Trading Ltd") }));
  const holder = { role: "ACCOUNT_HOLDER", kind: "UNKNOWN", dateOfBirth: "", countries: ["NGA"] };
  expect(parties).toEqual([sender, recipient, { ...holder, name: "Acme Trading Ltd" }]);
  const same = await requested(tenantId, order({ creditParty: heldBy("OKAFOR NGOZI") }));
  expect(same.parties).toEqual([sender, recipient]);
  const type = DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP;
  await world.gateway.putCorridor({ corridor: { ...corridor, deliveryMethods: [type] } }, on(tenantId, manager));
  const creditParty = [
    { key: "payoutpointid", value: "p-1" },
    { key: "recipientname", value: "Emeka Eze" },
  ];
  const collected = await requested(tenantId, order({ type, creditParty }));
  expect(collected.parties).toEqual([sender, recipient, { ...holder, name: "Emeka Eze" }]);
});

test("gathered questions carry the parties of each", async () => {
  const tenantId = await openWithDetails();
  const { transaction } = await create(tenantId);
  const names = Array.from({ length: 16 }, (_, index) => `Holder ${String.fromCodePoint(65 + index)}`);
  world.neighbours.called.length = 0;
  await Promise.all(names.map((name) => create(tenantId, order({ creditParty: heldBy(name) }))));
  expect(world.neighbours.called).toContain("compliance.checkTransaction in a batch");
  const checks = world.neighbours.checks.filter(
    (one) => one.tenantId === tenantId && one.transactionId !== transaction!.transactionId,
  );
  const held = checks.map(({ parties }) => parties[2]!.name);
  expect(held.toSorted()).toEqual(names);
  for (const { parties } of checks) expect(parties.slice(0, 2)).toEqual([sender, recipient]);
});

test("whoever asks again asks the same, whatever was changed since; what was known is kept sealed until then", async () => {
  const tenantId = await openWithDetails();
  const questions: CheckTransactionRequest[] = [];
  world.neighbours.check = async (request) => {
    questions.push(request);
    if (questions.length === 1) throw new Refusal("UNAVAILABLE", "away");
    return { decision: Decision.DECISION_REVIEW };
  };
  const request = order();
  expect((await refused(create(tenantId, request))).code).toBe("UNAVAILABLE");
  const waiting = await row(tenantId);
  expect(waiting).toMatchObject({ status: "AWAITING_COMPLIANCE", sealedParties: { sealed: expect.any(String) } });
  expect(JSON.stringify(waiting, plain)).not.toMatch(/1990-04-30|1988-03-14/);

  world.neighbours.shown = (one) => ({ ...one, firstName: "Adaeze", details: { dateOfBirth: "1991-01-01" } });
  await changeRecipient(
    tenantId,
    { firstName: "Nneka", details: { ...details, dateOfBirth: "1970-01-01" } },
    "change-2",
  );
  const { transaction } = await create(tenantId, request);
  expect(transaction!.status).toBe("AWAITING_COMPLIANCE");
  expect(questions).toHaveLength(2);
  expect(questions[1]).toEqual(questions[0]);
  expect(questions[0]!.parties).toEqual([sender, recipient]);
  // Decided: nobody asks again.
  expect(Object.keys((await row(tenantId))!)).not.toContain("sealedParties");
});

test("an erased sender leaves none of it behind", async () => {
  const tenantId = await openWithDetails();
  world.neighbours.check = () => Promise.reject(new Refusal("UNAVAILABLE", "away"));
  await refused(create(tenantId));
  const put = { $set: { status: "CANCELLED" } };
  await world.db.collection(collections.transactions).updateOne({ tenantId }, put);
  await world.erase({ tenantId, ...ada }, "AT_ONCE");
  expect(await row(tenantId)).toMatchObject({ sender: { name: "erased" } });
  expect(Object.keys((await row(tenantId))!)).not.toContain("sealedParties");
});

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
