import { testTenant } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor, openTenant, order } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("settings")));
afterEach(() => world.reset());
afterAll(() => world.close());

type User = typeof ada | typeof agent | typeof manager | typeof cashier;
const day = 86_400_000;
const putMarkup = (tenantId: string, markup: object, user: User = manager) =>
  world.gateway.putMarkup({ markup }, on(tenantId, user));
const validity = () => ({
  validFrom: new Date(world.now().getTime() - day),
  validUntil: new Date(world.now().getTime() + day),
});
const putPromotion = (tenantId: string, part: object = {}) =>
  world.gateway.putPromotion(
    { promotion: { code: "SAVE", feeDiscountBps: 5_000, enabled: true, ...validity(), ...part } },
    on(tenantId, manager),
  );
async function quote(tenantId: string, part: object = {}, user: User | typeof ben = ada) {
  const question = {
    sendAmount: "100.00",
    receivingCountry: "NGA",
    originCountry: "USA",
    type: "DELIVERY_METHOD_ACCOUNTPAYMENT" as const,
  };
  return (await world.gateway.createQuote({ ...question, ...part }, on(tenantId, user))).quote!;
}

describe("markups", () => {
  test("the tenant's and the agent's come off the middle rate, the agent's within the ceiling of the moment", async () => {
    const tenantId = await openTenant(world);
    await putMarkup(tenantId, { owner: "TENANT", rateBps: 100 });
    await putMarkup(tenantId, { owner: "AGENT_LIMIT", rateBps: 50, feeBps: 20 });
    await putMarkup(tenantId, { rateBps: 50, feeBps: 20 }, agent);
    const ofAda = await quote(tenantId);
    expect(ofAda).toMatchObject({
      middleRate: "1600",
      exchangeRate: "1576",
      markup: { tenantBps: 100, agentBps: 50, promotionBps: 0 },
      receiveAmount: { amountMinor: 157_600_00n },
    });
    expect(ofAda.fees.map(({ name, amount }) => [name, amount!.amountMinor])).toEqual([
      ["Transfer fee", 2_50n],
      ["Agent markup", 20n],
    ]);
    // Nobody manages ben.
    expect(await quote(tenantId, {}, ben)).toMatchObject({ exchangeRate: "1584", markup: { agentBps: 0 } });
    await putMarkup(tenantId, { owner: "AGENT_LIMIT", rateBps: 10 });
    expect(await quote(tenantId)).toMatchObject({ markup: { agentBps: 10 }, exchangeRate: "1582.4" });
  });

  test("a pair's own markup holds instead of that of every pair", async () => {
    const tenantId = await openTenant(world);
    await putMarkup(tenantId, { owner: "TENANT", rateBps: 100 });
    await putMarkup(tenantId, { owner: "TENANT", sendCurrency: "USD", receivingCurrency: "NGN", rateBps: 0 });
    expect(await quote(tenantId)).toMatchObject({ exchangeRate: "1600", markup: { tenantBps: 0 } });
  });

  test("422 MARKUP_ABOVE_LIMIT names the ceiling; without one agents add nothing", async () => {
    const tenantId = testTenant();
    expect(await refused(putMarkup(tenantId, { rateBps: 1 }, agent))).toMatchObject({
      code: "MARKUP_ABOVE_LIMIT",
      details: { figures: { maximum: "0" }, errors: [{ path: "markup.rateBps" }] },
    });
    await putMarkup(tenantId, { owner: "AGENT_LIMIT", rateBps: 10, feeBps: 5 });
    expect(await faultOf(putMarkup(tenantId, { rateBps: 10, feeBps: 6 }, agent))).toEqual([
      "MARKUP_ABOVE_LIMIT",
      "markup.feeBps",
    ]);
    await putMarkup(tenantId, { rateBps: 10, feeBps: 5 }, agent);
  });

  test("who may set which", async () => {
    const tenantId = testTenant();
    expect((await refused(putMarkup(tenantId, { owner: "TENANT", rateBps: 1 }, agent))).code).toBe("FORBIDDEN");
    expect((await refused(putMarkup(tenantId, { owner: "AG2", rateBps: 0 }, agent))).code).toBe("FORBIDDEN");
    expect(await faultOf(putMarkup(tenantId, { owner: "AG1", rateBps: 1 }))).toEqual(["INVALID_INPUT", "markup.owner"]);
    for (const user of [ada, cashier]) {
      expect((await refused(putMarkup(tenantId, { owner: "TENANT", rateBps: 1 }, user))).code).toBe("FORBIDDEN");
    }
    await putMarkup(tenantId, { owner: "TENANT", rateBps: 1 });
    await putMarkup(tenantId, { rateBps: 0 }, agent);
    await putMarkup(tenantId, { rateBps: 0 }, { ...agent, userId: "AG2" as "AG1" });
    const seen = async (user: User) =>
      (await world.gateway.listMarkups({}, on(tenantId, user))).markups.map(({ owner }) => owner);
    expect(await seen(manager)).toEqual(["AG1", "AG2", "TENANT"]);
    expect(await seen(agent)).toEqual(["AG1", "TENANT"]);
  });

  test("400 names each field that is wrong", async () => {
    const faults: [object, string][] = [
      [{ owner: "a b", rateBps: 1 }, "markup.owner"],
      [{ owner: "TENANT", rateBps: -1 }, "markup.rateBps"],
      [{ owner: "TENANT", rateBps: 2_001 }, "markup.rateBps"],
      [{ owner: "TENANT", rateBps: 1, feeBps: 2_001 }, "markup.feeBps"],
      [{ owner: "TENANT", rateBps: 1, sendCurrency: "USD" }, "markup.receivingCurrency"],
      [{ owner: "TENANT", rateBps: 1, sendCurrency: "QQQ", receivingCurrency: "USD" }, "markup.sendCurrency"],
      [{ owner: "TENANT", rateBps: 1, sendCurrency: "USD", receivingCurrency: "QQQ" }, "markup.receivingCurrency"],
    ];
    for (const [part, path] of faults) {
      expect(await faultOf(putMarkup(testTenant(), part))).toEqual(["INVALID_INPUT", path]);
    }
    expect(await faultOf(world.gateway.putMarkup({}, on(testTenant(), manager)))).toEqual(["INVALID_INPUT", "markup"]);
  });
});

