import { Decision } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  everybody,
  manager,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("amended_parties")));
afterEach(() => world.reset());
afterAll(() => world.close());

/** On the sandbox partner's OFAC, EU and UK lists. */
const listed = "Yaromil Ostapovich Vorskutin";
const open = (part: object = {}) => world.openTenant({ dailyLimits: [{ amount: usd(9_000_00n) }], ...part });
const recipient = (name: string) => [{ ...everybody[1]!, name }];
const amend = (tenantId: string, transactionId: string, parties: object[]) =>
  world.remittance.screenAmendment({ transactionId, parties }, on(tenantId));
async function checked(tenantId: string) {
  const requested = question();
  const { decision } = await world.remittance.checkTransaction(requested, on(tenantId));
  return { transactionId: requested.transactionId, decision };
}
const kept = async (tenantId: string, transactionId: string) =>
  (await world.store.forTenant(tenantId).findDecision(transactionId))!;
const holdsOf = async (tenantId: string) => (await world.store.forTenant(tenantId).findCustomer("c1"))?.holds ?? [];
async function usageOf(tenantId: string) {
  const [day] = await world.db.collection("activity_days").find({ tenantId }).toArray();
  const { reservedMinor = 0n, usedMinor = 0n } = day?.["usage"][0] ?? {};
  return [reservedMinor, usedMinor];
}
const payouts = async (tenantId: string) => {
  const payout = { customerId: "c1", recipientCode: "B-1" };
  const { answers } = await world.remittance.checkPayouts({ payouts: [payout] }, on(tenantId));
  return answers[0]!.verdict;
};

test("names that resemble nobody change no decision, and lists are compared with them from now on", async () => {
  const tenantId = await open();
  const { transactionId } = await checked(tenantId);
  const before = await kept(tenantId, transactionId);
  await amend(tenantId, transactionId, recipient("Emeka Adeyemi"));
  expect(await kept(tenantId, transactionId)).toEqual(before);
  expect(await payouts(tenantId)).toBe("MOVE_VERDICT_PASS");
  const subject = { kind: "RECIPIENT", id: "c1/B-1" } as const;
  const known = await world.replicas[0]!.subjects.forTenant(tenantId).find(subject);
  expect(known!.party.names).toEqual(["Emeka Adeyemi"]);
});

test("a hit of a new name holds the payout, and what nobody has paid for waits for a person once more", async () => {
  const tenantId = await open();
  const { transactionId, decision } = await checked(tenantId);
  expect([decision, await usageOf(tenantId)]).toEqual([Decision.DECISION_APPROVED, [100_00n, 0n]]);
  await amend(tenantId, transactionId, recipient(listed));
  expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
  expect(await payouts(tenantId)).toBe("MOVE_VERDICT_HOLD");
  expect(await kept(tenantId, transactionId)).toMatchObject({
    decision: "REVIEW",
    reasonCode: "",
    isOpen: true,
    reservation: "RELEASED",
    earlier: [{ decision: "APPROVED" }],
  });
  expect(await usageOf(tenantId)).toEqual([0n, 0n]);
  // The same again, as whoever died in between asks it.
  const reopened = await kept(tenantId, transactionId);
  await amend(tenantId, transactionId, recipient(listed));
  expect(await kept(tenantId, transactionId)).toMatchObject({ version: reopened.version, isOpen: true });
  const review = { transactionId, approve: true, reason: "seen" };
  expect(await refused(world.gateway.decideReview(review, on(tenantId, manager)))).toMatchObject({
    code: "STATE_CONFLICT",
  });
});

test("paid for while its new name was compared, it counts all the same, and is held", async () => {
  const tenantId = await open();
  const { transactionId } = await checked(tenantId);
  await amend(tenantId, transactionId, recipient(listed));
  await world.remittance.confirmReservation({ transactionId }, on(tenantId));
  expect(await kept(tenantId, transactionId)).toMatchObject({ reservation: "CONFIRMED", isOpen: false });
  expect([await usageOf(tenantId), await payouts(tenantId)]).toEqual([[0n, 100_00n], "MOVE_VERDICT_HOLD"]);
});

