import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import type { Client } from "../../kernel/grpc/client.js";
import { alsoServe, type AnyServedService, type RpcAccess } from "../../kernel/grpc/server.js";
import type { AllowedOrigins } from "../../platform/partners/address.js";
import { certify } from "../../platform/certification/index.js";
import type { PinnedExchange } from "../../platform/partners/exchange.js";
import { createInstallations, type Installation } from "../../platform/plugins/installations.js";
import { createTestRuns, type PluginCheck } from "../../platform/plugins/test-runs.js";
import { certificationTargetOf, noTestSystem, testSystemOf } from "../../platform/plugins/test-system.js";
import { Refusal } from "../../kernel/refusal.js";

export interface PluginOwnerDeps {
  plugins: Pick<Client<PluginServiceDefinition>, "resolvePlugins" | "notePluginTest">;
  exchange: PinnedExchange;
  /** Origins that a tenant's partners may have although they are http or private. */
  allowedOf: (tenantId: string) => AllowedOrigins;
}

const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };

/** What has to be done where tenants' own banks and card acquirers are called. */
export function pluginOwnerService({ plugins, ...at }: PluginOwnerDeps): AnyServedService {
  const runs = (["BANK", "CARD"] as const).map((kind) => {
    const installations = createInstallations({ identity: plugins, kinds: [kind] });
    const checksOf = (installation: Installation, tenantId: string) => checks(at, kind, installation, tenantId);
    return { installations, runs: createTestRuns({ installations, plugins, checksOf }) };
  });

  return alsoServe<PluginOwnerServiceDefinition>({
    definition: PluginOwnerServiceDefinition,
    access: { testPlugin: managers, receiveCallback: { callers: ["gateway"] }, listUnservedCorridors: managers },
    handlers: {
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
    },
  });
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
