import { DeliveryMethod, type CreateQuoteRequest } from "../../../proto/gen/remittance/v1/remittance.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor, openTenant, order } from "../../../test/support/remittance-samples.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";

let world: World;
beforeAll(async () => void (world = await createWorld("quotes")));
afterEach(() => world.reset());
afterAll(() => world.close());

const question = {
  sendAmount: "100.00",
  sendCurrency: "USD",
  receivingCurrency: "NGN",
  originCountry: "US",
  receivingCountry: "NG",
  type: DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT,
};
const minute = 60_000;

async function quote(tenantId: string, part: WirePartial<CreateQuoteRequest> = {}, user: object = ada) {
  const made = await world.gateway.createQuote({ ...question, ...part }, on(tenantId, user as typeof ada));
  return made.quote!;
}
const orderOf = (tenantId: string, quoteId: string, part: object = {}, user: object = ada) =>
  world.gateway.createTransaction(order({ dynamicFields: { quoteId }, ...part }), on(tenantId, user as typeof ada));

test("an agent prices, creates and cancels for the customers whom they manage, where the organisation has them sell", async () => {
  const attempts = async (tenantId: string) => {
    const byAda = await world.gateway.createTransaction(order({ idempotencyKey: "ada" }), on(tenantId, ada));
    const { transactionId } = byAda.transaction!;
    const cancelling = { transactionId, idempotencyKey: "agent", reason: "" };
    return {
      price: (senderCustomerCode = "C-1") => quote(tenantId, { senderCustomerCode }, agent),
      create: (part: object = {}) => world.gateway.createTransaction(order(part), on(tenantId, agent)),
      cancel: () => world.gateway.cancelTransaction(cancelling, on(tenantId, agent)),
    };
  };
  const off = await attempts(await openTenant(world));
  for (const attempt of [off.price(), off.price(""), off.create(), off.cancel()]) {
    expect((await refused(attempt)).code).toBe("FORBIDDEN");
  }
  world.neighbours.preference.agentCounterSales = true;
  const { price, create, cancel } = await attempts(await openTenant(world));
  const { quoteId } = await price();
  const { transaction } = await create({ dynamicFields: { quoteId }, idempotencyKey: "priced" });
  expect(transaction).toMatchObject({ totalAmount: { amountMinor: 102_69n } });
  for (const attempt of [price("C-2"), create({ senderCustomerCode: "C-2", idempotencyKey: "other" })]) {
    expect((await refused(attempt)).code).toBe("FORBIDDEN");
  }
  expect((await cancel()).transaction!.transactionId).not.toBe("");
});

