import { testTenant } from "../../../test/support/index.js";
import { agent, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("loads")));
afterEach(() => world.reset());
afterAll(() => world.close());

const requestedOf = (of: string) => world.neighbours.asked.filter(({ tenantId }) => tenantId === of);
const marks = (faults: readonly { line: number; column: string }[]) => faults.map(({ line, column }) => [line, column]);

describe("LoadCorridors", () => {
  const header =
    "originCountry,sendCurrency,receivingCountry,receivingCurrency,types,minimumAmount,maximumAmount,enabled,feeName,feeFixed,feeRateBps,feeMinimum,feeMaximum,feeTaxBps,partner,estimateMinutes";
  const load = (
    tenantId: string,
    lines: string[],
    { dryRun = false, head = header, user = manager as typeof manager | typeof agent | typeof cashier } = {},
  ) => world.gateway.loadCorridors({ csv: [head, ...lines].join("\n"), dryRun, reason: "" }, on(tenantId, user));
  const held = async (tenantId: string) => (await world.operator.listCorridors({}, on(tenantId))).corridors;

  test("puts what is right with all that it says, and names line and column of each fault", async () => {
    const tenantId = testTenant();
    const good =
      "US,USD,NG,NGN,ACCOUNTPAYMENT|MOBILE_MONEY,1.00,10000.00,true,Transfer fee,2.00,50,2.50,25.00,750,Thunes,45";
    const report = await load(tenantId, [
      good,
      "US,USD,KE,KES,MOBILE_MONEY,1.00,500.00,,,,,,,,,",
      "US,USD,KE,KES,MOBILE_MONEY,1.00,900.00,,,,,,,,,",
      "XX,USD,KE,KES,MOBILE_MONEY,1.00,500.00,,,,,,,,,",
      "US,USD,GH,GHS,PIGEON,1.00,500.00,,,,,,,,,",
      "US,USD,GH,GHS,WALLET|WALLET,1.00,500.00,,,,,,,,,",
      "US,JPY,GH,GHS,WALLET,1.50,500.00,,,,,,,,,",
      "US,USD,GH,GHS,WALLET,,500.00,,,,,,,,,",
      "US,USD,TZ,TZS,WALLET,9.00,5.00,,,,,,,,,",
      "US,USD,GH,GHS,WALLET,1.00,5.00,maybe,,,,,,,,",
      "US,USD,GH,GHS,WALLET,1.00,5.00,,,2.00,,,,,,",
      "US,USD,UG,UGX,WALLET,1.00,5.00,,Fee,2.00,10001,,,,,",
      "US,USD,ZA,ZAR,WALLET,1.00,5.00,,Fee,2.00,,9.00,8.00,,,",
      "US,USD,RW,RWF,WALLET,1.00,5.00,,,,,,,,,43201",
      "US,USD,GH",
    ]);
    expect(marks(report.faults)).toEqual([
      [4, "originCountry"],
      [5, "originCountry"],
      [6, "types"],
      [7, "types"],
      [8, "minimumAmount"],
      [9, "minimumAmount"],
      [10, "maximumAmount"],
      [11, "enabled"],
      [12, "feeName"],
      [13, "feeRateBps"],
      [14, "feeMaximum"],
      [15, "estimateMinutes"],
      [16, ""],
    ]);
    expect(report).toMatchObject({ lines: 15, created: 0, changed: 0, unchanged: 0, waiting: 2 });
    expect(requestedOf(tenantId)).toMatchObject([{ kind: "CORRIDOR_CHANGE", approvalId: report.approvalId }]);
    expect(await held(tenantId)).toEqual([]);
    await world.decide(report.approvalId);
    const [kenya, nigeria] = await held(tenantId);
    expect(kenya).toMatchObject({ receivingCountry: "KEN", enabled: true, fees: [], deliveries: [], version: 1 });
    expect(nigeria).toMatchObject({
      originCountry: "USA",
      deliveryMethods: ["DELIVERY_METHOD_ACCOUNTPAYMENT", "DELIVERY_METHOD_MOBILE_MONEY"],
      minimumMinor: 1_00n,
      maximumMinor: 10_000_00n,
      fees: [
        {
          name: "Transfer fee",
          fixedMinor: 2_00n,
          rateBps: 50,
          minimumMinor: 2_50n,
          maximumMinor: 25_00n,
          taxBps: 750,
        },
      ],
      deliveries: [
        { method: "DELIVERY_METHOD_ACCOUNTPAYMENT", partner: "Thunes", estimateMinutes: 45 },
        { method: "DELIVERY_METHOD_MOBILE_MONEY", partner: "Thunes", estimateMinutes: 45 },
      ],
    });
    expect(await load(tenantId, [good])).toMatchObject({ created: 0, changed: 0, unchanged: 1 });
  });

  test("what a file does not say stays; what changes limits or partners waits, all of it as one question", async () => {
    const tenantId = testTenant();
    await world.operator.putCorridor({ corridor }, on(tenantId));
    await world.operator.putCorridor(
      { corridor: { ...corridor, receivingCountry: "KEN", receivingCurrency: "KES" } },
      on(tenantId),
    );
    const head = "originCountry,sendCurrency,receivingCountry,receivingCurrency,maximumAmount,enabled,partner";
    const report = await load(
      tenantId,
      ["USA,USD,NGA,NGN,500.00,,", "USA,USD,KEN,KES,,,Thunes", "USA,USD,GHA,GHS,5.00,,"],
      { head },
    );
    expect(marks(report.faults)).toEqual([[4, "types"]]);
    expect(report).toMatchObject({ created: 0, changed: 0, waiting: 2, approvalStatus: "PENDING" });
    expect(requestedOf(tenantId)).toMatchObject([{ kind: "LIMIT_CHANGE", approvalId: report.approvalId }]);
    expect((await held(tenantId)).map(({ version }) => version)).toEqual([1, 1]);
    await world.decide(report.approvalId);
    const [kenya, nigeria] = await held(tenantId);
    expect(nigeria).toMatchObject({ version: 2, maximumMinor: 500_00n, fees: [{ fixedMinor: 2_00n }], deliveries: [] });
    expect(kenya!.deliveries.map(({ partner }) => partner)).toEqual(["Thunes", "Thunes"]);
    const off = await load(tenantId, ["USA,USD,NGA,NGN,,false,"], { head });
    expect(off).toMatchObject({ changed: 1, waiting: 0 });
  });

  test("says when money is there and which payees are checked, of each method that it can be said of", async () => {
    const tenantId = testTenant();
    const head = "originCountry,sendCurrency,receivingCountry,receivingCurrency,types,deliveryDays,payeeCheck";
    const deliveryMethods = ["DELIVERY_METHOD_ACCOUNTPAYMENT", "DELIVERY_METHOD_WALLET"] as const;
    await world.operator.putCorridor(
      { corridor: { ...corridor, deliveryMethods: [...deliveryMethods] } },
      on(tenantId),
    );
    const wrong = await load(tenantId, ["US,USD,NG,NGN,,,NEVER", "US,USD,NG,NGN,,-1,"], { head });
    expect(marks(wrong.faults)).toEqual([
      [2, "payeeCheck"],
      [3, "deliveryDays"],
    ]);
    const report = await load(tenantId, ["US,USD,NG,NGN,,2,BOTH"], { head, dryRun: true });
    expect([report.faults, report.changed + report.waiting]).toEqual([[], 1]);
  });

  test("a fee does not take the place of fees that a line cannot say", async () => {
    const tenantId = testTenant();
    const tiers = [{ fromMinor: 100_00n, fixedMinor: 1_00n, rateBps: 0 }];
    await world.operator.putCorridor(
      { corridor: { ...corridor, fees: [{ ...corridor.fees[0]!, tiers }] } },
      on(tenantId),
    );
    const report = await load(tenantId, ["US,USD,NG,NGN,,,,,Other fee,1.00,,,,,,"]);
    expect(marks(report.faults)).toEqual([[2, "feeName"]]);
    expect((await held(tenantId))[0]!.version).toBe(1);
  });

  test("a dry run reports and changes nothing, not even a question", async () => {
    const tenantId = testTenant();
    await world.operator.putCorridor({ corridor }, on(tenantId));
    const { receivingCountry: _nigeria, ...rest } = corridor;
    await world.operator.putCorridor({ corridor: { ...rest, receivingCountry: "GHA" } }, on(tenantId));
    const lines = [
      "US,USD,NG,NGN,,,7.00,,,,,,,,,",
      "US,USD,KE,KES,WALLET,1.00,5.00,,,,,,,,,",
      "US,USD,GH,NGN,,,,false,,,,,,,,",
    ];
    const report = await load(tenantId, lines, { dryRun: true });
    expect(report).toMatchObject({ created: 0, changed: 1, waiting: 2, approvalId: "" });
    expect(requestedOf(tenantId)).toEqual([]);
    expect(await held(tenantId)).toHaveLength(2);
  });

  test("400 names csv for what is no table of corridors; 403 for cashiers; an agent's wait", async () => {
    const wrong = ["", "originCountry,sendCurrency", `${header},colour`, `${header},types`, `"open`];
    for (const head of wrong) expect(await faultOf(load(testTenant(), [], { head }))).toEqual(["INVALID_INPUT", "csv"]);
    expect((await refused(load(testTenant(), [], { user: cashier }))).code).toBe("FORBIDDEN");
    const tenantId = testTenant();
    const report = await load(tenantId, ["US,USD,KE,KES,MOBILE_MONEY,1.00,500.00,,,,,,,,,"], { user: agent });
    expect(report).toMatchObject({ created: 0, waiting: 1, approvalStatus: "PENDING" });
    expect(requestedOf(tenantId)).toMatchObject([{ kind: "CORRIDOR_CHANGE", approvalId: report.approvalId }]);
  });
});

