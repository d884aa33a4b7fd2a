import type { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { kindRules } from "../../services/platform/plugins/kinds.js";
import { pluginTypes } from "../../services/platform/plugins/types/index.js";
const at = new Date("2026-11-21T10:15:00.000Z");
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
  removePlugin: withPlugin,
  findPlugin: async () => ({ tenantId: "demo", kind: "PAYOUT" }),
} satisfies Partial<Handlers<PluginServiceDefinition>>;

/** What the played owners of kinds answer. */
export const pluginOwnerSamples = {
  testPlugin: withPlugin,
  receiveCallback: async () => ({}),
  listUnservedCorridors: async () => ({ corridors: [] as string[] }),
} satisfies Partial<Handlers<PluginOwnerServiceDefinition>>;
