import { randomUUID } from "node:crypto";
import { waitFor } from "../../../test/support/index.js";
import { closeRateOffices, minuteMs, rateOffice } from "../../../test/support/rate-office.js";
import { ecbDocument, rateKey, startRateServer, type RateServer } from "../../../test/support/rate-server.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";

jest.setTimeout(60_000);

let world: World;
let source: RateServer;
beforeAll(async () => {
  world = await createWorld("rate_changes");
  source = await startRateServer();
  source.state.at = () => world.now();
});
afterEach(async () => {
  await closeRateOffices();
  world.reset();
  source.state.answer = undefined;
  source.state.key = rateKey;
});
afterAll(async () => {
  await world.close();
  await source.stop();
});

/** An office whose source has said 1610, and then a rate that managers are asked about. */
async function jumped(rate = "1700") {
  source.say("1610");
  const t = await rateOffice(world, source);
  await t.untilRead();
  source.say(rate);
  await t.next();
  await waitFor(async () => (await t.held())?.approvalId !== undefined);
  return { ...t, question: () => t.asked().at(-1)! };
}

describe("a rate that jumps", () => {
  test("is held and asked about; the one before holds until its end", async () => {
    const t = await jumped();
    expect(t.asked()).toMatchObject([
      {
        kind: "RATE_CHANGE",
        subject: "rate:USD-NGN",
        summary: `USD-NGN 1700, instead of 1610 (+5.59 %), by ${t.source}`,
        reason: "the rate jumps by more than 5 % in one reading",
        changes: [{ field: "USD-NGN.rate", before: "1610", after: "1700" }],
      },
    ]);
    expect(await t.quoted()).toBe("1610");
    await t.next();
    expect(t.asked()).toHaveLength(1);
    world.pass(40 * minuteMs);
    await expect(t.quoted()).rejects.toMatchObject({ code: "RATE_NOT_AVAILABLE" });
  });

  test("is used once it is approved, by whoever approved it, and the next reading goes on from it", async () => {
    const t = await jumped();
    const { noted } = await world.decide(t.question().approvalId);
    expect(noted).toEqual(["RATE_SET rate:USD-NGN USD-NGN.rate: 1610 → 1700"]);
    expect(await t.quoted()).toBe("1700");
    expect(await t.rate()).toMatchObject({ source: t.source, createdBy: "MA2" });
    await world.decide(t.question().approvalId);
    expect(await t.rows()).toEqual(["1700", "1610", "1600"]);
    await t.untilRead();
    source.say("1705");
    await t.next();
    expect(await t.quoted()).toBe("1705");
    expect(await t.held()).toBeUndefined();
  });

  test("that is rejected is not asked about again until it jumps beyond the band of that one", async () => {
    const t = await jumped();
    await world.decide(t.question().approvalId, "REFUSED");
    source.say("1702");
    await t.next();
    expect([await t.quoted(), t.asked().length]).toEqual(["1610", 1]);
    source.say("1800");
    await t.next();
    await waitFor(() => t.asked().length === 2);
    expect(await t.quoted()).toBe("1610");
  });

  test("that is rejected is asked about again once its source was back in the band", async () => {
    const t = await jumped();
    await world.decide(t.question().approvalId, "REFUSED");
    source.say("1612");
    await t.next();
    expect(await t.quoted()).toBe("1612");
    source.say("1700");
    await t.next();
    await waitFor(() => t.asked().length === 2);
  });

  test("further takes the place of the one that waits, and what is back in the band withdraws it", async () => {
    const t = await jumped();
    const first = t.question().approvalId;
    source.say("1710");
    await t.next();
    expect(t.asked()).toHaveLength(1);
    source.say("1900");
    await t.next();
    await waitFor(() => t.asked().length === 2 && world.neighbours.withdrawn.includes(first));
    expect(t.question().summary).toContain("USD-NGN 1900");
    await world.decide(first);
    expect(await t.quoted()).toBe("1610");
    await waitFor(async () => (await t.held())?.approvalId !== undefined);
    source.say("1615");
    await t.next();
    await waitFor(() => world.neighbours.withdrawn.includes(t.question().approvalId));
    expect(await t.quoted()).toBe("1615");
  });

  test("is not put where the pair has another rate by then: nobody decided about that", async () => {
    const t = await jumped("1750");
    await world.operator.putRate(
      { sendCurrency: "USD", receivingCurrency: "NGN", rate: "1650", source: "by hand" },
      { tenantId: t.tenantId, interactionId: "i" },
    );
    expect((await world.decide(t.question().approvalId)).noted).toEqual(["NOTHING_DONE rate:USD-NGN"]);
    expect((await t.rows())[0]).toBe("1650");
  });

  test("that was said too long ago is put when its source says it again", async () => {
    const t = await jumped();
    source.state.answer = (_request, response) => void response.writeHead(503).end();
    world.pass(41 * minuteMs);
    const { noted } = await world.decide(t.question().approvalId);
    expect(noted).toEqual(["RATE_ACCEPTED rate:USD-NGN USD-NGN.rate: 1610 → 1700"]);
    await expect(t.quoted()).rejects.toMatchObject({ code: "RATE_NOT_AVAILABLE" });
    await t.untilRead();
    source.state.answer = undefined;
    source.say("1701");
    await t.next();
    expect(await t.quoted()).toBe("1701");
    expect(t.asked()).toHaveLength(1);
  });

  test("that nobody decides is asked about anew", async () => {
    const t = await jumped();
    await world.decide(t.question().approvalId, "EXPIRED", "identity");
    await t.next();
    await waitFor(() => t.asked().length === 2);
  });

  test("is asked about no more once its source is paused", async () => {
    const t = await jumped();
    t.install({ status: "PAUSED" });
    await t.known();
    world.pass(minuteMs);
    await waitFor(() => world.neighbours.withdrawn.includes(t.question().approvalId));
    expect(await t.held()).toBeUndefined();
  });

  test("waits by itself: other pairs go on, and each that jumps is a question of its own", async () => {
    const pair = (receivingCurrency: string, rate: string) => ({ sendCurrency: "USD", receivingCurrency, rate });
    source.state.rates = [pair("NGN", "1610"), pair("KES", "130"), pair("GHS", "12")];
    const t = await rateOffice(world, source);
    await t.untilRead();
    source.state.rates = [pair("NGN", "1"), pair("KES", "200"), pair("GHS", "12.1"), pair("ZAR", "18")];
    await t.next();
    await waitFor(() => t.asked().length === 3);
    const rate = (receivingCurrency: string) =>
      t.tenant.findRate({ sendCurrency: "USD", receivingCurrency }, world.now());
    expect([(await rate("NGN"))!.rate, (await rate("KES"))!.rate, (await rate("GHS"))!.rate]).toEqual([
      "1610",
      "130",
      "12.1",
    ]);
    // Nobody has seen it: it was not there when two managers enabled the source.
    expect(await rate("ZAR")).toBeUndefined();
    const zar = t.asked().find(({ subject }) => subject === "rate:USD-ZAR")!;
    expect(zar.reason).toBe("the source has had no such pair before");
    await world.decide(zar.approvalId);
    expect((await rate("ZAR"))!.rate).toBe("18");
  });
});

