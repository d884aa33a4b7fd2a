import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { Refusal } from "../../kernel/refusal.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { createWorkQueueStore } from "../store/work-queues.js";
import { atDepth } from "../../../test/support/depth.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { askAgain, createInsistence } from "../../../test/support/insist.js";
import { createPayoutWorld, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { callbackSecret, partnerKey, startSandboxPartner } from "../../../test/support/payout-partner.js";
import { ada, agent, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { account } from "../../../test/support/remittance-samples.js";
import { asksIdentityAnew } from "../../../test/support/time.js";

type Own = Awaited<ReturnType<typeof startSandboxPartner>>;

let world: PayoutWorld;
let own: Own;
let tenantId: string;
let id: string;
beforeAll(async () => {
  world = await createPayoutWorld("parties", {}, { releaseAfterMs: 500 });
  own = await startSandboxPartner();
});
beforeEach(async () => {
  tenantId = await world.tenant(sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
  id = randomUUID();
});
afterEach(async () => {
  await own.unforce();
  await world.reset();
});
afterAll(async () => {
  await world.close();
  await own.stopPartner();
  await own.removeBooks();
});

jest.setTimeout(600_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 80_000 });
const install = (contract: 1 | 2, part: object = {}) =>
  world.plugins.install(tenantId, { installationId: id, url: own.url, configuration: { contract }, ...part });
const transparencyOf = (transactionId: string, user: object = manager) =>
  world.gateway.getTransparency({ transactionId }, on(tenantId, user as typeof manager));
const uncarried = async (transactionId: string) => (await world.find(tenantId, transactionId)).payout?.noCarrierSince;

describe("an order to a partner of contract 2", () => {
  test("says who pays and who is paid, lies sealed, and managers alone read what was sent and what was recorded", async () => {
    install(2);
    const paid = await world.paid(tenantId, undefined, { descriptionText: "For the roof" });
    await world.until(paid, "COMPLETED");
    const { transactionId } = paid;
    const found = await transparencyOf(transactionId);
    expect(found).toMatchObject({
      transactionId,
      members: [],
      partnerAnswer: "RECORDED",
      sent: {
        installationId: id,
        originator: {
          kind: "PERSON",
          name: "Ada Obi",
          customerCode: "C-1",
          account: "1000000008",
          uniqueId: transactionId.replaceAll("-", ""),
          dateOfBirth: "1990-04-30",
          address: { lines: ["4 Zubair Lane"], city: "Toronto", country: "CAN" },
        },
        beneficiary: { name: "Ngozi Okafor", account: "3012345671", country: "NGA" },
        purpose: "family",
        relationship: "sister",
        sendAmount: { amountMinor: 100_00n, currency: "USD" },
        remittanceText: "For the roof",
      },
      recordedOriginator: { name: "Ada Obi", address: { city: "Toronto" } },
      recordedBeneficiary: { name: "Ngozi Okafor", account: "3012345671" },
    });
    expect(found.sent!.sentAt).toBeInstanceOf(Date);
    for (const user of [ada, agent, cashier]) {
      expect((await refused(transparencyOf(transactionId, user))).code).toBe("FORBIDDEN");
    }
    const collections = await world.db.db!.collections();
    const rows = await Promise.all(collections.map((collection) => collection.find({ tenantId }).toArray()));
    const stored = Buffer.from(mongo.BSON.serialize({ rows: rows.flat() })).toString("latin1");
    const lying = [
      stored,
      Buffer.from(mongo.BSON.serialize(world.plugins.seen)).toString(),
      world.network.lines.join(),
    ];
    for (const text of lying) expect(text).not.toMatch(/4 Zubair Lane|Toronto|1990-04-30|1000000008/);
  });

  test("of contract 1, to a wallet, and before it was sent there is nothing of it", async () => {
    install(1);
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    const found = await transparencyOf(paid.transactionId);
    expect(found).toMatchObject({ sent: { installationId: id, sentAt: expect.any(Date) }, partnerAnswer: "" });
    expect([found.sent?.originator, found.sent?.beneficiary]).toEqual([undefined, undefined]);
    const { part } = await world.recipientWallet(tenantId);
    const wallet = await world.paid(tenantId, undefined, part);
    await world.until(wallet, "COMPLETED");
    expect((await transparencyOf(wallet.transactionId)).sent).toBeUndefined();
    const waiting = await world.create(tenantId);
    expect((await transparencyOf(waiting)).sent).toBeUndefined();
    expect((await refused(transparencyOf("nothing"))).code).toBe("TRANSACTION_NOT_FOUND");
  });
});

test.each<[string, number, object]>([
  ["refuses us", 401, { error: "unknown API key" }],
  ["refuses the question", 400, { error: "Ngozi Okafor is nobody" }],
  ["says what is no payout", 200, { reference: 7 }],
  ["says an amount that is none", 200, { amount: "1.0000001", currency: "USD", status: "PAID" }],
])(
  "a partner that %s has given no answer: what was sent is shown, and its name alone is logged",
  async (_how, status, said) => {
    let isAsked = false;
    const partner = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const paid = () => {
          const { reference, amount, currency } = JSON.parse(Buffer.concat(chunks).toString()) as Record<
            string,
            string
          >;
          return { reference, amount, currency, status: "PAID" };
        };
        const [code, answer] = request.method === "POST" ? [200, paid()] : [status, said];
        isAsked ||= request.method === "GET";
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((listening) => partner.listen(0, "127.0.0.1", listening));
    try {
      install(2, { url: `http://127.0.0.1:${(partner.address() as AddressInfo).port}` });
      const paid = await world.paid(tenantId);
      await world.until(paid, "COMPLETED");
      isAsked = false;
      const found = await transparencyOf(paid.transactionId);
      expect([isAsked, found.partnerAnswer, found.sent?.originator?.name]).toEqual([true, "NO_ANSWER", "Ada Obi"]);
    } finally {
      partner.closeAllConnections();
      await new Promise((closed) => partner.close(closed));
    }
  },
);

describe("an order for which the policy asks members", () => {
  test("never goes to a partner of contract 1, nor to such a default; it waits, is counted, and goes on once somebody may have it", async () => {
    install(1);
    world.told.members = ["RECIPIENT_NAME"];
    const paid = await world.paid(tenantId);
    const batched = await world.paid(tenantId, undefined, { processingMode: "PROCESSING_MODE_AGGREGATION" });
    const windowed = await world.paid(tenantId, undefined, { processingMode: "PROCESSING_MODE_NONE_AGGREGATION" });
    for (const one of [paid, batched, windowed]) await waitFor(() => uncarried(one.transactionId));
    expect(await own.statement(tenantId)).toEqual([]);
    expect(await world.statement(tenantId)).toEqual([]);
    install(2, { revision: 2 });
    for (const one of [paid, batched, windowed]) {
      const done = await world.until(one, "COMPLETED");
      expect([done.payout?.installationId, done.payout?.noCarrierSince]).toEqual([id, undefined]);
    }
    expect(await world.statement(tenantId)).toEqual([]);
    for (const { transactionId } of [paid, batched, windowed]) {
      const told = world.network.lines.filter(
        (line) => line.includes(transactionId) && line.includes("RECIPIENT_NAME"),
      );
      expect(told).toHaveLength(1);
    }
  });

  test("alerts the operator once where a live tenant's waits, however often it is looked at", async () => {
    const counter = processMetrics.registry.getSingleMetric("manilla_payouts_without_carrier_total")!;
    const counted = async () => (await counter.get()).values[0]?.value ?? 0;
    const before = await counted();
    world.told.members = ["RECIPIENT_NAME"];
    const live = await world.tenant();
    const { transactionId } = await world.paid(live);
    const { version } = await waitFor(async () => {
      const one = await world.find(live, transactionId);
      return one.payout?.noCarrierSince && one;
    });
    await waitFor(async () => (await world.find(live, transactionId)).version > version);
    expect(await counted()).toBe(before + 1);
  });

  test("does not go where what is asked would not be said, and is cancelled with its money back", async () => {
    install(2);
    world.told.members = ["RECIPIENT_ADDRESS"];
    const paid = await world.paid(tenantId);
    await waitFor(() => uncarried(paid.transactionId));
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
    expect(await own.statement(tenantId)).toEqual([]);
  });

  test("does not go with an address alone where it is asked for with a document, or for a birth", async () => {
    install(2);
    world.told.members = ["ADDRESS_OR_BIRTH"];
    world.people.shown = (customer: object) => {
      const { details } = customer as { details: { placeOfBirth?: object; identityDocuments?: object[] } };
      const { placeOfBirth: _place, identityDocuments: _documents, ...addressed } = details;
      return { ...customer, details: addressed };
    };
    const paid = await world.paid(tenantId);
    await waitFor(() => uncarried(paid.transactionId));
    expect(await own.statement(tenantId)).toEqual([]);
  });

  test("is looked at as soon as more is known of its sender, whenever its time would come", async () => {
    install(2);
    world.told.members = ["PLACE_OF_BIRTH"];
    world.people.shown = (customer: object) => {
      const { details } = customer as { details: { placeOfBirth?: object } };
      const { placeOfBirth: _place, ...others } = details;
      return { ...customer, details: others };
    };
    const { transactionId, ...paid } = await world.paid(tenantId);
    await waitFor(() => uncarried(transactionId));
    const driving = { tenantId, "payload.transactionId": transactionId, kind: "payout.drive" };
    const farOff = new Date(Date.now() + 3_600_000);
    await waitFor(async () => {
      const { matchedCount } = await world.db.collection("outbox").updateOne(driving, { $set: { dueAt: farOff } });
      return matchedCount === 1;
    });
    world.people.shown = (customer: object) => {
      const { details } = customer as { details: object };
      return { ...customer, details: { ...details, placeOfBirth: { city: "Lagos", country: "NGA" } } };
    };
    await world.compliance.resumeHeldPayouts({ customerId: "c1" }, on(tenantId));
    await world.until({ transactionId, ...paid }, "COMPLETED");
  });

  test.each([
    ["a bank of files alone", ["iso20022"], true],
    ["another partner of contract 2 beside it", ["iso20022", "manilla-http"], undefined],
    ["no bank of files", ["manilla-http"], undefined],
  ])("is told with its day of birth's place where %s is open", async (_how, types, isBirthWhole) => {
    const rows = [{ amount: { amountMinor: 10_00n, currency: "USD" }, members: ["DATE_OF_BIRTH"] }];
    const profile = { profile: "FATF_2025", originCountries: ["USA"], currency: "USD", linkedHours: 24, rows };
    world.told.profiles = { policyVersion: 3, profiles: [profile] };
    const all = types.map((type) => ({
      installationId: randomUUID(),
      type,
      url: own.url,
      configuration: { contract: 2 },
    }));
    world.plugins.install(tenantId, ...all);
    const transactionId = await world.create(tenantId);
    expect((await world.find(tenantId, transactionId)).transparency?.isBirthWhole).toBe(isBirthWhole);
  });

  test("does not start in a batch whose partner is put down to contract 1 after it was chosen", async () => {
    install(2);
    world.told.members = ["RECIPIENT_NAME"];
    let putDown = false;
    world.told.beforePayoutAnswer = async () => {
      const batched = { tenantId, "payout.batchId": { $exists: true } };
      if (putDown || (await world.db.collection("transactions").findOne(batched)) === null) return;
      putDown = true;
      install(1, { revision: 2 });
      await asksIdentityAnew();
    };
    const paid = await world.paid(tenantId, undefined, { processingMode: "PROCESSING_MODE_AGGREGATION" });
    await waitFor(() => uncarried(paid.transactionId));
    expect(await own.statement(tenantId)).toEqual([]);
    world.told.beforePayoutAnswer = undefined;
    install(2, { revision: 3 });
    const done = await world.until(paid, "COMPLETED");
    expect([putDown, done.payout?.installationId]).toEqual([true, id]);
  });

  test("passes contract 1 by for another one that speaks 2, whatever its place among the routes", async () => {
    const other = randomUUID();
    const first = { installationId: id, url: own.url, configuration: { contract: 1 }, routes: [{ priority: 1 }] };
    const second = { ...first, installationId: other, configuration: { contract: 2 }, routes: [{ priority: 9 }] };
    world.plugins.install(tenantId, first, second);
    const free = await world.paid(tenantId);
    world.told.members = ["RECIPIENT_NAME"];
    const asked = await world.paid(tenantId);
    const taken = await Promise.all([free, asked].map((one) => world.until(one, "COMPLETED")));
    expect(taken.map(({ payout }) => payout?.installationId)).toEqual([id, other]);
  });
});

describe("every sending of an order", () => {
  let partner: Server;
  const bodies: string[] = [];
  let mayAnswer = false;
  beforeAll(async () => {
    partner = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString();
        if (request.method === "POST" && request.url?.startsWith("/v1/payout")) bodies.push(body);
        const { reference, amount, currency } = body === "" ? ({} as Record<string, string>) : JSON.parse(body);
        if (request.method !== "POST" || !mayAnswer)
          return void response.writeHead(request.method === "POST" ? 503 : 404).end("{}");
        const answer = JSON.stringify({ reference, amount, currency, status: "PAID" });
        response.writeHead(200, { "content-type": "application/json" }).end(answer);
      });
    });
    await new Promise<void>((listening) => partner.listen(0, "127.0.0.1", listening));
  });
  beforeEach(() => {
    bodies.length = 0;
    mayAnswer = false;
  });
  afterAll(() => new Promise((closed) => partner.close(closed)));
  const listening = () => `http://127.0.0.1:${(partner.address() as AddressInfo).port}`;

  test("is the same bytes, whatever changes of both sides meanwhile", async () => {
    install(2, { url: listening(), secrets: { apiKey: partnerKey, callbackSecret } });
    const paid = await world.paid(tenantId);
    await waitFor(() => bodies.length >= 2);
    world.people.shown = (customer: object) => ({
      ...customer,
      details: { nationality: "GHA", dateOfBirth: "2000-01-01" },
    });
    const details = { kind: "PERSON", address: { lines: ["1 New Road"], city: "Abuja", country: "NGA" } };
    await world.operator.changeBeneficiary(
      { ...world.beneficiary, idempotencyKey: randomUUID(), details },
      on(tenantId),
    );
    await world.restart();
    const before = bodies.length;
    await waitFor(() => bodies.length > before);
    mayAnswer = true;
    await world.until(paid, "COMPLETED");
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ originator: { name: "Ada Obi", dateOfBirth: "1990-04-30" } });
  });

  test("names the address to call back that it named first, wherever we are reached meanwhile", async () => {
    const url = listening();
    install(2, { url, secrets: { apiKey: partnerKey, callbackSecret } });
    const paid = await world.paid(tenantId);
    await waitFor(() => bodies.length > 0);
    await world.restart({ PARTNER_CALLBACK_BASE_URL: "https://elsewhere.example" });
    const before = bodies.length;
    await waitFor(() => bodies.length > before);
    mayAnswer = true;
    await world.until(paid, "COMPLETED");
    await world.restart({ PARTNER_CALLBACK_BASE_URL: world.callbacks.url });
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ callbackUrl: `${world.callbacks.url}/callbacks/plugins/${id}` });
  });

  test.each([
    ["alone", {}],
    ["in a batch", { processingMode: "PROCESSING_MODE_AGGREGATION" as const }],
  ])(
    "%s waits, is counted, and goes on as it was fixed where its partner speaks contract 1 for a while",
    async (_how, part) => {
      const url = listening();
      const at = { url, secrets: { apiKey: partnerKey, callbackSecret } };
      install(2, at);
      const paid = await world.paid(tenantId, undefined, part);
      await waitFor(() => bodies.length > 0);
      install(1, { ...at, revision: 2 });
      await waitFor(() => uncarried(paid.transactionId));
      const before = bodies.length;
      const queues = await Promise.all(createWorkQueueStore(world.db).forTenant(tenantId).countWork());
      expect(queues).toContainEqual(expect.objectContaining({ queue: "PAYOUTS_WITHOUT_CARRIER", count: 1 }));
      const { version } = await world.find(tenantId, paid.transactionId);
      await waitFor(async () => (await world.find(tenantId, paid.transactionId)).version > version);
      expect([bodies.length, (await world.find(tenantId, paid.transactionId)).status]).toEqual([before, "PROCESSING"]);
      install(2, { ...at, revision: 3 });
      mayAnswer = true;
      const done = await world.until(paid, "COMPLETED");
      expect(done.payout).toMatchObject({ installationId: id });
      expect(done.payout?.noCarrierSince).toBeUndefined();
      const orders = bodies
        .map((body) => JSON.parse(body) as { payouts?: object[] })
        .flatMap((one) => one.payouts ?? [one]);
      expect(new Set(orders.map((one) => JSON.stringify(one))).size).toBe(1);
    },
  );
});

