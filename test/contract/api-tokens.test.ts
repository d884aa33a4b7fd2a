import type { z } from "zod";
import { routes } from "../../gateway/operations/index.js";
import type { Route } from "../../gateway/route.js";
import { permissionsOf } from "../../services/identity/domain/roles.js";
import { scopesOf } from "../../services/identity/domain/api-tokens.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { passwordChangeScope } from "../../services/kernel/tokens/user-tokens.js";
import { startEdge, type Edge } from "../gateway/edge.js";
import { answerSamples } from "../gateway/operations.js";
import { exampleRequest } from "./example-request.js";
import { accessTable } from "./role-table.js";
import { organisationSettings, otherChanges, turningSettings } from "./turning-settings.js";

const roles: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];

const operationScopes = Object.fromEntries(routes.map(({ operationId, scopes }) => [operationId, scopes]));

let edge: Edge;
const exchanged: string[] = [];
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
  // The token's text tells the played identity what it stands for.
  edge.fakes.identity.exchangeApiToken = async ({ token }, { tenantId }) => {
    exchanged.push(token);
    const [, role, userId, ...scopes] = token.split("/");
    if (role === "unknown") throw new Refusal("UNAUTHENTICATED", "the API token is not valid");
    if (role === "ended") throw new Refusal("TOKEN_REVOKED", "the API token has ended");
    const claims = { role: role as Role, userId: userId!, tenantId, scopes };
    return { accessToken: await edge.token(claims), expiresInS: 300 };
  };
});
afterAll(() => edge.stop());

let users = 0;
const tokenOf = (role: string, scopes: readonly string[], userId = `user-${(users += 1)}`) =>
  ["mnl_", role, userId, ...scopes].join("/");

async function answer(route: Route, token: string) {
  const request = exampleRequest(route);
  const { status, json } = await edge.send({ ...request, headers: { ...request.headers, "X-Auth-Token": token } });
  return { status, code: json?.code, message: json?.message };
}

describe.each(routes.map((route) => [route.operationId, route] as const))("%s", (operationId, route) => {
  const row = accessTable[operationId]!;
  const needed = row.scopes ?? route.scopes ?? [];
  const isOpen = row.roles === "anyone" || row.roles === "expired";

  test("takes an API token of the roles and scopes that the table names, and no other", async () => {
    if (isOpen) return;
    for (const role of roles) {
      const allowed = row.roles.includes(role);
      const every = scopesOf(role);
      const others = every.filter((scope) => !needed.includes(scope));
      const [whole, lacking, none] = [
        await answer(route, tokenOf(role, [...every, ...needed])),
        await answer(route, tokenOf(role, others)),
        await answer(route, tokenOf(role, [])),
      ];
      expect([role, whole.status === 403]).toEqual([role, !allowed || needed.length === 0]);
      expect([role, lacking.status, lacking.code]).toEqual([role, 403, "FORBIDDEN"]);
      expect([role, none.status, none.code]).toEqual([role, 403, "FORBIDDEN"]);
    }
  });

  test("takes nobody whose password others chose, save to change it or to log out", async () => {
    if (isOpen) return;
    const role = (row.roles as readonly Role[])[0]!;
    const tenantId = route.sandboxOnly ? "demo-sandbox" : "demo";
    const token = await edge.token({ role, tenantId, scopes: [passwordChangeScope] });
    const { status, code } = await answer(route, token);
    const mayCall = ["changePassword", "logout"].includes(operationId);
    expect([status === 403, code === "PASSWORD_CHANGE_REQUIRED"]).toEqual([!mayCall, !mayCall]);
  });

  test("refuses an unknown, an ended and a revoked one", async () => {
    if (isOpen) return;
    const role = (row.roles as readonly Role[])[0]!;
    expect(await answer(route, tokenOf("unknown", []))).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(await answer(route, tokenOf("ended", []))).toMatchObject({ status: 401, code: "TOKEN_REVOKED" });
    const revoked = `revoked-${operationId}`;
    edge.revoked.add(`session-of-${revoked}`);
    const token = tokenOf(role, needed, revoked);
    expect(await answer(route, token)).toMatchObject({ status: 401, code: "TOKEN_REVOKED" });
  });
});

test("the scopes of the table are those of the edge", () => {
  const rows = Object.entries(accessTable).filter(([, { scopes }]) => scopes !== undefined);
  expect(Object.fromEntries(rows.map(([id, { scopes }]) => [id, scopes]))).toEqual(
    Object.fromEntries(rows.map(([id]) => [id, operationScopes[id]])),
  );
});

test("every scope of an operation is one that a role which may call it can give away", () => {
  for (const { operationId, scopes = [] } of routes) {
    if (scopes.length === 0) continue;
    const row = accessTable[operationId];
    expect([operationId, Array.isArray(row?.roles)]).toEqual([operationId, true]);
    for (const scope of scopes) {
      const givers = (row!.roles as readonly Role[]).filter((role) => scopesOf(role).includes(scope));
      expect([operationId, scope, givers.length > 0]).toEqual([operationId, scope, true]);
    }
  }
});

const guarded = routes.filter(({ access }) => typeof access !== "string");
const mayCall = (role: Role) => guarded.filter(({ access }) => (access as readonly Role[]).includes(role));

test("every operation that needs a log-in has its scopes, or the reason why it takes no token, and not both", () => {
  for (const { operationId, access, scopes = [], peopleOnly } of routes) {
    const decided = [scopes.length > 0, peopleOnly !== undefined].filter(Boolean);
    expect([operationId, decided.length]).toEqual([operationId, typeof access === "string" ? 0 : 1]);
  }
});

