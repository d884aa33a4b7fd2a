import { Decision } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("transparency");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const address = { lines: ["4 Zubair Lane"], city: "Lagos", country: "NGA" };
const usBsa = { profile: "US_BSA", originCountries: ["USA"] };
const ofRecipient = ["RECIPIENT_NAME", "RECIPIENT_ACCOUNT"];
const comesTo = (amountMinor: bigint, currency = "USD", knownMembers = ofRecipient) => {
  const amount = { amountMinor, currency };
  return { transparency: { amount, linkedAmount: amount, knownMembers } };
};
const pending = { decision: Decision.DECISION_PENDING };
const approved = { decision: Decision.DECISION_APPROVED };

/** Written by one manager and published by another. */
async function publish(tenantId: string, ...transparencyProfiles: object[]) {
  const { draft } = await world.gateway.savePolicyDraft({ revision: 0, transparencyProfiles }, on(tenantId, manager));
  return world.gateway.publishPolicyDraft({ revision: draft!.revision }, on(tenantId, secondManager));
}

async function open(...profiles: object[]) {
  const tenantId = await world.openTenant({});
  await publish(tenantId, ...profiles);
  return tenantId;
}

const check = (tenantId: string, asked = question()) => world.remittance.checkTransaction(asked, on(tenantId));
const toldOf = (tenantId: string, transactionId: string) =>
  waitFor(() =>
    world
      .told(tenantId)
      .decided.find((one) => one.transactionId === transactionId && one.decision === Decision.DECISION_APPROVED),
  );

let revision = 0;
/** What identity does after the customer gave something. */
async function give(tenantId: string, details: object) {
  revision += 1;
  world.state.details.set("c1", { ...world.state.details.get("c1"), ...details });
  await world.identity.notePersonChange({ customerId: "c1", revision, changed: ["DETAILS"], proven: [] }, on(tenantId));
}

/** What the customer hands in, accepted. */
async function showIdentityDocument(tenantId: string) {
  const pdf = Buffer.from(`%PDF-1.7\n${"x".repeat(1_000)}\n%%EOF\n`);
  const upload = { customerId: "c1", uploadKey: "k" };
  await world.gateway.uploadDocumentPart({ ...upload, offset: 0n, content: pdf }, on(tenantId, ada));
  const file = { requirement: "IDENTITY_DOCUMENT", fileName: "passport.pdf", sizeBytes: BigInt(pdf.length) };
  const { document } = await world.gateway.submitDocument({ ...upload, ...file }, on(tenantId, ada));
  const review = { documentId: document!.documentId, accept: true, reason: "seen" };
  await world.gateway.reviewDocument(review, on(tenantId, manager));
}

test("below the amount an order goes, from it on it waits by name and goes on by itself once the address is there", async () => {
  const tenantId = await open(usBsa);
  const below = await check(tenantId, question(comesTo(2_999_99n)));
  expect(below).toMatchObject({ ...approved, transparencyMembers: [], asksByFunding: false });
  const asked = question(comesTo(3_000_00n));
  const waiting = await check(tenantId, asked);
  expect(waiting).toMatchObject({ ...pending, outstandingRequirements: ["ADDRESS"], transparencyMembers: ["ADDRESS"] });
  await give(tenantId, { dateOfBirth: "1990-04-30", address });
  const told = await toldOf(tenantId, asked.transactionId);
  expect(told).toMatchObject({ transparencyMembers: ["ADDRESS"], asksByFunding: true, outstandingRequirements: [] });
  // Asked again with what has come since, the question is the same.
  await expect(check(tenantId, { ...asked, transparency: undefined } as never)).resolves.toMatchObject(approved);
});

test("where the tenant refuses, what is missing is refused by name and not waited for", async () => {
  const tenantId = await open({ ...usBsa, onMissing: "REFUSE" });
  await expect(check(tenantId, question(comesTo(3_000_00n)))).resolves.toMatchObject({
    decision: Decision.DECISION_REJECTED,
    reasonCode: "TRANSPARENCY_INCOMPLETE",
    outstandingRequirements: ["ADDRESS"],
  });
});

