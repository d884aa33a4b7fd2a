import {
  PluginServiceDefinition,
  type NotedPluginCalls,
  type Plugin,
  type PluginRoute,
  type PluginTest,
  type ResolvedPlugin,
} from "../../proto/gen/identity/v1/plugins.js";
import { pluginTypeOf } from "../../services/platform/plugins/types/index.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { callbackSecret, partnerKey } from "./payout-partner.js";
import { alsoStandIn } from "./service-network.js";

const inUse = ["ENABLED", "PAUSED", "REMOVING"];
const route = { originCountry: "", sendCurrency: "", receivingCountry: "", receivingCurrency: "", method: "" };

/** Beside identity's own: no tenant has installed anything. */
export const noPlugins = alsoStandIn(PluginServiceDefinition, { resolvePlugins: async () => ({ plugins: [] }) });

const types: Readonly<Record<string, string>> = { PAYOUT: "manilla-http", BANK: "bank-http", CARD: "card-http" };

const typeOf = ({ type, kind = "PAYOUT" }: Pick<StandInPlugin, "type" | "kind">): string => type ?? types[kind]!;

/** Of one whose every answer is waited for: an order is given up after 400 ms, also when busy. */
export const patient = { configuration: { timeoutMs: 10_000 } };

/**
 * What a test installs: a payout partner where it names no kind, of the sandbox
 * partner's key where it names none.
 */
export interface StandInPlugin {
  kind?: "PAYOUT" | "BANK" | "CARD";
  installationId: string;
  name?: string;
  /** The first of its kind where absent. */
  type?: string;
  url?: string;
  status?: string;
  configuration?: object;
  secrets?: Record<string, string>;
  missingSecrets?: string[];
  routes?: Partial<PluginRoute>[];
  revision?: number;
}

/** What identity has of tenants' partners, in memory, and what it was told. */
export function createStandInPlugins() {
  const installed = new Map<string, StandInPlugin[]>();
  const seen = {
    calls: [] as (NotedPluginCalls & { tenantId: string })[],
    tests: [] as { installationId: string; test: PluginTest }[],
    released: [] as string[],
    resolved: 0,
    isAway: false,
  };
  const resolvedOf = (plugin: StandInPlugin): ResolvedPlugin => ({
    installationId: plugin.installationId,
    name: plugin.name ?? "Ours",
    type: typeOf(plugin),
    kind: pluginTypeOf(typeOf(plugin))!.kind,
    status: plugin.status ?? "ENABLED",
    configurationJson: JSON.stringify({
      ...(plugin.url !== undefined && { url: plugin.url, timeoutMs: 400 }),
      ...plugin.configuration,
    }),
    secrets: plugin.secrets ?? { apiKey: partnerKey, callbackSecret },
    missingSecrets: plugin.missingSecrets ?? [],
    routes: (plugin.routes ?? [{}]).map((part) => ({ ...route, priority: 1, ...part })),
    revision: BigInt(plugin.revision ?? 1),
  });
  const served = alsoStandIn(
    PluginServiceDefinition,
    {
      async resolvePlugins({ kinds, installationId }, { tenantId }) {
        seen.resolved += 1;
        if (seen.isAway) throw new Refusal("UNAVAILABLE", "away");
        const all = (installed.get(tenantId) ?? []).map(resolvedOf).filter(({ status }) => status !== "REMOVED");
        const isRequested = (one: ResolvedPlugin) =>
          kinds.includes(one.kind) &&
          (installationId === "" ? inUse.includes(one.status) : one.installationId === installationId);
        return { plugins: all.filter(isRequested) };
      },
      async notePluginTest({ installationId, test }) {
        seen.tests.push({ installationId, test: test! });
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
      async listRemovingPlugins({ kinds }) {
        const removing = [...installed].flatMap(([tenantId, all]) =>
          all
            .filter(({ kind = "PAYOUT", status }) => status === "REMOVING" && kinds.includes(kind))
            .filter(({ installationId }) => !seen.released.includes(installationId))
            .map(({ installationId, kind = "PAYOUT" }) => ({
              tenantId,
              installationId,
              kind,
              removingSince: new Date(0),
            })),
        );
        return { plugins: removing };
      },
    },
    ["listRemovingPlugins"],
  );
  return {
    served,
    seen,
    /** Holds for whoever asks a second later. */
    install: (tenantId: string, ...plugins: StandInPlugin[]) => void installed.set(tenantId, plugins),
    tenantOf: (installationId: string) =>
      [...installed].find(([, all]) => all.some((one) => one.installationId === installationId))?.[0] ?? "",
    /** Tests of an installation that were noted, the oldest first. */
    testsOf: (installationId: string) =>
      seen.tests.filter((one) => one.installationId === installationId).map(({ test }) => test),
    /** Calls of an installation that were noted. */
    callsOf: (installationId: string) =>
      seen.calls.filter((one) => one.installationId === installationId).flatMap(({ calls }) => calls),
  };
}

/** Where nobody asks what an order says of its parties. */
export const noParties = (): never => {
  throw new Error("no order says who its parties are here");
};

/** Where none of the installations is a bank that takes files. */
export const noFileBanks = {
  open: () => {
    throw new Error("no bank takes files here");
  },
};
