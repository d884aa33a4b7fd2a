import { DeliveryMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { testTenant } from "../../../test/support/index.js";
import { faultOf, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("configuration")));
afterAll(() => world.close());

const put = (tenantId: string, part: object = {}) =>
  world.operator.putCorridor({ corridor: { ...corridor, ...part } }, on(tenantId));
const usdToNgn = { sendCurrency: "USD", receivingCurrency: "NGN" };
const fee = corridor.fees[0]!;

describe("PutCorridor and ListCorridors", () => {
  test("keeps every version, makes none for the same content, and lists what holds", async () => {
    const tenantId = testTenant();
    expect((await put(tenantId)).corridor).toMatchObject({ version: 1, originCountry: "USA", enabled: true });
    expect((await put(tenantId)).corridor!.version).toBe(1);
    expect((await put(tenantId, { originCountry: "us", enabled: false })).corridor!.version).toBe(2);
    await put(tenantId, { receivingCountry: "KEN", receivingCurrency: "KES" });
    const { corridors } = await world.operator.listCorridors({}, on(tenantId));
    expect(corridors.map(({ receivingCountry, version, enabled }) => [receivingCountry, version, enabled])).toEqual([
      ["KEN", 1, true],
      ["NGA", 2, false],
    ]);
    expect(corridors[1]!.fees).toEqual([
      { ...fee, minimumMinor: undefined, maximumMinor: undefined, tiers: [], category: "" },
    ]);
    const history = await world.db
      .collection("corridor_versions")
      .find({ tenantId, receivingCountry: "NGA" })
      .toArray();
    expect(history.map(({ version, enabled, changedBy }) => [version, enabled, changedBy])).toEqual([
      [1, true, "operator"],
      [2, false, "operator"],
    ]);
  });

  test("numbers versions that are put at the same time one after the other", async () => {
    const tenantId = testTenant();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => put(tenantId, { maximumMinor: BigInt(1000 + i) })),
    );
    expect(answers.map((answer) => answer.corridor!.version).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("400 INVALID_INPUT names every fault's path", async () => {
    const refusal = await refused(
      put(testTenant(), {
        originCountry: "Narnia",
        receivingCurrency: "QQQ",
        deliveryMethods: [],
        minimumMinor: 5n,
        maximumMinor: 4n,
        fees: [
          { ...fee, name: " ", fixedMinor: -1n, rateBps: 10_001, taxBps: -1 },
          { ...fee, minimumMinor: 9n, maximumMinor: 8n },
          { ...fee, minimumMinor: -1n },
        ],
      }),
    );
    expect(refusal.code).toBe("INVALID_INPUT");
    expect(refusal.details!.errors!.map(({ path }) => path)).toEqual([
      "corridor.originCountry",
      "corridor.receivingCurrency",
      "corridor.deliveryMethods",
      "corridor.maximumMinor",
      "corridor.fees[0].name",
      "corridor.fees[0].fixedMinor",
      "corridor.fees[0].rateBps",
      "corridor.fees[0].taxBps",
      "corridor.fees[1].maximumMinor",
      "corridor.fees[2].minimumMinor",
      "corridor.fees[2].name",
    ]);
    const tier = { fromMinor: 100n, fixedMinor: 1n, rateBps: 10 };
    const method = DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT;
    const delivery = { method, partner: "", estimateMinutes: 30 };
    const other = { name: "Bank", amountMinor: 1n, deliveryMethods: [] };
    const faulty: [object, string][] = [
      [{ fees: [{ ...fee, tiers: [tier, tier] }] }, "corridor.fees[0].tiers[1].fromMinor"],
      [{ fees: [{ ...fee, tiers: [{ ...tier, fromMinor: 0n }] }] }, "corridor.fees[0].tiers[0].fromMinor"],
      [{ fees: [{ ...fee, tiers: [{ ...tier, fixedMinor: -1n }] }] }, "corridor.fees[0].tiers[0].fixedMinor"],
      [{ fees: [{ ...fee, tiers: [{ ...tier, rateBps: 10_001 }] }] }, "corridor.fees[0].tiers[0].rateBps"],
      [
        { fees: [{ ...fee, tiers: Array.from({ length: 21 }, (_, i) => ({ ...tier, fromMinor: BigInt(i + 1) })) }] },
        "corridor.fees[0].tiers",
      ],
      [{ fees: [{ ...fee, category: "express" }] }, "corridor.fees[0].category"],
      [{ fees: Array.from({ length: 21 }, (_, i) => ({ ...fee, name: `Fee ${i}` })) }, "corridor.fees"],
      [{ deliveries: [delivery, delivery] }, "corridor.deliveries[1].method"],
      [
        { deliveries: [{ ...delivery, method: DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP }] },
        "corridor.deliveries[0].method",
      ],
      [{ deliveries: [{ ...delivery, partner: "x".repeat(101) }] }, "corridor.deliveries[0].partner"],
      [{ deliveries: [{ ...delivery, estimateMinutes: 0 }] }, "corridor.deliveries[0].estimateMinutes"],
      [{ deliveries: [{ ...delivery, estimateMinutes: 43_201 }] }, "corridor.deliveries[0].estimateMinutes"],
      [{ deliveries: [{ ...delivery, deliveryDays: 31 }] }, "corridor.deliveries[0].deliveryDays"],
      [{ deliveries: [{ ...delivery, deliveryDays: -1 }] }, "corridor.deliveries[0].deliveryDays"],
      [{ otherFees: [{ ...other, amountMinor: -1n }] }, "corridor.otherFees[0].amountMinor"],
      [{ otherFees: [{ ...other, name: " " }] }, "corridor.otherFees[0].name"],
      [{ otherFees: [other, other] }, "corridor.otherFees[1].name"],
      [{ otherFees: Array.from({ length: 6 }, (_, at) => ({ ...other, name: `${at}` })) }, "corridor.otherFees"],
      [{ deliveries: [{ ...delivery, minimumMinor: -1n }] }, "corridor.deliveries[0].minimumMinor"],
      [{ deliveries: [{ ...delivery, minimumMinor: 9n, maximumMinor: 8n }] }, "corridor.deliveries[0].maximumMinor"],
    ];
    for (const [part, path] of faulty) {
      expect([part, await faultOf(put(testTenant(), part))]).toEqual([part, ["INVALID_INPUT", path]]);
    }
    const long = world.operator.putCorridor({ corridor, reason: "x".repeat(301) }, on(testTenant()));
    expect(await faultOf(long)).toEqual(["INVALID_INPUT", "reason"]);
    expect(await faultOf(world.operator.putCorridor({}, on(testTenant())))).toEqual(["INVALID_INPUT", "corridor"]);
    const twice = [DeliveryMethod.DELIVERY_METHOD_WALLET, DeliveryMethod.DELIVERY_METHOD_WALLET];
    expect(await faultOf(put(testTenant(), { deliveryMethods: twice }))).toEqual([
      "INVALID_INPUT",
      "corridor.deliveryMethods[1]",
    ]);
    const none = [DeliveryMethod.DELIVERY_METHOD_UNSPECIFIED];
    expect(await faultOf(put(testTenant(), { deliveryMethods: none }))).toEqual([
      "INVALID_INPUT",
      "corridor.deliveryMethods[0]",
    ]);
  });

  test("another tenant sees nothing of it; only the operator and managers write", async () => {
    await put(testTenant());
    expect((await world.operator.listCorridors({}, on(testTenant()))).corridors).toEqual([]);
    expect((await refused(world.gateway.putCorridor({ corridor }, on(testTenant())))).code).toBe("UNAUTHENTICATED");
    expect((await refused(world.wallet.putCorridor({ corridor }, on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
    expect((await refused(world.wallet.listCorridors({}, on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("PutRate", () => {
  const rate = { sendCurrency: "USD", receivingCurrency: "NGN", rate: "1600.50", source: "desk" };
  const putRate = (tenantId: string, part: object = {}) => world.operator.putRate({ ...rate, ...part }, on(tenantId));

  test("keeps every rate; the newest of a pair holds; the same again is the same rate", async () => {
    const tenantId = testTenant();
    const first = await putRate(tenantId);
    expect(await putRate(tenantId, { rate: "1600.5" })).toEqual(first);
    const second = await putRate(tenantId, { rate: "1610" });
    await putRate(tenantId, { receivingCurrency: "KES", rate: "129" });
    expect(await world.store.forTenant(tenantId).findRate(usdToNgn, world.now())).toMatchObject({
      rateId: second.rateId,
      rate: "1610",
      sequence: 2,
      createdBy: "operator",
    });
    expect(await putRate(tenantId)).not.toEqual(first);
    expect(await world.db.collection("rates").countDocuments({ tenantId })).toBe(4);
  });

  test("400 INVALID_INPUT for what is no rate", async () => {
    const tenantId = testTenant();
    for (const text of ["", "0", "0.000", "-1", "1e3", "1,5", ".5", "1234567890.123"]) {
      expect(await faultOf(putRate(tenantId, { rate: text }))).toEqual(["INVALID_INPUT", "rate"]);
    }
    await putRate(tenantId, { rate: "0.000123456789012" });
    expect(await faultOf(putRate(tenantId, { sendCurrency: "QQQ" }))).toEqual(["INVALID_INPUT", "sendCurrency"]);
    expect(await faultOf(putRate(tenantId, { receivingCurrency: "" }))).toEqual(["INVALID_INPUT", "receivingCurrency"]);
    expect(await faultOf(putRate(tenantId, { source: "x".repeat(101) }))).toEqual(["INVALID_INPUT", "source"]);
  });

  test("403 CALLER_NOT_ALLOWED for neighbours; 401 where the gateway brings nobody", async () => {
    expect((await refused(world.wallet.putRate(rate, on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
    expect((await refused(world.gateway.putRate(rate, on(testTenant())))).code).toBe("UNAUTHENTICATED");
  });
});

describe("GetExchangeRate", () => {
  const hour = 3_600_000;
  const at = (ms: number) => new Date(world.now().getTime() + ms);
  const putRate = (tenantId: string, rate: string, validity: { validFrom?: Date; validUntil?: Date } = {}) =>
    world.operator.putRate({ ...usdToNgn, rate, source: "desk", ...validity }, on(tenantId));
  const get = (tenantId: string, fromCurrency = "USD", toCurrency = "NGN") =>
    world.wallet.getExchangeRate({ fromCurrency, toCurrency }, on(tenantId));

  afterEach(() => world.reset());

  test("gives the rate that holds now with its source, and no other direction of it", async () => {
    const tenantId = testTenant();
    await putRate(tenantId, "1600.50");
    expect(await get(tenantId)).toMatchObject({ rate: "1600.5", source: "desk", validUntil: undefined });
    expect((await refused(get(tenantId, "NGN", "USD"))).code).toBe("RATE_NOT_AVAILABLE");
    expect((await refused(get(testTenant()))).code).toBe("RATE_NOT_AVAILABLE");
  });

  test("a currency with itself is 1", async () => {
    expect(await get(testTenant(), "KWD", "KWD")).toMatchObject({ rate: "1", source: "" });
  });

  test("a rate holds from its beginning to its end; where it ends, the one before it holds again", async () => {
    const tenantId = testTenant();
    await putRate(tenantId, "1600");
    await putRate(tenantId, "1700", { validFrom: at(hour), validUntil: at(2 * hour) });
    expect((await get(tenantId)).rate).toBe("1600");
    world.pass(hour + 60_000);
    const second = await get(tenantId);
    expect([second.rate, second.validUntil === undefined]).toEqual(["1700", false]);
    world.pass(hour);
    expect((await get(tenantId)).rate).toBe("1600");
  });

  test("what was announced for later holds from then, whatever is put meanwhile", async () => {
    const tenantId = testTenant();
    await putRate(tenantId, "1700", { validFrom: at(hour) });
    await putRate(tenantId, "1610");
    expect((await get(tenantId)).rate).toBe("1610");
    world.pass(hour + 1_000);
    expect((await get(tenantId)).rate).toBe("1700");
  });

  test("a seed that runs twice adds no second rate", async () => {
    const tenantId = testTenant();
    const validity = { validFrom: at(hour), validUntil: at(2 * hour) };
    const first = await putRate(tenantId, "1700", validity);
    expect(await putRate(tenantId, "1700", validity)).toEqual(first);
    expect(await putRate(tenantId, "1700")).not.toEqual(first);
  });

  test("400 INVALID_INPUT for times that cannot be, and for what is no currency", async () => {
    const tenantId = testTenant();
    expect(await faultOf(putRate(tenantId, "1", { validFrom: at(-hour) }))).toEqual(["INVALID_INPUT", "validFrom"]);
    const ended = { validFrom: at(hour), validUntil: at(hour) };
    expect(await faultOf(putRate(tenantId, "1", ended))).toEqual(["INVALID_INPUT", "validUntil"]);
    expect(await faultOf(get(tenantId, "usd"))).toEqual(["INVALID_INPUT", "fromCurrency"]);
    expect(await faultOf(get(tenantId, "USD", ""))).toEqual(["INVALID_INPUT", "toCurrency"]);
  });

  test("403 CALLER_NOT_ALLOWED for compliance", async () => {
    const requested = world.compliance.getExchangeRate({ fromCurrency: "USD", toCurrency: "NGN" }, on(testTenant()));
    expect((await refused(requested)).code).toBe("CALLER_NOT_ALLOWED");
  });
});
