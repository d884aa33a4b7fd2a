import {
  PluginServiceDefinition,
  type NotedPluginCalls,
  type Plugin,
  type PluginRoute,
  type PluginTest,
  type ResolvedPlugin,
} from "../../proto/gen/identity/v1/plugins.js";
import { pluginTypeOf } from "../../services/shared/plugins/types/index.js";
import { Refusal } from "../../services/shared/refusal.js";
import { callbackSecret, partnerKey } from "./payout-partner.js";
import { alsoStandIn } from "./service-network.js";

const inUse = ["ENABLED", "PAUSED", "REMOVING"];
const route = { originCountry: "", sendCurrency: "", receivingCountry: "", receivingCurrency: "", method: "" };

/** What a test installs: of the sandbox partner's key where it names none. */
export interface StandInPlugin {
  installationId: string;
  /** manilla-http where absent. */
  type?: string;
  url?: string;
  status?: string;
  configuration?: object;
  secrets?: Record<string, string>;
  routes?: Partial<PluginRoute>[];
  revision?: number;
}

/** What identity has of tenants' partners, in memory, and what it was told. */
export function createStandInPlugins() {
  const installed = new Map<string, StandInPlugin[]>();
  const seen = {
    calls: [] as (NotedPluginCalls & { tenantId: string })[],
    tests: [] as PluginTest[],
    released: [] as string[],
    resolved: 0,
    isAway: false,
  };
  const resolvedOf = (plugin: StandInPlugin): ResolvedPlugin => ({
    installationId: plugin.installationId,
    type: plugin.type ?? "manilla-http",
    kind: pluginTypeOf(plugin.type ?? "manilla-http")!.kind,
    status: plugin.status ?? "ENABLED",
    configurationJson: JSON.stringify({
      ...(plugin.url !== undefined && { url: plugin.url, timeoutMs: 400 }),
      ...plugin.configuration,
    }),
    secrets: plugin.secrets ?? { apiKey: partnerKey, callbackSecret },
    routes: (plugin.routes ?? [{}]).map((part) => ({ ...route, priority: 1, ...part })),
    revision: BigInt(plugin.revision ?? 1),
  });
  const served = alsoStandIn(PluginServiceDefinition, {
    async resolvePlugins({ installationId, kinds }, { tenantId }) {
      seen.resolved += 1;
      if (seen.isAway) throw new Refusal("UNAVAILABLE", "away");
      const all = (installed.get(tenantId) ?? [])
        .map(resolvedOf)
        .filter((one) => one.status !== "REMOVED" && kinds.includes(one.kind));
      const isAsked = (one: ResolvedPlugin) =>
        installationId === "" ? inUse.includes(one.status) : one.installationId === installationId;
      return { plugins: all.filter(isAsked) };
    },
    async notePluginTest({ installationId, test }) {
      seen.tests.push(test!);
      return { plugin: { installationId, status: test!.hasPassed ? "TESTED" : "DRAFT" } as Plugin };
    },
    async notePluginCalls({ noted }, { tenantId }) {
      seen.calls.push(...noted.map((one) => ({ ...one, tenantId })));
      return {};
    },
    async releasePlugin({ installationId }) {
      seen.released.push(installationId);
      return {};
    },
  });
  return {
    served,
    seen,
    /** Holds for whoever asks a second later. */
    install: (tenantId: string, ...plugins: StandInPlugin[]) => void installed.set(tenantId, plugins),
    tenantOf: (installationId: string) =>
      [...installed].find(([, all]) => all.some((one) => one.installationId === installationId))?.[0] ?? "",
    /** Calls of an installation that were noted. */
    callsOf: (installationId: string) =>
      seen.calls.filter((one) => one.installationId === installationId).flatMap(({ calls }) => calls),
  };
}

/** Where none of the installations is a bank that takes files. */
export const noFileBanks = {
  isOne: () => false,
  open: () => {
    throw new Error("no bank takes files here");
  },
};
