import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  DeadlineError,
  InputError,
  Manilla,
  RateLimitError,
  type Session,
  payeeWarningOf,
} from "./index.js";
import { enveloped, refusal, serve, type Handler, type Reply, type TestServer } from "../test/server.js";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function manillaOf(handler: Handler, options: Partial<ConstructorParameters<typeof Manilla>[0]> = {}) {
  server = await serve(handler);
  const { baseUrl, received } = server;
  return { manilla: new Manilla({ baseUrl, credentials: { apiToken: "t-secret" }, ...options }), received };
}

/** Answers of the tries in turn, the last one for ever. */
const inTurn =
  (...replies: Reply[]): Handler =>
  (_received, count) =>
    replies[Math.min(count, replies.length) - 1]!;

const address = { ipAddress: "203.0.113.7" };
const transaction = {
  sendAmount: "20.00",
  inclusive: false,
  type: "ACCOUNTPAYMENT",
  preExistingSenderCustomerCode: "C-1",
  preExistingRecipientCustomerCode: "B-1",
  creditParty: [],
  internationalTransferInformation: { originCountry: "USA", receivingCountry: "NGA" },
} as const;
const created: Reply = { body: enveloped({ id: "t-1", inclussive: false }) };

test("sends what the contract spells, and answers in plain names", async () => {
  const { manilla, received } = await manillaOf(() => created);
  await expect(manilla.transactions.create(transaction, address)).resolves.toEqual({ id: "t-1", inclusive: false });
  const { method, url, headers, body } = received[0]!;
  expect(`${method} ${url}`).toBe("POST /api/v6/services/transactionmanagement/create-transaction");
  expect(JSON.parse(body)).toMatchObject({ inclussive: false, sendAmount: "20.00" });
  expect(headers).toMatchObject({
    "x-auth-token": "t-secret",
    ipaddress: "203.0.113.7",
    "content-type": "application/json",
    "x-idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test.each([
  ["a text", "text"],
  ["null", null],
  ["a number", 5],
  ["the other of list and object", undefined],
])("data that are %s where the document declares another type are no answer", async (_what, data) => {
  const { manilla } = await manillaOf(({ url }) => ({
    body: enveloped(data === undefined ? (url.endsWith("/wallet-accounts") ? {} : []) : data),
  }));
  const unexpected = { status: 200, code: "UNEXPECTED_ANSWER" };
  await expect(manilla.payments.listWalletAccounts()).rejects.toMatchObject(unexpected);
  await expect(manilla.transactions.read("t-1")).rejects.toMatchObject(unexpected);
  await expect(manilla.transactions.list().page()).rejects.toMatchObject(unexpected);
});

test("a page without its items is no answer", async () => {
  const { manilla } = await manillaOf(() => ({ body: enveloped({}) }));
  await expect(manilla.transactions.list().page()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
});

test("tells of an answer beside its data", async () => {
  const headers = {
    "idempotency-replayed": "true",
    "x-fapi-interaction-id": "theirs",
    "ratelimit-limit": "1200",
    "ratelimit-remaining": "7",
    "ratelimit-reset": "31",
  };
  const { manilla } = await manillaOf(() => ({ ...created, headers }));
  const { data, meta } = await manilla.transactions
    .create(transaction, { ...address, idempotencyKey: "k-1" })
    .withResponse();
  expect(data.id).toBe("t-1");
  expect(meta).toEqual({
    status: 200,
    replayed: true,
    interactionId: "theirs",
    idempotencyKey: "k-1",
    attempts: 1,
    rateLimit: { limit: 1200, remaining: 7, resetS: 31 },
  });
});

test.each([
  ["a broken connection", { breaks: true }],
  ["an answer that is cut off", { ...created, cut: true }],
  ["408", refusal(408, "REQUEST_TIMEOUT")],
  ["409 in flight", refusal(409, "IDEMPOTENCY_IN_FLIGHT", { "retry-after": "0" })],
  ["429", refusal(429, "RATE_LIMITED", { "retry-after": "0" })],
  ["502 of a proxy", { status: 502, headers: { "content-type": "text/html" }, body: "<html>" }],
  ["503", refusal(503, "UNAVAILABLE", { "retry-after": "0" })],
  ["504", refusal(504, "DEADLINE_EXCEEDED")],
])("repeats with the same key and interaction after %s", async (_what, reply: Reply) => {
  const { manilla, received } = await manillaOf(inTurn(reply, reply, created));
  const { meta } = await manilla.transactions.create(transaction, address).withResponse();
  expect(meta.attempts).toBe(3);
  for (const name of ["x-idempotency-key", "x-fapi-interaction-id"]) {
    expect(new Set(received.map(({ headers }) => headers[name])).size).toBe(1);
  }
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test.each([
  ["409", refusal(409, "STATE_CONFLICT")],
  ["422", refusal(422, "INSUFFICIENT_FUNDS")],
  ["500", refusal(500, "INTERNAL")],
])("does not repeat %s", async (_what, reply: Reply) => {
  const { manilla, received } = await manillaOf(() => reply);
  await expect(manilla.transactions.create(transaction, address)).rejects.toThrow(ApiError);
  expect(received).toHaveLength(1);
});

test("never repeats a POST without key, and repeats a read", async () => {
  const { manilla, received } = await manillaOf(() => ({ breaks: true }));
  await expect(manilla.approvals.approve("a-1", {} as never)).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(1);
  await expect(manilla.approvals.list().page()).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(4);
  await expect(manilla.security.changePassword({} as never)).rejects.toThrow(ConnectionError);
  expect(received).toHaveLength(5);
});

test("refuses a key where none is kept", async () => {
  const { manilla, received } = await manillaOf(() => created);
  const call = manilla.approvals.approve("a-1", {} as never, { idempotencyKey: "k" });
  await expect(call).rejects.toThrow("approvals.approve takes no idempotency key");
  expect(received).toEqual([]);
});

test.each([
  ["beyond Latin-1", "i-\u2014", "x-fapi-interaction-id"],
  ["that break the line", "i\r\nx: y", "x-fapi-interaction-id"],
  ["that no header holds", "i\u0001", "x-fapi-interaction-id"],
])("refuses characters %s before anything is sent", async (_what, interactionId, header) => {
  const { manilla, received } = await manillaOf(() => created);
  const failure: unknown = await manilla.quotes.read("q", { interactionId }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InputError);
  expect(String(failure)).toContain(`header ${header} has characters that none has`);
  await expect(manilla.quotes.read("q", { interactionId: "i-\u00e9\t1" })).resolves.toBeDefined();
  expect(received).toHaveLength(1);
});

test("gives up at once where the server asks for a longer wait than the deadline", async () => {
  const { manilla, received } = await manillaOf(() => refusal(429, "RATE_LIMITED", { "retry-after": "60" }));
  const failure: unknown = await manilla.quotes.read("q").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RateLimitError);
  expect(failure).toMatchObject({ status: 429, code: "RATE_LIMITED", retryAfterS: 60 });
  expect(received).toHaveLength(1);
});

test("has one deadline for all tries, and says what to ask again with", async () => {
  const { manilla } = await manillaOf(() => ({ hangs: true }));
  const call = manilla.transactions.create(transaction, { ...address, timeoutMs: 50, idempotencyKey: "k-1" });
  const failure: unknown = await call.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DeadlineError);
  expect(failure).toMatchObject({ sent: { operation: "transactions.create", idempotencyKey: "k-1", attempts: 1 } });
});

test("ends with the caller's signal and its reason", async () => {
  const { manilla } = await manillaOf(() => ({ hangs: true }));
  const controller = new AbortController();
  const call = manilla.transactions.read("t-1", { signal: controller.signal });
  controller.abort(new Error("left"));
  await expect(call).rejects.toThrow("left");
});

test("reads what a refusal says, also of a newer server", async () => {
  const body = {
    status: "FAILED",
    code: "NEW_CODE",
    message: "something new",
    errors: [{ path: "amount", message: "is odd" }],
    figures: { available: "9007199254740993.01" },
  };
  const { manilla } = await manillaOf(() => ({ status: 422, body, headers: { "x-fapi-interaction-id": "i-1" } }));
  const failure: unknown = await manilla.quotes.read("q").catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: "RuleError",
    status: 422,
    code: "NEW_CODE",
    errors: body.errors,
    figures: body.figures,
  });
  expect(String(failure)).toBe("RuleError: quotes.read: something new (422 NEW_CODE, interaction i-1)");
});

test("tells what a payee's refusal warns of, and nothing of another one", async () => {
  const failed = async (status: number, code: string, figures: Record<string, string>) => {
    const body = { status: "FAILED", code, message: "no", figures };
    const { manilla } = await manillaOf(() => ({ status, body }));
    return payeeWarningOf(await manilla.quotes.read("q").catch((error: unknown) => error));
  };
  const warning = { payeeCheckId: "p-1", validUntil: "2026-11-30T10:15:00.000Z" };
  const named = { ...warning, accountName: "Ngozi Okafor-Bello" };
  expect(await failed(409, "PAYEE_NAME_DIFFERS", named)).toEqual(named);
  expect(await failed(422, "PAYEE_NOT_MATCHED", warning)).toEqual(warning);
  expect(await failed(422, "PAYEE_CHECK_MISMATCH", {})).toBeUndefined();
  expect(payeeWarningOf(new Error("no"))).toBeUndefined();
});

describe("sessions", () => {
  const loginPath = "/api/v6/services/securitymanagement/login";
  const refreshPath = "/api/v6/services/securitymanagement/refresh";
  const tokens = (number: number) => ({
    access_token: `access-${number}`,
    refresh_token: `refresh-${number}`,
    expires_in: 3600,
  });
  const user = { id: "u", email: "a@b.example", role: "MANAGER", tenant_id: "demo", permissions: [] };

  /** Tokens are good from the given one on. */
  function keepsSessions(goodFrom: number, refreshes = true): Handler {
    let last = 0;
    return ({ url, headers }) => {
      if (url === loginPath) return { body: { ...tokens((last += 1)), user } };
      if (url === refreshPath) return refreshes ? { body: tokens((last += 1)) } : refusal(401, "REFRESH_REUSED");
      const number = Number(/^access-(\d+)$/.exec(String(headers["x-auth-token"]))?.[1]);
      return number >= goodFrom ? { body: enveloped({ id: "x" }) } : refusal(401, "TOKEN_EXPIRED");
    };
  }
  const password = { email: "a@b.example", password: "p-secret" };
  const count = (url: string) => server!.received.filter((one) => one.url === url).length;

  test("50 parallel 401s take one login and one refresh", async () => {
    const { manilla } = await manillaOf(keepsSessions(2), { credentials: password });
    await Promise.all(Array.from({ length: 50 }, () => manilla.quotes.read("q")));
    expect([count(loginPath), count(refreshPath)]).toEqual([1, 1]);
  });

  test("refreshes once, then gives the 401", async () => {
    const { manilla } = await manillaOf(keepsSessions(99), { credentials: password });
    await expect(manilla.quotes.read("q")).rejects.toThrow(AuthenticationError);
    expect(count(refreshPath)).toBe(1);
  });

  test("logs in again where the session has ended, and not with a code that was used", async () => {
    const { manilla } = await manillaOf(keepsSessions(2, false), { credentials: password });
    await manilla.quotes.read("q");
    expect(count(loginPath)).toBe(2);
    await server?.close();
    const used = await manillaOf(keepsSessions(2, false), { credentials: { ...password, totp: "123456" } });
    await expect(used.manilla.quotes.read("q")).rejects.toMatchObject({ code: "REFRESH_REUSED" });
    expect(count(loginPath)).toBe(1);
    expect(JSON.parse(used.received[0]!.body)).toEqual({
      email: "a@b.example",
      currentPassword: "p-secret",
      otp: "123456",
    });
  });

  test("asks for a code at each login", async () => {
    const codes = ["111111", "222222"];
    const credentials = { ...password, totp: () => codes.shift()! };
    const { manilla, received } = await manillaOf(keepsSessions(2, false), { credentials });
    await manilla.quotes.read("q");
    const sent = received
      .filter(({ url }) => url === loginPath)
      .map(({ body }) => (JSON.parse(body) as { otp: string }).otp);
    expect(sent).toEqual(["111111", "222222"]);
  });

  test("gives a session away and goes on with it", async () => {
    const told: Session[] = [];
    const { manilla } = await manillaOf(keepsSessions(1), {
      credentials: password,
      onSession: (session) => told.push(session),
    });
    expect(manilla.session).toBeUndefined();
    await manilla.quotes.read("q");
    const { session } = manilla;
    expect(session).toMatchObject({ accessToken: "access-1", refreshToken: "refresh-1", user: { tenantId: "demo" } });
    expect(told).toEqual([session]);
    const other = new Manilla({
      baseUrl: server!.baseUrl,
      credentials: JSON.parse(JSON.stringify(session)) as Session,
    });
    await other.quotes.read("q");
    expect(count(loginPath)).toBe(1);
  });

  test("asks who keeps the token, once for any number of parallel 401s", async () => {
    const requested: unknown[] = [];
    const accessToken = async (spent?: string) => `access-${requested.push(spent)}`;
    const { manilla } = await manillaOf(keepsSessions(2), { credentials: { accessToken } });
    await Promise.all(Array.from({ length: 50 }, () => manilla.quotes.read("q")));
    expect(requested).toEqual([undefined, "access-1"]);
    expect([count(loginPath), count(refreshPath)]).toEqual([0, 0]);
    expect(manilla.session).toBeUndefined();
  });

  test("has another token for a call whose own is spent, also where others asked just before", async () => {
    const requested: unknown[] = [];
    const slow = Promise.withResolvers<void>();
    const accessToken = async (spent?: string) => {
      if (requested.push(spent) === 2) await slow.promise;
      return spent === undefined ? "access-1" : "access-2";
    };
    const credentials = { accessToken };
    const { manilla } = await manillaOf(
      ({ headers }) => {
        if (headers["x-auth-token"] === "access-2") return { body: enveloped({ id: "x" }) };
        // The other call asks for its token while this one's is refused.
        if (requested.length === 1) other = manilla.quotes.read("q");
        // The client library imports nothing of the rest, not even in tests.
        // oxlint-disable-next-line no-restricted-globals
        setTimeout(slow.resolve, 50);
        return refusal(401, "TOKEN_EXPIRED");
      },
      { credentials },
    );
    let other: PromiseLike<unknown> | undefined;
    await expect(manilla.quotes.read("q")).resolves.toEqual({ id: "x" });
    await expect(other).resolves.toEqual({ id: "x" });
    expect(requested.slice(0, 3)).toEqual([undefined, undefined, "access-1"]);
  });

  test("gives what the keeper of the token rejects with, and asks again at the next call", async () => {
    const answers = [Promise.reject(new Error("signed out")), Promise.resolve("access-1")];
    const { manilla } = await manillaOf(keepsSessions(1), { credentials: { accessToken: () => answers.shift()! } });
    await expect(manilla.quotes.read("q")).rejects.toThrow("signed out");
    await expect(manilla.quotes.read("q")).resolves.toEqual({ id: "x" });
  });

  test("gives the 401 where the keeper of the token has no other one", async () => {
    const { manilla, received } = await manillaOf(keepsSessions(2), {
      credentials: { accessToken: async () => "access-1" },
    });
    await expect(manilla.quotes.read("q")).rejects.toThrow(AuthenticationError);
    expect(received).toHaveLength(1);
  });

  test("refuses a token that no header holds, without showing it", async () => {
    const { manilla } = await manillaOf(keepsSessions(1), {
      credentials: { accessToken: async () => "t-secret\n" },
    });
    await expect(manilla.quotes.read("q")).rejects.toThrow("credentials.accessToken has characters that no token has");
  });

  test("keeps an API token's 401", async () => {
    const { manilla, received } = await manillaOf(() => refusal(401, "TOKEN_REVOKED"));
    await expect(manilla.quotes.read("q")).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
    expect(received).toHaveLength(1);
  });
});
