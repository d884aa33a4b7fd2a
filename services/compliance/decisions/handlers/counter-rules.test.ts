import {
  cashier,
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("counter-rules");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const email = { name: "E-mail", requirement: "EMAIL", mandatory: true };
const phone = { name: "Phone", requirement: "PHONE_NUMBER", mandatory: true };
const identity = { name: "Document", requirement: "IDENTITY_DOCUMENT", mandatory: true, validityDays: 365 };
const rules = { knowYourCustomerRules: [email, phone, identity] };
const all = { seenDocuments: true, optionalContacts: ["EMAIL", "PHONE_NUMBER"] };
const dayMs = 86_400_000;

/** A tenant where two managers let this count at the counter. */
async function open(counter: object | undefined, more: object = {}) {
  const tenantId = await world.openTenant({}, { confirm: false });
  await publish(tenantId, { ...rules, ...(counter && { counter }), ...more });
  return tenantId;
}

async function publish(tenantId: string, content: object) {
  const { draft } = await world.gateway.savePolicyDraft({ revision: 0, ...content }, on(tenantId, manager));
  await world.gateway.publishPolicyDraft({ revision: draft!.revision }, on(tenantId, secondManager));
}

const document = (seenAt: Date, expiresAt = "") => ({
  type: "PASSPORT",
  number: "G01234567",
  country: "USA",
  expiresAt,
  seenBy: cashier.userId,
  seenAt,
});

let revision = 0;
/** What identity tells of c1: registered at the counter with these documents, or changed so. */
async function tell(tenantId: string, changed: string[], identityDocuments: object[], isFromCounter = true) {
  revision += 1;
  if (isFromCounter) world.state.atCounter.add("c1");
  world.state.details.set("c1", { dateOfBirth: "1988-07-01", identityDocuments } as never);
  await world.identity.notePersonChange({ customerId: "c1", revision, changed, proven: [] }, on(tenantId));
}

const stateOf = async (tenantId: string) =>
  (await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager))).customer!;
const statesOf = async (tenantId: string) =>
  Object.fromEntries(
    (await stateOf(tenantId)).requirements.map((one) => [
      one.kind,
      `${one.state.replace("REQUIREMENT_STATE_", "")}${one.mandatory ? "" : ", optional"}`,
    ]),
  );

test("a document seen at the counter fulfils the identity rule, contacts are optional there, and the person is confirmed", async () => {
  const tenantId = await open(all);
  await tell(tenantId, ["REGISTERED"], [document(world.state.now)]);
  expect(await statesOf(tenantId)).toEqual({
    EMAIL: "OUTSTANDING, optional",
    PHONE_NUMBER: "OUTSTANDING, optional",
    IDENTITY_DOCUMENT: "FULFILLED",
  });
  expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_CONFIRMED" });
  // Screened like everybody.
  expect(await world.store.forTenant(tenantId).findCustomer("c1")).toMatchObject({
    person: { counter: { isRegistered: true, seen: { by: cashier.userId } } },
  });
});

test("where nothing is asked of a person at all, a document that was seen lets them in, and nothing else does", async () => {
  const knowYourCustomerRules = [email, phone, { ...identity, mandatory: false }];
  const tenantId = await open(all, { knowYourCustomerRules });
  await tell(tenantId, ["REGISTERED"], []);
  expect(await stateOf(tenantId)).toMatchObject({
    status: "CUSTOMER_STATUS_PENDING",
    risk: { decision: "DECISION_REVIEW" },
  });
  await tell(tenantId, ["DETAILS"], [document(world.state.now)]);
  expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_CONFIRMED" });
});

test("whoever waits when a policy lets them in is confirmed as soon as they move, though nobody has looked at them", async () => {
  const tenantId = await open(undefined);
  await tell(tenantId, ["REGISTERED"], [document(world.state.now)]);
  const asked = { moves: [{ customerId: "c1", kind: "MOVE_KIND_TRANSACTION" as const }] };
  const answer = async () => (await world.wallet.checkMoves(asked, on(tenantId))).answers[0];
  expect(await answer()).toMatchObject({ reasonCode: "CUSTOMER_NOT_CONFIRMED" });
  await publish(tenantId, { ...rules, counter: all });
  expect(await answer()).toMatchObject({ reasonCode: "" });
  expect(await world.store.forTenant(tenantId).findCustomer("c1")).toMatchObject({ status: "CONFIRMED" });
});

test.each([
  ["the policy says nothing of the counter", undefined, true, "OUTSTANDING", "OUTSTANDING"],
  ["documents alone count", { ...all, optionalContacts: [] }, true, "OUTSTANDING", "FULFILLED"],
  ["contacts alone are optional", { ...all, seenDocuments: false }, true, "OUTSTANDING, optional", "OUTSTANDING"],
  ["they registered elsewhere", all, false, "OUTSTANDING", "FULFILLED"],
])("where %s the person waits", async (_why, counter, isFromCounter, contact, shown) => {
  const tenantId = await open(counter);
  await tell(tenantId, ["REGISTERED"], [document(world.state.now)], isFromCounter);
  expect(await statesOf(tenantId)).toEqual({ EMAIL: contact, PHONE_NUMBER: contact, IDENTITY_DOCUMENT: shown });
  expect(await stateOf(tenantId)).toMatchObject({ status: "CUSTOMER_STATUS_PENDING" });
});

