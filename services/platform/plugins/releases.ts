import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Clock } from "../../kernel/time/clock.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Logger } from "../../kernel/process/log.js";
import type { PluginKind } from "./kinds.js";

export interface ReleasesOptions {
  plugins: Pick<Client<PluginServiceDefinition>, "listRemovingPlugins" | "releasePlugin">;
  kinds: readonly PluginKind[];
  /** Whether this service has anything open at a tenant's partner. */
  isUnderWayAt(tenantId: string, installationId: string): Promise<boolean>;
  clock: Clock;
  log: Logger;
  everyMs?: number | undefined;
  /** How long a partner is on its way out before it is let go, ms. */
  afterMs?: number | undefined;
}

const defaultEveryMs = 15_000;
// Far longer than any replica goes by what it knew before, or takes to
// note whom it begins something at.
const defaultAfterMs = 30_000;

/**
 * Says of partners that are to go when nothing of this service is under way there any more.
 * Any number of replicas may look.
 */
export function startReleases(options: ReleasesOptions) {
  const { plugins, isUnderWayAt, clock, log, everyMs = defaultEveryMs, afterMs = defaultAfterMs } = options;
  const kinds = [...options.kinds];
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function poll(): Promise<void> {
    const call = outgoing({ tenantId: "", interactionId: "release-plugins" });
    const { plugins: removing } = await plugins.listRemovingPlugins({ kinds }, call);
    for (const { tenantId, installationId, removingSince } of removing) {
      if (isStopped) return;
      if (removingSince === undefined || clock.now().getTime() - removingSince.getTime() < afterMs) continue;
      try {
        if (await isUnderWayAt(tenantId, installationId)) continue;
        await plugins.releasePlugin({ installationId }, outgoing({ tenantId, interactionId: "release-plugin" }));
      } catch (error) {
        log.warn({ err: error, tenantId, installationId }, "a plugin could not be let go, will be tried again");
      }
    }
  }

  const timer = setInterval(() => {
    running ??= poll()
      .catch((err: unknown) => log.info({ err }, "it could not be asked which plugins are to go"))
      .finally(() => (running = undefined));
  }, everyMs);
  timer.unref();

  return {
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
