import { startEdge, type Edge } from "../../test/gateway/edge.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

test("login answers the session of the contract at the top level", async () => {
  let seen: unknown;
  edge.fakes.identity.login = async (request, call) => {
    seen = { ...request, tenantId: call.tenantId };
    return {
      session: {
        accessToken: "a.b.c",
        expiresInS: 3600,
        refreshToken: "r1",
        user: { userId: "u1", email: "ada@demo.test", role: "ROLE_CUSTOMER", customerId: "c1" },
        permissions: ["profile:read"],
      },
    };
  };
  const answer = await edge.send({
    method: "PUT",
    path: "/api/v6/services/securitymanagement/login",
    headers: { platform: "WEB", uuid: "1" },
    body: { email: "ada@demo.test", currentPassword: "secret" },
  });
  expect(answer.json).toEqual({
    access_token: "a.b.c",
    expires_in: 3600,
    refresh_token: "r1",
    user: {
      id: "u1",
      email: "ada@demo.test",
      role: "CUSTOMER",
      tenant_id: "demo",
      customer_id: "c1",
      permissions: ["profile:read"],
    },
  });
  expect(answer.status).toBe(200);
  expect(seen).toMatchObject({
    email: "ada@demo.test",
    currentPassword: "secret",
    ipAddress: "127.0.0.1",
    tenantId: "demo",
  });
});
