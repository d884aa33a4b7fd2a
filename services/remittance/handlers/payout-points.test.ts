import { testTenant } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor, openTenant } from "../../../test/support/remittance-samples.js";
import type { ListPayoutPointsRequest, PayoutPoint } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";

let world: World;
beforeAll(async () => void (world = await createWorld("points")));
afterEach(() => world.reset());
afterAll(() => world.close());

type User = typeof ada | typeof ben | typeof agent | typeof manager | typeof cashier;
const bank = {
  code: "NG-GTB",
  name: "Guaranty Trust Bank",
  type: "PAYOUT_POINT_TYPE_BANK" as const,
  country: "NG",
  currency: "NGN",
  minimumMinor: 1_00n,
  maximumMinor: 5_000_000_00n,
  enabled: true,
};
const put = (tenantId: string, part: WirePartial<PayoutPoint> = {}, user: User = manager) =>
  world.gateway.putPayoutPoint({ point: { ...bank, ...part } }, on(tenantId, user));
const list = (tenantId: string, part: WirePartial<ListPayoutPointsRequest> = {}, user: User = ada) =>
  world.gateway.listPayoutPoints({ receivingCountry: "NG", originCountry: "US", ...part }, on(tenantId, user));
const codes = async (tenantId: string, part: WirePartial<ListPayoutPointsRequest> = {}, user: User = ada) =>
  (await list(tenantId, part, user)).points.map(({ point }) => point!.code);

