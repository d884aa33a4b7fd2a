import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { testDatabase, waitFor } from "../../../test/support/index.js";
import { closeRateOffices, minuteMs, rateOffice } from "../../../test/support/rate-office.js";
import { ecbDocument, startRateServer, type RateServer } from "../../../test/support/rate-server.js";
import { manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { createRemittanceStore } from "../store/index.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";

jest.setTimeout(60_000);

let world: World;
let source: RateServer;
beforeAll(async () => {
  world = await createWorld("rate_feeds");
  source = await startRateServer();
  source.state.at = () => world.now();
});
afterEach(async () => {
  await closeRateOffices();
  world.reset();
  source.state.answer = undefined;
});
afterAll(async () => {
  await world.close();
  await source.stop();
});

const errorLevel = 50;
const dayMs = 24 * 60 * minuteMs;
const logged = (tenantId: string) =>
  world.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line["tenantId"] === tenantId);

/** An office whose source has said 1610, which holds. */
async function begun() {
  source.say("1610");
  const office = await rateOffice(world, source);
  await office.untilRead();
  expect(await office.rows()).toEqual(["1610", "1600"]);
  return office;
}

describe("a source of rates", () => {
  test("is read once it is enabled; quotes go by its rate, which names its source and its end", async () => {
    const t = await begun();
    expect(await t.quoted()).toBe("1610");
    const shown = await world.gateway.getExchangeRate({ fromCurrency: "USD", toCurrency: "NGN" }, on(t.tenantId));
    expect(shown).toMatchObject({ rate: "1610", source: t.source });
    expect(shown.validUntil!.getTime() - shown.validFrom!.getTime()).toBe(40 * minuteMs);
    expect((await t.rate())!.createdBy).toBe(`plugin:${t.installationId}`);
  });

  test("is not read before that", async () => {
    source.say("1610");
    const t = await rateOffice(world, source);
    await t.untilRead();
    t.install({ status: "PAUSED" });
    await t.known();
    world.pass(10 * minuteMs);
    await waitFor(async () => (await t.feed())?.triedAt === undefined);
    const before = source.state.asked;
    world.pass(10 * minuteMs);
    await waitFor(async () => (await t.feed())!.dueAt > world.now());
    expect(source.state.asked).toBe(before);
  });

  test("that says the same makes no new rate until half of the last one's time is over", async () => {
    const t = await begun();
    await t.next();
    await t.next();
    expect(await t.rows()).toEqual(["1610", "1600"]);
    await t.next(10 * minuteMs);
    expect(await t.rows()).toEqual(["1610", "1610", "1600"]);
    expect((await t.rate())!.validUntil! > new Date(world.now().getTime() + 35 * minuteMs)).toBe(true);
  });

  test("that says another rate within the band has it used", async () => {
    const t = await begun();
    source.say("1680");
    await t.next();
    expect(await t.quoted()).toBe("1680");
    expect(t.asked()).toEqual([]);
  });

  test("that ends leaves no rate: what a person put before does not come back", async () => {
    const t = await begun();
    source.state.answer = (_request, response) => void response.writeHead(503).end();
    world.pass(41 * minuteMs);
    expect(await refused(t.quoted())).toMatchObject({ code: "RATE_NOT_AVAILABLE" });
    await world.gateway.putRate(
      { sendCurrency: "USD", receivingCurrency: "NGN", rate: "1620", source: "by hand" },
      on(t.tenantId, manager),
    );
    expect(await t.quoted()).toBe("1620");
  });

  test("has each rate that cannot be used refused by itself, and the others put", async () => {
    const t = await begun();
    const quoted = (receivingCurrency: unknown, rate: unknown, more: object = {}) => ({
      sendCurrency: "USD",
      receivingCurrency,
      rate,
      ...more,
    });
    source.state.rates = [
      quoted("KES", "-5"),
      quoted("GHS", "0"),
      quoted("XAF", "NaN"),
      quoted("ZZZ", "5"),
      quoted("EUR", "0.9000000000000000000000000000000000000001"),
      quoted("GBP", 0.8),
      quoted("USD", "1"),
      quoted("CAD", "1.4", { validUntil: "2020-01-01T00:00:00Z" }),
      quoted("NGN", "1615"),
    ];
    await t.next();
    expect((await t.rate())!.rate).toBe("1615");
    for (const receivingCurrency of ["KES", "GHS", "XAF", "EUR", "GBP", "CAD"]) {
      expect(await t.tenant.findLastRate({ sendCurrency: "USD", receivingCurrency })).toBeUndefined();
    }
    expect((await t.feed())!.failures).toBe(0);
    const line = logged(t.tenantId).find(({ count }) => count === 8);
    expect(line).toMatchObject({ msg: "rates of a source are not used" });
  });

  test("whose pair is said twice with other rates has neither used", async () => {
    const t = await begun();
    const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
    source.state.rates = [
      { ...pair, rate: "1620" },
      { ...pair, rate: "1621" },
    ];
    await t.next();
    expect(await t.rows()).toEqual(["1610", "1600"]);
    expect((await t.feed())!.failures).toBe(1);
  });

  test("may say from when on a rate holds, and until when", async () => {
    const t = await begun();
    const at = (minutes: number) => new Date(world.now().getTime() + minutes * minuteMs).toISOString();
    const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
    source.state.rates = [
      { ...pair, rate: "1620", validFrom: at(-60), validUntil: at(15) },
      { ...pair, rate: "1630", validFrom: at(15), validUntil: at(60) },
    ];
    await t.next();
    expect(await t.quoted()).toBe("1620");
    expect(await t.rows()).toEqual(["1630", "1620", "1610", "1600"]);
    await t.next();
    expect(await t.rows()).toHaveLength(4);
    await t.next();
    expect(await t.quoted()).toBe("1630");
  });

  test("is left to the older one of two while that has rates", async () => {
    const t = await begun();
    const younger = randomUUID();
    t.install(
      {},
      {
        installationId: younger,
        type: "fx-ecb",
        configuration: { pairs: ["USD-NGN"], everyMinutes: 5, maxAgeDays: 6 },
        secrets: {},
      },
    );
    await t.known();
    const day = new Date(world.now().getTime() - dayMs).toISOString().slice(0, 10);
    source.state.answer = ({ headers }, response) => {
      if (headers.authorization !== undefined) return void response.writeHead(503).end();
      response.end(ecbDocument(day, { USD: "1.1", NGN: "1782" }));
    };
    await t.test(younger);
    await t.untilRead(younger);
    expect((await t.rate())!.rate).toBe("1610");
    expect((await t.tenant.findRateFeed(younger))!.failures).toBe(0);
    world.pass(45 * minuteMs);
    await t.untilRead(younger, world.now());
    expect(await t.rate()).toMatchObject({ rate: "1620", source: `plugin:fx-ecb:${younger}` });
  });
});

