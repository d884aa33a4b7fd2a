import { Refusal } from "../services/kernel/refusal.js";
import { startEdge, type Answer, type Edge, type Sent } from "../test/gateway/edge.js";
import { answerSamples } from "../test/gateway/operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const own = { Origin: "https://demo.test" };
const body = { email: "ada@demo.test", currentPassword: "Correct-horse-1" };
const at = (method: string, path = "/console/session", more: Partial<Sent> = {}): Sent & { method: string } => ({
  method,
  path,
  headers: own,
  ...more,
});
const signIn = at("POST", "/console/session", { body });
const withCookie = { ...own, Cookie: "__Secure-manilla-console=r1" };
const cookiesOf = (answer: Answer) => answer.headers["set-cookie"] ?? [];
const cleared = "__Secure-manilla-console=; Path=/console/session; Max-Age=0; HttpOnly; Secure; SameSite=Strict";

test("a login keeps the refresh token in a cookie that no script and no other path sees", async () => {
  const answer = await edge.send(signIn);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ access_token: "a.b.c", expires_in: 3600, user: { id: "u1", tenant_id: "demo" } });
  expect(answer.json.ip_address).toMatch(/127\.0\.0\.1$/);
  expect(answer.text).not.toContain("r2");
  expect(cookiesOf(answer)).toEqual([
    "__Secure-manilla-console=r2; Path=/console/session; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict",
  ]);
});

test("a cookie that comes twice is none: a neighbouring host may have set one of them", async () => {
  const twice = "__Secure-manilla-console=r0; __Secure-manilla-console=r1";
  const answer = await edge.send(at("POST", "/console/session/refresh", { headers: { ...own, Cookie: twice } }));
  expect(answer.status).toBe(401);
});

test("a refused login is the API's own, and sets nothing", async () => {
  edge.fakes.identity.login = async () => {
    throw new Refusal("RATE_LIMITED", "too many tries", { retryAfterS: 30 });
  };
  const answer = await edge.send(signIn);
  expect(answer).toMatchObject({ status: 429, json: { code: "RATE_LIMITED" }, headers: { "retry-after": "30" } });
  expect(cookiesOf(answer)).toEqual([]);
  expect((await edge.send(at("POST", "/console/session", { body: { email: "" } }))).json.errors[0].path).toBe("email");
});

test.each([
  ["no origin", {}],
  ["another host", { Origin: "https://evil.test" }],
  ["a host that ends alike", { Origin: "https://evil-demo.test" }],
  ["another port", { Origin: "https://demo.test:8443" }],
  ["no page's", { Origin: "null" }],
])("asked by %s it is 403, and identity hears nothing", async (_what, headers) => {
  let requested = 0;
  edge.fakes.identity.login = edge.fakes.identity.refresh = async () => {
    requested += 1;
    return {};
  };
  const cookie = { ...headers, Cookie: "__Secure-manilla-console=r1" };
  for (const sent of [
    at("POST", "/console/session", { body }),
    at("POST", "/console/session/refresh"),
    at("DELETE"),
    at("DELETE", "/sandbox/console/session"),
  ]) {
    const answer = await edge.send({ ...sent, headers: cookie });
    expect(answer).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
    expect(cookiesOf(answer)).toEqual([]);
  }
  expect(requested).toBe(0);
});

test("TLS may end before us: the origin's scheme may be either, and its port is the host's", async () => {
  const headers = { Host: "demo.test:8080", Origin: "http://demo.test:8080" };
  expect((await edge.send({ ...signIn, headers })).status).toBe(200);
});

test("a refresh exchanges the cookie, and says again who is signed in", async () => {
  let seen: unknown;
  edge.fakes.identity.refresh = async (request) => {
    seen = request;
    const user = { userId: "u1", role: "ROLE_MANAGER" } as const;
    return { session: { accessToken: "d.e.f", expiresInS: 60, refreshToken: "r3", user, permissions: ["users:read"] } };
  };
  const answer = await edge.send(at("POST", "/console/session/refresh", { headers: withCookie }));
  expect(seen).toMatchObject({ refreshToken: "r1", accessToken: "" });
  expect(answer.json).toEqual({
    access_token: "d.e.f",
    expires_in: 60,
    user: { id: "u1", email: "", role: "MANAGER", tenant_id: "demo", permissions: ["users:read"] },
    ip_address: expect.stringMatching(/127\.0\.0\.1$/),
  });
  expect(cookiesOf(answer)[0]).toMatch(/^__Secure-manilla-console=r3; /);
});

test.each(["REFRESH_REUSED", "TOKEN_EXPIRED", "TOKEN_REVOKED", "UNAUTHENTICATED", "INVALID_INPUT"] as const)(
  "a refresh that is refused as %s is 401 and forgets the cookie",
  async (code) => {
    edge.fakes.identity.refresh = async () => {
      throw new Refusal(code, "no");
    };
    const answer = await edge.send(at("POST", "/console/session/refresh", { headers: withCookie }));
    expect(answer).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
    expect(cookiesOf(answer)).toEqual([cleared]);
  },
);

test("while identity is away the cookie stays", async () => {
  edge.fakes.identity.refresh = async () => {
    throw new Refusal("UNAVAILABLE", "away");
  };
  const refreshed = await edge.send(at("POST", "/console/session/refresh", { headers: withCookie }));
  expect(refreshed.status).toBe(503);
  expect(cookiesOf(refreshed)).toEqual([]);
  const ended = await edge.send(at("DELETE", "/console/session", { headers: withCookie }));
  expect(ended.status).toBe(503);
  expect(cookiesOf(ended)).toEqual([]);
});

test("without a cookie there is no session to refresh", async () => {
  expect((await edge.send(at("POST", "/console/session/refresh"))).status).toBe(401);
});

test("signing out ends the cookie's session at identity and forgets it", async () => {
  const token = await edge.token({ role: "MANAGER" });
  let ended = 0;
  edge.fakes.identity.refresh = async () => ({
    session: { accessToken: token, refreshToken: "r3", user: { userId: "u1", role: "ROLE_MANAGER" } },
  });
  edge.fakes.identity.logout = async (_request, call) => {
    if (call.user) ended += 1;
    return {};
  };
  const answer = await edge.send(at("DELETE", "/console/session", { headers: withCookie }));
  expect(answer.status).toBe(200);
  expect(cookiesOf(answer)).toEqual([cleared]);
  expect(ended).toBe(1);
});

test("signing out of a session that has ended, or of none, forgets it all the same", async () => {
  edge.fakes.identity.refresh = async () => {
    throw new Refusal("TOKEN_REVOKED", "the session has ended");
  };
  for (const headers of [withCookie, own]) {
    const answer = await edge.send(at("DELETE", "/console/session", { headers }));
    expect(answer.status).toBe(200);
    expect(cookiesOf(answer)).toEqual([cleared]);
  }
});

test("the sandbox's session is the sandbox tenant's, with a cookie of its own path", async () => {
  let tenant: unknown;
  const answerLogin = edge.fakes.identity.login!;
  edge.fakes.identity.login = async (request, call) => {
    tenant = call.tenantId;
    return answerLogin(request, call);
  };
  const answer = await edge.send(at("POST", "/sandbox/console/session", { body }));
  expect(answer.status).toBe(200);
  expect(tenant).not.toBe("demo");
  expect(cookiesOf(answer)[0]).toContain("; Path=/sandbox/console/session; ");
});
