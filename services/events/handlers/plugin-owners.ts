import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { PluginOwnerServiceDefinition, TestPluginResponse } from "../../../proto/gen/plugins/v1/owner.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { outgoing, type Client } from "../../shared/grpc/client.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { channels } from "../../shared/messages/kinds.js";
import { createInstallations } from "../../shared/plugins/installations.js";
import { Refusal } from "../../shared/refusal.js";
import type { MessageChecks } from "../clients/message-checks.js";

export interface PluginOwnerDeps {
  plugins: Pick<Client<PluginServiceDefinition>, "resolvePlugins" | "notePluginTest">;
  checks: MessageChecks;
  clock: Clock;
}

/** What the gateway asks of who calls mail servers and text message services. */
export function pluginOwnerHandlers({
  plugins,
  checks,
  clock,
}: PluginOwnerDeps): Handlers<PluginOwnerServiceDefinition> {
  const installations = createInstallations({ identity: plugins, kinds: channels });
  const running = new Map<string, Promise<TestPluginResponse>>();

  async function test(
    installationId: string,
    call: { tenantId: string; interactionId: string },
  ): Promise<TestPluginResponse> {
    const installation = await installations.find(installationId, call);
    if (installation === undefined) throw new Refusal("NOT_FOUND", "there is no such plugin");
    const found = await checks.of(installation, call.tenantId);
    const hasPassed = found.every(({ result }) => result !== "FAILED");
    const report = { at: clock.now(), hasPassed, revision: BigInt(installation.revision), checks: found };
    return plugins.notePluginTest({ installationId, test: report }, outgoing(call));
  }

  return {
    testPlugin({ installationId }, { tenantId, interactionId }) {
      const key = `${tenantId}/${installationId}`;
      const known = running.get(key);
      if (known !== undefined) return known;
      // Nobody's deadline ends it: who has no more time reads the report later.
      const fresh = test(installationId, { tenantId, interactionId }).finally(() => running.delete(key));
      running.set(key, fresh);
      return fresh;
    },

    /** No type of ours has callbacks, so identity names none to the gateway. */
    receiveCallback: () => Promise.reject(new Refusal("NOT_FOUND", "there is no such plugin")),

    /** What sends messages serves no corridor. */
    listUnservedCorridors: async () => ({ corridors: [] }),
  };
}
