import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import type { ReviseTransparencyRequest } from "../../../proto/gen/compliance/v1/transparency.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { randomUUID } from "node:crypto";
import { createCrashSwitch } from "../../../test/support/crash-switch.js";
import { plansOf } from "../../../test/support/read-plans.js";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { ada, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { asksIdentityAnew } from "../../../test/support/time.js";
import { account, beneficiary, corridor, openTenant, order } from "../../../test/support/remittance-samples.js";
import type { RecipientDetails } from "../domain/recipient-details.js";
import { revisedRecipients } from "../jobs/revised-recipients.js";
import type { RemittanceStore } from "../store/index.js";

let world: World;

beforeAll(async () => void (world = await createWorld("transparency")));
afterEach(() => world.reset());
afterAll(() => world.close());

const profile = (part: object = {}) => ({
  profile: "US_BSA",
  originCountries: ["USA"],
  currency: "USD",
  linkedHours: 24,
  rows: [{ amount: { amountMinor: 3_000_00n, currency: "USD" }, members: ["ADDRESS"] }],
  ...part,
});

/** A tenant whose policy has these profiles. */
async function tenantWith(...profiles: object[]): Promise<string> {
  world.neighbours.profiles = { policyVersion: 3, profiles };
  return openTenant(world, testTenant());
}
const create = async (tenantId: string, part: object = {}) =>
  (await world.gateway.createTransaction(order(part), on(tenantId, ada))).transaction!;
/** What compliance was told of the transactions of a tenant, in their order. */
const toldOf = (tenantId: string) =>
  world.neighbours.checks.filter((one) => one.tenantId === tenantId).map(({ transparency }) => transparency!);
const minorOf = (amount: { amountMinor: bigint; currency: string } | undefined) =>
  amount && [amount.amountMinor, amount.currency];

describe("what compliance is told of an order", () => {
  const pounds = { ...corridor, originCountry: "GBR", sendCurrency: "GBP" };
  const information = { originCountry: "GBR", receivingCountry: "NGA", remittancePurpose: "", sourceOfFunds: "salary" };
  const sent = (sendAmount: string) => ({
    sendAmount,
    sendCurrency: "GBP",
    internationalTransferInformation: information,
  });
  async function fromPounds(rate?: { sendCurrency: string; receivingCurrency: string; rate: string }) {
    const tenantId = await tenantWith(profile({ originCountries: ["GBR"] }));
    await world.operator.putCorridor({ corridor: pounds }, on(tenantId));
    const own = { sendCurrency: "GBP", receivingCurrency: "NGN", rate: "2000" };
    for (const one of [own, ...(rate === undefined ? [] : [rate])]) {
      await world.operator.putRate({ ...one, source: "test" }, on(tenantId));
    }
    return tenantId;
  }

  test.each([
    ["the middle rate", { sendCurrency: "GBP", receivingCurrency: "USD", rate: "1.34" }, "2240.00", 3_001_60n],
    ["the middle rate", { sendCurrency: "GBP", receivingCurrency: "USD", rate: "1.34" }, "2238.00", 2_998_92n],
    ["the middle rate, rounded up", { sendCurrency: "GBP", receivingCurrency: "USD", rate: "1.340001" }, "0.99", 133n],
    [
      "the rate the other way round, rounded up",
      { sendCurrency: "USD", receivingCurrency: "GBP", rate: "0.75" },
      "100.00",
      133_34n,
    ],
  ])("is the amount in the profile's currency at %s", async (_how, rate, sendAmount, minor) => {
    const tenantId = await fromPounds(rate);
    const limits = { minimumMinor: 1n };
    await world.operator.putCorridor({ corridor: { ...pounds, ...limits } }, on(tenantId));
    const { transactionId } = await create(tenantId, sent(sendAmount));
    const [told] = toldOf(tenantId);
    expect([minorOf(told!.amount), minorOf(told!.linkedAmount)]).toEqual([
      [minor, "USD"],
      [minor, "USD"],
    ]);
    expect(told!.knownMembers).toEqual([
      "RECIPIENT_NAME",
      "RECIPIENT_ACCOUNT",
      "RECIPIENT_COUNTRY",
      "ORDER_SOURCE_OF_FUNDS",
    ]);
    const stored = await world.store.forTenant(tenantId).findTransaction(transactionId);
    expect(stored!.transparency).toMatchObject({ profile: "US_BSA", amount: { minor, currency: "USD" } });
  });

  test("without a rate it is no amount, which counts as above", async () => {
    const tenantId = await fromPounds();
    await create(tenantId, sent("10.00"));
    const [told] = toldOf(tenantId);
    expect([told!.amount, told!.linkedAmount]).toEqual([undefined, undefined]);
  });

  test("without a profile for where it comes from it is what is known alone", async () => {
    const tenantId = await tenantWith(profile({ originCountries: ["DEU"] }));
    await world.operator.changeBeneficiary(
      {
        ...beneficiary,
        idempotencyKey: "c-1",
        details: { kind: "PERSON", address: { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" } },
      },
      on(tenantId),
    );
    const { transactionId } = await create(tenantId);
    const [told] = toldOf(tenantId);
    expect(told!.amount).toBeUndefined();
    expect(told!.knownMembers).toContain("RECIPIENT_ADDRESS");
    const stored = await world.store.forTenant(tenantId).findTransaction(transactionId);
    expect(stored!.transparency).toBeUndefined();
  });
});

describe("transactions of one sender to one recipient", () => {
  const linkedOf = (tenantId: string) => toldOf(tenantId).map(({ linkedAmount }) => linkedAmount?.amountMinor);
  const numbered = (number: string) =>
    account.map((pair) => (pair.key === "bankaccountno" ? { ...pair, value: number } : pair));
  const save = (tenantId: string, code: string, creditParty: object[] = account, part: object = {}) =>
    world.operator.createBeneficiary(
      { ...beneficiary, idempotencyKey: code, code, creditParty, ...part } as typeof beneficiary,
      on(tenantId),
    );
  /** Another person, by the account that they hold. */
  const heldBy = (name: string, creditParty: typeof account) =>
    creditParty.map((pair) => (pair.key === "accountholdername" ? { ...pair, value: name } : pair));
  const ofBola = { firstName: "Bola", lastName: "Ade" };

  test("count together within the hours of the profile; others do not", async () => {
    const tenantId = await tenantWith(profile());
    const creditParty = heldBy("Bola Ade", numbered("2003004003"));
    await save(tenantId, "B-OTHER", creditParty, ofBola);
    await create(tenantId, { sendAmount: "600.00" });
    await create(tenantId, { sendAmount: "450.00" });
    await create(tenantId, { sendAmount: "10.00", recipientCustomerCode: "B-OTHER", creditParty });
    world.pass(24 * 3_600_000 + 60_000);
    await create(tenantId, { sendAmount: "400.00" });
    expect(linkedOf(tenantId)).toEqual([600_00n, 1_050_00n, 10_00n, 400_00n]);
  });

  test("count together where the same account was saved twice, written otherwise, or its recipient is removed", async () => {
    const tenantId = await tenantWith(profile());
    const creditParty = numbered("30-1234 5671");
    await save(tenantId, "B-AGAIN", creditParty);
    await create(tenantId, { sendAmount: "600.00" });
    await create(tenantId, { sendAmount: "450.00", recipientCustomerCode: "B-AGAIN", creditParty });
    for (const code of ["B-AGAIN", "B-NGOZI"]) {
      await world.gateway.removeBeneficiary({ idempotencyKey: `x-${code}`, code }, on(tenantId, ada));
    }
    await save(tenantId, "B-THIRD");
    await create(tenantId, { sendAmount: "10.00", recipientCustomerCode: "B-THIRD" });
    expect(linkedOf(tenantId)).toEqual([600_00n, 1_050_00n, 1_060_00n]);
  });

  test("count together where one person has two accounts, whatever the order of their names", async () => {
    const tenantId = await tenantWith(profile());
    const creditParty = heldBy("OKAFOR Ngozi", numbered("2003004003"));
    await save(tenantId, "B-TURNED", creditParty, { firstName: "Okafor", lastName: "Ngozi" });
    await create(tenantId, { sendAmount: "600.00" });
    await create(tenantId, { sendAmount: "450.00", recipientCustomerCode: "B-TURNED", creditParty });
    expect(linkedOf(tenantId)).toEqual([600_00n, 1_050_00n]);
  });

  test("are found without a look at whom others went to, and what they are found by says nobody's name", async () => {
    const [tenantId, other] = [await tenantWith(profile()), await tenantWith(profile())];
    const ids = [await create(tenantId), await create(tenantId), await create(other)].map((one) => one.transactionId);
    const transactions = world.db.collection("transactions");
    const found = [tenantId, other].map((of) =>
      transactions.find({ tenantId: of, transactionId: { $in: ids } }).toArray(),
    );
    const stored = (await Promise.all(found)).flat();
    const keys = new Map(stored.map(({ transactionId, linkedBy }) => [transactionId as string, linkedBy as string[]]));
    expect(keys.get(ids[0]!)).toEqual(keys.get(ids[1]!));
    expect(keys.get(ids[0]!)!.filter((key) => keys.get(ids[2]!)!.includes(key))).toEqual([]);
    for (const key of keys.get(ids[0]!)!) expect(key).toMatch(/^[\w-]{43}$/);
    // Whose sealed parts nobody could open any more still counts.
    await transactions.updateMany({ tenantId }, { $set: { "creditParty.$[].sealed.sealed": "gone" } });
    await create(tenantId);
    expect(linkedOf(tenantId).at(-1)).toBe(300_00n);
    const { _id, ...one } = (await transactions.findOne({ tenantId }))!;
    const others = Array.from({ length: 100 }, (_each, at) => {
      const id = `other-${at}`;
      return { ...one, transactionId: id, transactionCode: id, linkedBy: ["other"] };
    });
    await transactions.insertMany(others);
    const plans = await plansOf({ uri: world.uri, database: world.database }, () => create(tenantId), tenantId);
    const linked = plans.filter(({ plan }) => plan.includes("linkedBy"));
    expect(linked).toMatchObject([{ isSorted: false }]);
    // Itself and three others, each by three keys.
    expect(linked[0]!.examined).toBeLessThan(30);
  });

  test("of more than are added up counts as above", async () => {
    const tenantId = await tenantWith(profile());
    const { transactionId } = await create(tenantId, { sendAmount: "1.00" });
    const transactions = world.db.collection("transactions");
    const { _id, ...stored } = (await transactions.findOne({ tenantId, transactionId }))!;
    const many = Array.from({ length: 1_000 }, (_each, at) => {
      const id = `copy-${at}`;
      return { ...stored, transactionId: id, transactionCode: id, beneficiaryId: id, creditParty: [] };
    });
    await transactions.insertMany(many);
    await create(tenantId, { sendAmount: "1.00" });
    expect(linkedOf(tenantId)).toEqual([1_00n, undefined]);
    // Of those to others there may be more.
    await transactions.updateOne({ tenantId, transactionId: "copy-0" }, { $set: { linkedBy: ["other"] } });
    await transactions.updateOne({ tenantId, transactionId: "copy-1" }, { $set: { linkedBy: ["other"] } });
    await create(tenantId, { sendAmount: "1.00" });
    expect(linkedOf(tenantId).at(-1)).toBe(1_001_00n);
  });

  test.each(["CANCELLED", "EXPIRED", "REJECTED", "REFUNDED"])("what is %s does not count", async (status) => {
    const tenantId = await tenantWith(profile());
    const { transactionId } = await create(tenantId, { sendAmount: "600.00" });
    await world.db.collection("transactions").updateOne({ tenantId, transactionId }, { $set: { status } });
    await create(tenantId, { sendAmount: "450.00" });
    expect(linkedOf(tenantId)).toEqual([600_00n, 450_00n]);
  });

  test("created at once, the last of them finds all others, whoever comes first", async () => {
    const tenantId = await tenantWith(profile());
    const amounts = Array.from({ length: 6 }, () => "300.00");
    await Promise.all(amounts.map((sendAmount) => create(tenantId, { sendAmount })));
    const linked = linkedOf(tenantId).toSorted((a, b) => Number(a! - b!));
    expect(linked.at(-1)).toBe(1_800_00n);
    linked.forEach((sum, index) => expect(sum).toBeGreaterThanOrEqual(300_00n * BigInt(index + 1)));
  });

  test("the sum is not read where every amount is passed without it", async () => {
    const tenantId = await tenantWith(profile({ rows: [{ amount: { amountMinor: 100n, currency: "USD" } }] }));
    await create(tenantId, { sendAmount: "600.00" });
    await create(tenantId, { sendAmount: "450.00" });
    expect(linkedOf(tenantId)).toEqual([600_00n, 450_00n]);
  });
});

describe("what compliance makes of it", () => {
  test("is waited for by name, or refused with what is missing", async () => {
    const tenantId = await tenantWith(profile());
    const missing = { outstandingRequirements: ["ADDRESS", "RECIPIENT_ADDRESS"], policyVersion: 3 };
    world.neighbours.check = async () => ({ decision: Decision.DECISION_PENDING, ...missing });
    expect(await create(tenantId)).toMatchObject({
      status: "AWAITING_COMPLIANCE",
      compliance: { decision: "PENDING", outstandingRequirements: ["ADDRESS", "RECIPIENT_ADDRESS"] },
    });
    const reasonCode = "TRANSPARENCY_INCOMPLETE";
    world.neighbours.check = async () => ({ decision: Decision.DECISION_REJECTED, reasonCode, ...missing });
    expect(await refused(create(tenantId))).toMatchObject({
      code: "TRANSPARENCY_INCOMPLETE",
      details: { errors: [{ path: "ADDRESS" }, { path: "RECIPIENT_ADDRESS" }] },
    });
  });
});

describe("the claim of a payment", () => {
  let payments = 0;
  const claim = (tenantId: string, transactionId: string, funding: string, paymentId = `p-${(payments += 1)}`) =>
    world.wallet.claimTransaction(
      { transactionId, paymentId, customerId: "c1", totalAmount: { amountMinor: 102_69n, currency: "USD" }, funding },
      on(tenantId, ada),
    );
  const stored = (tenantId: string, transactionId: string) =>
    world.store.forTenant(tenantId).findTransaction(transactionId);

  test("asks compliance again only where funding matters or the policy is another one", async () => {
    const tenantId = await tenantWith(profile());
    const claimed = async (part: object) => {
      world.neighbours.check = async () => ({ decision: Decision.DECISION_APPROVED, policyVersion: 3, ...part });
      const { transactionId } = await create(tenantId);
      await claim(tenantId, transactionId, "CASH");
      return world.neighbours.claimed
        .filter((one) => one.transactionId === transactionId)
        .map(({ funding }) => funding);
    };
    expect(await claimed({})).toEqual([]);
    expect(await claimed({ asksByFunding: true })).toEqual(["CASH"]);
    expect(await claimed({ policyVersion: 2 })).toEqual(["CASH"]);
    const other = await tenantWith();
    const { transactionId } = await create(other);
    world.neighbours.check = async () => ({
      decision: Decision.DECISION_APPROVED,
      policyVersion: 2,
      asksByFunding: true,
    });
    await claim(other, transactionId, "WALLET");
    expect(world.neighbours.claimed.filter((one) => one.transactionId === transactionId)).toEqual([]);
  });

  test("tells what an order comes to where no profile was known when it was made, with what came before it alone", async () => {
    const tenantId = await tenantWith();
    world.neighbours.check = async () => ({ decision: Decision.DECISION_APPROVED, policyVersion: 3 });
    const [first, second] = [await create(tenantId), await create(tenantId)];
    world.neighbours.profiles = { policyVersion: 4, profiles: [profile()] };
    await asksIdentityAnew();
    for (const [{ transactionId }, linked] of [
      [first, 100_00n],
      [second, 200_00n],
    ] as const) {
      await claim(tenantId, transactionId, "WALLET");
      const told = world.neighbours.claimed.find((one) => one.transactionId === transactionId)!.transparency!;
      expect([minorOf(told.amount), minorOf(told.linkedAmount)]).toEqual([
        [100_00n, "USD"],
        [linked, "USD"],
      ]);
      expect((await stored(tenantId, transactionId))!.transparency).toMatchObject({ profile: "US_BSA" });
    }
  });

  test.each([
    [
      "a row above it",
      { rows: [{ amount: { amountMinor: 5_000_00n, currency: "USD" }, members: ["DATE_OF_BIRTH"] }] },
      0,
    ],
    ["more hours", { linkedHours: 168 }, 25],
  ])("tells sums that a policy with %s makes, not those of an older one", async (_what, part, hours) => {
    const low = [{ amount: { amountMinor: 10_00n, currency: "USD" } }];
    const tenantId = await tenantWith(profile(hours === 0 ? { rows: low } : {}));
    world.neighbours.check = async () => ({ decision: Decision.DECISION_APPROVED, policyVersion: 3 });
    await create(tenantId);
    if (hours > 0) world.pass(hours * 3_600_000);
    const { transactionId } = await create(tenantId);
    expect(toldOf(tenantId).map(({ linkedAmount }) => linkedAmount!.amountMinor)).toEqual([100_00n, 100_00n]);
    world.neighbours.profiles = { policyVersion: 4, profiles: [profile(part)] };
    await asksIdentityAnew();
    await claim(tenantId, transactionId, "WALLET");
    const told = world.neighbours.claimed.findLast((one) => one.transactionId === transactionId)!.transparency!;
    expect([told.policyVersion, told.linkedAmount?.amountMinor]).toEqual([4, 200_00n]);
  });

  describe("under other names", () => {
    const collected = (recipientname: string) => ({
      type: "DELIVERY_METHOD_CASH_PICKUP" as const,
      creditParty: [
        { key: "payoutpointid", value: "LAGOS-1" },
        { key: "recipientname", value: recipientname },
      ],
    });
    const named = { ada: { firstName: "Ada", lastName: "Obi" }, adda: { firstName: "Ada", lastName: "Obbi" } };
    /** Two that pay cash out to different persons, the older one first. */
    async function two() {
      const tenantId = await tenantWith(profile());
      const deliveryMethods = [...corridor.deliveryMethods, "DELIVERY_METHOD_CASH_PICKUP" as const];
      await world.operator.putCorridor({ corridor: { ...corridor, deliveryMethods } }, on(tenantId));
      world.neighbours.check = async () => ({ decision: Decision.DECISION_APPROVED, policyVersion: 3 });
      const ids: string[] = [];
      for (const [code, name] of Object.entries(named)) {
        const way = collected(`${name.firstName} ${name.lastName}`);
        const { type, creditParty } = way;
        const recipient = { ...beneficiary, ...name, idempotencyKey: code, code, deliveryMethods: [type], creditParty };
        await world.operator.createBeneficiary(recipient, on(tenantId));
        ids.push((await create(tenantId, { ...way, recipientCustomerCode: code })).transactionId);
      }
      expect(toldOf(tenantId).map(({ linkedAmount }) => linkedAmount!.amountMinor)).toEqual([100_00n, 100_00n]);
      return { tenantId, older: ids[0]!, newer: ids[1]! };
    }
    const amend = (tenantId: string, transactionId: string, { firstName, lastName }: (typeof named)["ada"]) =>
      world.gateway.amendTransaction(
        {
          idempotencyKey: randomUUID(),
          transactionId,
          recipient: { firstName, lastName },
          accountHolderName: `${firstName} ${lastName}`,
          reason: "It was misspelled",
          password: "right",
        },
        on(tenantId, ada),
      );
    const lastTold = (id: string) => {
      const { funding, transparency } = world.neighbours.claimed.findLast((one) => one.transactionId === id)!;
      return [funding, transparency?.linkedAmount?.amountMinor];
    };

    test.each(["older", "newer"] as const)("counts the %s one with whom it is then paid to", async (which) => {
      const both = await two();
      const { tenantId } = both;
      await amend(tenantId, both[which], which === "older" ? named.adda : named.ada);
      world.neighbours.atClaim = { missingMembers: ["ADDRESS"] };
      expect((await refused(claim(tenantId, both[which], "WALLET"))).code).toBe("TRANSPARENCY_INCOMPLETE");
      expect(lastTold(both[which])).toEqual(["WALLET", 200_00n]);
    });

    test("is refused once it was paid for where something must be known first; otherwise its members are told", async () => {
      const { tenantId, newer } = await two();
      await claim(tenantId, newer, "CASH", "p-paid");
      const paid = { $set: { status: "PAID", paidAt: new Date() } };
      await world.db.collection("transactions").updateOne({ tenantId, transactionId: newer }, paid);
      world.neighbours.atClaim = { missingMembers: ["ADDRESS"], members: ["ADDRESS"] };
      expect(await refused(amend(tenantId, newer, named.ada))).toMatchObject({
        code: "TRANSPARENCY_INCOMPLETE",
        details: { errors: [{ path: "ADDRESS" }] },
      });
      expect(lastTold(newer)).toEqual(["CASH", 200_00n]);
      expect((await stored(tenantId, newer))!.recipient.name).toBe("Ada Obbi");
      world.neighbours.atClaim = { members: ["ADDRESS"] };
      await amend(tenantId, newer, named.ada);
      expect(await stored(tenantId, newer)).toMatchObject({
        recipient: { name: "Ada Obi" },
        compliance: { transparencyMembers: ["ADDRESS"] },
        transparency: { linkedAmount: { minor: 200_00n }, funding: "CASH" },
      });
    });
  });

  test("is refused with what is missing, each time the same, and another payment may pay once it is there", async () => {
    const tenantId = await tenantWith(profile());
    world.neighbours.check = async () => ({
      decision: Decision.DECISION_APPROVED,
      policyVersion: 3,
      asksByFunding: true,
      transparencyMembers: ["RECIPIENT_NAME"],
    });
    const { transactionId } = await create(tenantId);
    world.neighbours.atClaim = { missingMembers: ["IDENTITY_DOCUMENT"], members: ["IDENTITY_DOCUMENT"] };
    const incomplete = { code: "TRANSPARENCY_INCOMPLETE", details: { errors: [{ path: "IDENTITY_DOCUMENT" }] } };
    expect(await refused(claim(tenantId, transactionId, "CASH", "p-early"))).toMatchObject(incomplete);
    expect((await stored(tenantId, transactionId))!.status).toBe("AWAITING_PAYMENT");
    world.neighbours.atClaim = { members: ["IDENTITY_DOCUMENT"] };
    expect(await refused(claim(tenantId, transactionId, "CASH", "p-early"))).toMatchObject(incomplete);
    await claim(tenantId, transactionId, "CASH");
    expect(await stored(tenantId, transactionId)).toMatchObject({
      status: "PAYING",
      transparency: { profile: "US_BSA", funding: "CASH" },
      compliance: { transparencyMembers: ["RECIPIENT_NAME", "IDENTITY_DOCUMENT"] },
    });
  });

  test("refused and granted at once, a payment is one of both for good", async () => {
    const tenantId = await tenantWith(profile());
    world.neighbours.check = async () => ({
      decision: Decision.DECISION_APPROVED,
      policyVersion: 3,
      asksByFunding: true,
    });
    for (let round = 0; round < 5; round += 1) {
      const { transactionId } = await create(tenantId);
      const flip = (missingMembers: string[]) => () => void (world.neighbours.atClaim = { missingMembers });
      const tries = Array.from({ length: 8 }, (_one, index) => {
        flip(index % 2 === 0 ? ["ADDRESS"] : [])();
        return claim(tenantId, transactionId, "CASH", `p-${round}`).then(
          () => "granted",
          (error: { code: string }) => error.code,
        );
      });
      const answers = new Set(await Promise.all(tries));
      flip([])();
      answers.add(
        await claim(tenantId, transactionId, "CASH", `p-${round}`).then(
          () => "granted",
          (error: { code: string }) => error.code,
        ),
      );
      expect([...answers]).toHaveLength(1);
    }
  });

  test("goes on with what was paid before, whatever a later policy asks", async () => {
    const tenantId = await tenantWith(profile());
    const { transactionId } = await create(tenantId);
    await claim(tenantId, transactionId, "WALLET", "p-held");
    world.neighbours.profiles = { policyVersion: 4, profiles: [profile()] };
    world.neighbours.atClaim = { missingMembers: ["ADDRESS"] };
    await claim(tenantId, transactionId, "WALLET", "p-held");
    const paidAt = new Date("2026-05-01T12:00:00Z");
    await world.wallet.markTransactionPaid({ transactionId, paymentId: "p-held", paidAt }, on(tenantId));
    expect((await stored(tenantId, transactionId))!.paidAt).toBeDefined();
  });

  test("is asked by a word for its funding", async () => {
    const tenantId = await tenantWith(profile());
    const { transactionId } = await create(tenantId);
    expect(await refused(claim(tenantId, transactionId, "CARD"))).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "funding" }] },
    });
  });
});

