import { randomUUID } from "node:crypto";
import type { ReceiveCallbackRequest } from "../proto/gen/plugins/v1/owner.js";
import { Refusal } from "../services/kernel/refusal.js";
import { startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples } from "../test/gateway/operations.js";
import { samplePlugin } from "../test/gateway/plugin-operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const base = "/api/v6/services/admin/plugin-management/plugins";
async function manager(method: string, path: string, body?: object) {
  const headers = { "X-Auth-Token": await edge.token({ role: "MANAGER" }), "x-idempotency-key": randomUUID() };
  return edge.send({ method, path: base + path, headers, ...(body && { body }) });
}

describe("an answer", () => {
  test("names the secrets that are set and those that are missing, and what the partner calls back", async () => {
    const { status, json } = await manager("GET", "/plugin-1");
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      secrets: [{ name: "apiKey", setAt: "2026-11-21T10:15:00.000Z" }],
      missingSecrets: ["callbackSecret"],
      callbackPath: "/callbacks/plugins/plugin-1",
      configuration: { url: "https://payouts.example", timeoutMs: 3000 },
      revision: 3,
    });
  });

  test("to a change that waits for another manager is 202 and names the approval", async () => {
    edge.fakes.plugins.enablePlugin = async () => ({ plugin: { ...samplePlugin, pendingApprovalId: "approval-1" } });
    expect(await manager("POST", "/plugin-1/enable", { reason: "signed" })).toMatchObject({
      status: 202,
      json: { message: "Plugin waits for another manager", data: { pendingApprovalId: "approval-1" } },
    });
  });
});

test("a configuration goes on as it was sent, and each fault comes back at its path", async () => {
  const seen: string[] = [];
  edge.fakes.plugins.createPlugin = async ({ configurationJson }) => {
    seen.push(configurationJson);
    const errors = [{ path: "configuration.headers.X-Key", message: "must be a string" }];
    throw new Refusal("INVALID_INPUT", "configuration.headers.X-Key: must be a string", { errors });
  };
  const configuration = { url: "https://x.example", timeoutMs: 3000, headers: { "X-Key": 1 } };
  const answer = await manager("POST", "", { type: "http-sms", name: "Texts", configuration });
  expect(answer).toMatchObject({
    status: 400,
    json: { code: "INVALID_INPUT", errors: [{ path: "configuration.headers.X-Key" }] },
  });
  expect(seen.map((one) => JSON.parse(one) as unknown)).toEqual([configuration]);
});

test("secrets go on with a change, and none where none is named", async () => {
  const seen: object[] = [];
  edge.fakes.plugins.changePlugin = async ({ secrets }) => {
    seen.push(secrets);
    return { plugin: samplePlugin };
  };
  const moved = { configuration: { url: "https://x.example" }, reason: "they have moved" };
  const given = { apiKey: "the-key-that-they-gave-us" };
  for (const body of [{ ...moved, secrets: given }, moved]) await manager("POST", "/plugin-1/change", body);
  expect(seen).toEqual([given, {}]);
});