describe("a text that a bank's file would cut", () => {
  test.each([
    ["is refused where such a bank is open to the order", "iso20022", "x".repeat(141), "TEXT_TOO_LONG_FOR_PARTNER"],
    ["is refused where it is too long once it is spelled out", "iso20022", "щ".repeat(36), "TEXT_TOO_LONG_FOR_PARTNER"],
    ["goes where it is not cut", "iso20022", "щ".repeat(35), undefined],
    ["goes where no bank of files is open", "manilla-http", "x".repeat(141), undefined],
  ])("%s", async (_how, type, descriptionText, code) => {
    install(1, { type });
    const order = { descriptionText };
    const made = await world.create(tenantId, order).then(
      () => undefined,
      (error: { code: string; details?: object }) => error,
    );
    expect(made?.code).toBe(code);
    if (code !== undefined) expect(made).toMatchObject({ details: { errors: [{ path: "descriptionText" }] } });
  });
});

test.each([
  ["iso20022", "TEXT_TOO_LONG_FOR_PARTNER"],
  ["manilla-http", undefined],
])(
  "a holder's name that is too long once it is spelled out is refused at create where %s is open",
  async (type, code) => {
    install(1, { type });
    const creditParty = account.map((pair) =>
      pair.key === "accountholdername" ? { ...pair, value: "Щ".repeat(18) } : pair,
    );
    const made = await world.create(tenantId, { creditParty }).then(
      () => undefined,
      (error: { code: string; details?: object }) => error,
    );
    expect(made?.code).toBe(code);
    if (code !== undefined) expect(made).toMatchObject({ details: { errors: [{ path: "creditParty" }] } });
  },
);