describe("a test of a source of rates", () => {
  const checks = (of: string) =>
    world.plugins
      .testsOf(of)
      .at(-1)!
      .checks.map(({ name, result, detail }) => [name, result, detail]);

  async function tested(change: object = {}) {
    const t = await rateOffice(world, source);
    t.install({ status: "DRAFT", ...change });
    await t.test();
    return { ...t, found: checks(t.installationId) };
  }

  test("passes with the rates that were found, and puts none", async () => {
    source.say("1610");
    const t = await tested();
    expect(t.found).toEqual([
      ["its times fit together", "PASSED", ""],
      ["the address answers", "PASSED", ""],
      ["a wrong key is refused", "PASSED", ""],
      ["the document can be read", "PASSED", ""],
      ["every pair is there, with rates that can be used", "PASSED", "1 rates: USD-NGN 1610"],
      ["the document is not too old", "PASSED", expect.stringMatching(/Z$/)],
    ]);
  });

  test("of the ECB shows crosses, and has no key to try", async () => {
    const day = new Date(world.now().getTime() - 24 * 60 * minuteMs).toISOString().slice(0, 10);
    source.state.answer = (_request, response) => void response.end(ecbDocument(day, { USD: "1.0866", GBP: "0.8342" }));
    const configuration = { pairs: ["EUR-USD", "GBP-USD"], maxAgeDays: 6 };
    const { found } = await tested({ type: "fx-ecb", configuration, secrets: {} });
    expect(found.map(([, result]) => result)).toEqual(["PASSED", "PASSED", "LEFT_OUT", "PASSED", "PASSED", "PASSED"]);
    expect(found[4]![2]).toBe("EUR-USD 1.0866, GBP-USD 1.30256533205");
  });

  const faulty: [what: string, change: object, prepare: () => void, why: string][] = [
    [
      "a pair that is not there",
      { configuration: { pairs: ["USD-NGN", "USD-KES"] } },
      () => {},
      "USD-KES: is not in the document",
    ],
    [
      "times that do not fit",
      { configuration: { everyMinutes: 60, validForMinutes: 60 } },
      () => {},
      "validForMinutes",
    ],
    ["a rate of forty digits", {}, () => source.say("1".repeat(40)), "significant digits"],
    ["an old document", {}, () => void (source.state.at = () => new Date(0)), "too old"],
    [
      "a source that takes every key",
      {},
      () => void (source.state.answer = (_q, to) => void to.end('{"rates":[]}')),
      "not 401 or 403",
    ],
    ["nobody there", { url: "http://127.0.0.1:1/" }, () => {}, "no answer"],
    ["a key that it does not know", { secrets: { apiKey: randomUUID() } }, () => {}, "status 401"],
    [
      "a document type",
      { type: "fx-ecb", configuration: { pairs: ["EUR-USD"] }, secrets: {} },
      () =>
        void (source.state.answer = (_q, to) =>
          void to.end(`<!DOCTYPE a []>${ecbDocument("2026-11-24", { USD: "1" })}`)),
      "document type",
    ],
  ];
  test.each(faulty)("fails with %s", async (_what, change, prepare, why) => {
    source.say("1610");
    const t = await rateOffice(world, source);
    prepare();
    t.install({ status: "DRAFT", ...change });
    await t.test();
    source.state.at = () => world.now();
    const report = world.plugins.testsOf(t.installationId).at(-1)!;
    expect(report.hasPassed).toBe(false);
    expect(report.checks.map(({ detail }) => detail).join("\n")).toContain(why);
  });
});