describe("what waits for details of its recipient", () => {
  const details = { kind: "PERSON", address: { lines: [], city: "Lagos", country: "NGA" } };
  const waitsFor = (...outstandingRequirements: string[]) => {
    const decided = { decision: Decision.DECISION_PENDING, policyVersion: 3, outstandingRequirements };
    world.neighbours.check = async () => decided;
  };
  const change = (tenantId: string, part: object = { details }) =>
    world.operator.changeBeneficiary({ ...beneficiary, idempotencyKey: randomUUID(), ...part }, on(tenantId));
  const revisedOf = (transactionId: string) =>
    world.neighbours.revised.flatMap(({ revised }) => revised).findLast((one) => one.transactionId === transactionId)
      ?.knownMembers;

  test("is decided anew once they are there; what waits for something else, or is over, is left alone", async () => {
    const tenantId = await tenantWith(profile());
    waitsFor("RECIPIENT_ADDRESS");
    const [waiting, cancelled] = [await create(tenantId), await create(tenantId)];
    waitsFor("ADDRESS");
    const other = await create(tenantId);
    const cancel = { transactionId: cancelled.transactionId, idempotencyKey: randomUUID(), reason: "" };
    await world.gateway.cancelTransaction(cancel, on(tenantId, ada));
    await change(tenantId);
    await waitFor(() => revisedOf(waiting.transactionId)?.includes("RECIPIENT_ADDRESS"));
    expect(revisedOf(other.transactionId)).toBeUndefined();
    // Orders that begin to wait tell nothing that compliance was not told.
    expect(world.neighbours.revised).toHaveLength(1);
    expect(revisedOf(cancelled.transactionId) ?? []).not.toContain("RECIPIENT_ADDRESS");
    const stored = await world.store.forTenant(tenantId).findTransaction(waiting.transactionId);
    expect(stored!.recipientDetails).toMatchObject(details);
    const rows = await world.db
      .collection("outbox")
      .find({ tenantId, kind: /recipient/ })
      .toArray();
    expect(JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? "" : value))).not.toContain(
      "Lagos",
    );
  });

  test("reaches what its claim was refused for, which another payment then pays", async () => {
    const tenantId = await tenantWith(profile());
    const approved = { decision: Decision.DECISION_APPROVED, policyVersion: 3, asksByFunding: true };
    world.neighbours.check = async () => approved;
    const { transactionId } = await create(tenantId);
    const totalAmount = { amountMinor: 102_69n, currency: "USD" };
    const claim = (paymentId: string) =>
      world.wallet.claimTransaction(
        { transactionId, paymentId, customerId: "c1", totalAmount, funding: "CASH" },
        on(tenantId, ada),
      );
    world.neighbours.atClaim = { missingMembers: ["RECIPIENT_ADDRESS"], members: ["RECIPIENT_ADDRESS"] };
    expect((await refused(claim("p-1"))).code).toBe("TRANSPARENCY_INCOMPLETE");
    await change(tenantId);
    await waitFor(() => revisedOf(transactionId)?.includes("RECIPIENT_ADDRESS"));
    world.neighbours.atClaim = { members: ["RECIPIENT_ADDRESS"] };
    await claim("p-2");
    const stored = await world.store.forTenant(tenantId).findTransaction(transactionId);
    expect(stored).toMatchObject({ status: "PAYING", recipientDetails: details });
  });

  test("killed in between, it is told by whoever goes on; many are read some at a time", async () => {
    const tenantId = await tenantWith(profile());
    waitsFor("RECIPIENT_ADDRESS");
    const waiting = await Promise.all(Array.from({ length: 60 }, () => create(tenantId)));
    const { crashPoint, crashAt } = createCrashSwitch();
    const recipient = await world.store.forTenant(tenantId).findBeneficiary({ code: beneficiary.code });
    await world.store.transaction(
      async (session) => {
        const changed = { ...recipient!, details: details as RecipientDetails };
        await world.store.forTenant(tenantId).replaceBeneficiary(changed, session);
        return true;
      },
      async () => undefined,
    );
    const told = new Set<string>();
    let calls = 0;
    const reads: number[] = [];
    const store = {
      forTenant: (of: string) => {
        const tenant = world.store.forTenant(of);
        const listWaitingTo: typeof tenant.listWaitingTo = async (...which) => {
          const found = await tenant.listWaitingTo(...which);
          reads.push(found.length);
          return found;
        };
        return { ...tenant, listWaitingTo };
      },
    } as unknown as RemittanceStore;
    const compliance = {
      reviseTransparency: async ({ revised = [] }: WirePartial<ReviseTransparencyRequest>) => {
        for (const { transactionId = "" } of revised) told.add(transactionId);
        calls += 1;
        return {};
      },
    };
    const rows = revisedRecipients({ store, compliance, clock: { now: () => new Date() }, crashPoint });
    const handler = rows["compliance.revise-recipient"]!;
    const payload = { customerId: "c1", recipientCode: beneficiary.code };
    const run = () =>
      handler({ tenantId, payload, interactionId: "i" } as never, { signal: AbortSignal.timeout(60_000) } as never);
    crashAt("remittance.recipient.revised");
    await expect(run()).rejects.toThrow("crashed at remittance.recipient.revised");
    reads.length = 0;
    await run();
    expect([told.size, reads, calls]).toEqual([waiting.length, [50, 10], 2]);
  });
});
