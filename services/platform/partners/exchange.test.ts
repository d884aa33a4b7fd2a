import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createSender, type MadeCall } from "./sender.js";
import { createPinnedExchange } from "./exchange.js";
import { createBreakers } from "./breakers.js";
import { createBound, PartnerBusy } from "../../kernel/batching/bound.js";
import { waitFor } from "../../../test/support/index.js";

let answer: RequestListener;
let requested = 0;
const server = createServer((request, response) => {
  requested += 1;
  answer(request, response);
});
let url: string;
const resolved: string[] = [];
const exchange = createPinnedExchange({
  async resolve(host) {
    resolved.push(host);
    return host === "inside.example" ? ["10.0.0.7"] : ["127.0.0.1"];
  },
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requested = 0;
  answer = (request, response) =>
    response.writeHead(200).end(JSON.stringify({ path: request.url, ...request.headers }));
});
afterAll(() => {
  exchange.close();
  server.closeAllConnections();
  server.close();
});

const call = { tenantId: "acme" };
const made: MadeCall[] = [];
const sendTo = (access: object, allowed: string[] = ["http://127.0.0.1:*"], more: object = {}) =>
  createSender({
    accessOf: () => ({ url, apiKey: "the-key", ...access }),
    exchange: exchange.to(allowed),
    onCall: (one) => made.push(one),
    ...more,
  });

test("keeps the base URL's path, and names our account there", async () => {
  const { body } = await sendTo({ pathPrefix: "/api", account: "ours" })("POST", "/v1/payouts", call, { a: 1 });
  expect(body).toMatchObject({ path: "/api/v1/payouts", "x-account": "ours", authorization: "Bearer the-key" });
});

test.each([
  ["http that nobody allows", "http://127.0.0.1:9"],
  ["a private address by https", "https://10.0.0.7"],
  ["a name that leads to a private address", "https://inside.example"],
  ["a name that leads to this machine", "https://self.example"],
])("%s is never called: what was asked waits", async (_name, at) => {
  await expect(sendTo({ url: at }, [])("GET", "/v1/window", call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(requested).toBe(0);
});

test("a redirect is followed nowhere", async () => {
  answer = (_request, response) => response.writeHead(302, { location: `${url}/elsewhere` }).end("{}");
  await expect(sendTo({})("GET", "/", call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(requested).toBe(1);
});

test("an answer without an end is not read on", async () => {
  const part = "x".repeat(1_048_576);
  answer = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(part));
    };
    response.writeHead(200);
    response.on("drain", more);
    more();
  };
  await expect(sendTo({})("GET", "/", call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test.each<[number, string, MadeCall["outcome"]]>([
  [200, "submit", "OK"],
  [404, "find", "OK"],
  [404, "submit", "REFUSED"],
  [422, "submit", "REFUSED"],
  [503, "submit", "UNKNOWN"],
])("%i of %s is noted as %s's outcome, without a body", async (status, operation, outcome) => {
  answer = (_request, response) => response.writeHead(status).end('{"name":"Ngozi"}');
  const sent = sendTo({})("POST", "/v1/payouts", call, { name: "Ngozi" }, { operation, reference: "t-1" });
  await sent.catch(() => undefined);
  expect(made.at(-1)).toEqual({
    operation,
    reference: "t-1",
    status,
    outcome,
    at: expect.any(Date),
    durationMs: expect.any(Number),
  });
});

test("a breaker says that it is open while it lets nothing through, and not once the next call may try it", async () => {
  answer = (request) => request.socket.destroy();
  const breakers = createBreakers({ failures: 2, openForMs: 100 });
  const send = sendTo({}, undefined, { breakers });
  expect(breakers.isOpen("acme")).toBe(false);
  for (let each = 0; each < 3; each += 1) await send("GET", "/", call).catch(() => undefined);
  expect([requested, breakers.isOpen("acme"), breakers.isOpen("other")]).toEqual([2, true, false]);
  await waitFor(() => !breakers.isOpen("acme"));
  answer = (_request, response) => response.end("{}");
  await send("GET", "/", call);
  expect(breakers.isOpen("acme")).toBe(false);
});

test("a bound within another one takes no more than both have, and who is refused waits for the one that is full", async () => {
  const tenant = createBound(3, "tenant");
  const [one, other] = [createBound(2, "one", { around: tenant }), createBound(2, "other", { around: tenant })];
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const running = [one.within(() => held), one.within(() => held), other.within(() => held)];
  const refusedBy = (bound: typeof one) =>
    bound.within(async () => "more").catch((error: PartnerBusy) => error.places.key);
  expect([await refusedBy(one), await refusedBy(other)]).toEqual(["one", "tenant"]);
  expect([one.places.free(), other.places.free()]).toEqual([0, 0]);
  release();
  await Promise.all(running);
  expect([one.places.free(), other.places.free(), tenant.places.free()]).toEqual([2, 2, 3]);
});

test("a bound lets so many run and refuses the others at once", async () => {
  const { within, places } = createBound(2, "partner");
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const running = [within(() => held), within(() => held)];
  await expect(within(async () => "third")).rejects.toBeInstanceOf(PartnerBusy);
  expect(places.free()).toBe(0);
  release();
  await Promise.all(running);
  expect(places.free()).toBe(2);
  expect(await within(async () => "later")).toBe("later");
  await expect(within(() => Promise.reject(new Error("x")))).rejects.toThrow("x");
  expect(await within(async () => "again")).toBe("again");
});