describe("a source that fails", () => {
  const garbage = "<html>sign in</html>";
  test.each([
    ["garbage", (response: ServerResponse) => void response.end(garbage)],
    ["no list", (response: ServerResponse) => void response.end('{"rates":5}')],
    ["a redirect", (response: ServerResponse) => void response.writeHead(302, { location: "/" }).end()],
    ["half an answer", (response: ServerResponse) => void (response.write("{"), response.destroy())],
    ["no end of its answer", flood],
    ["nothing", () => {}],
  ])("with %s changes nothing, and is asked again a minute later", async (_what, answer) => {
    const t = await begun();
    source.state.answer = (_request, response) => answer(response);
    await t.next();
    expect((await t.feed())!.failures).toBe(1);
    expect(await t.rows()).toEqual(["1610", "1600"]);
    source.state.answer = undefined;
    source.say("1611");
    await t.next(minuteMs);
    expect(await t.quoted()).toBe("1611");
    expect((await t.feed())!.failures).toBe(0);
  });

  test("with a document that is too old changes nothing", async () => {
    const t = await begun();
    source.say("1620");
    source.state.at = () => new Date(world.now().getTime() - 16 * minuteMs);
    await t.next();
    source.state.at = () => world.now();
    expect(await t.rows()).toEqual(["1610", "1600"]);
    expect((await t.feed())!.failures).toBe(1);
  });

  test("for too long is stale: the log says so once, the metric counts it, and its calls show it", async () => {
    const t = await begun();
    source.state.answer = (_request, response) => void response.writeHead(500).end();
    const stale = () => processMetrics.registry.getSingleMetricAsString("manilla_rate_sources_stale");
    await t.next();
    expect(await stale()).toMatch(/_stale 0\s*$/);
    await t.next(11 * minuteMs);
    expect(await stale()).toMatch(/_stale 1\s*$/);
    await t.next();
    const lines = logged(t.tenantId).filter(({ level }) => level === errorLevel);
    expect(lines).toMatchObject([
      { msg: expect.stringContaining("is stale") as string, installationId: t.installationId },
    ]);
    await waitFor(() => world.plugins.callsOf(t.installationId).some(({ status }) => status === 500));
    expect(world.plugins.callsOf(t.installationId).at(-1)).toMatchObject({ operation: "rates", outcome: "UNKNOWN" });
    source.state.answer = undefined;
    await t.next();
    expect(await stale()).toMatch(/_stale 0\s*$/);
  });
});

/** More than anybody reads; it stops when nobody reads it. */
function flood(response: ServerResponse): void {
  const piece = Buffer.alloc(256 * 1_024, " ");
  function* pieces() {
    for (;;) yield piece;
  }
  pipeline(Readable.from(pieces()), response).catch(() => {});
}

test("each source is taken by one replica at a time", async () => {
  const { db, close } = await testDatabase("rate_feed_leases");
  const store = createRemittanceStore(db);
  await store.forTenant("t1").watchRateFeed("i1", new Date(0));
  const take = (at: number) =>
    Promise.all(Array.from({ length: 8 }, () => store.takeRateFeed(new Date(at), new Date(at + 10))));
  expect((await take(1)).filter((one) => one !== undefined)).toHaveLength(1);
  expect((await take(2)).filter((one) => one !== undefined)).toHaveLength(0);
  expect((await take(11)).filter((one) => one !== undefined)).toHaveLength(1);
  await close();
});
