import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { Refusal } from "../services/kernel/refusal.js";
import { forgetCounts, send, startEdge, type Edge, type EdgeOptions } from "../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../test/gateway/operations.js";
import { outlast, takes } from "../test/support/time.js";
import { waitFor } from "../test/support/index.js";

const accounts = operationNamed("listWalletAccounts").request;
const beneficiaries = operationNamed("findAllBeneficiaries").request;
const login = operationNamed("login").request;

let edge: Edge | undefined;
async function start(options?: EdgeOptions): Promise<Edge> {
  edge = await startEdge(options);
  answerSamples(edge);
  return edge;
}
// Shares of the limits of one tenant are the same for all tests.
beforeEach(forgetCounts);
afterEach(() => edge?.stop());

// An address and a user that no other test counts for.
const someAddress = () => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;

describe("rate limits", () => {
  const few = {
    TRUSTED_PROXY_HOPS: 1,
    RATE_LIMIT_PER_ADDRESS: 4,
    RATE_LIMIT_PER_USER: 3,
    RATE_LIMIT_PER_TENANT: 1_000_000,
  };

  test("a user over the limit gets 429 with Retry-After and the state of the limit; others go on", async () => {
    const { send: sent, token } = await start({ config: { ...few, RATE_LIMIT_PER_ADDRESS: 100 } });
    const headers = { "X-Auth-Token": await token({ userId: randomUUID() }), "X-Forwarded-For": someAddress() };
    const answers = [];
    for (let each = 0; each < 4; each++) answers.push(await sent({ ...accounts, headers }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => answer.headers["ratelimit-remaining"])).toEqual(["2", "1", "0", "0"]);
    const last = answers.at(-1)!;
    expect(last.headers).toMatchObject({ "ratelimit-limit": "3", "retry-after": last.headers["ratelimit-reset"] });
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
    expect(last.json).toMatchObject({
      status: "FAILED",
      code: "RATE_LIMITED",
      message: expect.stringContaining("user"),
    });
    const other = { ...headers, "X-Auth-Token": await token({ userId: randomUUID() }) };
    expect((await sent({ ...accounts, headers: other })).status).toBe(200);
  });

  test("an address is limited whatever it asks for, with right tokens and with wrong ones", async () => {
    const { send: sent } = await start({ config: few });
    const headers = { "X-Forwarded-For": someAddress(), "X-Auth-Token": "wrong" };
    const statuses = [];
    for (const path of [accounts.path, "/nowhere", accounts.path, accounts.path, accounts.path]) {
      statuses.push((await sent({ path, headers })).status);
    }
    expect(statuses).toEqual([401, 404, 401, 401, 429]);
    expect((await sent({ ...login, headers: { "X-Forwarded-For": someAddress() } })).status).toBe(200);
  });

  test("a tenant's limit counts all its users, and not another tenant's", async () => {
    const host = "other.test";
    const config = { ...few, RATE_LIMIT_PER_ADDRESS: 100, RATE_LIMIT_PER_TENANT: 2 };
    const limited = await start({ config });
    const tenantId = randomUUID();
    limited.fakes.identity.resolveHost = async ({ host: requested }) => ({
      tenantId: requested === host ? tenantId : randomUUID(),
    });
    const ask = async (tenant: string, Host: string) =>
      limited.send({
        ...accounts,
        headers: {
          Host,
          "X-Auth-Token": await limited.token({ tenantId: tenant, userId: randomUUID() }),
          "X-Forwarded-For": someAddress(),
        },
      });
    expect([(await ask(tenantId, host)).status, (await ask(tenantId, host)).status]).toEqual([200, 200]);
    expect((await ask(tenantId, host)).json.code).toBe("RATE_LIMITED");
    expect((await limited.send({ ...login, headers: { "X-Forwarded-For": someAddress() } })).status).toBe(200);
  });

  test("two gateways count together", async () => {
    const first = await start({ config: few });
    const second = await startEdge({ config: few });
    answerSamples(second);
    const headers = { "X-Forwarded-For": someAddress() };
    const answers = [];
    for (const each of [first, second, first, second, first])
      answers.push((await each.send({ ...login, headers })).status);
    await second.stop();
    expect(answers).toEqual([200, 200, 200, 200, 429]);
  });

  test("while Redis is away a gateway limits by itself", async () => {
    const { send: sent } = await start({ config: { ...few, REDIS_URL: "redis://127.0.0.1:1" } });
    const headers = { "X-Forwarded-For": someAddress() };
    const answers = [];
    for (let each = 0; each < 5; each++) answers.push((await sent({ ...login, headers })).status);
    expect(answers).toEqual([200, 200, 200, 200, 429]);
  });
});

