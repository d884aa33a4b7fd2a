import { Agent } from "node:http";
import { connect } from "node:net";
import { send, startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../test/gateway/operations.js";
import { samplePayment } from "../test/gateway/samples.js";
import { Refusal } from "../services/kernel/refusal.js";
import { hostName } from "./middleware/tenant.js";
import { runsFor, takes } from "../test/support/time.js";
import { waitFor } from "../test/support/index.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ deadlineMs: 3_000 });
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const accounts = operationNamed("listWalletAccounts").request;
const payment = operationNamed("payFromWallet").request;

async function sendAsCustomer(sent: {
  path: string;
  headers?: Record<string, string> | object;
  method?: string;
  body?: unknown;
}) {
  return edge.send({ ...sent, headers: { ...sent.headers, "X-Auth-Token": await edge.token() } });
}

/** Sends bytes that are no right request and reads until the connection ends. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(edge.port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (chunk) => (received += String(chunk)));
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

describe("hosts", () => {
  test.each([
    ["demo.test", "demo.test"],
    ["Demo.Test:8080", "demo.test"],
    ["demo.test.", "demo.test"],
    ["127.0.0.1:80", "127.0.0.1"],
    ["[::1]:8080", "[::1]"],
    ["", undefined],
    ["a b", undefined],
    ["demo.test@evil.test", undefined],
    ["demo.test:port", undefined],
  ])("reads %s as %s", (header, name) => {
    expect(hostName(header)).toBe(name);
  });

  test("a host is looked up once for many requests, an unknown one each time", async () => {
    const resolveHost = edge.fakes.identity.resolveHost!;
    const requested: string[] = [];
    edge.fakes.identity.resolveHost = async (request, call) => {
      requested.push(request.host);
      await takes(20);
      if (request.host === "fresh.test") return { tenantId: "demo" };
      return resolveHost(request, call);
    };
    await Promise.all(
      Array.from({ length: 5 }, () => sendAsCustomer({ ...accounts, headers: { Host: "FRESH.test:1" } })),
    );
    await edge.send({ path: "/nowhere", headers: { Host: "ghost.test" } });
    await edge.send({ path: "/nowhere", headers: { Host: "ghost.test" } });
    expect(requested).toEqual(["fresh.test", "ghost.test", "ghost.test"]);
    edge.fakes.identity.resolveHost = resolveHost;
  });

  test("a target in absolute form names the host, whatever the Host header says", async () => {
    const ask = (target: string, host: string) =>
      sendRaw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    // Without a token this path is 401 at its own tenant and 404 at an unknown host.
    const path = accounts.path;
    expect(await ask(`http://demo.test${path}?a=1`, "ghost.test")).toContain('"code":"UNAUTHENTICATED"');
    expect(await ask(`http://DEMO.test:80${path}`, "ghost.test")).toContain('"code":"UNAUTHENTICATED"');
    expect(await ask(`http://ghost.test${path}`, "demo.test")).toContain('"code":"TENANT_NOT_FOUND"');
    for (const target of [`http://ann@demo.test${path}`, `ftp://demo.test${path}`, "demo.test:443"]) {
      expect(await ask(target, "demo.test")).toContain("400 Bad Request");
    }
  });

  test("no Host and two Hosts are an unknown host", async () => {
    for (const hosts of ["", "Host: demo.test\r\nHost: other.test\r\n"]) {
      const answer = await sendRaw(`GET /nowhere HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      expect(answer).toContain("404 Not Found");
      expect(answer).toContain('"code":"TENANT_NOT_FOUND"');
    }
  });
});

describe("what goes on to the services", () => {
  test("tenant, user, interaction id and deadline travel with each call", async () => {
    let seen: unknown;
    edge.fakes.wallet.listWalletAccounts = async (_request, call) => {
      const leftMs = call.deadline!.getTime() - Date.now();
      seen = {
        tenant: call.tenantId,
        user: call.user?.userId,
        interaction: call.interactionId,
        inTime: leftMs > 0 && leftMs <= 3_000,
      };
      return {};
    };
    const answer = await sendAsCustomer({ ...accounts, headers: { "x-fapi-interaction-id": "mine:1" } });
    expect(seen).toEqual({ tenant: "demo", user: "user-1", interaction: "mine:1", inTime: true });
    expect(answer.headers["x-fapi-interaction-id"]).toBe("mine:1");
    expect(answer.text).toBe('{"status":"SUCCESS","data":[],"message":"Wallet accounts"}');
  });

  test("an interaction id is made where there is none", async () => {
    const answer = await sendAsCustomer(accounts);
    expect(answer.headers["x-fapi-interaction-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a client that goes away cancels the call behind", async () => {
    const gone = new AbortController();
    const cancelled = new Promise<void>((resolve) => {
      edge.fakes.wallet.makePayment = async (_request, call) => {
        call.signal.addEventListener("abort", () => resolve());
        gone.abort();
        await takes(5_000, call.signal);
        return {};
      };
    });
    const headers = { "X-Auth-Token": await edge.token() };
    await expect(edge.send({ ...payment, headers, signal: gone.signal })).rejects.toThrow();
    await cancelled;
    await waitFor(() => edge.logged.some((line) => line.includes('"status":499')));
  });
});

describe("failures behind the edge", () => {
  test.each([
    ["a bug", new Error("password is hunter2 in /srv/wallet.ts"), 500, "INTERNAL"],
    ["a refusal of the gateway itself", new Refusal("CALLER_NOT_ALLOWED", "gateway may not call"), 500, "INTERNAL"],
    ["an overload", new Refusal("OVERLOADED", "journal queue is full"), 503, "OVERLOADED"],
  ])("%s is opaque", async (_name, error, status, code) => {
    edge.fakes.wallet.listWalletAccounts = async () => {
      throw error;
    };
    const answer = await sendAsCustomer(accounts);
    expect([answer.status, answer.json.code, answer.json.status]).toEqual([status, code, "FAILED"]);
    expect(answer.text).not.toMatch(/hunter2|gateway|journal|srv/);
    expect(answer.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
  });

  test("a write whose outcome nobody knows is told that it may have been done, and how to learn it", async () => {
    edge.fakes.wallet.makePayment = async () => {
      throw new Refusal("UNAVAILABLE", "the acquirer named another payment");
    };
    const answer = await sendAsCustomer(payment);
    expect([answer.status, answer.json.code]).toEqual([503, "UNAVAILABLE"]);
    expect(answer.json.message).toMatch(/may have been done.*same idempotency key/);
  });

  test("a service that leaves out what it must fill is a 500, not half an answer", async () => {
    edge.fakes.wallet.makePayment = async () => ({});
    expect((await sendAsCustomer(payment)).status).toBe(500);
  });

  test("a service that hangs is a 504 at the deadline", async () => {
    edge.fakes.wallet.listWalletAccounts = async (_request, call) => {
      await takes(10_000, call.signal);
      return {};
    };
    const startedAt = Date.now();
    const answer = await sendAsCustomer(accounts);
    expect([answer.status, answer.json.code]).toEqual([504, "DEADLINE_EXCEEDED"]);
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    expect(answer.json.message).toBe("The answer took too long. Nothing was changed: a read may be repeated.");
    edge.fakes.wallet.makePayment = async (_request, call) => {
      await takes(10_000, call.signal);
      return {};
    };
    const written = await sendAsCustomer(payment);
    expect([written.status, written.json.message]).toEqual([504, expect.stringContaining("same idempotency key")]);
  });

  test("refusals of services keep code, message, figures of time and faults in the contract's spelling", async () => {
    edge.fakes.wallet.makePayment = async () => {
      throw new Refusal("INVALID_INPUT", "total_checkout_amount: too many decimals", {
        errors: [{ path: "total_checkout_amount", message: "too many decimals" }],
      });
    };
    expect((await sendAsCustomer(payment)).json).toEqual({
      status: "FAILED",
      message: "totalCheckOutAmount: too many decimals",
      code: "INVALID_INPUT",
      errors: [{ path: "totalCheckOutAmount", message: "too many decimals" }],
    });
    edge.fakes.wallet.makePayment = async () => {
      throw new Refusal("IDEMPOTENCY_IN_FLIGHT", "still running", { retryAfterS: 2 });
    };
    const inFlight = await sendAsCustomer(payment);
    expect([inFlight.status, inFlight.headers["retry-after"]]).toEqual([409, "2"]);
    edge.fakes.wallet.makePayment = async () => {
      throw new Refusal("PASSWORD_WRONG", "the password is wrong");
    };
    const wrong = await sendAsCustomer(payment);
    expect(wrong.status).toBe(403);
    expect(wrong.json).toEqual({
      error: "Forbidden",
      message: "the password is wrong",
      role: "CUSTOMER",
      status: "FAILED",
      code: "PASSWORD_WRONG",
    });
  });
});

describe("replays", () => {
  test("a stored answer comes back byte for byte and says so", async () => {
    let calls = 0;
    edge.fakes.wallet.makePayment = async (_request, call) => {
      calls += 1;
      if (calls > 1) call.markReplayed();
      return { payment: samplePayment };
    };
    const first = await sendAsCustomer(payment);
    const second = await sendAsCustomer(payment);
    expect(second.text).toBe(first.text);
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    expect(second.headers["idempotency-replayed"]).toBe("true");
  });

  test("so does a stored refusal", async () => {
    edge.fakes.wallet.makePayment = async (_request, call) => {
      call.markReplayed();
      throw new Refusal("INSUFFICIENT_FUNDS", "the balance is too low");
    };
    const answer = await sendAsCustomer(payment);
    expect([answer.status, answer.headers["idempotency-replayed"]]).toEqual([422, "true"]);
  });
});

describe("the connection", () => {
  test("every answer has security headers and is kept by no cache", async () => {
    for (const answer of [await sendAsCustomer(accounts), await edge.send({ path: "/nowhere" })]) {
      expect(answer.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "content-security-policy":
          "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src 'none'",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
      expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains");
      expect(answer.headers["x-powered-by"]).toBeUndefined();
    }
  });

  test("too long URLs, too large headers and broken HTTP are answered in the one shape", async () => {
    const long = await edge.send({ path: `/${"a".repeat(5_000)}` });
    expect([long.status, long.json.code, long.json.status]).toEqual([414, "URI_TOO_LONG", "FAILED"]);
    const large = await edge.send({ path: "/", headers: { "X-Large": "a".repeat(20_000) } });
    expect([large.status, large.json.code, large.json.status]).toEqual([431, "HEADERS_TOO_LARGE", "FAILED"]);
    const broken = await sendRaw("nonsense\r\n\r\n");
    expect(broken).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"INVALID_INPUT"/);
    for (const name of ["content-security-policy", "strict-transport-security", "x-content-type-options"]) {
      expect(broken).toContain(`${large.headers[name] as string}`);
    }
  });

  test("how a body ends is said once and in one way", async () => {
    const login = "PUT /api/v6/services/securitymanagement/login HTTP/1.1\r\nHost: demo.test\r\nConnection: close\r\n";
    const json = "Content-Type: application/json\r\n";
    const chunked = "Transfer-Encoding: chunked\r\n";
    for (const odd of [
      chunked + chunked,
      "Transfer-Encoding: gzip, chunked\r\n",
      "Transfer-Encoding: identity, chunked\r\n",
    ]) {
      const answered = await sendRaw(`${login}${json}${odd}\r\n2\r\n{}\r\n0\r\n\r\n`);
      expect([odd, answered]).toEqual([odd, expect.stringMatching(/^HTTP\/1\.1 400 [\s\S]*"code":"INVALID_INPUT"/)]);
    }
  });

  test("who writes 20 MB before reading, and asks for the end of the connection, reads the 413", async () => {
    const size = 20 * 1024 * 1024;
    const head = "PUT /api/v6/services/securitymanagement/login HTTP/1.1\r\nHost: demo.test\r\nConnection: close\r\n";
    const sent = `${head}Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${" ".repeat(size)}`;
    const answered = await new Promise<string>((resolve, reject) => {
      let received = "";
      const socket = connect(edge.port, "127.0.0.1");
      socket.pause();
      socket.on("data", (chunk) => (received += String(chunk)));
      socket.on("error", reject);
      socket.on("close", () => resolve(received));
      socket.write(sent, () => socket.resume());
    });
    expect(answered).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"BODY_TOO_LARGE"/);
  });

  test("a header that counts once may not be sent twice with different values, nor may a query parameter", async () => {
    const token = await edge.token();
    const twice = { "x-idempotency-key": ["a", "b"], "X-Auth-Token": token };
    expect((await edge.send({ ...payment, headers: twice })).json.code).toBe("HEADER_INVALID");
    const tokens = { "X-Auth-Token": [token, await edge.token({ userId: "u2" })] };
    expect((await edge.send({ ...payment, headers: tokens })).json.code).toBe("TOKEN_CONFLICT");
    const pages = `${operationNamed("loanHistory").request.path}?page=1&page=2`;
    const requested = await edge.send({ path: pages, headers: { "X-Auth-Token": token } });
    expect(requested.json).toMatchObject({
      code: "INVALID_INPUT",
      errors: [expect.objectContaining({ path: "query.page" })],
    });
  });

  test("ids that are none are refused", async () => {
    const token = { "X-Auth-Token": await edge.token() };
    const odd = `${operationNamed("readTransaction").request.path}%00`;
    expect((await edge.send({ path: odd, headers: token })).json).toMatchObject({ code: "INVALID_INPUT" });
  });

  test.each([
    ["listEvents", "limit=5", "query.limit", "did you mean size?"],
    ["listEvents", "sise=5", "query.sise", "did you mean size?"],
    ["listEvents", "until=2026-11-21T10:15:00Z", "query.until", "it takes "],
    ["listEvents", "Size=5", "query.Size", "did you mean size?"],
    ["listEvents", "since=2026-11-01", "query.since", "did you mean from?"],
    ["listLedgerEntries", "form=2026-11-21T10:15:00Z", "query.form", "did you mean from?"],
    ["listLedgerEntries", "__proto__=1", "query.__proto__", "it takes "],
    ["readTransaction", "expand=sender", "query.expand", "it takes none"],
    ["loanHistory", "PAGE=2", "query.PAGE", "did you mean page?"],
    ["verifyContact", "userld=2", "query.userld", "did you mean userId?"],
  ])("%s?%s is refused by the parameter's name", async (name, search, path, said) => {
    const { request, roles } = operationNamed(name);
    const headers = { ...request.headers, "X-Auth-Token": await edge.token({ role: roles[0]! }) };
    const requested = `${request.path}${request.path.includes("?") ? "&" : "?"}${search}`;
    const answer = await edge.send({ ...request, path: requested, headers });
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.errors).toContainEqual({ path, message: expect.stringContaining(said) });
  });
});

test("the log names each request and holds no secret", async () => {
  edge.logged.length = 0;
  const token = await edge.token();
  await edge.send({
    ...payment,
    headers: { "X-Auth-Token": token, platform: "IOS", "x-fapi-interaction-id": "log-1" },
  });
  await edge.send({ path: "/accounts/1002003004?password=Correct-horse-1", headers: { "X-Auth-Token": token } });
  const lines = edge.logged.join("");
  expect(JSON.parse(edge.logged[0]!)).toMatchObject({
    interactionId: "log-1",
    tenantId: "demo",
    method: "POST",
    path: payment.path,
    status: 200,
    durationMs: expect.any(Number),
    userId: "user-1",
    role: "CUSTOMER",
    platform: "IOS",
  });
  expect(lines).not.toContain(token);
  expect(lines).not.toMatch(/Correct-horse|1002003004/);
});

describe("a service away", () => {
  test("is 503 with Retry-After within the deadline, and the rest keeps working", async () => {
    const other = await startEdge();
    answerSamples(other);
    await other.servers.wallet.stop(0);
    const headers = { "X-Auth-Token": await other.token() };
    const away = await other.send({ ...accounts, headers });
    expect([away.status, away.json.code, away.headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(away.text).not.toMatch(/wallet|127\.0\.0\.1/i);
    expect((await other.send({ ...operationNamed("findAllBeneficiaries").request, headers })).status).toBe(200);
    await other.servers.identity.stop(0);
    const unknown = await other.send({ path: "/nowhere", headers: { Host: "new.test" } });
    expect([unknown.status, unknown.headers["retry-after"]]).toEqual([503, "1"]);
    await other.stop();
  });
});

test("stopping lets running requests end, takes no new ones, and says so before", async () => {
  const adminPort = 20_000 + (process.pid % 20_000);
  const other = await startEdge({ adminPort });
  answerSamples(other);
  let stopped: Promise<void> | undefined;
  const probe = async (path: string) => (await send(adminPort, { path })).status;
  expect([await probe("/healthz"), await probe("/readyz"), await probe("/other")]).toEqual([200, 200, 404]);
  const probes: number[] = [];
  other.fakes.wallet.listWalletAccounts = async () => {
    stopped = other.gateway.stop();
    await runsFor(100);
    probes.push(await probe("/healthz"), await probe("/readyz"));
    await expect(other.send({ path: "/" })).rejects.toThrow(/ECONNREFUSED/);
    return {};
  };
  const answer = await other.send({ ...accounts, headers: { "X-Auth-Token": await other.token() } });
  expect(answer.status).toBe(200);
  await stopped;
  expect(probes).toEqual([200, 503]);
  await other.stop();
});

test("while requests still come, a gateway that stops answers them, each on its last connection; it closes once they end", async () => {
  const other = await startEdge({ config: { DRAIN_LINGER_MS: 1_500 } });
  answerSamples(other);
  const headers = { "X-Auth-Token": await other.token() };
  const agent = new Agent({ keepAlive: true });
  const ask = () => send(other.port, { ...accounts, headers, agent });
  expect((await ask()).headers["connection"]).toBe("keep-alive");
  let isStopped = false;
  const stopped = other.gateway.stop().then(() => (isStopped = true));
  // All of them take longer than the quiet time, and each puts the end off.
  for (let each = 0; each < 18; each++) {
    const answer = await ask();
    expect([answer.status, answer.headers["connection"], isStopped]).toEqual([200, "close", false]);
    await runsFor(100);
  }
  await stopped;
  await expect(ask()).rejects.toThrow(/ECONNREFUSED/);
  agent.destroy();
  await other.stop();
});