test("what only the order can say is refused by name where it is missing, and is no document", async () => {
  const members = ["PURPOSE", "ORDER_SOURCE_OF_FUNDS"];
  const tenantId = await open({ ...usBsa, rows: [{ amount: usd(0n), members }] });
  const silent = { remittancePurpose: "", sourceOfFunds: "" };
  await expect(check(tenantId, question({ ...comesTo(10_00n), ...silent }))).resolves.toMatchObject({
    decision: Decision.DECISION_REJECTED,
    reasonCode: "TRANSPARENCY_INCOMPLETE",
    outstandingRequirements: members.toSorted(),
  });
  await expect(check(tenantId, question(comesTo(10_00n)))).resolves.toMatchObject(approved);
});

test("an order from another country, and a payment between wallets, is asked for nothing", async () => {
  const tenantId = await open({ ...usBsa, originCountries: ["GBR"] });
  await expect(check(tenantId, question(comesTo(9_000_00n)))).resolves.toMatchObject({ transparencyMembers: [] });
});

test("paid in cash it asks for a reviewed document, which can be handed in from then on and counts at the next claim", async () => {
  const tenantId = await open({ profile: "EU_TFR", originCountries: ["USA"] });
  const asked = question(comesTo(50_00n, "EUR"));
  const decided = await check(tenantId, asked);
  expect(decided).toMatchObject({ ...approved, transparencyMembers: ofRecipient.toSorted(), asksByFunding: true });
  const claim = (funding: string) =>
    world.remittance.checkTransparency({ transactionId: asked.transactionId, funding }, on(tenantId));
  await expect(claim("WALLET")).resolves.toMatchObject({ missingMembers: [], members: ofRecipient.toSorted() });
  const [first, second] = await Promise.all([claim("CASH"), claim("CASH")]);
  expect(first).toMatchObject({ missingMembers: ["IDENTITY_DOCUMENT"] });
  expect(second).toEqual(first);
  await showIdentityDocument(tenantId);
  await expect(claim("CASH")).resolves.toMatchObject({ missingMembers: [] });
  expect(await refused(claim("CARD"))).toMatchObject({ code: "INVALID_INPUT" });
  const nobody = { transactionId: "t-nobody", funding: "CASH" };
  expect(await refused(world.remittance.checkTransparency(nobody, on(tenantId)))).toMatchObject({
    code: "TRANSACTION_NOT_FOUND",
  });
});

test("above 1,000.00 EUR a sender who was confirmed without a document waits until one was reviewed", async () => {
  const tenantId = await open({ profile: "EU_TFR", originCountries: ["USA"] });
  await give(tenantId, { dateOfBirth: "1990-04-30", placeOfBirth: { city: "Lagos", country: "NGA" } });
  await expect(check(tenantId, question(comesTo(1_000_00n, "EUR")))).resolves.toMatchObject(approved);
  const asked = question(comesTo(1_000_01n, "EUR"));
  await expect(check(tenantId, asked)).resolves.toMatchObject({
    ...pending,
    outstandingRequirements: ["IDENTITY_DOCUMENT"],
  });
  await showIdentityDocument(tenantId);
  await toldOf(tenantId, asked.transactionId);
});

test("what comes to be known of the recipient decides what waits for it, once, and changes nothing that is over", async () => {
  const row = { amount: usd(0n), members: ["RECIPIENT_ADDRESS"] };
  const tenantId = await open({ ...usBsa, rows: [row] });
  const asked = question(comesTo(10_00n));
  await expect(check(tenantId, asked)).resolves.toMatchObject({
    ...pending,
    outstandingRequirements: ["RECIPIENT_ADDRESS"],
  });
  const knownMembers = [...ofRecipient, "RECIPIENT_ADDRESS"];
  const revise = (part = {}) =>
    world.remittance.reviseTransparency(
      { revised: [{ transactionId: asked.transactionId, knownMembers, ...part }] },
      on(tenantId),
    );
  await Promise.all([revise(), revise()]);
  await expect(toldOf(tenantId, asked.transactionId)).resolves.toMatchObject({
    transparencyMembers: ["RECIPIENT_ADDRESS"],
  });
  await world.remittance.confirmReservation({ transactionId: asked.transactionId }, on(tenantId));
  await revise({ knownMembers: [] });
  const claim = { transactionId: asked.transactionId, funding: "WALLET" };
  await expect(world.remittance.checkTransparency(claim, on(tenantId))).resolves.toMatchObject({ missingMembers: [] });
  expect(await refused(revise({ knownMembers: ["not a name"] }))).toMatchObject({ code: "INVALID_INPUT" });
  expect(await refused(revise({ transactionId: "t-nobody" }))).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
});

