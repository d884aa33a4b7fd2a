import { listenForCallbacks, type CallbackListener } from "./callback-listener.js";
import { startSandboxPartner, callbackSecret, partnerKey } from "../../../test/support/payout-partner.js";
import { fetchExchange, type Exchange } from "../partners/exchange.js";
import { hasPassed, type PluginCheck } from "../plugins/test-runs.js";
import { certify, payoutChecks } from "./index.js";

jest.setTimeout(60_000);

let partner: Awaited<ReturnType<typeof startSandboxPartner>>;
let listener: CallbackListener;
beforeAll(async () => {
  partner = await startSandboxPartner();
  listener = await listenForCallbacks(callbackSecret);
});
afterAll(async () => {
  await partner.stopPartner();
  await listener.stop();
  await partner.removeBooks();
});

const account = "certification--sandbox";
const target = (change: object = {}) => ({
  url: partner.url,
  apiKey: partnerKey,
  account,
  exchange: fetchExchange,
  callbacks: { url: listener.url, has: (reference: string) => listener.has(reference) },
  ...change,
});
const failed = (reports: readonly PluginCheck[]) =>
  reports.filter(({ result }) => result !== "PASSED").map(({ name, result, detail }) => ({ name, result, detail }));

/** The real partner behind somebody who changes what it answers. */
const through =
  (change: (path: string, answer: { status: number; text: string }) => { status: number; text: string }): Exchange =>
  async (url, request) =>
    change(url.pathname, await fetchExchange(url, request));

test.each([1, 2] as const)("the sandbox partner passes every check of contract %i", async (contract) => {
  const reports = await certify(target({ contract }));
  expect(failed(reports)).toEqual([]);
  expect(reports.map(({ name }) => name)).toEqual(payoutChecks[contract].map(({ name }) => name));
  expect(hasPassed(reports)).toBe(true);
});

test("callbacks are left out where nobody listens, and fail where another secret signs", async () => {
  const { callbacks: _none, ...rest } = target();
  const silent = (await certify(rest)).find(({ name }) => name === "callbacks are signed");
  expect(silent?.result).toBe("LEFT_OUT");
  const other = await listenForCallbacks(`whsec_${Buffer.from("a secret of somebody else's").toString("base64")}`);
  const has = (reference: string) => other.has(reference);
  const reports = await certify(target({ callbacks: { url: other.url, has } }));
  await other.stop();
  expect(failed(reports)).toEqual([
    { name: "callbacks are signed", result: "FAILED", detail: expect.stringContaining("whose signature is right") },
  ]);
});