describe("a partner whose corridors nobody else serves", () => {
  const corridors = ["USA USD - NGA NGN ACCOUNTPAYMENT", "USA USD - KEN KES MOBILE_MONEY"];
  let reached: string[];
  beforeEach(() => {
    reached = [];
    edge.fakes.plugins.removePlugin = async () => (reached.push("remove"), { plugin: samplePlugin });
    edge.fakes.plugins.changePlugin = async () => (reached.push("change"), { plugin: samplePlugin });
  });
  const refused = {
    status: 409,
    json: {
      code: "PLUGIN_ROUTE_NEEDED",
      message: `nothing else serves ${corridors.join(", ")}`,
      errors: corridors.map((message) => ({ path: "routes", message })),
    },
  };

  test("is not removed, and keeps its routes: 409 lists them", async () => {
    const requested: unknown[] = [];
    edge.fakes.pluginOwners.listUnservedCorridors = async (request) => (requested.push(request.routes), { corridors });
    expect(await manager("POST", "/plugin-1/remove", { reason: "over" })).toMatchObject(refused);
    const routes = [{ receivingCountry: "KE", priority: 2 }];
    expect(await manager("POST", "/plugin-1/change", { routes, reason: "less" })).toMatchObject(refused);
    const all = { originCountry: "", sendCurrency: "", receivingCurrency: "", method: "" };
    expect(requested).toEqual([[], [{ ...all, receivingCountry: "KEN", priority: 2 }]]);
    expect(reached).toEqual([]);
  });

  test("is changed where its routes stay, and removed where it serves nothing now", async () => {
    edge.fakes.pluginOwners.listUnservedCorridors = async () => ({ corridors });
    expect((await manager("POST", "/plugin-1/change", { name: "Other", reason: "renamed" })).status).toBe(200);
    edge.fakes.plugins.getPlugin = async () => ({ plugin: { ...samplePlugin, status: "PAUSED" } });
    expect((await manager("POST", "/plugin-1/remove", { reason: "over" })).status).toBe(200);
    expect(reached).toEqual(["change", "remove"]);
  });
});