test.each([
  ["iso20022", ada, "recipient", { recipient: { firstName: "Щ".repeat(18), lastName: "" } }],
  ["iso20022", manager, "accountHolderName", { accountHolderName: "Щ".repeat(18) }],
  ["manilla-http", ada, undefined, { accountHolderName: "Щ".repeat(18) }],
])(
  "an amendment to a name that is too long once it is spelled out is refused before it is asked, where %s is open",
  async (type, by, path, names) => {
    install(1, { type });
    const transactionId = await world.create(tenantId);
    const terms = { idempotencyKey: randomUUID(), transactionId, reason: "As the bank has it", password: "right" };
    const amended = world.gateway.amendTransaction({ ...terms, ...names }, on(tenantId, by));
    if (path === undefined) {
      await expect(amended).resolves.toMatchObject({ amendment: { status: "APPLIED" } });
      return;
    }
    expect(await faultOf(amended)).toEqual(["TEXT_TOO_LONG_FOR_PARTNER", path]);
    expect((await world.find(tenantId, transactionId)).amendments).toBeUndefined();
    expect(world.told.screened).toEqual([]);
  },
);

describe("an order that waits for data", () => {
  const rounds = atDepth({ quick: 12, ci: 100, long: 1_000 }, "WAITING_RACES");
  const limitMs = 600_000 + rounds * 3_000;

  test(
    "reaches no partner without it, whatever comes at once: the address, a cancellation, a restart, another partner",
    async () => {
      world.told.members = ["RECIPIENT_ADDRESS"];
      const first = { installationId: id, url: own.url, configuration: { contract: 1 } };
      const other = {
        ...first,
        installationId: randomUUID(),
        configuration: { contract: 2, account: `${tenantId}-2` },
      };
      world.plugins.install(tenantId, first, other);
      const details = { kind: "PERSON", address: { lines: [], city: "Abuja", country: "NGA" } };
      const given = { ...world.beneficiary, idempotencyKey: randomUUID(), details };
      // Whom the restart leaves without an answer asks again.
      const insist = createInsistence({ passing: askAgain, timeoutMs: 80_000 });
      const give = () => insist(() => world.operator.changeBeneficiary(given, on(tenantId)));
      const orders: { transactionId: string; hasAddress: boolean }[] = [];
      const cancelled: Promise<unknown>[] = [];
      for (let round = 0; round < rounds; round += 1) {
        if (round === Math.floor(rounds / 2)) await Promise.all([give(), world.restart()]);
        const paid = await world.paid(tenantId);
        const { transactionId } = paid;
        const stored = await world.db.collection("transactions").findOne({ tenantId, transactionId });
        if (round % 50 === 49 && process.env["WAITING_RACES"]) process.stdout.write(`${round + 1} races\n`);
        orders.push({ transactionId, hasAddress: stored?.["sealedRecipientDetails"] !== undefined });
        if (round % 3 === 0) cancelled.push(world.cancel(paid).catch(() => undefined));
      }
      await Promise.all(cancelled);
      await waitFor(async () => {
        const all = await Promise.all(orders.map(({ transactionId }) => world.find(tenantId, transactionId)));
        return all.every(({ status, payout }) => status !== "PAID" || payout?.noCarrierSince !== undefined);
      });
      const sent = new Set((await own.statement(`${tenantId}-2`)).map(({ reference }) => reference));
      expect(await own.statement(tenantId)).toEqual([]);
      expect(await world.statement(tenantId)).toEqual([]);
      for (const { transactionId, hasAddress } of orders) {
        const { sent: said } = await transparencyOf(transactionId);
        if (sent.has(transactionId) || said !== undefined)
          expect([transactionId, hasAddress]).toEqual([transactionId, true]);
        if (said !== undefined) expect(said.beneficiary?.address?.city).toBe("Abuja");
      }
      expect(orders.some(({ hasAddress }) => hasAddress) && orders.some(({ hasAddress }) => !hasAddress)).toBe(true);
    },
    limitMs,
  );
});