test.each<[string, string, Parameters<typeof through>[0]]>([
  [
    "amounts are numbers",
    "amounts are decimal text",
    (_path, { status, text }) => ({
      status,
      text: text.replaceAll(/"amount":"([\d.]+)"/g, '"amount":$1'),
    }),
  ],
  [
    "an unknown reference is 200",
    "an unknown reference is 404",
    (_path, answer) => (answer.status === 404 ? { status: 200, text: "{}" } : answer),
  ],
  [
    "a wrong key is taken",
    "a wrong key is 401",
    (_path, answer) => (answer.status === 401 ? { status: 200, text: "{}" } : answer),
  ],
  [
    "another amount is no conflict",
    "the same reference with another amount is 409",
    (path, answer) => (answer.status === 409 && path === "/v1/payouts" ? { status: 200, text: answer.text } : answer),
  ],
  [
    "a refusal is a fault",
    "a refusal is 422 with a reason, and stays",
    (_path, answer) => (answer.status === 422 ? { status: 500, text: "{}" } : answer),
  ],
  [
    "a line of the statement is there twice",
    "the statement has each line once, page by page",
    (path, answer) => {
      if (path !== "/v1/statement") return answer;
      const page = JSON.parse(answer.text) as { lines: unknown[] };
      return { ...answer, text: JSON.stringify({ ...page, lines: page.lines.flatMap((line) => [line, line]) }) };
    },
  ],
  [
    "the statement's cursor does not move on",
    "the statement ends, also where it has no line",
    (path, answer) => {
      if (path !== "/v1/statement") return answer;
      return { ...answer, text: JSON.stringify({ ...(JSON.parse(answer.text) as object), cursor: "1" }) };
    },
  ],
  [
    "the statement has a next page after one without lines",
    "the statement ends, also where it has no line",
    (path, answer) => {
      if (path !== "/v1/statement") return answer;
      const page = JSON.parse(answer.text) as { lines: unknown[] };
      return page.lines.length > 0 ? answer : { ...answer, text: JSON.stringify({ lines: [], cursor: "more" }) };
    },
  ],
  [
    "an answer names another payout",
    "an order is accepted and known by our reference",
    (_path, { status, text }) => ({ status, text: text.replaceAll(/"reference":"[^"]+"/g, '"reference":"another"') }),
  ],
  [
    "a recall of what was paid works",
    "a recall of what was paid is 409",
    (path, answer) => (path.endsWith("/recall") && answer.status === 409 ? { ...answer, status: 200 } : answer),
  ],
])("a partner of which %s fails the check of it", async (_name, check, change) => {
  const reports = await certify(target({ exchange: through(change) }));
  expect(failed(reports).map(({ name }) => name)).toContain(check);
  expect(hasPassed(reports)).toBe(false);
});

test("a partner of contract 1 passes the checks of it as before, and fails those of contract 2", async () => {
  const exchange = ofContract1;
  expect(failed(await certify(target({ exchange })))).toEqual([]);
  const names = failed(await certify(target({ exchange, contract: 2 }))).map(({ name }) => name);
  expect(payoutChecks[2].length - payoutChecks[1].length).toBeGreaterThanOrEqual(6);
  expect(names).toEqual(payoutChecks[2].slice(payoutChecks[1].length).map(({ name }) => name));
});

type Party = Record<string, unknown>;
const latin = (text: string) => text.normalize("NFD").replaceAll(/[^\x20-\x7e]/g, "");

test.each<[string, (originator: Party) => Party | undefined]>([
  ["drops the originator", () => undefined],
  ["spells the originator's name in Latin letters", ({ name, ...rest }) => ({ ...rest, name: latin(String(name)) })],
  ["writes the originator's name in capitals", ({ name, ...rest }) => ({ ...rest, name: String(name).toUpperCase() })],
  ["cuts the originator's name at 35", ({ name, ...rest }) => ({ ...rest, name: String(name).slice(0, 35) })],
  ["forgets the originator's address", ({ address: _address, ...rest }) => rest],
  ["forgets the originator's LEI", ({ lei: _lei, ...rest }) => rest],
])("a connector that %s fails two checks at least", async (_name, change) => {
  const altering: Exchange = async (url, request) => {
    const isOrder = request.method === "POST" && /^\/v1\/payout(s|-batches)$/.test(url.pathname);
    return fetchExchange(url, isOrder ? { ...request, body: withOriginators(request.body ?? "", change) } : request);
  };
  const reports = await certify(target({ exchange: altering, contract: 2 }));
  expect(failed(reports).length).toBeGreaterThanOrEqual(2);
  expect(hasPassed(reports)).toBe(false);
});

function withOriginators(body: string, change: (originator: Party) => Party | undefined): string {
  const altered = (order: Party) =>
    order["originator"] === undefined ? order : { ...order, originator: change(order["originator"] as Party) };
  const order = JSON.parse(body) as Party;
  const { payouts } = order as { payouts?: Party[] };
  return JSON.stringify(payouts === undefined ? altered(order) : { ...order, payouts: payouts.map(altered) });
}

/** The real partner behind somebody who knows what contract 1 has, and nothing else. */
const ofContract1: Exchange = async (url, request) => {
  const answer = await fetchExchange(url, { ...request, body: request.body && plainOrders(request.body) });
  return url.pathname.endsWith("/amendments") ? { ...answer, status: 405, text: "{}" } : answer;
};

function plainOrders(body: string): string {
  const members = ["reference", "amount", "currency", "method", "creditParty", "callbackUrl", "forced"];
  const plain = (order: Party) => Object.fromEntries(Object.entries(order).filter(([name]) => members.includes(name)));
  const order = JSON.parse(body) as Party;
  const { payouts } = order as { payouts?: Party[] };
  return JSON.stringify(payouts === undefined ? plain(order) : { ...order, payouts: payouts.map(plain) });
}

test("outcomes that may not be forced fail: nobody knows what such a partner does", async () => {
  const reports = await certify(target({ account: "certification" }));
  expect(hasPassed(reports)).toBe(false);
  expect(failed(reports)[0]?.detail).toBe("an order was answered 403 and not 200");
});

test("a partner that is not there fails and throws nothing", async () => {
  const reports = await certify(target({ url: "http://127.0.0.1:1" }));
  expect(reports.find(({ name }) => name === "an unknown reference is 404")).toMatchObject({
    result: "FAILED",
    detail: "a look at a payout was not answered",
  });
});