describe("LoadRates", () => {
  const header = "sendCurrency,receivingCurrency,exchangeRate,source,validFrom,validUntil";
  const load = (
    tenantId: string,
    lines: string[],
    { dryRun = false, head = header, user = manager as typeof manager | typeof agent } = {},
  ) => world.gateway.loadRates({ csv: [head, ...lines].join("\n"), dryRun }, on(tenantId, user));
  const later = (hours: number) => new Date(world.now().getTime() + hours * 3_600_000).toISOString();

  test("puts what is right, names line and column of each fault, and the same file again puts nothing", async () => {
    const tenantId = testTenant();
    const start = later(2);
    const good = ["USD,NGN,1600.5,desk,,", `USD,NGN,1700,desk,${start},`, `USD,KES,129,desk,${later(1)},${later(3)}`];
    const report = await load(tenantId, [
      ...good,
      "USD,NGN,1650,desk,,",
      `USD,NGN,1651,desk,${start},`,
      "usd,NGN,1,desk,,",
      "USD,QQQ,1,desk,,",
      "USD,GHS,1e3,desk,,",
      "USD,GHS,0,desk,,",
      "USD,GHS,1234567890.123,desk,,",
      `USD,GHS,12,${"x".repeat(101)},,`,
      "USD,GHS,12,desk,tomorrow,",
      `USD,GHS,12,desk,${later(-1)},`,
      `USD,GHS,12,desk,${later(2)},${later(1)}`,
      "USD,GHS,12",
    ]);
    expect(marks(report.faults)).toEqual([
      [5, "sendCurrency"],
      [6, "sendCurrency"],
      [7, "sendCurrency"],
      [8, "receivingCurrency"],
      [9, "exchangeRate"],
      [10, "exchangeRate"],
      [11, "exchangeRate"],
      [12, "source"],
      [13, "validFrom"],
      [14, "validFrom"],
      [15, "validUntil"],
      [16, ""],
    ]);
    expect(report).toMatchObject({ lines: 15, created: 3, unchanged: 0 });
    const { rates } = await world.operator.listRates({ sendCurrency: "USD", receivingCurrency: "NGN" }, on(tenantId));
    expect(rates.map(({ rate, sequence, createdBy }) => [rate, sequence, createdBy])).toEqual([
      ["1700", 2, "MA1"],
      ["1600.5", 1, "MA1"],
    ]);
    expect(await load(tenantId, good.slice(1))).toMatchObject({ created: 0, unchanged: 2 });
  });

  test("a dry run says what would be new and puts nothing; many rates go in by parts", async () => {
    const tenantId = testTenant();
    const lines = Array.from(
      { length: 450 },
      (_, index) => `USD,NGN,16${String(index).padStart(3, "0")},desk,${later(index + 1)},`,
    );
    expect(await load(tenantId, lines, { dryRun: true })).toMatchObject({ lines: 450, created: 450, unchanged: 0 });
    expect(await world.db.collection("rates").countDocuments({ tenantId })).toBe(0);
    expect(await load(tenantId, lines)).toMatchObject({ created: 450 });
    expect(await world.db.collection("rates").countDocuments({ tenantId })).toBe(450);
  });

  test("line ends of every kind, also mixed, and a mark are read; broken quotes are refused by their line", async () => {
    const lines = [header, "USD,NGN,1500,CBN,,", "USD,KES,129.5,CBN,,", "USD,GHS,15.1,CBN,,"];
    const rates = (csv: string) => world.gateway.loadRates({ csv, dryRun: true }, on(testTenant(), manager));
    for (const first of ["\n", "\r\n", "\r"])
      for (const others of ["\n", "\r\n", "\r"]) {
        const report = await rates(`\uFEFF${lines[0]}${first}${lines.slice(1).join(others)}${others}`);
        expect({ first, others, report }).toMatchObject({ report: { lines: 3, created: 3, faults: [] } });
      }
    for (const [bad, line] of [
      ['USD,"KES,129.5,CBN,,', 3],
      ['USD,K"ES,129.5,CBN,,', 3],
    ] as const) {
      const refusal = rates([lines[0], lines[1], bad, lines[3]].join("\n"));
      await expect(refusal).rejects.toThrow(`line ${line}: `);
    }
    const swallowing = [lines[0], lines[1], 'USD,KES,129.5,"CBN,,', 'USD,GHS,15.1,CBN",,'].join("\n");
    await expect(rates(swallowing)).rejects.toThrow("line 3: has a cell in quotes that holds whole lines");
  });

  test("400 names csv for what is no table of rates; 403 for agents, 401 for nobody", async () => {
    const wrong = ["", "sendCurrency,receivingCurrency", `${header},colour`, `${header},source`, `"open`];
    for (const head of wrong) expect(await faultOf(load(testTenant(), [], { head }))).toEqual(["INVALID_INPUT", "csv"]);
    expect((await refused(load(testTenant(), [], { user: agent }))).code).toBe("FORBIDDEN");
    const nobody = world.gateway.loadRates({ csv: header, dryRun: false }, on(testTenant()));
    expect((await refused(nobody)).code).toBe("UNAUTHENTICATED");
  });
});
