import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Installations } from "../../platform/plugins/installations.js";
import { createTestRuns } from "../../platform/plugins/test-runs.js";
import { Refusal } from "../../kernel/refusal.js";
import type { PartnerChecks } from "../clients/partner-checks.js";

interface PluginOwnerDeps {
  installations: Pick<Installations, "find">;
  plugins: Pick<Client<PluginServiceDefinition>, "notePluginTest">;
  partnerChecks: PartnerChecks;
}

/** What the gateway asks of who calls tenants' partners in compliance's matters. */
export function pluginOwnerHandlers({ installations, plugins, partnerChecks }: PluginOwnerDeps) {
  const runs = createTestRuns({ installations, plugins, checksOf: partnerChecks.of });
  return {
    testPlugin: ({ installationId }, call) => runs.test(installationId, call),

    /** No type of ours has callbacks, so identity names none to the gateway. */
    receiveCallback: () => Promise.reject(new Refusal("NOT_FOUND", "there is no such plugin")),

    /** None of them serves a corridor. */
    listUnservedCorridors: async () => ({ corridors: [] }),
  } satisfies Partial<Handlers<PluginOwnerServiceDefinition>>;
}
