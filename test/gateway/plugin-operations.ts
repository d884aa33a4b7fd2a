import type { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { kindRules } from "../../services/platform/plugins/kinds.js";
import { pluginTypes } from "../../services/platform/plugins/types/index.js";
import type { Sent } from "./edge.js";

const base = "/api/v6/services/admin/plugin-management";
const at = new Date("2026-11-21T10:15:00.000Z");

const row = (name: string, path: string, request: Partial<Sent> & { method: string }) => ({
  name,
  path: base + path,
  roles: ["MANAGER"] as const,
  request: { path: base + path.replaceAll(/\{(\w+)\}/g, "$1-1"), ...request },
});
const post = (body: object) => ({ method: "POST", headers: { "x-idempotency-key": "key-1" }, body });
const routes = [
  {
    originCountry: "USA",
    sendCurrency: "USD",
    receivingCountry: "NGA",
    receivingCurrency: "NGN",
    method: "MOBILE_MONEY",
    priority: 1,
  },
];
const settings = { name: "Lagos payouts", configuration: { url: "https://payouts.example", timeoutMs: 3000 }, routes };
const secrets = { apiKey: "the-key-that-they-gave-us" };
const reason = "signed with them";

/** A right request for every operation of plugins. */
export const pluginOperations = [
  row("plugin types", "/plugin-types", { method: "GET" }),
  row("create plugin", "/plugins", post({ type: "manilla-http", ...settings, secrets })),
  row("plugins", "/plugins", { method: "GET", path: `${base}/plugins?kind=PAYOUT&status=ENABLED` }),
  row("plugin", "/plugins/{installationId}", { method: "GET" }),
  row("change plugin", "/plugins/{installationId}/change", post({ ...settings, secrets, revision: 3, reason })),
  row("rotate plugin secret", "/plugins/{installationId}/rotate-secret", post({ secrets, reason })),
  row("test plugin", "/plugins/{installationId}/test", { method: "POST" }),
  row("enable plugin", "/plugins/{installationId}/enable", post({ reason })),
  row("pause plugin", "/plugins/{installationId}/pause", post({ reason })),
  row("remove plugin", "/plugins/{installationId}/remove", post({ reason })),
  row("plugin calls", "/plugins/{installationId}/calls", { method: "GET" }),
  row("plugin changes", "/plugins/{installationId}/changes", { method: "GET" }),
];

export const samplePlugin = {
  installationId: "plugin-1",
  type: "manilla-http",
  kind: "PAYOUT",
  name: "Lagos payouts",
  environment: "LIVE",
  status: "ENABLED",
  configurationJson: JSON.stringify(settings.configuration),
  secrets: [{ name: "apiKey", setAt: at }],
  missingSecrets: ["callbackSecret"],
  routes,
  lastTest: {
    at,
    hasPassed: true,
    revision: 3n,
    checks: [{ name: "same reference twice", result: "PASSED", detail: "", durationMs: 12 }],
  },
  health: { calls: 20, errors: 1, p50Ms: 12, p95Ms: 40, breaker: "CLOSED", lastCallAt: at, lastErrorAt: at },
  revision: 3n,
  pendingApprovalId: "",
  createdAt: at,
  changedAt: at,
};
const withPlugin = async () => ({ plugin: samplePlugin });

/** What the played plugins of identity answer. */
export const pluginSamples = {
  listPluginTypes: async () => ({
    types: pluginTypes.map(({ name, kind, title, version, capabilities, configuration, secrets: fields, ...rest }) => ({
      name,
      kind,
      title,
      version,
      capabilities: [...capabilities],
      configurationSchemaJson: JSON.stringify(configuration),
      secrets: fields.map(({ pattern: _pattern, ...field }) => field),
      hasCallbacks: rest.hasCallbacks,
      trustedWith: kindRules[kind].trustedWith,
      isCertified: rest.isCertified,
    })),
  }),
  createPlugin: withPlugin,
  getPlugin: withPlugin,
  listPlugins: async () => ({ plugins: [samplePlugin] }),
  changePlugin: withPlugin,
  rotatePluginSecret: withPlugin,
  enablePlugin: withPlugin,
  pausePlugin: withPlugin,
  removePlugin: withPlugin,
  listPluginCalls: async () => ({
    calls: [
      { callId: "call-1", at, operation: "submit", reference: "T1", status: 200, durationMs: 12, outcome: "OK" },
      { callId: "call-0", at, operation: "find", reference: "", status: 0, durationMs: 3000, outcome: "UNKNOWN" },
    ],
    nextPageToken: "7",
  }),
  listPluginChanges: async () => ({
    changes: [{ changeId: "change-1", at, actor: "user-1", action: "plugin.change", reason, detail: "routes" }],
    nextPageToken: "7",
  }),
  findPlugin: async () => ({ tenantId: "demo", kind: "PAYOUT" }),
} satisfies Partial<Handlers<PluginServiceDefinition>>;

/** What the played owners of kinds answer. */
export const pluginOwnerSamples = {
  testPlugin: withPlugin,
  receiveCallback: async () => ({}),
  listUnservedCorridors: async () => ({ corridors: [] as string[] }),
} satisfies Partial<Handlers<PluginOwnerServiceDefinition>>;