describe("routes that wait for a second manager", () => {
  const corridors = ["USA USD - NGA NGN ACCOUNTPAYMENT"];
  const pendingRoutes = { routes: [] };
  const approval = {
    approvalId: "approval-1",
    kind: "PARTNER_CHANGE",
    subject: "plugin:plugin-1",
    status: "PENDING",
    askedBy: "u1",
    askedAt: new Date(),
    expiresAt: new Date(),
  };
  let decided: string[];
  beforeEach(() => {
    decided = [];
    edge.fakes.identity.getApproval = async () => ({ approval });
    edge.fakes.identity.resolveApproval = async ({ approve }) => {
      decided.push(approve ? "approved" : "refused");
      return { approval };
    };
    edge.fakes.pluginOwners.listUnservedCorridors = async () => ({ corridors });
    edge.fakes.plugins.getPlugin = async () => ({
      plugin: { ...samplePlugin, pendingApprovalId: "approval-1" },
      pendingRoutes,
    });
  });
  async function decide(verb: string) {
    const headers = { "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
    const path = `/api/v6/services/admin/approvals/approval-1/${verb}`;
    const digest = verb === "approve" ? { digest: "d-1" } : {};
    return edge.send({ method: "POST", path, headers, body: { reason: "looked at it", ...digest } });
  }

  test("are not approved once an open corridor would have nobody: 409 lists it, and they wait on", async () => {
    const requested: unknown[] = [];
    edge.fakes.pluginOwners.listUnservedCorridors = async (request) => (requested.push(request), { corridors });
    expect(await decide("approve")).toMatchObject({
      status: 409,
      json: { code: "PLUGIN_ROUTE_NEEDED", errors: [{ path: "routes", message: corridors[0] }] },
    });
    expect(requested).toEqual([{ installationId: "plugin-1", routes: [] }]);
    expect(decided).toEqual([]);
  });

  test("are refused all the same, and approved where something else serves the corridors", async () => {
    expect((await decide("refuse")).status).toBe(200);
    edge.fakes.pluginOwners.listUnservedCorridors = async () => ({ corridors: [] });
    expect((await decide("approve")).status).toBe(200);
    expect(decided).toEqual(["refused", "approved"]);
  });

  test.each<[string, () => void]>([
    [
      "a partner that serves nothing now",
      () => {
        edge.fakes.plugins.getPlugin = async () => ({
          plugin: { ...samplePlugin, status: "PAUSED", pendingApprovalId: "approval-1" },
          pendingRoutes,
        });
      },
    ],
    [
      "a change that leaves routes as they are",
      () => {
        edge.fakes.plugins.getPlugin = async () => ({ plugin: { ...samplePlugin, pendingApprovalId: "approval-1" } });
      },
    ],
    [
      "a corridor's partner, which is no plugin",
      () => {
        edge.fakes.identity.getApproval = async () => ({ approval: { ...approval, subject: "corridor:c-1" } });
      },
    ],
  ])("%s is approved", async (_name, play) => {
    play();
    expect((await decide("approve")).status).toBe(200);
    expect(decided).toEqual(["approved"]);
  });
});

describe("a test", () => {
  test("is run by the owner of the kind", async () => {
    const tested: string[] = [];
    edge.fakes.pluginOwners.testPlugin = async ({ installationId }, { tenantId }) => {
      tested.push(`${tenantId} ${installationId}`);
      return { plugin: samplePlugin };
    };
    expect(await manager("POST", "/plugin-1/test")).toMatchObject({
      status: 200,
      json: { data: { lastTest: { hasPassed: true, revision: 3 } } },
    });
    expect(tested).toEqual(["demo plugin-1"]);
  });

  test("that takes longer than a request may goes on: 202, and the plugin as it is", async () => {
    edge.fakes.pluginOwners.testPlugin = () => Promise.reject(new Refusal("DEADLINE_EXCEEDED", "no answer in time"));
    edge.fakes.plugins.getPlugin = async () => ({ plugin: { ...samplePlugin, lastTest: undefined } });
    const { status, json } = await manager("POST", "/plugin-1/test");
    expect(status).toBe(202);
    expect(json.message).toBe("Test goes on");
    expect(json.data).not.toHaveProperty("lastTest");
  });
});

describe("a callback", () => {
  let seen: { request: ReceiveCallbackRequest; tenantId: string }[];
  beforeEach(() => {
    seen = [];
    edge.fakes.plugins.findPlugin = async ({ installationId }) => {
      if (installationId !== "plugin-1") throw new Refusal("NOT_FOUND", "there is no such plugin");
      return { tenantId: "acme", kind: "PAYOUT" };
    };
    edge.fakes.pluginOwners.receiveCallback = async (request, { tenantId }) => (seen.push({ request, tenantId }), {});
  });
  const signed = {
    "webhook-id": "w-1",
    "webhook-timestamp": "1770000000",
    "webhook-signature": "v1,abc=",
    "X-Partner-Signature": "sha256=00",
    "X-Forwarded-For": "203.0.113.9",
    Cookie: "session=1",
    Host: "nobody.test",
  };
  const call = (path: string, body = '{ "a" :1.10 }\n') =>
    edge.send({ method: "POST", path: `/callbacks/plugins/${path}`, body, headers: signed });

  test("reaches the owner byte for byte with what may sign it and nothing else, for the plugin's tenant", async () => {
    expect((await call("plugin-1")).status).toBe(204);
    expect(seen).toHaveLength(1);
    const [{ request, tenantId }] = seen as [(typeof seen)[number]];
    expect(tenantId).toBe("acme");
    expect(Buffer.from(request.body).toString()).toBe('{ "a" :1.10 }\n');
    expect(request.installationId).toBe("plugin-1");
    expect(request.headers).toEqual({
      "webhook-id": "w-1",
      "webhook-timestamp": "1770000000",
      "webhook-signature": "v1,abc=",
      "x-partner-signature": "sha256=00",
    });
  });

  test("of a plugin that there is not is 404; a wrong signature 401; one that is too large 413", async () => {
    expect((await call("plugin-2")).status).toBe(404);
    expect((await call("a%20b")).status).toBe(404);
    expect((await call("plugin-1", "x".repeat(300_000))).status).toBe(413);
    expect(seen).toEqual([]);
    edge.fakes.pluginOwners.receiveCallback = () => Promise.reject(new Refusal("UNAUTHENTICATED", "not signed"));
    expect((await call("plugin-1")).status).toBe(401);
  });
});
