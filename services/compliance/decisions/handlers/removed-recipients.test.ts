import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { recipientSubject } from "../../common/domain/subject.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("removed_recipients")));
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, ofTenant, stopped, falsely, customerOf } = hitWords(() => world);
const subjectsOf = (tenantId: string, code = "B-1") =>
  Promise.all(
    [false, true].map((isHolder) => ofTenant(tenantId).subjects.find(recipientSubject("c1", code, isHolder))),
  );
const isKnown = async (tenantId: string, code = "B-1") =>
  (await subjectsOf(tenantId, code)).map((one) => one !== undefined);
const forget = async (tenantId: string, recipientCode = "B-1") =>
  (await world.remittance.forgetRecipient({ customerId: "c1", recipientCode }, on(tenantId))).isKept;

const paid = { role: "RECIPIENT", name: "Emeka Okafor", kind: "PERSON", dateOfBirth: "", countries: ["NGA"] };
const holder = { ...paid, role: "ACCOUNT_HOLDER", name: "Chidi Okafor" };

test("whoever was removed is compared no more, with who owned the account; others, and a new question, are", async () => {
  const tenantId = await world.openTenant({});
  for (const recipientCode of ["B-1", "B-2"])
    await world.remittance.checkTransaction(question({ parties: [sender, paid, holder], recipientCode }), on(tenantId));
  const due = () => ofTenant(tenantId).subjects.countDue("another", undefined, 100);
  const before = await due();
  expect(await isKnown(tenantId)).toEqual([true, true]);
  expect([await forget(tenantId), await forget(tenantId)]).toEqual([false, false]);
  expect(await isKnown(tenantId)).toEqual([false, false]);
  expect(await isKnown(tenantId, "B-2")).toEqual([true, true]);
  expect(before - (await due())).toBe(2);
  // The other replica, which has noted nobody.
  await world.elsewhere.checkTransaction(question({ parties: [sender, paid] }), on(tenantId));
  expect(await isKnown(tenantId)).toEqual([true, false]);
});

test("whoever a person has to decide on stays, and goes when that is done", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  expect([await forget(tenantId), await isKnown(tenantId)]).toEqual([true, [true, false]]);
  await at().decideHit(falsely(screeningId), on(tenantId, manager));
  expect((await customerOf(tenantId)).holds).toEqual([]);
  expect([await forget(tenantId), await isKnown(tenantId)]).toEqual([false, [false, false]]);
  // What was said stays with the screening.
  expect((await ofTenant(tenantId).screenings.find(screeningId))!.hits[0]!.state).toBe("FALSE_POSITIVE");
});

test("whoever is still to be compared with what was left out stays until then", async () => {
  const tenantId = await world.openTenant({});
  await world.remittance.checkTransaction(question({ parties: [sender, paid] }), on(tenantId));
  await world.db.collection("screening_subjects").updateOne({ tenantId, id: "c1/B-1" }, { $set: { basis: "" } });
  expect([await forget(tenantId), await isKnown(tenantId)]).toEqual([true, [true, false]]);
});

test("a confirmed hit stays confirmed, and its block where it is", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId, [sender, listed]);
  const { confirmed } = hitWords(() => world);
  await confirmed(tenantId, screeningId);
  expect(await forget(tenantId)).toBe(false);
  expect((await customerOf(tenantId)).holds).toEqual([{ recipientKey: "B-1", status: "CONFIRMED" }]);
});

test("it is remittance's to say, and names what is missing", async () => {
  const tenantId = await world.openTenant({});
  const requested = { customerId: "c1", recipientCode: "B-1" };
  expect((await refused(world.gateway.forgetRecipient(requested, on(tenantId, manager)))).code).toBe(
    "CALLER_NOT_ALLOWED",
  );
  for (const path of ["customerId", "recipientCode"]) {
    const { code, details } = await refused(
      world.remittance.forgetRecipient({ ...requested, [path]: "" }, on(tenantId)),
    );
    expect([code, details?.errors?.[0]?.path]).toEqual(["INVALID_INPUT", path]);
  }
  expect(await forget(await world.openTenant({}))).toBe(false);
});
