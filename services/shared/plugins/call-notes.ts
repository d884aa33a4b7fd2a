import { randomUUID } from "node:crypto";
import type { NotedPluginCalls, PluginCall } from "../../../proto/gen/identity/v1/plugins.js";
import type { Logger } from "../log.js";

/** Of an installation, in one note. */
const maxCalls = 1_000;
/** Of a tenant, in one note. */
const maxInstallations = 100;

/** What came of a call to a partner; never what was in it. */
export interface MadeCall {
  /** Such as "submit" or "send". */
  operation: string;
  /** Ours. */
  reference: string;
  /** HTTP or SMTP status; 0 where there was no answer. */
  status: number;
  durationMs: number;
  outcome: "OK" | "REFUSED" | "UNKNOWN";
}

export interface CallNotesDeps {
  /** Tells identity, which keeps them. */
  tell: (tenantId: string, noted: NotedPluginCalls[]) => Promise<unknown>;
  log: Pick<Logger, "warn">;
  everyMs?: number;
}

export type CallNotes = ReturnType<typeof createCallNotes>;

/** Notes calls to tenants' partners, together once a second. What cannot be told is lost. */
export function createCallNotes({ tell, log, everyMs = 1_000 }: CallNotesDeps) {
  let noted = new Map<string, Map<string, NotedPluginCalls>>();

  async function flush(): Promise<void> {
    const told = noted;
    noted = new Map();
    for (const [tenantId, installations] of told) {
      try {
        await tell(tenantId, [...installations.values()]);
      } catch (error) {
        log.warn({ err: error, tenantId }, "calls to plugins were not noted");
      }
    }
  }

  let flushing = Promise.resolve();
  const timer = setInterval(() => void (flushing = flushing.then(flush)), everyMs);
  timer.unref();

  return {
    /** Without a call where the breaker let none through. */
    note(
      { tenantId, installationId }: { tenantId: string; installationId: string },
      call: MadeCall | undefined,
      isOpen: boolean,
    ): void {
      const ofTenant = noted.get(tenantId) ?? new Map<string, NotedPluginCalls>();
      noted.set(tenantId, ofTenant);
      const known = ofTenant.get(installationId);
      if (known === undefined && ofTenant.size >= maxInstallations) return;
      const calls: PluginCall[] = known?.calls ?? [];
      if (call !== undefined) calls.push({ ...call, callId: randomUUID(), at: new Date() });
      if (calls.length > maxCalls) calls.shift();
      ofTenant.set(installationId, { installationId, calls, breaker: isOpen ? "OPEN" : "CLOSED" });
    },
    /** Tells what is left. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}