test("every setting of staff that turns credentials, money or a verdict is listed with who stands before it", () => {
  const ofStaff = guarded.filter(({ method, access }) => {
    return method !== "get" && (access as readonly Role[]).some((role) => role !== "CUSTOMER");
  });
  const listed = [...Object.keys(turningSettings), ...otherChanges].toSorted();
  expect(listed).toEqual(ofStaff.map(({ operationId }) => operationId).toSorted());
  for (const [operationId, [turns, guard]] of Object.entries(turningSettings)) {
    const { waits, summary, peopleOnly } = guarded.find((one) => one.operationId === operationId)!;
    expect([operationId, peopleOnly !== undefined || turns === "MONEY"]).toEqual([operationId, true]);
    // Whoever waits for a second person is told so, by 202 or in the summary.
    const isDocumented = waits !== undefined || /another manager/i.test(summary);
    expect([operationId, guard !== "APPROVAL" || isDocumented]).toEqual([operationId, true]);
  }
});

test("every setting of the organisation is listed with when a second manager approves it", () => {
  const { body } = guarded.find((one) => one.operationId === "changeOrganisationPreference")!;
  const settings = Object.keys((body as z.ZodObject).shape).filter((name) => name !== "reason");
  expect(settings.toSorted()).toEqual(Object.keys(organisationSettings).toSorted());
});

test("every role that may call an operation can give a token the scope for it, save where people alone do it", () => {
  for (const { operationId, access, scopes: needed, inPerson = [] } of guarded) {
    if (needed === undefined) continue;
    const without = (access as readonly Role[]).filter(
      (role) => !needed.some((scope) => scopesOf(role).includes(scope)),
    );
    expect([operationId, without]).toEqual([operationId, inPerson]);
  }
});

test("nobody can give a token a scope that no call of their role needs, and all that login returns can be given", () => {
  for (const role of roles) {
    const given = scopesOf(role);
    const needed = mayCall(role).map(({ operationId }) => operationScopes[operationId] ?? []);
    expect([role, given.filter((scope) => !needed.flat().includes(scope))]).toEqual([role, []]);
    expect([role, permissionsOf(role).filter((scope) => !given.includes(scope))]).toEqual([role, []]);
  }
});

test.each([
  ["repayLoan", "loans:repay"],
  ["payoffLoan", "loans:repay"],
  ["applyForLoan", "loans:apply"],
  ["createDomiciliaryAccounts", "accounts:open"],
  ["cancelTransaction", "transactions:cancel"],
  ["requestWithdrawal", "withdrawals:make"],
])("%s takes a token with a scope of its own", async (operationId, scope) => {
  const route = routes.find((one) => one.operationId === operationId)!;
  expect((await answer(route, tokenOf("CUSTOMER", [scope]))).status).not.toBe(403);
});

test("no role can give a token the scope of who has to change a password", () => {
  for (const role of roles) expect(scopesOf(role)).not.toContain(passwordChangeScope);
});

describe("the exchange", () => {
  const read = (token: string, host = "demo.test") =>
    edge.send({
      path: "/api/v6/services/admin/organisation-preference-management/fetch-organisaction-preference",
      headers: { "X-Auth-Token": token, Host: host },
    });
  const counted = (token: string) => exchanged.filter((one) => one === token).length;

  test("is asked once for a while, and again for another tenant", async () => {
    const token = tokenOf("CUSTOMER", ["organisation:read"]);
    for (let each = 0; each < 5; each++) expect((await read(token)).status).toBe(200);
    expect(counted(token)).toBe(1);
    await read(token, "other.test");
    expect(counted(token)).toBe(2);
  });

  test("is asked again after a refusal: who was let in again gets in", async () => {
    const userId = "let-in-again";
    const token = tokenOf("CUSTOMER", ["organisation:read"], userId);
    expect((await read(token)).status).toBe(200);
    edge.revoked.add(`session-of-${userId}`);
    expect((await read(token)).status).toBe(401);
    edge.revoked.delete(`session-of-${userId}`);
    expect((await read(token)).status).toBe(200);
    expect(counted(token)).toBe(2);
  });

  test("a token that is refused is not remembered as good", async () => {
    const token = tokenOf("unknown", []);
    expect([(await read(token)).status, (await read(token)).status]).toEqual([401, 401]);
    expect(counted(token)).toBe(2);
  });

  test("also takes it as Authorization: Bearer, and refuses two different ones", async () => {
    const token = tokenOf("CUSTOMER", ["organisation:read"]);
    const path = "/api/v6/services/admin/organisation-preference-management/fetch-organisaction-preference";
    expect((await edge.send({ path, headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    const both = { Authorization: `Bearer ${token}`, "X-Auth-Token": await edge.token() };
    expect((await edge.send({ path, headers: both })).json.code).toBe("TOKEN_CONFLICT");
  });

  test("identity being away is 503, not 401", async () => {
    const { exchangeApiToken } = edge.fakes.identity;
    edge.fakes.identity.exchangeApiToken = () => Promise.reject(new Refusal("UNAVAILABLE", "not now"));
    const answered = await read(tokenOf("CUSTOMER", ["organisation:read"]));
    edge.fakes.identity.exchangeApiToken = exchangeApiToken!;
    expect(answered.status).toBe(503);
  });

  test("no API token is logged", () => {
    expect(edge.logged.filter((line) => line.includes("mnl_/"))).toEqual([]);
  });
});
