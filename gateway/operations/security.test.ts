import { UserFactors } from "../../proto/gen/identity/v1/second_factors.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { readerOf } from "../codec.js";
import { SecondFactors } from "../shapes/second-factors.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const login = operationNamed("login").request;
const refresh = operationNamed("refresh").request;
const logout = operationNamed("logout").request;

test("login answers the session of the contract at the top level", async () => {
  let seen: unknown;
  const answerLogin = edge.fakes.identity.login!;
  edge.fakes.identity.login = async (request, call) => {
    seen = { ...request, tenantId: call.tenantId };
    return answerLogin(request, call);
  };
  const answer = await edge.send(login);
  expect(answer.text).toBe(
    '{"access_token":"a.b.c","expires_in":3600,"refresh_token":"r2","user":{"id":"u1","email":"ada@demo.test",' +
      '"role":"CUSTOMER","tenant_id":"demo","customer_id":"c1","permissions":["profile:read"]}}',
  );
  expect(seen).toMatchObject({
    ...(login.body as object),
    ipAddress: "127.0.0.1",
    tenantId: "demo",
  });
});

test("customer_id is for customers only", async () => {
  edge.fakes.identity.login = async () => ({ session: { user: { userId: "u2", role: "ROLE_MANAGER" } } });
  expect((await edge.send(login)).json.user).toEqual({
    id: "u2",
    email: "",
    role: "MANAGER",
    tenant_id: "demo",
    permissions: [],
  });
});

test("a failed login is 401 with no role", async () => {
  edge.fakes.identity.login = async () => {
    throw new Refusal("LOGIN_FAILED", "e-mail or password is wrong");
  };
  const answer = await edge.send(login);
  expect([answer.status, answer.json]).toEqual([
    401,
    {
      error: "Unauthorized",
      message: "e-mail or password is wrong",
      role: null,
      status: "FAILED",
      code: "LOGIN_FAILED",
    },
  ]);
});

test("a login ignores what stands in the token headers", async () => {
  const headers = { "X-Auth-Token": "old", Authorization: "Bearer older" };
  expect((await edge.send({ ...login, headers })).status).toBe(200);
});

test.each(["refresh", "refresh alias"])("%s hands on an access token that has expired, unchecked", async (name) => {
  const seen: unknown[] = [];
  edge.fakes.identity.refresh = async (request, call) => {
    seen.push(request, call.user);
    return { session: { accessToken: "d.e.f", expiresInS: 3600, refreshToken: "r3" } };
  };
  const expired = await edge.token({ expiresInS: -60 });
  const { request } = operationNamed(name);
  const answer = await edge.send({ ...request, body: { refresh_token: "r1" }, headers: { "X-Auth-Token": expired } });
  expect(answer.text).toBe('{"access_token":"d.e.f","expires_in":3600,"refresh_token":"r3"}');
  expect(seen).toEqual([{ refreshToken: "r1", accessToken: expired }, undefined]);
});

test("a refresh without access token is fine, one with two different tokens is not", async () => {
  expect((await edge.send(refresh)).status).toBe(200);
  const answer = await edge.send({ ...refresh, headers: { "X-Auth-Token": "a", Authorization: "Bearer b" } });
  expect([answer.status, answer.json.code]).toEqual([401, "TOKEN_CONFLICT"]);
});

test("logout ends the caller's session, with or without a body or Content-Type", async () => {
  const sessions: unknown[] = [];
  edge.fakes.identity.logout = async (_request, call) => {
    sessions.push(call.user?.sessionId);
    return {};
  };
  const token = { "X-Auth-Token": await edge.token({ userId: "u9" }) };
  const { body: _body, ...bare } = logout;
  const answers = [
    await edge.send({ ...logout, headers: token }),
    await edge.send({ ...bare, headers: token }),
    await edge.send({ ...logout, headers: { ...token, "Content-Type": [] } }),
  ];
  expect(answers.map(({ text }) => text)).toEqual(
    Array(3).fill('{"status":"SUCCESS","data":{},"message":"Logged out"}'),
  );
  expect(sessions).toEqual(Array(3).fill("session-of-u9"));
});

test("a reset of second factors is absent without a state, and answered in one that is new to the edge", () => {
  const factorsOf = readerOf(SecondFactors);
  const resetAt = new Date("2026-11-22T10:15:00Z");
  expect(factorsOf(UserFactors.fromPartial({})).reset).toBeUndefined();
  expect(factorsOf(UserFactors.fromPartial({ resetState: "HELD", resetAt })).reset).toEqual({
    state: "HELD",
    takesEffectAt: "2026-11-22T10:15:00.000Z",
  });
});