test("profiles that are published now are asked for at the claim of what was decided before", async () => {
  const tenantId = await world.openTenant({});
  const asked = question(comesTo(3_000_00n));
  const { policyVersion } = await check(tenantId, asked);
  await publish(tenantId, usBsa);
  const claim = { transactionId: asked.transactionId, funding: "WALLET", ...comesTo(3_000_00n) };
  const small = { ...claim, ...comesTo(5_00n) };
  await expect(world.remittance.checkTransparency(small, on(tenantId))).resolves.toMatchObject({ missingMembers: [] });
  await expect(world.remittance.checkTransparency(claim, on(tenantId))).resolves.toEqual({
    missingMembers: ["ADDRESS"],
    members: ["ADDRESS"],
    policyVersion: policyVersion + 1,
    isOutdated: false,
  });
});

describe("transparency profiles", () => {
  test("are published by another than who wrote them, and stay where the operator puts a policy", async () => {
    const tenantId = await world.openTenant({});
    const request = { revision: 0, transparencyProfiles: [usBsa] };
    const save = (part: object, user: typeof manager | typeof secondManager) =>
      world.gateway.savePolicyDraft({ ...request, ...part }, on(tenantId, user));
    const publishAs = (user: typeof manager | typeof secondManager, revision: number) =>
      world.gateway.publishPolicyDraft({ revision }, on(tenantId, user));
    await save({}, manager);
    // Who wrote a part of it does not publish it, either, whoever wrote last.
    await save({ revision: 1, dailyLimits: [{ amount: usd(1n) }] }, secondManager);
    for (const user of [manager, secondManager])
      expect(await refused(publishAs(user, 2))).toMatchObject({ code: "FORBIDDEN" });
    const { policy: held } = await world.gateway.getPolicy({}, on(tenantId, manager));
    const { knowYourCustomerRules, transactionRules, dailyLimits, riskModel, transparencyProfiles } = held!;
    const inForce = { knowYourCustomerRules, transactionRules, dailyLimits, riskModel, transparencyProfiles };
    expect((await save({ revision: 2, ...inForce }, manager)).draft!.authors).toEqual(["MA1"]);
    expect((await save({ revision: 3 }, manager)).draft!.authors).toEqual(["MA1"]);
    await publishAs(secondManager, 4);
    await world.operator.putPolicy({ dailyLimits: [{ amount: usd(9_999_00n) }] }, on(tenantId));
    const { policyVersion, profiles } = await world.remittance.getTransparencyProfiles({}, on(tenantId));
    expect(policyVersion).toBe(3);
    expect(profiles).toMatchObject([
      {
        ...usBsa,
        currency: "USD",
        linkedHours: 24,
        onMissing: "WAIT",
        rows: [
          { amount: usd(3_000_00n), members: ["ADDRESS"], source: "31 CFR 1010.410(f)(1)" },
          {
            amount: usd(3_000_00n),
            funding: "CASH",
            members: ["ADDRESS", "IDENTITY_DOCUMENT_DETAILS"],
            isVerified: true,
            source: "31 CFR 1010.410(e)(1)(i) and (2)",
          },
        ],
      },
    ]);
    const shown = await world.gateway.getPolicy({}, on(tenantId, ada));
    expect(shown.policy!.transparencyProfiles).toEqual([]);
  });

  test("are one for each country", async () => {
    const tenantId = await world.openTenant({});
    const fatf = { profile: "FATF_2025", originCountries: ["GB", "US"] };
    const request = { revision: 0, transparencyProfiles: [usBsa, fatf] };
    expect(await refused(world.gateway.savePolicyDraft(request, on(tenantId, manager)))).toMatchObject({
      code: "PROFILE_EXISTS",
      message: "USA has a transparency profile already",
    });
  });

  test("are tried on what was decided before: who would be asked for what, and who lacks it", async () => {
    const tenantId = await world.openTenant({});
    await give(tenantId, { dateOfBirth: "1990-04-30" });
    // As remittance asks where no profile is for the origin country.
    const transparency = { amount: undefined, linkedAmount: undefined, knownMembers: ofRecipient };
    for (const amount of [2_999_99n, 3_000_00n, 3_000_01n]) {
      await check(tenantId, question({ amount: usd(amount), transparency }));
    }
    const rows = [{ amount: usd(3_000_00n), isAbove: true, members: ["DATE_OF_BIRTH"] }];
    const request = { revision: 0, transparencyProfiles: [{ ...usBsa, rows }] };
    await world.gateway.savePolicyDraft(request, on(tenantId, manager));
    const stretch = { from: new Date("2026-05-01T00:00:00Z"), to: new Date("2026-05-02T00:00:00Z") };
    const trial = await world.gateway.tryPolicyDraft(stretch, on(tenantId, manager));
    expect(trial.members.toSorted((a, b) => (a.member < b.member ? -1 : 1))).toEqual([
      { member: "ADDRESS", liveAsked: 0, liveMissing: 0, draftAsked: 2, draftMissing: 2 },
      { member: "DATE_OF_BIRTH", liveAsked: 0, liveMissing: 0, draftAsked: 1, draftMissing: 0 },
    ]);
    expect(trial.differences).toHaveLength(2);
  });
});