test("of what was paid for the decision stands, and a hit holds it", async () => {
  const tenantId = await open();
  const { transactionId } = await checked(tenantId);
  await world.remittance.confirmReservation({ transactionId }, on(tenantId));
  await amend(tenantId, transactionId, [...recipient("Emeka Okafor"), { role: "ACCOUNT_HOLDER", name: listed }]);
  expect(await kept(tenantId, transactionId)).toMatchObject({ decision: "APPROVED", reservation: "CONFIRMED" });
  expect(await payouts(tenantId)).toBe("MOVE_VERDICT_HOLD");
});

test("what waits for a person keeps the new names, and is approved by them alone", async () => {
  const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(9_000_00n) }] });
  const requested = question({ parties: [everybody[0]!, { ...everybody[1]!, name: listed }] });
  const { transactionId } = requested;
  await world.remittance.checkTransaction(requested, on(tenantId));
  const before = await kept(tenantId, transactionId);
  expect(before).toMatchObject({ decision: "REVIEW", isOpen: true });
  await amend(tenantId, transactionId, [...recipient("Emeka Adeyemi"), { role: "ACCOUNT_HOLDER", name: "Uma Bello" }]);
  const after = await kept(tenantId, transactionId);
  expect(after.parties).not.toEqual(before.parties);
  expect(after.inputs.screening!.parties).toEqual(["SENDER", "RECIPIENT", "ACCOUNT_HOLDER"]);
  expect({ ...after, parties: undefined, inputs: undefined }).toEqual({
    ...before,
    parties: undefined,
    inputs: undefined,
  });
  // The hit of the old name is still to be decided.
  expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
});

test.each([
  ["waits", { parties: [everybody[0]!, { ...everybody[1]!, name: listed }] }, true],
  ["was approved", {}, false],
])("of what %s the names of an older version never take the place of a newer one's", async (_what, part, isOpen) => {
  const tenantId = await open();
  const requested = question(part);
  const { transactionId } = requested;
  await world.remittance.checkTransaction(requested, on(tenantId));
  const told = (name: string, version: number) =>
    world.remittance.screenAmendment({ transactionId, parties: recipient(name), version }, on(tenantId));
  await told("Emeka Adeyemi", 6);
  const newer = await kept(tenantId, transactionId);
  expect([newer.isOpen, newer.partiesVersion]).toEqual([isOpen, 6]);
  // It was screened at the same time, and lost.
  await told(listed, 5);
  expect(await kept(tenantId, transactionId)).toEqual(newer);
  expect(
    (await world.replicas[0]!.subjects.forTenant(tenantId).find({ kind: "RECIPIENT", id: "c1/B-1" }))!.party.names,
  ).toEqual(["Emeka Adeyemi"]);
  await told("Emeka Okafor", 7);
  const newest = await kept(tenantId, transactionId);
  expect(newest.partiesVersion).toBe(7);
  if (isOpen) expect(newest.parties).not.toEqual(newer.parties);
  expect(await refused(told("Emeka Okafor", 0))).toMatchObject({ details: { errors: [{ path: "version" }] } });
});

test("what was decided on nothing, and what is no name, is refused", async () => {
  const tenantId = await open();
  const { transactionId } = await checked(tenantId);
  expect(await refused(amend(tenantId, "t-none", recipient("Emeka Adeyemi")))).toMatchObject({
    code: "TRANSACTION_NOT_FOUND",
  });
  expect(await refused(amend(tenantId, transactionId, recipient("n".repeat(501))))).toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ path: "recipient" }] },
  });
  expect(await refused(amend(tenantId, transactionId, recipient("12 34")))).toMatchObject({ code: "INVALID_INPUT" });
});
