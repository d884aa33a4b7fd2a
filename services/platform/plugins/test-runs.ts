import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { TestPluginResponse } from "../../../proto/gen/plugins/v1/owner.js";
import { systemClock } from "../../kernel/time/clock.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Installation, Installations } from "./installations.js";
import { lackingSecret, notReady } from "./not-ready.js";

/** What one check of a partner found, as identity keeps it. */
export interface PluginCheck {
  name: string;
  /** LEFT_OUT where the type, or the partner's own account, has no such thing. */
  result: "PASSED" | "FAILED" | "LEFT_OUT";
  /** What was seen; empty for what passed. */
  detail: string;
  durationMs: number;
}

export interface TestRunsDeps {
  installations: Pick<Installations, "find">;
  plugins: Pick<Client<PluginServiceDefinition>, "notePluginTest">;
  /** Never throws for what the partner does. */
  checksOf(installation: Installation, tenantId: string): Promise<readonly PluginCheck[]>;
}

interface Asker {
  tenantId: string;
  interactionId: string;
}

/** Nothing that was tried has failed. */
export function hasPassed(checks: readonly PluginCheck[]): boolean {
  return checks.every(({ result }) => result !== "FAILED");
}

/** Refuses NOT_FOUND where there is none. */
export async function existingPlugin(
  installations: Pick<Installations, "find">,
  installationId: string,
  { tenantId, interactionId }: Asker,
): Promise<Installation> {
  const found = await installations.find(installationId, { tenantId, interactionId });
  if (found === undefined) throw new Refusal("NOT_FOUND", "there is no such plugin");
  return found;
}

/**
 * Tests of installations, one of each at a time, noted with identity. Who asks while one runs gets
 * its report; nobody's deadline ends it: who has no more time reads the report later.
 */
export function createTestRuns({ installations, plugins, checksOf }: TestRunsDeps) {
  const running = new Map<string, Promise<TestPluginResponse>>();

  async function run(installationId: string, { tenantId, interactionId }: Asker): Promise<TestPluginResponse> {
    const call = { tenantId, interactionId };
    const installation = await existingPlugin(installations, installationId, call);
    const { missingSecrets } = installation;
    if (missingSecrets.length > 0) throw notReady(missingSecrets.map(lackingSecret));
    const at = systemClock.now();
    const checks = await checksOf(installation, tenantId);
    const test = { at, hasPassed: hasPassed(checks), revision: BigInt(installation.revision), checks: [...checks] };
    return plugins.notePluginTest({ installationId, test }, outgoing(call));
  }

  return {
    /** Refuses NOT_FOUND, and PLUGIN_NOT_READY naming the secrets that are missing. */
    test(installationId: string, call: Asker): Promise<TestPluginResponse> {
      const key = `${call.tenantId} ${installationId}`;
      const known = running.get(key);
      if (known !== undefined) return known;
      const fresh = run(installationId, call).finally(() => running.delete(key));
      running.set(key, fresh);
      return fresh;
    },
  };
}