describe("ListPayoutPoints", () => {
  test("prices each point for the amount, from either side", async () => {
    const tenantId = await openTenant(world);
    await put(tenantId);
    const { points } = await list(tenantId, { principalAmount: "100", principalCurrency: "USD" });
    expect(points).toMatchObject([
      {
        point: { code: "NG-GTB", type: "PAYOUT_POINT_TYPE_BANK", country: "NGA", allocatedTo: "TENANT" },
        pricing: {
          principal: { amountMinor: 100_00n, currency: "USD" },
          derive: { amountMinor: 160_000_00n, currency: "NGN" },
          exchangeRate: "1600",
          totalAmount: { amountMinor: 102_69n },
        },
      },
    ]);
    const inverse = { inverse: true, deriveAmount: "160000", deriveCurrency: "NGN", principalAmount: "5" };
    const back = await list(tenantId, inverse);
    expect(back.points[0]!.pricing).toMatchObject({
      totalAmount: { amountMinor: 102_69n },
      principal: { amountMinor: 100_00n },
    });
    expect((await list(tenantId, { deriveAmount: "160000" })).points[0]!.pricing).toBeDefined();
    expect((await list(tenantId)).points[0]!.pricing).toBeUndefined();
  });

  test("leaves out what the amount, the method, the operator, the currency and conversion exclude", async () => {
    const tenantId = await openTenant(world);
    await put(tenantId, { maximumMinor: 100_000_00n });
    const operator = { type: "PAYOUT_POINT_TYPE_MOBILE_MONEY" as const, mobileOperator: "MTN" };
    await put(tenantId, { code: "NG-MTN", ...operator });
    await put(tenantId, { code: "NG-GLO", ...operator, mobileOperator: "Glo" });
    await put(tenantId, { code: "NG-OFF", enabled: false });
    await put(tenantId, { code: "NG-CASH", type: "PAYOUT_POINT_TYPE_CASH" });
    await put(tenantId, { code: "NG-USD", currency: "USD" });
    const direct = { ...corridor, receivingCurrency: "USD" };
    await world.operator.putCorridor({ corridor: direct }, on(tenantId));
    expect(await codes(tenantId)).toEqual(["NG-GLO", "NG-GTB", "NG-MTN", "NG-USD"]);
    expect(await codes(tenantId, { type: "DELIVERY_METHOD_MOBILE_MONEY" })).toEqual(["NG-GLO", "NG-MTN"]);
    expect(await codes(tenantId, { mobileOperator: " mtn " })).toEqual(["NG-MTN"]);
    expect(await codes(tenantId, { deriveCurrency: "USD" })).toEqual(["NG-USD"]);
    expect(await codes(tenantId, { withoutConversion: true })).toEqual(["NG-USD"]);
    // Not converted, nothing is lost on the way.
    const same = { withoutConversion: true, principalAmount: "10", principalCurrency: "USD" };
    expect((await list(tenantId, same)).points[0]!.pricing).toMatchObject({
      derive: { amountMinor: 10_00n, currency: "USD" },
      exchangeRate: "1",
    });
    const large = { principalAmount: "100", principalCurrency: "USD", deriveCurrency: "NGN" };
    expect(await codes(tenantId, large)).toEqual(["NG-GLO", "NG-MTN"]);
  });

  test("shows the tenant's and one's agent's points, to managers all", async () => {
    const tenantId = await openTenant(world);
    await put(tenantId);
    await put(tenantId, { code: "NG-AG1", allocatedTo: "AG1" });
    await put(tenantId, { code: "NG-AG2", allocatedTo: "AG2" });
    expect(await codes(tenantId, {}, ada)).toEqual(["NG-AG1", "NG-GTB"]);
    expect(await codes(tenantId, {}, ben)).toEqual(["NG-GTB"]);
    expect(await codes(tenantId, {}, agent)).toEqual(["NG-AG1", "NG-GTB"]);
    expect(await codes(tenantId, {}, cashier)).toEqual(["NG-GTB"]);
    expect(await codes(tenantId, {}, manager)).toEqual(["NG-AG1", "NG-AG2", "NG-GTB"]);
    expect(await codes(await openTenant(world), {}, manager)).toEqual([]);
  });

  test("goes on by cursor, without gap or repetition, over several kinds", async () => {
    const tenantId = await openTenant(world);
    for (let index = 0; index < 7; index++) {
      const type = index % 2 === 0 ? "PAYOUT_POINT_TYPE_BANK" : "PAYOUT_POINT_TYPE_MOBILE_MONEY";
      await put(tenantId, { code: `P${index}`, type, mobileOperator: "MTN" });
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await list(tenantId, { pageSize: 3, cursor });
      seen.push(...page.points.map(({ point }) => point!.code));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual(["P0", "P1", "P2", "P3", "P4", "P5", "P6"]);
  });

  test("refuses what cannot be priced, naming the limit", async () => {
    const tenantId = await openTenant(world);
    const priced = (principalAmount: string, part: object = {}) =>
      refused(list(tenantId, { principalAmount, principalCurrency: "USD", ...part }));
    expect(await priced("0.5")).toMatchObject({
      code: "AMOUNT_OUT_OF_LIMITS",
      details: { figures: { minimum: "1.00", maximum: "10000.00", currency: "USD" } },
    });
    expect((await priced("0")).code).toBe("AMOUNT_NOT_POSITIVE");
    expect((await priced("5", { receivingCountry: "KE" })).code).toBe("CORRIDOR_NOT_FOUND");
    expect((await priced("5", { promoCode: "NOSUCH" })).code).toBe("PROMO_CODE_INVALID");
    await world.gateway.putCorridor({ corridor: { ...corridor, enabled: false } }, on(tenantId, manager));
    expect((await priced("5")).code).toBe("CORRIDOR_DISABLED");
  });

  test("400 names each field that is wrong", async () => {
    const tenantId = await openTenant(world);
    const faults: [WirePartial<ListPayoutPointsRequest>, string][] = [
      [{ principalAmount: "1.001", principalCurrency: "USD" }, "sendAmount"],
      [{ principalAmount: "1e2" }, "sendAmount"],
      [{ deriveAmount: "-1" }, "amount"],
      [{ principalCurrency: "QQQ" }, "currency"],
      [{ inverse: true }, "deriveAmount"],
      [{ withoutConversion: true, principalCurrency: "USD", deriveCurrency: "NGN" }, "deriveCurrency"],
      [{ originCountry: "Narnia" }, "originCountry"],
      [{ receivingCountry: "" }, "receivingCountry"],
      [{ chargeCategory: "slow" }, "chargeCategory"],
      [{ principalAmount: "5", chargeCategory: "SLOW" }, "chargeCategory"],
      [{ promoCode: "a b" }, "promoCode"],
      [{ mobileOperator: "x".repeat(101) }, "mobileOperator"],
      [{ pageSize: 101 }, "pageSize"],
      [{ cursor: "x".repeat(65) }, "cursor"],
    ];
    for (const [part, path] of faults) expect(await faultOf(list(tenantId, part))).toEqual(["INVALID_INPUT", path]);
    expect(await faultOf(list(tenantId, { originCountry: "" }, manager))).toEqual(["INVALID_INPUT", "originCountry"]);
    await list(tenantId, { originCountry: "" });
  });
});

describe("PutPayoutPoint", () => {
  test("keeps every version under one id, and none for the same content", async () => {
    const tenantId = testTenant();
    const first = (await put(tenantId)).point!;
    expect((await put(tenantId)).point).toEqual(first);
    const second = (await put(tenantId, { name: "GTBank" })).point!;
    expect([first.version, second.version, second.pointId]).toEqual([1, 2, first.pointId]);
    const { changes } = await world.gateway.listChanges({ kind: "PAYOUT_POINT", key: "NG-GTB" }, on(tenantId, manager));
    expect(changes.map(({ content }) => content!["name"])).toEqual(["GTBank", "Guaranty Trust Bank"]);
  });

  test("400 names each field that is wrong; only managers", async () => {
    const faults: [WirePartial<PayoutPoint>, string][] = [
      [{ code: "" }, "code"],
      [{ name: "" }, "name"],
      [{ type: "PAYOUT_POINT_TYPE_UNSPECIFIED" }, "type"],
      [{ type: "PAYOUT_POINT_TYPE_MOBILE_MONEY" }, "mobileOperator"],
      [{ country: "Narnia" }, "country"],
      [{ currency: "QQQ" }, "currency"],
      [{ minimumMinor: -1n }, "minimumMinor"],
      [{ maximumMinor: 0n }, "maximumMinor"],
      [{ minimumMinor: 2n, maximumMinor: 1n }, "maximumMinor"],
      [{ allocatedTo: "a b" }, "allocatedTo"],
      [{ address: "x".repeat(301) }, "address"],
      [{ city: "x".repeat(101) }, "city"],
      [{ openingHours: "x".repeat(301) }, "openingHours"],
      [{ partner: "x".repeat(101) }, "partner"],
    ];
    for (const [part, path] of faults) {
      expect(await faultOf(put(testTenant(), part))).toEqual(["INVALID_INPUT", `point.${path}`]);
    }
    for (const user of [agent, cashier, ada]) {
      expect((await refused(put(testTenant(), {}, user))).code).toBe("FORBIDDEN");
    }
  });
});

describe("LoadPayoutPoints", () => {
  const header = "code,name,type,country,currency,minimumAmount,maximumAmount,mobileOperator,enabled";
  const load = (tenantId: string, csv: string, dryRun = false) =>
    world.gateway.loadPayoutPoints({ csv, dryRun }, on(tenantId, manager));

  test("puts what is right and reports each faulty line with its column", async () => {
    const tenantId = await openTenant(world);
    const csv = [
      header,
      'NG-1,"Bank, the first",BANK,NG,NGN,1.00,5000.00,,true',
      "NG-2,Second,TRAIN,NG,NGN,,5000,,",
      "NG-3,Third,BANK,NG,QQQ,,5000,,",
      "NG-4,Fourth,MOBILE_MONEY,NG,NGN,,5000,,",
      "NG-5,Fifth,BANK,NG,NGN,,5000.001,,",
      "NG-6,Sixth,BANK",
      "NG-1,Again,BANK,NG,NGN,,5000,,",
      "NG-7,Seventh,BANK,NG,NGN,9,5,,",
      "NG-8,Eighth,BANK,NG,NGN,,5000,,perhaps",
      "",
      "NG-9,Ninth,BANK,NGA,NGN,,5000,,false",
    ].join("\r\n");
    const report = await load(tenantId, csv);
    expect(report).toMatchObject({ lines: 10, created: 2, changed: 0, unchanged: 0 });
    expect(report.faults.map(({ line, column }) => [line, column])).toEqual([
      [3, "type"],
      [4, "currency"],
      [5, "mobileOperator"],
      [6, "maximumAmount"],
      [7, ""],
      [8, "code"],
      [9, "maximumAmount"],
      [10, "enabled"],
    ]);
    expect(await codes(tenantId)).toEqual(["NG-1"]);
    expect(
      await load(tenantId, `${header}\nNG-1,"Bank, the first",BANK,NG,NGN,1,5000,,\nNG-9,N,BANK,NG,NGN,,5,,`),
    ).toMatchObject({
      created: 0,
      changed: 1,
      unchanged: 1,
      faults: [],
    });
  });

  test("a dry run reports and changes nothing; many lines take a few transactions", async () => {
    const tenantId = await openTenant(world);
    const lines = Array.from({ length: 1_200 }, (_, i) => `N${i},Bank ${i},BANK,NG,NGN,,5000,,`);
    const csv = [header, ...lines].join("\n");
    expect(await load(tenantId, csv, true)).toMatchObject({ lines: 1_200, created: 1_200 });
    expect(await codes(tenantId)).toEqual([]);
    expect(await load(tenantId, csv)).toMatchObject({ created: 1_200 });
    expect(await load(tenantId, csv)).toMatchObject({ created: 0, unchanged: 1_200 });
  });

  test("400 for a table that cannot be read as a whole", async () => {
    const wrong = ["", "code,name", `${header},colour`, `${header},code`, `${header}\nNG-1,"unclosed`];
    for (const csv of wrong) expect(await faultOf(load(testTenant(), csv))).toEqual(["INVALID_INPUT", "csv"]);
  });
});
