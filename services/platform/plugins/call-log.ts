import { randomUUID } from "node:crypto";
import type { NotedPluginCalls, PluginCall, PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { MadeCall } from "../partners/sender.js";

// What identity takes of an installation at once, and installations in one call of a tenant.
const maxCalls = 1_000;
const maxInstallations = 100;

export interface CallLogDeps {
  identity: Pick<Client<PluginServiceDefinition>, "notePluginCalls">;
  everyMs?: number;
}

export type CallLog = ReturnType<typeof startCallLog>;

interface Noted {
  calls: PluginCall[];
  isOpen: () => boolean;
}

/**
 * Tells identity once a second which calls were made. What cannot be told is
 * lost, and nobody waits for it.
 */
export function startCallLog({ identity, everyMs = 1_000 }: CallLogDeps) {
  let tenants = new Map<string, Map<string, Noted>>();

  async function flush(): Promise<void> {
    const all = tenants;
    tenants = new Map();
    const published = [...all].map(async ([tenantId, installations]) => {
      const noted: NotedPluginCalls[] = [...installations].map(([installationId, { calls, isOpen }]) => ({
        installationId,
        calls,
        breaker: isOpen() ? "OPEN" : "CLOSED",
      }));
      await identity.notePluginCalls({ noted }, outgoing({ tenantId, interactionId: "plugin-calls" }));
    });
    await Promise.allSettled(published);
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    /** Of a call that was made; `isOpen` is asked when it is told. */
    note(tenantId: string, installationId: string, made: MadeCall, isOpen: () => boolean): void {
      const installations = tenants.get(tenantId) ?? new Map<string, Noted>();
      tenants.set(tenantId, installations);
      const noted = installations.get(installationId) ?? { calls: [], isOpen };
      if (!installations.has(installationId) && installations.size >= maxInstallations) return;
      installations.set(installationId, noted);
      if (noted.calls.length < maxCalls) noted.calls.push({ callId: randomUUID(), ...made });
    },
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