test("a document counts to the end of its last day, and no longer than the rule lets one that was seen then", async () => {
  const tenantId = await open(all);
  const { now } = world.state;
  const last = new Date(now.getTime() + 10 * dayMs).toISOString().slice(0, 10);
  await tell(tenantId, ["REGISTERED"], [document(now, last)]);
  expect((await statesOf(tenantId))["IDENTITY_DOCUMENT"]).toBe("FULFILLED");
  world.state.now = new Date(`${last}T23:59:59.999Z`);
  expect((await statesOf(tenantId))["IDENTITY_DOCUMENT"]).toBe("FULFILLED");
  world.state.now = new Date(world.state.now.getTime() + 1);
  await tell(tenantId, ["DETAILS"], [document(now, last)]);
  expect((await statesOf(tenantId))["IDENTITY_DOCUMENT"]).toBe("EXPIRED");
  // Another one that does not end, seen more than a year ago, and then today.
  await tell(tenantId, ["DETAILS"], [document(new Date(world.state.now.getTime() - 366 * dayMs))]);
  expect((await statesOf(tenantId))["IDENTITY_DOCUMENT"]).toBe("EXPIRED");
  await tell(tenantId, ["DETAILS"], [document(world.state.now)]);
  expect((await statesOf(tenantId))["IDENTITY_DOCUMENT"]).toBe("FULFILLED");
});

test("under another name what was seen counts no more", async () => {
  const tenantId = await open(all);
  await tell(tenantId, ["REGISTERED"], [document(world.state.now)]);
  const { seenAt: _at, seenBy: _by, ...unseen } = document(world.state.now);
  await tell(tenantId, ["NAME", "DETAILS"], [unseen]);
  expect((await statesOf(tenantId))["IDENTITY_DOCUMENT"]).toBe("OUTSTANDING");
});

test("from 3,000.00 on a cash order from the USA is asked for a document, which one seen at the counter is", async () => {
  const amount = usd(3_000_00n);
  const usBsa = { profile: "US_BSA", originCountries: ["USA"] };
  // No rule about customers asks for a document here.
  const tenantId = await open(all, {
    knowYourCustomerRules: [{ ...email, mandatory: false }],
    transparencyProfiles: [usBsa],
  });
  await world.operator.setCustomerStatus(
    { customerId: "c1", status: "CUSTOMER_STATUS_CONFIRMED" as never, reason: "known" },
    on(tenantId),
  );
  const address = { lines: ["4 Ring Road"], city: "Accra", country: "GHA" };
  const tellWith = async (identityDocuments: object[]) => {
    await tell(tenantId, ["DETAILS"], identityDocuments);
    world.state.details.set("c1", { ...world.state.details.get("c1"), address } as never);
    revision += 1;
    const change = { customerId: "c1", revision, changed: ["DETAILS"], proven: [] };
    await world.identity.notePersonChange(change, on(tenantId));
  };
  await tellWith([]);
  const transparency = { amount, linkedAmount: amount, knownMembers: ["RECIPIENT_NAME", "RECIPIENT_ACCOUNT"] };
  const asked = question({ transparency });
  await world.remittance.checkTransaction(asked, on(tenantId));
  const claim = (funding: string) =>
    world.remittance.checkTransparency({ transactionId: asked.transactionId, funding }, on(tenantId));
  await expect(claim("WALLET")).resolves.toMatchObject({ missingMembers: [] });
  await expect(claim("CASH")).resolves.toMatchObject({
    missingMembers: ["IDENTITY_DOCUMENT", "IDENTITY_DOCUMENT_DETAILS"],
  });
  await tellWith([document(world.state.now)]);
  await expect(claim("CASH")).resolves.toMatchObject({ missingMembers: [] });
});

test("what is no contact is refused by its place; an operator's policy keeps what two managers decided", async () => {
  const tenantId = await open(all);
  const wrong = { revision: 0, counter: { seenDocuments: true, optionalContacts: ["EMAIL", "SELFIE"] } };
  expect(await refused(world.gateway.savePolicyDraft(wrong, on(tenantId, manager)))).toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [expect.objectContaining({ path: "counter.optionalContacts[1]" })] },
  });
  await world.operator.putPolicy({ ...rules, dailyLimits: [{ amount: usd(1n) }] }, on(tenantId));
  const { policy } = await world.gateway.getPolicy({ version: 0 }, on(tenantId, manager));
  expect(policy!.counter).toEqual(all);
});