describe("CreateQuote", () => {
  test("shows every part of the price, which add up", async () => {
    const tenantId = await openTenant(world);
    const made = await quote(tenantId);
    expect(made).toMatchObject({
      status: "OPEN",
      customerId: "c1",
      principal: { amountMinor: 100_00n, currency: "USD" },
      receiveAmount: { amountMinor: 160_000_00n, currency: "NGN" },
      fees: [{ name: "Transfer fee", amount: { amountMinor: 2_50n }, taxMinor: 19n, discountMinor: 0n }],
      totalFees: { amountMinor: 2_50n },
      totalTaxes: { amountMinor: 19n },
      totalAmount: { amountMinor: 102_69n },
      middleRate: "1600",
      exchangeRate: "1600",
      markup: { tenantBps: 0, agentBps: 0, promotionBps: 0 },
      originCountry: "USA",
      receivingCountry: "NGA",
      chargeCategory: "STANDARD",
      deliveryMinutes: 1_440,
      transactionId: "",
    });
    expect(made.expiresAt!.getTime() - made.createdAt!.getTime()).toBe(15 * minute);
  });

  test("the receive amount that a send quote gave asks for no more, the sender's country is the origin where none is said", async () => {
    const tenantId = await openTenant(world);
    const there = await quote(tenantId, { sendAmount: "99.99", inclusive: true, originCountry: "" });
    const receive = there.receiveAmount!.amountMinor;
    const back = await quote(tenantId, { sendAmount: "", receiveAmount: `${receive / 100n}.${receive % 100n}` });
    expect(back.totalAmount!.amountMinor <= there.totalAmount!.amountMinor).toBe(true);
    expect(back.receiveAmount).toEqual(there.receiveAmount);
  });

  test("takes fees of the charge category, tiers, and what the method takes", async () => {
    const tenantId = await openTenant(world);
    const none = { deliveryMethods: [], taxBps: 0, fixedMinor: 0n, rateBps: 0 };
    const tiers = [{ fromMinor: 100_00n, fixedMinor: 1_00n, rateBps: 10 }];
    const fees = [
      { ...none, name: "Transfer fee", fixedMinor: 4_00n, tiers },
      { ...none, name: "Express", fixedMinor: 9_00n, category: "EXPRESS" },
    ];
    const deliveries = [
      {
        method: DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT,
        partner: "sandbox",
        estimateMinutes: 30,
        minimumMinor: 50_00n,
        maximumMinor: 500_00n,
      },
    ];
    await world.operator.putCorridor({ corridor: { ...corridor, fees, deliveries } }, on(tenantId));
    expect(await quote(tenantId, { sendAmount: "99.99" })).toMatchObject({ totalFees: { amountMinor: 4_00n } });
    expect(await quote(tenantId)).toMatchObject({ totalFees: { amountMinor: 1_10n }, deliveryMinutes: 30 });
    const express = await quote(tenantId, { chargeCategory: "EXPRESS" });
    expect(express).toMatchObject({ totalFees: { amountMinor: 10_10n }, chargeCategory: "EXPRESS" });
    expect(await faultOf(quote(tenantId, { chargeCategory: "SLOW" }))).toEqual(["INVALID_INPUT", "chargeCategory"]);
    for (const sendAmount of ["49.99", "500.01"]) {
      expect(await refused(quote(tenantId, { sendAmount }))).toMatchObject({
        code: "AMOUNT_OUT_OF_LIMITS",
        details: { figures: { minimum: "50.00", maximum: "500.00", currency: "USD" } },
      });
    }
  });

  test("says by when it is promised and what others take, of the method; what would leave nothing is refused", async () => {
    const tenantId = await openTenant(world);
    expect(await quote(tenantId)).toMatchObject({ deliveryDays: 1, otherFees: [] });
    const method = DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT;
    const changed = {
      ...corridor,
      deliveries: [{ method, estimateMinutes: 30, deliveryDays: 3 }],
      otherFees: [
        { name: "Bank", amountMinor: 150_00n, deliveryMethods: [method] },
        { name: "Agent", amountMinor: 99_00n, deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY] },
        { name: "Levy", amountMinor: 1_450_00n },
      ],
    };
    await world.operator.putCorridor({ corridor: changed }, on(tenantId));
    const naira = (amountMinor: bigint) => ({ amountMinor, currency: "NGN" });
    const otherFees = [
      { name: "Bank", amount: naira(150_00n) },
      { name: "Levy", amount: naira(1_450_00n) },
    ];
    expect(await quote(tenantId)).toMatchObject({ deliveryDays: 3, otherFees, receiveAmount: naira(160_000_00n) });
    expect((await refused(quote(tenantId, { sendAmount: "1.00" }))).code).toBe("AMOUNT_OUT_OF_LIMITS");
    expect(await quote(tenantId, { sendAmount: "1.01" })).toMatchObject({ receiveAmount: naira(1_616_00n) });
  });

  test("a repeated key gives the same quote; the same key for another question is refused", async () => {
    const tenantId = await openTenant(world);
    const first = await quote(tenantId, { idempotencyKey: "q-1" });
    expect(await quote(tenantId, { idempotencyKey: "q-1" })).toEqual(first);
    const other = quote(tenantId, { idempotencyKey: "q-1", sendAmount: "1.00" });
    expect((await refused(other)).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await quote(tenantId)).quoteId).not.toBe(first.quoteId);
  });

  test("400 names each field that is wrong", async () => {
    const tenantId = await openTenant(world);
    const faults: [WirePartial<CreateQuoteRequest>, string][] = [
      [{ sendAmount: "" }, "sendAmount"],
      [{ sendAmount: "1.001" }, "sendAmount"],
      [{ sendAmount: "-1" }, "sendAmount"],
      [{ receiveAmount: "1e3" }, "amount"],
      [{ sendCurrency: "usd" }, "sendCurrency"],
      [{ receivingCurrency: "QQQ" }, "receivingCurrency"],
      [{ originCountry: "Narnia" }, "originCountry"],
      [{ receivingCountry: "" }, "receivingCountry"],
      [{ type: DeliveryMethod.DELIVERY_METHOD_UNSPECIFIED }, "type"],
      [{ chargeCategory: "express" }, "chargeCategory"],
      [{ promoCode: "no spaces" }, "promoCode"],
      [{ idempotencyKey: "k".repeat(256) }, "idempotencyKey"],
    ];
    for (const [part, path] of faults) expect(await faultOf(quote(tenantId, part))).toEqual(["INVALID_INPUT", path]);
    const unnamed = quote(tenantId, { originCountry: "" }, cashier);
    expect(await faultOf(unnamed)).toEqual(["INVALID_INPUT", "originCountry"]);
  });

  test("422 and 404 for ways that are not there, rates, amounts and codes", async () => {
    const tenantId = await openTenant(world);
    const refusals: [WirePartial<CreateQuoteRequest>, string][] = [
      [{ receivingCountry: "KE" }, "CORRIDOR_NOT_FOUND"],
      [{ type: DeliveryMethod.DELIVERY_METHOD_WALLET }, "CORRIDOR_DISABLED"],
      [{ sendAmount: "0.99" }, "AMOUNT_OUT_OF_LIMITS"],
      [{ sendAmount: "10000.01" }, "AMOUNT_OUT_OF_LIMITS"],
      [{ sendAmount: "0" }, "AMOUNT_NOT_POSITIVE"],
      [{ sendAmount: "92233720368547758.07" }, "AMOUNT_ABOVE_CEILING"],
      [{ sendAmount: "", receiveAmount: "100000000000.01" }, "AMOUNT_ABOVE_CEILING"],
      [{ receiveAmount: "1.00" }, "AMOUNT_MISMATCH"],
      [{ promoCode: "NOSUCH" }, "PROMO_CODE_INVALID"],
    ];
    for (const [part, code] of refusals) expect((await refused(quote(tenantId, part))).code).toBe(code);
    expect((await refused(quote(tenantId, { senderCustomerCode: "C-9" }, cashier))).code).toBe("CUSTOMER_NOT_FOUND");
    expect((await refused(quote(tenantId, { senderCustomerCode: "C-2" }))).code).toBe("FORBIDDEN");
    for (const user of [manager, agent]) expect((await refused(quote(tenantId, {}, user))).code).toBe("FORBIDDEN");
  });
});

