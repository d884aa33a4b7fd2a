import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { channels } from "../../platform/messages/kinds.js";
import { createInstallations } from "../../platform/plugins/installations.js";
import { createTestRuns } from "../../platform/plugins/test-runs.js";
import { Refusal } from "../../kernel/refusal.js";
import type { MessageChecks } from "../clients/message-checks.js";

interface PluginOwnerDeps {
  plugins: Pick<Client<PluginServiceDefinition>, "resolvePlugins" | "notePluginTest">;
  checks: MessageChecks;
}

/** What the gateway asks of who calls mail servers and text message services. */
export function pluginOwnerHandlers({ plugins, checks }: PluginOwnerDeps) {
  const installations = createInstallations({ identity: plugins, kinds: channels });
  const runs = createTestRuns({ installations, plugins, checksOf: checks.of });

  return {
    testPlugin: ({ installationId }, call) => runs.test(installationId, call),

    /** No type of ours has callbacks, so identity names none to the gateway. */
    receiveCallback: () => Promise.reject(new Refusal("NOT_FOUND", "there is no such plugin")),

    /** What sends messages serves no corridor. */
    listUnservedCorridors: async () => ({ corridors: [] }),
  } satisfies Partial<Handlers<PluginOwnerServiceDefinition>>;
}
