import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { createHttpConnector } from "./http-connector.js";
import { StatementFault } from "./payout-connector.js";
import { samplePartiesOf } from "../../../test/support/order-parties.js";
import { outlast } from "../../../test/support/time.js";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let answer: Answer;
let requested: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    requested.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    answer(request, response, body);
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requested = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = { tenantId: "demo" };
const order = {
  reference: "t-1",
  amount: money(160_000_50n, "NGN"),
  method: "ACCOUNTPAYMENT" as const,
  creditParty: [{ key: "bankaccountno", value: "3001234567" }],
  callbackUrl: "https://api.example/callbacks/payouts/demo",
};
const json =
  (status: number, body: unknown): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const payout = (part: object) => ({
  reference: "t-1",
  amount: "160000.5",
  currency: "NGN",
  status: "ACCEPTED",
  ...part,
});
const connect = (part: object = {}) =>
  createHttpConnector({
    accessOf: (tenantId) => (tenantId === "none" ? undefined : { url, apiKey: "the-key" }),
    contractOf: () => 2 as const,
    timeoutMs: 5_000,
    breaker: { failures: 1_000 },
    ...part,
  });
const unknown = { code: "UNAVAILABLE" };
const reportLine = (reference: string, hour: number) => ({
  reference,
  kind: "PAYOUT",
  amount: "1.00",
  currency: "NGN",
  at: `2026-11-21T${String(hour).padStart(2, "0")}:00:00.000Z`,
});

test("says what is to be paid, by our reference, for the tenant's account, and where to call back", async () => {
  answer = json(200, payout({}));
  const submitted = await connect().submit(order, call);
  expect(submitted).toEqual({ status: "ACCEPTED", reason: "", amount: money(160_000_50n, "NGN") });
  expect(requested[0]).toMatchObject({
    method: "POST",
    url: "/v1/payouts",
    headers: { authorization: "Bearer the-key", "x-account": "demo" },
  });
  expect(JSON.parse(requested[0]!.body)).toEqual({
    reference: "t-1",
    amount: "160000.50",
    currency: "NGN",
    method: "ACCOUNTPAYMENT",
    creditParty: { bankaccountno: "3001234567" },
    callbackUrl: "https://api.example/callbacks/payouts/demo",
  });
});

test("an order that names nobody is what contract 1 has, byte for byte", async () => {
  answer = json(200, payout({}));
  await connect().submit(order, call);
  expect(requested[0]!.body).toBe(
    '{"reference":"t-1","amount":"160000.50","currency":"NGN","method":"ACCOUNTPAYMENT",' +
      '"creditParty":{"bankaccountno":"3001234567"},"callbackUrl":"https://api.example/callbacks/payouts/demo"}',
  );
});

test("by contract 2 it says who pays, who is paid and why, the same bytes whenever it is sent", async () => {
  const parties = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
  answer = json(200, payout({}));
  for (const _time of [1, 2]) await connect().submit({ ...order, parties }, call);
  await connect().submitBatch("b-1", [{ ...order, parties }], call);
  const [first, second, batch] = requested.map(({ body }) => body);
  expect(second).toBe(first);
  expect(batch).toBe(`{"batchReference":"b-1","payouts":[${first}]}`);
  const { reference: _reference, amount: _amount, ...sent } = JSON.parse(first!);
  expect(sent).toEqual({
    currency: "NGN",
    method: "ACCOUNTPAYMENT",
    creditParty: { bankaccountno: "3001234567" },
    callbackUrl: "https://api.example/callbacks/payouts/demo",
    ...parties,
  });
});

test("what is noted of a call names nobody", async () => {
  const noted: unknown[] = [];
  const parties = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
  const connector = connect({ onCall: (made: unknown) => noted.push(made) });
  answer = json(200, payout({ originator: parties.originator, beneficiary: parties.beneficiary }));
  await connector.submit({ ...order, parties }, call);
  await connector.find("t-1", call);
  answer = json(409, {});
  await connector.submit({ ...order, parties }, call).catch(() => undefined);
  expect(noted).toHaveLength(3);
  for (const made of noted) {
    expect(Object.keys(made as object).toSorted()).toEqual([
      "at",
      "durationMs",
      "operation",
      "outcome",
      "reference",
      "status",
    ]);
  }
});

