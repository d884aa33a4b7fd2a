import type { ReceivePayoutCallbackRequest } from "../proto/gen/remittance/v1/remittance.js";
import { Refusal } from "../services/kernel/refusal.js";
import { startEdge, type Edge } from "../test/gateway/edge.js";

let edge: Edge;
let seen: { request: ReceivePayoutCallbackRequest; tenantId: string }[];
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => {
  seen = [];
  edge.fakes.remittance.receivePayoutCallback = async (request, { tenantId }) => {
    seen.push({ request, tenantId });
    return {};
  };
});
afterAll(() => edge.stop());

const headers = { "webhook-id": "w-1", "webhook-timestamp": "1770000000", "webhook-signature": "v1,abc= v1,def=" };
const call = (body: unknown, path = "/callbacks/payouts/acme", more: Record<string, string> = {}) =>
  edge.send({ method: "POST", path, body, headers: { ...headers, ...more } });

test("a callback reaches remittance byte for byte, for the tenant of its path, whatever the host", async () => {
  const body = '{ "type" :"payout.paid",  "amount":1.10 }\n';
  const answer = await call(body, undefined, { Host: "nobody.test" });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(seen).toHaveLength(1);
  const [{ request, tenantId }] = seen as [(typeof seen)[number]];
  expect(tenantId).toBe("acme");
  expect(Buffer.from(request.body).toString()).toBe(body);
  expect(request).toMatchObject({
    webhookId: "w-1",
    webhookTimestamp: "1770000000",
    webhookSignature: "v1,abc= v1,def=",
  });
});

test("what is refused there is refused here, so that the partner calls again or not", async () => {
  edge.fakes.remittance.receivePayoutCallback = () => Promise.reject(new Refusal("UNAUTHENTICATED", "not signed"));
  expect(await call("{}")).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
  edge.fakes.remittance.receivePayoutCallback = () => Promise.reject(new Refusal("UNAVAILABLE", "away"));
  expect((await call("{}")).status).toBe(503);
});

test("one that is too large is refused unread; other methods and paths are nothing", async () => {
  expect((await call("x".repeat(300_000))).status).toBe(413);
  expect((await edge.send({ path: "/callbacks/payouts/acme" })).status).toBe(404);
  expect((await call("{}", "/callbacks/payouts")).status).toBe(404);
  expect((await call("{}", "/callbacks/payouts/a%20b")).status).toBe(400);
  expect(seen).toEqual([]);
});
