import { randomUUID } from "node:crypto";
import { startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples } from "../test/gateway/operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const base = "/api/v6/services/admin/webhook-management";
const asks: { rpc: keyof Edge["fakes"]["webhooks"]; method: string; path: string; body?: object }[] = [
  { rpc: "changeEndpoint", method: "POST", path: "/endpoints/E1/change", body: { url: "https://other.example/" } },
  { rpc: "rotateSecret", method: "POST", path: "/endpoints/E1/rotate-secret", body: { overlapHours: 0 } },
  { rpc: "listDeliveries", method: "GET", path: "/endpoints/E1/deliveries" },
  { rpc: "getDelivery", method: "GET", path: "/deliveries/D1" },
  { rpc: "resendDelivery", method: "POST", path: "/deliveries/D1/resend" },
  { rpc: "recoverDeliveries", method: "POST", path: "/endpoints/E1/recover", body: { from: "2026-11-21T10:15:00Z" } },
];

test.each(asks)("$rpc says whether the caller may have what would tip off", async ({ rpc, method, path, body }) => {
  const seen: boolean[] = [];
  const { webhooks } = edge.fakes;
  const answer = webhooks[rpc] as unknown as (...given: unknown[]) => unknown;
  (webhooks as Record<string, unknown>)[rpc] = (request: { mayIncludeConfidential: boolean }, call: unknown) => {
    seen.push(request.mayIncludeConfidential);
    return answer(request, call);
  };
  const scopesOf = [["webhooks:manage"], ["webhooks:manage", "compliance:read"], undefined];
  for (const scopes of scopesOf) {
    const token = await edge.token({ role: "MANAGER", userId: randomUUID(), ...(scopes && { scopes }) });
    const key = method === "POST" ? { "x-idempotency-key": randomUUID() } : {};
    const headers = { "X-Auth-Token": token, ...key };
    const { status } = await edge.send({ method, path: base + path, headers, ...(body && { body }) });
    expect(status).toBe(200);
  }
  expect(seen).toEqual([false, true, true]);
});