describe("a service away", () => {
  test("is refused at once after five calls, tried again by one, and the rest keeps working", async () => {
    const { send: sent, token, fakes, servers } = await start();
    const headers = { "X-Auth-Token": await token() };
    await servers.wallet.stop(0);
    for (let each = 0; each < 5; each++) expect((await sent({ ...accounts, headers })).status).toBe(503);
    const startedAt = performance.now();
    const refused = await Promise.all(Array.from({ length: 20 }, () => sent({ ...accounts, headers })));
    expect(new Set(refused.map(({ json, headers: { "retry-after": wait } }) => `${json.code} ${wait}`))).toEqual(
      new Set(["UNAVAILABLE 1"]),
    );
    // Twenty calls with their three attempts each would take longer than any of them waits in
    // between.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    let requested = 0;
    fakes.remittance.listBeneficiaries = async () => ((requested += 1), {});
    expect((await sent({ ...beneficiaries, headers })).status).toBe(200);
    expect(requested).toBe(1);
  });

  test("that hangs opens the breaker of the hanging rpc alone; once it answers again, so do we", async () => {
    const { send: sent, token, fakes } = await start({ deadlineMs: 1_000 });
    const headers = { "X-Auth-Token": await token() };
    // Keys and connections are there before anything hangs.
    expect((await sent({ ...beneficiaries, headers })).status).toBe(200);
    expect((await sent({ ...accounts, headers })).status).toBe(200);
    let requested = 0;
    fakes.wallet.listWalletAccounts = async (_request, call) => {
      requested += 1;
      await takes(5_000, call.signal);
      return {};
    };
    const hung = await Promise.all(Array.from({ length: 5 }, () => sent({ ...accounts, headers })));
    expect(hung.map(({ status }) => status)).toEqual([504, 504, 504, 504, 504]);
    expect((await sent({ ...accounts, headers })).status).toBe(503);
    expect(requested).toBe(5);
    expect((await sent({ ...operationNamed("payFromWallet").request, headers })).status).toBe(200);
    fakes.wallet.listWalletAccounts = async () => ({});
    await waitFor(async () => (await sent({ ...accounts, headers })).status === 200, { everyMs: 100 });
  });

  test("identity: hosts that were known go on, documentation needs none", async () => {
    const { send: sent, servers, fakes } = await start();
    expect((await sent(login)).status).toBe(200);
    await servers.identity.stop(0);
    await outlast(5_100);
    expect((await sent({ path: "/nowhere" })).status).toBe(404);
    expect((await sent({ path: "/nowhere", headers: { Host: "new.test" } })).status).toBe(503);
    expect((await sent({ path: "/openapi.json", headers: { Host: "new.test" } })).status).toBe(200);
    expect((await sent({ path: "/docs", headers: { Host: "new.test" } })).status).toBe(200);
    expect(fakes.identity.resolveHost).toBeDefined();
  });
});

describe("slow clients", () => {
  test.each([
    ["headers", "PUT / HTTP/1.1\r\nHost: demo.test\r\nX-Slow: "],
    [
      "a body",
      `PUT ${login.path} HTTP/1.1\r\nHost: demo.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email`,
    ],
  ])("that do not finish %s are cut off with 408", async (_what, begin) => {
    const { port } = await start({ requestTimeoutMs: 400 });
    const received = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(begin));
      socket.on("data", (chunk) => (text += String(chunk)));
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
    });
    expect(received).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"REQUEST_TIMEOUT"/);
  });
});