describe("a trace", () => {
  const married = { recipient: { firstName: "Ngozi", lastName: "Adeyemi" }, accountHolderName: "Ngozi Adeyemi" };
  const wanted = (transactionId: string, part: object = {}) => ({
    idempotencyKey: randomUUID(),
    transactionId,
    ...married,
    reason: "The name was misspelled",
    ...part,
  });
  const trace = (request: object, user: object = manager) =>
    world.gateway.traceTransaction(request, on(tenantId, user as typeof manager));
  const tracesOf = async (transactionId: string) => (await transparencyOf(transactionId)).traces;
  const lastOf = async (transactionId: string) => (await tracesOf(transactionId)).at(-1)!;
  const decide = (
    transactionId: string,
    { traceId, approvalId }: { traceId: string; approvalId: string },
    no = false,
  ) =>
    world.decide(
      tenantId,
      {
        approvalId,
        kind: "AMENDMENT",
        subject: `transaction:${transactionId}`,
        status: no ? "REFUSED" : "APPROVED",
        decidedBy: "MA2",
      },
      { transactionId, traceId },
    );
  const is = (transactionId: string, status: string) =>
    waitFor(async () => {
      const last = await lastOf(transactionId);
      return last.status === status ? last : undefined;
    });
  /** The partner has it, and has not decided. */
  async function withPartner(contract: 1 | 2 = 2): Promise<string> {
    install(contract);
    await own.force({ account: tenantId, of: "PAYOUT", behaviour: "STALL" });
    const { transactionId } = await world.paid(tenantId);
    await waitFor(async () => (await world.find(tenantId, transactionId)).payout?.acceptedAt);
    return transactionId;
  }
  async function asked(part: object = {}) {
    const transactionId = await withPartner();
    const request = wanted(transactionId, part);
    const answer = await trace(request);
    return { transactionId, request, answer, requested: answer.trace! };
  }
  const calls = () =>
    world.plugins.seen.calls.filter((one) => one.tenantId === tenantId && textOf(one).includes('"amend"'));
  const textOf = (value: unknown) =>
    JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part));
  /** As the partner is asked, by the id that it knows already or not. */
  const askPartner = async (transactionId: string, amendmentId: string, name: string) => {
    const { account, country } = (await transparencyOf(transactionId)).sent!.beneficiary!;
    const response = await fetch(`${own.url}/v1/payouts/${transactionId}/amendments`, {
      method: "POST",
      headers: { authorization: `Bearer ${partnerKey}`, "x-account": tenantId },
      body: JSON.stringify({
        amendmentId,
        beneficiary: { name, account, country },
        accountHolderName: name,
        reason: "The name was misspelled",
      }),
    });
    return response.status;
  };

  test("is sent once a second person has approved it and lists were asked, and the partner has the name", async () => {
    const { transactionId, request, answer, requested } = await asked();
    expect(answer).toMatchObject({
      approvalStatus: "PENDING",
      trace: {
        status: "ASKED",
        before: { recipientName: "Ngozi Okafor", accountHolderName: "Ngozi Okafor" },
        after: { recipientName: "Ngozi Adeyemi", accountHolderName: "Ngozi Adeyemi" },
        askedBy: "MA1",
      },
    });
    expect(await trace(request)).toEqual(answer);
    expect((await refused(trace(wanted(transactionId)))).code).toBe("STATE_CONFLICT");
    expect([world.told.screened, (await tracesOf(transactionId)).length]).toEqual([[], 1]);
    expect((await transparencyOf(transactionId)).recordedBeneficiary?.name).toBe("Ngozi Okafor");
    const { noted } = await decide(transactionId, requested);
    expect(noted).toEqual([`PARTNER_ASKED_TO_AMEND transaction:${transactionId}`]);
    const done = await is(transactionId, "DONE");
    expect(done).toMatchObject({ traceId: requested.traceId, approvedBy: "MA2", refusedBecause: "" });
    expect(done.sentAt!.getTime()).toBeLessThanOrEqual(done.endedAt!.getTime());
    expect(world.told.screened).toEqual([["Ngozi Adeyemi"]]);
    const { recordedBeneficiary, sent } = await transparencyOf(transactionId);
    expect([recordedBeneficiary?.name, sent?.beneficiary?.name]).toEqual(["Ngozi Adeyemi", "Ngozi Okafor"]);
    expect(recordedBeneficiary?.account).toBe(sent?.beneficiary?.account);
    const row = await world.db.collection("transactions").findOne({ tenantId, transactionId });
    expect(row).toHaveProperty("sealedTraces");
    expect(textOf(row) + world.network.lines.join()).not.toContain("Adeyemi");
    expect(await trace(request)).toEqual(answer);
    const same = wanted(transactionId, { recipient: undefined });
    expect((await refused(trace(same))).code).toBe("INVALID_INPUT");
  });

  test("that the partner refuses, or the second person, stays as it was, and says why", async () => {
    const { transactionId, requested } = await asked();
    await own.force({ account: tenantId, of: "AMENDMENT", behaviour: "REFUSE", reason: "it is with the bank" });
    await decide(transactionId, requested);
    expect(await is(transactionId, "REFUSED")).toMatchObject({
      partnerReason: "it is with the bank",
      refusedBecause: "",
    });
    const other = await trace(wanted(transactionId));
    await decide(transactionId, other.trace!, true);
    const last = await lastOf(transactionId);
    expect(last).toMatchObject({ status: "REFUSED", refusedBecause: "NOT_APPROVED", approvedBy: "" });
    expect(last.sentAt).toBeUndefined();
    expect((await transparencyOf(transactionId)).recordedBeneficiary?.name).toBe("Ngozi Okafor");
  });

  test("that puts a holder back whom an earlier one changed says so, and the partner has both", async () => {
    const { transactionId, requested } = await asked();
    const partner = () => own.holderAtPartner({ tenantId, transactionId });
    expect(partner()).toBe("Ngozi Okafor");
    await decide(transactionId, requested);
    await is(transactionId, "DONE");
    expect(partner()).toBe("Ngozi Adeyemi");
    const back = { recipient: { firstName: "Ngozi", lastName: "Okafor" }, accountHolderName: "Ngozi Okafor" };
    const { trace: second } = await trace(wanted(transactionId, back));
    await decide(transactionId, second!);
    await waitFor(async () => (await lastOf(transactionId)).traceId === second!.traceId);
    await is(transactionId, "DONE");
    expect(partner()).toBe("Ngozi Okafor");
  });

  test("whose answer is unknown is asked again by the same id; what is accepted waits as it is", async () => {
    const { transactionId, requested } = await asked();
    await own.force({ account: tenantId, of: "AMENDMENT", behaviour: "AWAY", times: 2 });
    await decide(transactionId, requested);
    await is(transactionId, "DONE");
    await waitFor(() => textOf(calls()).includes('"UNKNOWN"'));
    const { traceId } = requested;
    expect(await askPartner(transactionId, traceId, "Ngozi Adeyemi")).toBe(200);
    expect(await askPartner(transactionId, traceId, "Ngozi Other")).toBe(409);
    await own.force({ account: tenantId, of: "AMENDMENT", behaviour: "STALL" });
    const next = await trace(wanted(transactionId, { recipient: { firstName: "Ngozi", lastName: "Bello" } }));
    expect(next.trace!.before?.recipientName).toBe("Ngozi Adeyemi");
    await decide(transactionId, next.trace!);
    await is(transactionId, "SENT");
    const more = wanted(transactionId, { accountHolderName: "Chidi Obi" });
    expect((await refused(trace(more))).message).toContain("another trace");
    await own.force({ account: tenantId, of: "AMENDMENT", behaviour: "REFUSE", reason: "it is paid out" });
    expect(await is(transactionId, "REFUSED")).toMatchObject({ partnerReason: "it is paid out" });
  });

  test("waits while a hit stands, and asks nobody", async () => {
    const { transactionId, requested } = await asked();
    world.told.hits.add("c1");
    await decide(transactionId, requested);
    await waitFor(() => world.told.payoutChecks.filter((one) => one.tenantId === tenantId).length > 1);
    expect(await lastOf(transactionId)).toMatchObject({ status: "ASKED", approvedBy: "MA2" });
    expect((await transparencyOf(transactionId)).recordedBeneficiary?.name).toBe("Ngozi Okafor");
    world.told.hits.clear();
    await is(transactionId, "DONE");
    expect(world.told.screened).toHaveLength(1);
  });

  test("is refused at contract 1, at a bank of files, to a wallet, and where nobody has it", async () => {
    const first = await withPartner(1);
    const amended = (transactionId: string) =>
      refused(world.gateway.amendTransaction({ ...wanted(transactionId), password: "right" }, on(tenantId, ada)));
    expect((await amended(first)).details?.figures).toBeUndefined();
    const refusal = await refused(trace(wanted(first)));
    expect([refusal.code, refusal.message]).toEqual(["STATE_CONFLICT", expect.stringContaining("contract 1")]);
    const { part } = await world.recipientWallet(tenantId);
    const wallet = await world.paid(tenantId, undefined, part);
    expect((await refused(trace(wanted(wallet.transactionId)))).message).toContain("wallet");
    const unpaid = await world.create(tenantId);
    expect((await refused(trace(wanted(unpaid)))).message).toContain("AWAITING_PAYMENT");
    expect((await refused(trace(wanted(randomUUID())))).code).toBe("TRANSACTION_NOT_FOUND");
    for (const transactionId of [first, wallet.transactionId, unpaid]) {
      expect(await tracesOf(transactionId)).toEqual([]);
    }
    id = randomUUID();
    const second = await withPartner();
    expect((await amended(second)).details?.figures?.["tracePath"]).toContain(second);
    install(2, { type: "iso20022", revision: 2 });
    // Until remittance has read what the partner is now, a person refuses what is asked.
    await waitFor(async () => {
      const end = await trace(wanted(second)).catch((error: Refusal) => error);
      if (end instanceof Refusal) return end.message.includes("files alone");
      await decide(second, end.trace!, true);
      return false;
    });
    expect((await amended(second)).details?.figures).toBeUndefined();
  });

  test("is for managers, and names what is no name or no reason by its field", async () => {
    const transactionId = await withPartner();
    for (const user of [ada, agent, cashier]) {
      expect((await refused(trace(wanted(transactionId), user))).code).toBe("FORBIDDEN");
    }
    const bad: [object, string][] = [
      [{ recipient: undefined, accountHolderName: "" }, "recipient"],
      [{ recipient: { firstName: "Ngozi", lastName: "Okafor" }, accountHolderName: "" }, "recipient"],
      [{ accountHolderName: "12 34" }, "accountHolderName"],
      [{ reason: "" }, "reason"],
      [{ reason: "x".repeat(141) }, "reason"],
    ];
    for (const [part, path] of bad)
      expect(await faultOf(trace(wanted(transactionId, part)))).toEqual(["INVALID_INPUT", path]);
  });
});