describe("an amendment", () => {
  const { beneficiary } = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
  const amendment = { amendmentId: "a-1", beneficiary, accountHolderName: "Ngozi A.", reason: "it was misspelled" };
  const amend = () => connect().amend("t/1", amendment, call);
  const said = (part: object) => ({ amendmentId: "a-1", reference: "t/1", ...part });

  test.each([
    [200, { status: "DONE" }, { status: "DONE", reason: "" }],
    [200, { status: "ACCEPTED" }, { status: "ACCEPTED", reason: "" }],
    [422, { status: "REFUSED", reason: "x".repeat(300) }, { status: "REFUSED", reason: "x".repeat(200) }],
  ])("is asked for by its id, in the same bytes, and answered %s %j", async (status, part, outcome) => {
    answer = json(status, said(part));
    expect([await amend(), await amend()]).toEqual([outcome, outcome]);
    const asked = { method: "POST", url: "/v1/payouts/t%2F1/amendments", body: JSON.stringify(amendment) };
    expect(requested).toMatchObject([asked, asked]);
  });

  test("of what the partner does not know is none, and another one under the id is a conflict", async () => {
    answer = json(404, { error: "no such payout" });
    expect(await amend()).toBeUndefined();
    answer = json(409, {});
    await expect(amend()).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  });

  test.each([
    [200, { amendmentId: "a-2", status: "DONE" }],
    [200, { reference: "t-2", status: "DONE" }],
    [200, { status: "REFUSED" }],
    [422, { status: "DONE" }],
    [503, { status: "DONE" }],
  ])("is not answered by %s %j", async (status, part) => {
    answer = json(status, said(part));
    await expect(amend()).rejects.toMatchObject(unknown);
  });
});

test("whom a partner of contract 2 has recorded is given back as it says it", async () => {
  const { originator, beneficiary } = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
  const found = { status: "ACCEPTED", reason: "", amount: money(160_000_50n, "NGN") };
  answer = json(200, payout({ originator: { ...originator, name: "Ada O." }, beneficiary }));
  const recorded = { originator: { ...originator, name: "Ada O." }, beneficiary };
  expect(await connect().find("t-1", call)).toEqual({ ...found, recorded });
  // What of it nobody can read says nothing, and is no reason to doubt the payout.
  answer = json(200, payout({ originator: { ...originator, name: "x".repeat(71) }, beneficiary }));
  expect(await connect().find("t-1", call)).toEqual({ ...found, recorded: { beneficiary } });
  answer = json(200, payout({ originator: "Ada Obi", beneficiary: [] }));
  expect(await connect().find("t-1", call)).toEqual(found);
});

test("says what is forced of a sandbox's order, and never of a live one", async () => {
  const forced = { behaviour: "REFUSE", reason: "account closed" };
  for (const tenantId of ["demo", "demo--sandbox"]) {
    answer = json(200, payout({}));
    await connect().submit({ ...order, forced }, { ...call, tenantId });
    answer = json(200, {});
    await connect().submitBatch("b-1", [{ ...order, forced }], { ...call, tenantId });
  }
  const sent = requested.slice(-4).map(({ body }) => JSON.parse(body));
  expect(sent.map((body) => (body.payouts?.[0] ?? body).forced)).toEqual([undefined, undefined, forced, forced]);
});

test("a definite refusal is an answer", async () => {
  answer = json(422, payout({ status: "REFUSED", reason: "account closed" }));
  expect(await connect().submit(order, call)).toMatchObject({ status: "REFUSED", reason: "account closed" });
});

test.each<[string, Answer]>([
  ["no answer in time", () => {}],
  ["a cut connection", (request) => request.socket.destroy()],
  ["a status 500", json(500, {})],
  ["a status 503 of something in between", json(503, "<html>")],
  ["a status 429", json(429, {})],
  [
    "half an answer",
    (_request, response) => (response.writeHead(200, { "content-length": 90 }), response.write('{"st')),
  ],
  ["an answer that is not JSON", json(200, "<html>hello</html>")],
  ["an answer that is nested without end", json(200, "[".repeat(50_000) + "]".repeat(50_000))],
])("%s leaves the outcome unknown", async (_name, behaviour) => {
  answer = behaviour;
  const connector = connect({ timeoutMs: 200 });
  for (const ask of [
    () => connector.submit(order, call),
    () => connector.find("t-1", call),
    () => connector.recall("t-1", call),
    () => connector.submitBatch("b", [order], call),
    () => connector.nextWindow(call),
  ]) {
    await expect(ask()).rejects.toMatchObject(unknown);
  }
});