describe("CORS", () => {
  const preflight = { Origin: "https://app.demo.test", "Access-Control-Request-Method": "POST" };

  test("pages of the tenant's origins may call, and read the headers of ours", async () => {
    const { send: sent } = await start();
    const allowed = await sent({ method: "OPTIONS", path: accounts.path, headers: preflight });
    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      "access-control-allow-origin": "https://app.demo.test",
      "access-control-allow-methods": expect.stringContaining("PUT"),
      "access-control-allow-headers": expect.stringMatching(/X-Auth-Token.*x-idempotency-key/),
      vary: "Origin",
    });
    expect(allowed.headers["access-control-allow-credentials"]).toBeUndefined();
    const refused = await sent({ ...accounts, headers: { Origin: "https://app.demo.test" } });
    expect(refused.status).toBe(401);
    expect(refused.headers).toMatchObject({
      "access-control-allow-origin": "https://app.demo.test",
      "access-control-expose-headers": expect.stringContaining("Idempotency-Replayed"),
    });
  });

  test("pages of other origins, and of another tenant's, get no leave", async () => {
    const { send: sent } = await start();
    for (const Origin of ["https://evil.test", "https://app.other.test", "null"]) {
      const headers = { ...preflight, Origin };
      const answer = await sent({ method: "OPTIONS", path: accounts.path, headers });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(answer.headers.vary).toBe("Origin");
    }
  });

  test("OPTIONS that is no preflight is a method like any other", async () => {
    const { send: sent } = await start();
    expect((await sent({ method: "OPTIONS", path: accounts.path })).status).toBe(405);
  });
});

describe("/sandbox", () => {
  test("selects the tenant's sandbox on every path, where a live token is refused and the other way round", async () => {
    const { send: sent, token, fakes } = await start();
    const tenants: string[] = [];
    fakes.wallet.listWalletAccounts = async (_request, call) => (tenants.push(call.tenantId), {});
    const live = { "X-Auth-Token": await token({ tenantId: "demo" }) };
    const sandbox = { "X-Auth-Token": await token({ tenantId: "demo-sandbox" }) };
    const path = `/sandbox${accounts.path}`;
    expect((await sent({ path: accounts.path, headers: live })).status).toBe(200);
    expect((await sent({ path, headers: sandbox })).status).toBe(200);
    expect((await sent({ path, headers: live })).json).toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await sent({ path: accounts.path, headers: sandbox })).json).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(tenants).toEqual(["demo", "demo-sandbox"]);
    expect((await sent({ path: `/sandbox/sandbox${accounts.path}`, headers: sandbox })).status).toBe(404);
    expect((await sent({ path: "/sandbox" })).status).toBe(404);
  });

  test("a tenant without one has no such path", async () => {
    const { send: sent, fakes } = await start();
    fakes.identity.resolveHost = async () => ({ tenantId: "demo" });
    const answer = await sent({ ...login, path: `/sandbox${login.path}` });
    expect([answer.status, answer.json.code]).toEqual([404, "TENANT_NOT_FOUND"]);
  });
});

test("metrics name routes, rpcs and breakers, and no path or person", async () => {
  const adminPort = 20_000 + ((process.pid + 7) % 10_000);
  const { send: sent, token, fakes } = await start({ adminPort });
  fakes.wallet.listWalletAccounts = async () => {
    throw new Refusal("ACCOUNT_NOT_FOUND", "none");
  };
  await sent({ ...accounts, headers: { "X-Auth-Token": await token() } });
  await sent({ path: "/accounts/1002003004" });
  const { status, text, headers } = await send(adminPort, { path: "/metrics" });
  expect([status, headers["content-type"]]).toEqual([200, expect.stringContaining("text/plain")]);
  expect(text).toContain(
    `manilla_http_request_duration_seconds_count{route="${accounts.path}",method="GET",status="404"}`,
  );
  expect(text).toContain('route="other",method="GET",status="404"');
  expect(text).toMatch(
    /manilla_rpc_duration_seconds_count\{side="client",rpc="wallet\.v1\.WalletService\/ListWalletAccounts",code="ACCOUNT_NOT_FOUND"\} \d/,
  );
  expect(text).toMatch(
    /manilla_rpc_duration_seconds_count\{side="server",rpc="wallet\.v1\.WalletService\/ListWalletAccounts",code="ACCOUNT_NOT_FOUND"\} \d/,
  );
  expect(text).toContain('manilla_breaker_open{neighbour="wallet"} 0');
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
  expect(text).not.toContain("1002003004");
});
