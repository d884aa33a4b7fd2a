import { inspect } from "node:util";
import { quotes } from "./generated/groups.js";
import { createManilla, Manilla, type ManillaOptions } from "./index.js";
import { enveloped, serve, type Handler, type TestServer } from "../test/server.js";

const good: ManillaOptions = { baseUrl: "https://api.example.com", credentials: { apiToken: "t-secret" } };

test.each([
  [
    "no baseUrl",
    { ...good, baseUrl: undefined },
    "baseUrl is missing: where the API is, such as https://api.example.com",
  ],
  [
    "no address",
    { ...good, baseUrl: "api.example.com" },
    "baseUrl is not the address of an API, such as https://api.example.com",
  ],
  [
    "a query",
    { ...good, baseUrl: "https://u:p-secret@a.example" },
    "baseUrl is not the address of an API, such as https://api.example.com",
  ],
  [
    "http",
    { ...good, baseUrl: "http://a.example" },
    "baseUrl must be https: whoever carries what is sent to a.example could read the credentials",
  ],
  [
    "no credentials",
    { ...good, credentials: undefined },
    "credentials are missing: { apiToken }, { email, password } or a session",
  ],
  [
    "half of them",
    { ...good, credentials: { email: "a@b.example" } },
    "credentials are missing: { apiToken }, { email, password } or a session",
  ],
  [
    "half a session",
    { ...good, credentials: { accessToken: "t-secret" } },
    "or a session, or { accessToken } that is a function",
  ],
  [
    "a token with a line break",
    { ...good, credentials: { apiToken: "t-secret\n" } },
    "credentials.apiToken has characters that no token has",
  ],
  [
    "an unknown option",
    { ...good, timeout: 5 },
    "timeout is no option: there are baseUrl, credentials, sandbox, timeoutMs, retries, platform, fetch, onSession",
  ],
  ["no time", { ...good, timeoutMs: 0 }, "timeoutMs must be above zero"],
  ["half a retry", { ...good, retries: 0.5 }, "retries must be a whole number, 0 or more"],
])("is not made of %s", (_what, options, sentence) => {
  expect(() => new Manilla(options as ManillaOptions)).toThrow(sentence);
});

test.each([
  "http://localhost:8080",
  "http://demo.localhost",
  "http://127.0.0.1:1",
  "http://[::1]:8080/",
  "https://a.example/api/",
])("is made for %s", (baseUrl) => expect(() => new Manilla({ ...good, baseUrl })).not.toThrow());

test("shows no secret", () => {
  const manilla = new Manilla({ ...good, credentials: { email: "a@b.example", password: "p-secret" } });
  expect(inspect(manilla, { depth: 9, showHidden: true }) + JSON.stringify(manilla)).not.toContain("p-secret");
});

describe("calls", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  async function manillaOf(handler: Handler = () => ({ body: enveloped({}) }), options: Partial<ManillaOptions> = {}) {
    server = await serve(handler);
    return new Manilla({ ...good, baseUrl: server.baseUrl, ...options });
  }

  test("write ids into the path, and refuse one that is missing or leads elsewhere", async () => {
    const manilla = await manillaOf();
    await manilla.beneficiaries.remove("a/b ?#é");
    expect(server!.received[0]!.url).toBe("/api/v6/services/usermanagement/beneficiaries/a%2Fb%20%3F%23%C3%A9/remove");
    for (const id of ["", ".", "..", undefined, {}]) {
      expect(() => manilla.transactions.read(id as string)).toThrow("transactions.read: an id is missing, or is no id");
    }
  });

  test("of the sandbox go below /sandbox, and are refused elsewhere", async () => {
    const live = await manillaOf();
    expect(() => live.sandbox.moveDate({ days: 1 })).toThrow(
      "sandbox.moveDate is of the sandbox alone: make the client with sandbox: true",
    );
    await server?.close();
    const sandbox = await manillaOf(undefined, { sandbox: true });
    await sandbox.sandbox.forcePayout({ outcome: "REFUSE" });
    await sandbox.sandbox.bankTransferArrives({
      amount: "250.00",
      currency: "USD",
      reference: "r",
      senderName: "s",
    } as never);
    const [forced, arrived] = server!.received;
    expect(forced).toMatchObject({ method: "POST", url: "/sandbox/api/v6/services/sandbox/outcomes" });
    expect(JSON.parse(forced!.body)).toEqual({ of: "PAYOUT", outcome: "REFUSE" });
    expect(arrived!.url).toBe("/sandbox/api/v6/services/paymentmanagement/bank-transfers");
  });

  test("take options that they know", async () => {
    const manilla = await manillaOf();
    expect(() => manilla.transactions.read("t", { timeout: 5 } as never)).toThrow(
      "transactions.read: timeout is no option of a call",
    );
  });

  test("send the headers that an operation asks for", async () => {
    const answers = (_received: unknown, count: number) => ({ body: enveloped(count === 1 ? {} : []) });
    const manilla = await manillaOf(answers, { platform: "WEB" });
    await manilla.loans.repay("u-1", { repaymentAmount: "5.00" } as never, {
      ipAddress: "203.0.113.7",
      interactionId: "i-1",
    });
    expect(server!.received[0]!.headers).toMatchObject({
      platform: "WEB",
      "x-fapi-interaction-id": "i-1",
      "x-fapi-customer-ip-address": "203.0.113.7",
      "x-fapi-auth-date": expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(server!.received[0]!.body).toBe('{"repaymentAmount":5.00}');
    await manilla.ledger.historyByInteractionId("i-2");
    expect(server!.received[1]!.headers["x-fapi-interaction-id"]).toBe("i-2");
  });

  test("answer files as they are", async () => {
    const manilla = await manillaOf(({ url }) =>
      url.includes("csv")
        ? { headers: { "content-type": "text/csv; charset=utf-8" }, body: "a,b" }
        : { headers: { "content-type": "application/pdf" }, body: "%PDF" },
    );
    await expect(manilla.payments.statementAsCsv("a-1", { from: "2026-01-01T00:00:00Z" })).resolves.toBe("a,b");
    await expect(manilla.payments.statementAsPdf("a-1")).resolves.toEqual(new TextEncoder().encode("%PDF"));
  });

  test("of a client of some groups are these groups'", async () => {
    server = await serve(() => ({ body: enveloped({ quoteId: "q" }) }));
    const manilla = createManilla({ ...good, baseUrl: server.baseUrl }, { quotes });
    await expect(manilla.quotes.read("q")).resolves.toEqual({ quoteId: "q" });
    expect("transactions" in manilla).toBe(false);
  });

  test("stream events, and go on from the last one after a break", async () => {
    const event = (number: number) => `id: ${number}\ndata: {"id":"e-${number}","data":{"newBalance":0.10}}\n\n`;
    const manilla = await manillaOf((_one, count) => ({
      headers: { "content-type": "text/event-stream" },
      body: count === 1 ? `retry: 1000\nid: 0\n\n${event(1)}: 1\n\n` : event(2),
    }));
    const ids: string[] = [];
    for await (const { id, data } of manilla.events.stream()) {
      expect(data).toEqual({ newBalance: "0.10" });
      if (ids.push(id) === 2) break;
    }
    expect(ids).toEqual(["e-1", "e-2"]);
    expect(server!.received[1]!.headers["last-event-id"]).toBe("1");
  });
});