test("what it does not document is a bug and no answer about the payout", async () => {
  answer = json(400, { error: "amount" });
  const error: unknown = await connect()
    .submit(order, call)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(Refusal);
  answer = json(200, payout({ status: "MAYBE" }));
  await expect(connect().find("t-1", call)).rejects.not.toBeInstanceOf(Refusal);
  answer = json(409, { error: "other content" });
  await expect(connect().submit(order, call)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
});

test("an unknown reference is not there; a recall of it has no amount", async () => {
  answer = json(404, { error: "no such payout" });
  expect(await connect().find("t-1", call)).toBeUndefined();
  answer = json(200, { reference: "t-1", amount: "0", currency: "", status: "RECALLED" });
  expect(await connect().recall("t-1", call)).toEqual({ status: "RECALLED", reason: "" });
  answer = json(409, payout({ status: "PAID" }));
  expect(await connect().recall("t-1", call)).toMatchObject({ status: "PAID" });
});

test.each<[string, object]>([
  ["another payout", { reference: "t-2" }],
  ["another payout in its own currency", { reference: "t-2", currency: "KES" }],
  ["an amount in another currency", { currency: "KES" }],
  ["no currency, and yet that it is paid", { currency: "", status: "PAID" }],
  ["no currency, and yet that it is refused", { currency: "", status: "REFUSED" }],
  ["a recall of another one that never came", { reference: "t-2", currency: "", status: "RECALLED" }],
])("an answer that speaks of %s leaves unknown what became of ours", async (_name, part) => {
  const about = { ...call, currency: "NGN" };
  for (const status of ["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"]) {
    const returned = payout({ status, ...part });
    answer = json(200, returned);
    await expect(connect().submit(order, call)).rejects.toMatchObject(unknown);
    await expect(connect().find("t-1", about)).rejects.toMatchObject(unknown);
    await expect(connect().recall("t-1", about)).rejects.toMatchObject(unknown);
    answer = json(422, returned);
    await expect(connect().submit(order, call)).rejects.toMatchObject(unknown);
    answer = json(409, returned);
    await expect(connect().recall("t-1", about)).rejects.toMatchObject(unknown);
  }
});

test("reads a statement page by page", async () => {
  const line = (reference: string) => ({
    reference,
    kind: "PAYOUT",
    amount: "1.00",
    currency: "NGN",
    at: "2026-11-21T10:00:00.000Z",
  });
  answer = (request, response, body) => {
    const isFirst = !request.url!.includes("cursor");
    json(200, isFirst ? { lines: [line("a")], cursor: "1" } : { lines: [line("b")] })(request, response, body);
  };
  const from = new Date("2026-11-21T00:00:00Z");
  const lines = await Array.fromAsync(connect().statement({ from }, call));
  expect(lines.map(({ reference, amount }) => [reference, amount.minor])).toEqual([
    ["a", 100n],
    ["b", 100n],
  ]);
  expect(requested[0]!.url).toContain("from=2026-11-21T00%3A00%3A00.000Z");
});

test.each<[string, (page: number) => { lines: unknown[]; cursor?: string }]>([
  ["whose cursor does not move on", () => ({ lines: [reportLine("a", 10)], cursor: "1" })],
  ["whose cursors go round", (page) => ({ lines: [reportLine("a", 10)], cursor: String(page % 3) })],
  [
    "with a next page after one without lines",
    (page) => ({ lines: page === 0 ? [reportLine("a", 10)] : [], cursor: `c${page}` }),
  ],
])("a statement %s is not read for ever", async (_name, pageOf) => {
  answer = (request, response, body) => json(200, pageOf(requested.length - 1))(request, response, body);
  await expect(Array.fromAsync(connect().statement({}, call))).rejects.toBeInstanceOf(StatementFault);
  expect(requested.length).toBeLessThan(20);
});

test("lines from before or after what was asked for are passed over", async () => {
  answer = json(200, { lines: [9, 10, 11, 12].map((hour) => reportLine(`at-${hour}`, hour)) });
  const [from, to] = [new Date("2026-11-21T10:00:00Z"), new Date("2026-11-21T12:00:00Z")];
  const lines = await Array.fromAsync(connect().statement({ from, to }, call));
  expect(lines.map(({ reference }) => reference)).toEqual(["at-10", "at-11"]);
});

test("a tenant without a partner waits", async () => {
  await expect(connect().submit(order, { tenantId: "none" })).rejects.toMatchObject(unknown);
  expect(requested).toEqual([]);
});

describe("the breaker", () => {
  const breaker = { failures: 3, openForMs: 200 };

  test("opens for the account that does not answer, alone, and closes by itself", async () => {
    const connector = connect({ breaker });
    answer = (request, response, body) => {
      if (request.headers["x-account"] === "demo") request.socket.destroy();
      else json(200, payout({}))(request, response, body);
    };
    for (let each = 0; each < 3; each += 1) await expect(connector.find("t-1", call)).rejects.toMatchObject(unknown);
    expect(requested).toHaveLength(3);
    await expect(connector.find("t-1", call)).rejects.toMatchObject(unknown);
    expect(requested).toHaveLength(3);
    expect(await connector.find("t-1", { tenantId: "acme" })).toMatchObject({ status: "ACCEPTED" });
    await outlast(250);
    answer = json(200, payout({}));
    expect(await connector.find("t-1", call)).toMatchObject({ status: "ACCEPTED" });
  });

  test("is not opened by answers, whatever they say", async () => {
    const connector = connect({ breaker });
    answer = json(422, payout({ status: "REFUSED" }));
    for (let each = 0; each < 6; each += 1) await connector.submit(order, call);
    answer = json(400, {});
    for (let each = 0; each < 6; each += 1) await connector.submit(order, call).catch(() => undefined);
    expect(requested).toHaveLength(12);
  });
});

test("what a bank kept in another currency than the payout's waits for a person", async () => {
  answer = json(200, payout({ status: "RETURNED", kept: "1.00", keptCurrency: "USD" }));
  expect(await connect().find("t-1", call)).toMatchObject({
    status: "PAID",
    unclear: "came back, and a bank kept 1.00 USD",
  });
  answer = json(200, payout({ status: "RETURNED", kept: "1.00", keptCurrency: "NGN" }));
  expect(await connect().find("t-1", call)).toMatchObject({ status: "RETURNED", kept: money(100n, "NGN") });
});
