import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { AllowedOrigins } from "../../platform/partners/address.js";
import { certify } from "../../platform/certification/index.js";
import type { PinnedExchange } from "../../platform/partners/exchange.js";
import { createInstallations, type Installation } from "../../platform/plugins/installations.js";
import { createTestRuns, type PluginCheck } from "../../platform/plugins/test-runs.js";
import { certificationTargetOf, noTestSystem, testSystemOf } from "../../platform/plugins/test-system.js";
import { Refusal } from "../../kernel/refusal.js";

interface PluginOwnerDeps {
  plugins: Pick<Client<PluginServiceDefinition>, "resolvePlugins" | "notePluginTest">;
  exchange: PinnedExchange;
  /** Origins that a tenant's partners may have although they are http or private. */
  allowedOf: (tenantId: string) => AllowedOrigins;
}

/** What has to be done where tenants' own banks and card acquirers are called. */
export function pluginOwnerHandlers({ plugins, ...at }: PluginOwnerDeps) {
  const runs = (["BANK", "CARD"] as const).map((kind) => {
    const installations = createInstallations({ identity: plugins, kinds: [kind] });
    const checksOf = (installation: Installation, tenantId: string) => checks(at, kind, installation, tenantId);
    return { installations, runs: createTestRuns({ installations, plugins, checksOf }) };
  });

  return {
    async testPlugin({ installationId }, call) {
      const { tenantId, interactionId } = call;
      for (const { installations, runs: ofKind } of runs) {
        const found = await installations.find(installationId, { tenantId, interactionId });
        if (found !== undefined) return ofKind.test(installationId, call);
      }
      throw new Refusal("NOT_FOUND", "there is no such plugin");
    },

    /** No type of ours has callbacks, so identity names none to the gateway. */
    receiveCallback: () => Promise.reject(new Refusal("NOT_FOUND", "there is no such plugin")),

    /** A bank serves no corridor. */
    listUnservedCorridors: async () => ({ corridors: [] }),
  } satisfies Partial<Handlers<PluginOwnerServiceDefinition>>;
}

/** Whoever moves money in earnest would move the checks' money. */
async function checks(
  { exchange, allowedOf }: Omit<PluginOwnerDeps, "plugins">,
  kind: "BANK" | "CARD",
  installation: Installation,
  tenantId: string,
): Promise<PluginCheck[]> {
  const at = testSystemOf(installation, tenantId);
  if (at === undefined) return [noTestSystem("moves money")];
  return certify(certificationTargetOf(at, tenantId, exchange.to(allowedOf(tenantId))), kind);
}