test("the checklist says what the sender has to give for such an amount, and nothing of the recipient", async () => {
  const rows = [{ amount: usd(0n), members: ["RECIPIENT_ADDRESS"] }];
  const tenantId = await open({ ...usBsa, rows });
  const list = (amountMinor: bigint) => {
    const { transactionId: _id, ...asked } = question({ amount: usd(amountMinor) });
    return world.gateway.getChecklist(asked, on(tenantId, ada));
  };
  await expect(list(2_999_99n)).resolves.toMatchObject({ decision: Decision.DECISION_APPROVED, items: [] });
  await expect(list(3_000_00n)).resolves.toMatchObject({ ...pending, items: [{ requirement: "ADDRESS" }] });
});

test("what waits and was told of by an older policy is told anew once one is published, and decided when that is known", async () => {
  const low = { ...usBsa, rows: [{ amount: usd(10_00n), members: ["NATIONALITY"] }] };
  const tenantId = await open(low);
  const { transparency } = comesTo(1_000_00n);
  const asked = question({ transparency: { ...transparency, policyVersion: 2 } });
  await expect(check(tenantId, asked)).resolves.toMatchObject({ outstandingRequirements: ["NATIONALITY"] });
  world.state.isRemittanceAway = true;
  const linked = comesTo(1_000_00n).transparency;
  world.state.toldAnew = { ...linked, linkedAmount: usd(3_000_00n), knownMembers: [] };
  const { draft } = await world.gateway.savePolicyDraft(
    { revision: 1, transparencyProfiles: [usBsa] },
    on(tenantId, manager),
  );
  await world.gateway.publishPolicyDraft({ revision: draft!.revision }, on(tenantId, secondManager));
  await waitFor(() => world.told(tenantId).toldAnew.length > 0);
  const decided = () => world.told(tenantId).decided.find((one) => one.transactionId === asked.transactionId);
  expect(decided()).toBeUndefined();
  world.state.isRemittanceAway = false;
  await waitFor(decided);
  expect(decided()).toMatchObject({ ...pending, outstandingRequirements: ["ADDRESS"], policyVersion: 3 });
  expect(world.told(tenantId).toldAnew.at(-1)).toEqual({ transactionIds: [asked.transactionId], policyVersion: 3 });
});

test("where partners are told of a birth by day and place together, who asks for one asks for both", async () => {
  const tenantId = await open({ ...usBsa, rows: [{ amount: usd(10_00n), members: ["DATE_OF_BIRTH"] }] });
  await give(tenantId, { dateOfBirth: "1990-04-30" });
  const { transparency } = comesTo(100_00n);
  await expect(check(tenantId, question({ transparency }))).resolves.toMatchObject(approved);
  const asked = question({ transparency: { ...transparency, isBirthWhole: true } });
  await expect(check(tenantId, asked)).resolves.toMatchObject({
    ...pending,
    outstandingRequirements: ["PLACE_OF_BIRTH"],
    transparencyMembers: ["DATE_OF_BIRTH", "PLACE_OF_BIRTH"],
  });
  await give(tenantId, { placeOfBirth: { city: "Lagos", country: "NGA" } });
  await toldOf(tenantId, asked.transactionId);
});

test("once more is known of a customer, remittance looks at payouts that may have waited for it, where a policy asks any", async () => {
  const [asking, other] = [await open(usBsa), await world.openTenant({})];
  for (const tenantId of [asking, other]) {
    await give(tenantId, { dateOfBirth: "1990-04-30" });
    await give(tenantId, { placeOfBirth: { city: "Lagos", country: "NGA" } });
    world.state.details.clear();
  }
  await waitFor(() => world.told(asking).resumed.length > 0);
  expect([world.told(asking).resumed, world.told(other).resumed]).toEqual([["c1"], []]);
});