describe("promotions", () => {
  test("take their part off every fee and give markup back, and are shown", async () => {
    const tenantId = await openTenant(world);
    await putMarkup(tenantId, { owner: "TENANT", rateBps: 100 });
    await putPromotion(tenantId, { rateBonusBps: 500 });
    expect(await quote(tenantId, { promoCode: "save" })).toMatchObject({
      promoCode: "SAVE",
      exchangeRate: "1600",
      markup: { tenantBps: 100, promotionBps: 100 },
      fees: [{ amount: { amountMinor: 1_25n }, discountMinor: 1_25n, taxMinor: 9n }],
    });
  });

  test("a use is counted with the transaction, also by quote; PROMO_CODE_INVALID beyond the limits", async () => {
    const tenantId = await openTenant(world);
    await putPromotion(tenantId, { maxUses: 2, maxUsesPerCustomer: 1 });
    const { quoteId } = await quote(tenantId, { promoCode: "SAVE" });
    const second = await quote(tenantId, { promoCode: "SAVE" });
    await world.gateway.createTransaction(order({ dynamicFields: { quoteId } }), on(tenantId, ada));
    const again = order({ dynamicFields: { quoteId: second.quoteId } });
    expect((await refused(world.gateway.createTransaction(again, on(tenantId, ada)))).code).toBe("PROMO_CODE_INVALID");
    const direct = order({ dynamicFields: { promoCode: "SAVE" } });
    expect((await refused(world.gateway.createTransaction(direct, on(tenantId, ada)))).code).toBe("PROMO_CODE_INVALID");
    expect((await refused(quote(tenantId, { promoCode: "SAVE" }))).code).toBe("PROMO_CODE_INVALID");
    await quote(tenantId, { promoCode: "SAVE" }, ben);
    const { promotions } = await world.gateway.listPromotions({}, on(tenantId, manager));
    expect(promotions).toMatchObject([{ code: "SAVE", uses: 1, maxUses: 2 }]);
  });

  test("is used no more often than it may when many race for its last use", async () => {
    const tenantId = await openTenant(world);
    await putPromotion(tenantId, { maxUses: 1 });
    const asks = Array.from({ length: 4 }, () => order({ dynamicFields: { promoCode: "SAVE" } }));
    const all = await Promise.allSettled(asks.map((ask) => world.gateway.createTransaction(ask, on(tenantId, ada))));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("PROMO_CODE_INVALID before and after its time, elsewhere, switched off, and below its least amount", async () => {
    const tenantId = await openTenant(world);
    const isRefused = async () => {
      const refusal = await refused(quote(tenantId, { promoCode: "SAVE" }));
      expect([refusal.code, refusal.details?.errors?.[0]?.path]).toEqual(["PROMO_CODE_INVALID", "promoCode"]);
    };
    const now = world.now().getTime();
    await putPromotion(tenantId, { validFrom: new Date(now + day), validUntil: new Date(now + 2 * day) });
    await isRefused();
    await putPromotion(tenantId, { validFrom: new Date(now - day), validUntil: new Date(now - 1) });
    await isRefused();
    await putPromotion(tenantId, { receivingCountries: ["KE"] });
    await isRefused();
    await putPromotion(tenantId, { enabled: false });
    await isRefused();
    await putPromotion(tenantId, { minimum: { amountMinor: 100_01n, currency: "USD" } });
    expect(await refused(quote(tenantId, { promoCode: "SAVE" }))).toMatchObject({
      code: "PROMO_CODE_INVALID",
      details: { figures: { minimum: "100.01", currency: "USD" } },
    });
    await quote(tenantId, { promoCode: "SAVE", sendAmount: "100.01" });
    await putPromotion(await openTenant(world));
  });

  test("400 names each field that is wrong; only managers", async () => {
    const faults: [object, string][] = [
      [{ code: "a" }, "promotion.code"],
      [{ code: "" }, "promotion.code"],
      [{ feeDiscountBps: 10_001 }, "promotion.feeDiscountBps"],
      [{ feeDiscountBps: 0 }, "promotion.feeDiscountBps"],
      [{ rateBonusBps: -1 }, "promotion.rateBonusBps"],
      [{ validFrom: undefined }, "promotion.validFrom"],
      [{ validUntil: undefined }, "promotion.validUntil"],
      [{ validUntil: new Date(0) }, "promotion.validUntil"],
      [{ maxUses: -1 }, "promotion.maxUses"],
      [{ maxUsesPerCustomer: -1 }, "promotion.maxUsesPerCustomer"],
      [{ minimum: { amountMinor: 1n, currency: "QQQ" } }, "promotion.minimum.currency"],
      [{ receivingCountries: ["Narnia"] }, "promotion.receivingCountries[0]"],
    ];
    for (const [part, path] of faults) {
      expect((await faultOf(putPromotion(testTenant(), part)))[1]).toBe(path);
    }
    for (const user of [agent, cashier, ada]) {
      expect((await refused(world.gateway.listPromotions({}, on(testTenant(), user)))).code).toBe("FORBIDDEN");
    }
  });
});

describe("changes and rates", () => {
  test("every version of a setting is told, the newest first, page by page", async () => {
    const tenantId = testTenant();
    for (const rateBps of [1, 2, 2, 3]) await putMarkup(tenantId, { owner: "TENANT", rateBps });
    const history = async (part: object) =>
      (await world.gateway.listChanges({ kind: "MARKUP", key: "TENANT", ...part }, on(tenantId, manager))).changes;
    const all = await history({});
    expect(all.map(({ version, changedBy, content }) => [version, changedBy, content!["rateBps"]])).toEqual([
      [3, "MA1", 3],
      [2, "MA1", 2],
      [1, "MA1", 1],
    ]);
    expect((await history({ beforeVersion: 3, pageSize: 1 })).map(({ version }) => version)).toEqual([2]);
    await world.operator.putCorridor({ corridor }, on(tenantId));
    const corridors = await history({ kind: "CORRIDOR", key: "USA-USD-NGA-NGN" });
    expect(corridors).toMatchObject([{ version: 1, content: { minimumMinor: "100", enabled: true } }]);
    expect(await history({ kind: "CORRIDOR", key: "nonsense" })).toEqual([]);
    expect(await faultOf(history({ kind: "WISHES" }))).toEqual(["INVALID_INPUT", "kind"]);
    expect(await faultOf(history({ key: "" }))).toEqual(["INVALID_INPUT", "key"]);
    expect(await faultOf(history({ pageSize: 101 }))).toEqual(["INVALID_INPUT", "pageSize"]);
  });

  test("agents see their own markup's history and what is allocated to them, no promotions", async () => {
    const tenantId = testTenant();
    const history = (kind: string, key: string) => world.gateway.listChanges({ kind, key }, on(tenantId, agent));
    expect((await refused(history("MARKUP", "AG2"))).code).toBe("FORBIDDEN");
    expect((await refused(history("PROMOTION", "SAVE"))).code).toBe("FORBIDDEN");
    const branch = { code: "B1", name: "One", country: "NG", enabled: true };
    await world.gateway.putBranch({ branch: { ...branch, allocatedTo: "AG2" } }, on(tenantId, manager));
    await world.gateway.putBranch({ branch: { ...branch, allocatedTo: "AG1" } }, on(tenantId, manager));
    expect((await history("BRANCH", "B1")).changes.map(({ version }) => version)).toEqual([2]);
  });

  test("rates of a pair, the newest first, by manager and agent only", async () => {
    const tenantId = await openTenant(world);
    const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
    await world.gateway.putRate({ ...pair, rate: "1700", source: "desk" }, on(tenantId, manager));
    const list = (user: User, part: object = {}) => world.gateway.listRates({ ...pair, ...part }, on(tenantId, user));
    expect((await list(agent)).rates).toMatchObject([
      { rate: "1700", source: "desk", sequence: 2, createdBy: "MA1" },
      { rate: "1600", sequence: 1, createdBy: "operator" },
    ]);
    expect((await list(manager, { beforeSequence: 2 })).rates).toHaveLength(1);
    for (const user of [cashier, ada]) expect((await refused(list(user))).code).toBe("FORBIDDEN");
    const put = world.gateway.putRate({ ...pair, rate: "1", source: "" }, on(tenantId, agent));
    expect((await refused(put)).code).toBe("FORBIDDEN");
  });

  test("customers see the corridors that are switched on", async () => {
    const tenantId = await openTenant(world);
    await world.gateway.putCorridor({ corridor: { ...corridor, enabled: false } }, on(tenantId, manager));
    const seen = async (user: User) => (await world.gateway.listCorridors({}, on(tenantId, user))).corridors.length;
    expect([await seen(ada), await seen(cashier), await seen(agent), await seen(manager)]).toEqual([0, 0, 1, 1]);
  });
});

describe("branches", () => {
  const branch = { code: "LAG-1", name: "Lagos", country: "NG", city: "Lagos", enabled: true };
  const put = (tenantId: string, part: object) =>
    world.gateway.putBranch({ branch: { ...branch, ...part } }, on(tenantId, manager));

  test("are listed page by page: to managers all, to others what is open to them", async () => {
    const tenantId = testTenant();
    await put(tenantId, {});
    await put(tenantId, { code: "LAG-2", allocatedTo: "AG1" });
    await put(tenantId, { code: "LAG-3", enabled: false });
    await put(tenantId, { code: "NBO-1", country: "KE" });
    const codes = async (user: User | typeof ben, part: object = {}) => {
      const { branches, nextCursor } = await world.gateway.listBranches(part, on(tenantId, user));
      return [branches.map(({ code }) => code).join(" "), nextCursor];
    };
    expect(await codes(manager)).toEqual(["LAG-1 LAG-2 LAG-3 NBO-1", ""]);
    expect(await codes(ada)).toEqual(["LAG-1 LAG-2 NBO-1", ""]);
    expect(await codes(agent, { country: "NGA" })).toEqual(["LAG-1 LAG-2", ""]);
    expect(await codes(ben)).toEqual(["LAG-1 NBO-1", ""]);
    expect(await codes(cashier)).toEqual(["LAG-1 NBO-1", ""]);
    expect(await codes(manager, { pageSize: 2 })).toEqual(["LAG-1 LAG-2", "LAG-2"]);
    expect(await codes(manager, { pageSize: 2, cursor: "LAG-2" })).toEqual(["LAG-3 NBO-1", ""]);
  });

  test("400 names each field that is wrong", async () => {
    const faults: [object, string][] = [
      [{ code: "a b" }, "branch.code"],
      [{ name: " " }, "branch.name"],
      [{ country: "" }, "branch.country"],
      [{ city: "x".repeat(101) }, "branch.city"],
      [{ address: "x".repeat(301) }, "branch.address"],
      [{ phoneNumber: "1".repeat(31) }, "branch.phoneNumber"],
      [{ openingHours: "x".repeat(301) }, "branch.openingHours"],
      [{ allocatedTo: "a b" }, "branch.allocatedTo"],
    ];
    for (const [part, path] of faults) expect(await faultOf(put(testTenant(), part))).toEqual(["INVALID_INPUT", path]);
  });
});
