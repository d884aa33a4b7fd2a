import { routes } from "../../gateway/operations/index.js";
import type { Route } from "../../gateway/route.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { startEdge, type Edge } from "../gateway/edge.js";
import { answerSamples } from "../gateway/operations.js";
import { exampleRequest } from "./example-request.js";
import { accessTable } from "./role-table.js";

const roles: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

async function statusWith(route: Route, token: string | undefined): Promise<{ status: number; code?: string }> {
  const request = exampleRequest(route);
  const headers = { ...request.headers, ...(token !== undefined && { "X-Auth-Token": token }) };
  const { status, json } = await edge.send({ ...request, headers });
  return { status, code: json?.code };
}

const letThrough = ({ status, code }: { status: number; code?: string }) =>
  status !== 403 && (status !== 401 || code === "LOGIN_FAILED");

/** A tenant's token in the place that the operation is of, and one of the other place. */
const here = (route: Route) => (route.sandboxOnly ? "demo-sandbox" : "demo");
const there = (route: Route) => (route.sandboxOnly ? "demo" : "demo-sandbox");

test("every operation has its row in the table, and every row its operation", () => {
  expect(Object.keys(accessTable).toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted());
});

test("every operation has an example", () => {
  expect(routes.filter(({ example }) => !example).map(({ operationId }) => operationId)).toEqual([]);
});

describe.each(routes.map((route) => [route.operationId, route] as const))("%s", (operationId, route) => {
  const row = accessTable[operationId]!;
  const open = row.roles === "anyone" || row.roles === "expired";

  test.each(roles)("as the table says for a %s", async (role) => {
    const answer = await statusWith(route, await edge.token({ role, tenantId: here(route) }));
    const allowed = open || row.roles.includes(role);
    expect([letThrough(answer), allowed ? undefined : answer.code]).toEqual([
      allowed,
      allowed ? undefined : "FORBIDDEN",
    ]);
  });

  test("for nobody, an expired, a revoked and another tenant's token", async () => {
    const role = Array.isArray(row.roles) ? (row.roles[0] as Role) : "CUSTOMER";
    const revokedUser = `revoked-${operationId}`;
    edge.revoked.add(`session-of-${revokedUser}`);
    const answers = {
      nobody: await statusWith(route, undefined),
      expired: await statusWith(route, await edge.token({ role, tenantId: here(route), expiresInS: -60 })),
      revoked: await statusWith(route, await edge.token({ role, tenantId: here(route), userId: revokedUser })),
      otherTenant: await statusWith(route, await edge.token({ role, tenantId: "other" })),
      elsewhere: await statusWith(route, await edge.token({ role, tenantId: there(route) })),
    };
    if (open) {
      for (const answer of Object.values(answers)) expect(letThrough(answer)).toBe(true);
      return;
    }
    expect(answers).toEqual({
      nobody: { status: 401, code: "UNAUTHENTICATED" },
      expired: { status: 401, code: "TOKEN_EXPIRED" },
      revoked: { status: 401, code: "TOKEN_REVOKED" },
      otherTenant: { status: 401, code: "UNAUTHENTICATED" },
      elsewhere: { status: 401, code: "UNAUTHENTICATED" },
    });
  });
});