describe("GetQuote", () => {
  test("shows it to whom it is for and to who asked for it; to others of the tenant it is forbidden, to other tenants not there", async () => {
    const tenantId = await openTenant(world);
    const { quoteId } = await quote(tenantId, { senderCustomerCode: "C-1" }, cashier);
    const get = (user: object, at = tenantId) => world.gateway.getQuote({ quoteId }, on(at, user as typeof ada));
    for (const user of [ada, cashier]) expect((await get(user)).quote!.quoteId).toBe(quoteId);
    for (const user of [ben, { ...cashier, userId: "CA2" }]) {
      expect((await refused(get(user))).code).toBe("FORBIDDEN");
    }
    expect((await refused(get(ada, await openTenant(world)))).code).toBe("QUOTE_NOT_FOUND");
    world.pass(15 * minute);
    expect((await get(ada)).quote!.status).toBe("EXPIRED");
  });
});

describe("a transaction by quote", () => {
  test("has the quote's price, whatever the rate has become", async () => {
    const tenantId = await openTenant(world);
    const { quoteId } = await quote(tenantId);
    const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
    await world.operator.putRate({ ...pair, rate: "1500", source: "desk" }, on(tenantId));
    const { transaction } = await orderOf(tenantId, quoteId);
    expect(transaction).toMatchObject({ quoteId, exchangeRate: "1600", receiveAmount: { amountMinor: 160_000_00n } });
    const after = await world.gateway.getQuote({ quoteId }, on(tenantId, ada));
    expect(after.quote).toMatchObject({ status: "USED", transactionId: transaction!.transactionId });
  });

  test("is made once: QUOTE_USED for the second, also when many race for it", async () => {
    const tenantId = await openTenant(world);
    const { quoteId } = await quote(tenantId);
    const race = await Promise.allSettled(Array.from({ length: 5 }, () => orderOf(tenantId, quoteId)));
    expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const codes = race.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: string }).code] : []));
    expect(new Set(codes)).toEqual(new Set(["QUOTE_USED"]));
    expect((await refused(orderOf(tenantId, quoteId))).code).toBe("QUOTE_USED");
  });

  test("QUOTE_EXPIRED at its last moment, and the refusal is the key's answer", async () => {
    const tenantId = await openTenant(world);
    const { quoteId } = await quote(tenantId);
    world.pass(15 * minute);
    const requested = order({ dynamicFields: { quoteId } });
    const ask = () => world.gateway.createTransaction(requested, on(tenantId, ada));
    expect((await refused(ask())).code).toBe("QUOTE_EXPIRED");
    world.reset();
    expect((await refused(ask())).code).toBe("QUOTE_EXPIRED");
    await orderOf(tenantId, quoteId);
  });

  test("somebody else's quote is forbidden and another tenant's not there; a cashier's for nobody is that cashier's", async () => {
    const tenantId = await openTenant(world);
    const bens = await quote(tenantId, {}, ben);
    const elsewhere = await quote(await openTenant(world));
    const unnamed = await quote(tenantId, {}, cashier);
    for (const { quoteId } of [bens, unnamed]) {
      expect((await refused(orderOf(tenantId, quoteId))).code).toBe("FORBIDDEN");
    }
    for (const { quoteId } of [elsewhere, { quoteId: "nothing" }]) {
      expect((await refused(orderOf(tenantId, quoteId))).code).toBe("QUOTE_NOT_FOUND");
    }
    expect((await orderOf(tenantId, unnamed.quoteId, {}, cashier)).transaction!.quoteId).toBe(unnamed.quoteId);
  });

  test("QUOTE_MISMATCH names what the order says otherwise", async () => {
    const tenantId = await openTenant(world);
    const { quoteId } = await quote(tenantId);
    const information = order().internationalTransferInformation!;
    const faults: [object, string][] = [
      [{ sendAmount: "100.01" }, "sendAmount"],
      [{ amount: "159999.98" }, "amount"],
      [{ inclusive: true }, "inclusive"],
      [{ sendCurrency: "GBP" }, "sendCurrency"],
      [{ receivingCurrency: "KES", amount: "" }, "receivingCurrency"],
      [{ type: DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY }, "type"],
      [{ internationalTransferInformation: { ...information, receivingCountry: "KE" } }, "receivingCountry"],
    ];
    for (const [part, path] of faults) {
      expect(await faultOf(orderOf(tenantId, quoteId, part))).toEqual(["QUOTE_MISMATCH", path]);
    }
    await orderOf(tenantId, quoteId, { amount: "159999.99", inclusive: false });
    const inside = await quote(tenantId, { inclusive: true });
    expect(await faultOf(orderOf(tenantId, inside.quoteId, { inclusive: false }))).toEqual([
      "QUOTE_MISMATCH",
      "inclusive",
    ]);
    await orderOf(tenantId, inside.quoteId, { inclusive: undefined });
  });

  test("400 for members of dynamicFields that cannot be what they say", async () => {
    const tenantId = await openTenant(world);
    const wrong = async (dynamicFields: Record<string, unknown>) =>
      faultOf(world.gateway.createTransaction(order({ dynamicFields }), on(tenantId, ada)));
    expect(await wrong({ quoteId: 5 })).toEqual(["INVALID_INPUT", "dynamicFields.quoteId"]);
    expect(await wrong({ promoCode: "a b" })).toEqual(["INVALID_INPUT", "dynamicFields.promoCode"]);
    expect(await wrong({ chargeCategory: "a" })).toEqual(["INVALID_INPUT", "dynamicFields.chargeCategory"]);
  });
});
