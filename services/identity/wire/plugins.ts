import type {
  Plugin as WirePlugin,
  PluginCall as WireCall,
  PluginChange as WireChange,
  PluginTest as WireTest,
  PluginType as WireType,
} from "../../../proto/gen/identity/v1/plugins.js";
import { kindRules } from "../../platform/plugins/kinds.js";
import type { PluginManifest } from "../../platform/plugins/manifest.js";
import { pluginTypeOf } from "../../platform/plugins/types/index.js";
import { invalidInput } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { AuditRecord } from "../domain/audit.js";
import type { PluginCallRecord, PluginHealth } from "../domain/plugin-calls.js";
import { missingSecrets } from "../domain/plugin-secrets.js";
import type { PluginRecord, PluginTest } from "../domain/plugins.js";

const maxChecks = 100;
const maxDetail = 300;
const checkResults = ["PASSED", "FAILED", "LEFT_OUT"];
const callOutcomes = ["OK", "REFUSED", "UNKNOWN"];
const maxInt32 = 2_147_483_647;

export function typeToWire({ name, kind, title, version, capabilities, secrets, ...rest }: PluginManifest): WireType {
  return {
    name,
    kind,
    title,
    version,
    capabilities: [...capabilities],
    configurationSchemaJson: JSON.stringify(rest.configuration),
    secrets: secrets.map(({ name: field, title: words, isRequired }) => ({ name: field, title: words, isRequired })),
    hasCallbacks: rest.hasCallbacks,
    trustedWith: kindRules[kind].trustedWith,
    isCertified: rest.isCertified,
  };
}

/** Never what a secret is. */
export function pluginToWire(tenantId: string, plugin: PluginRecord, health?: PluginHealth): WirePlugin {
  const { installationId, secrets, lastTest, pending, type, kind, name, status } = plugin;
  return {
    installationId,
    type,
    kind,
    name,
    environment: isSandbox(tenantId) ? "SANDBOX" : "LIVE",
    status,
    configurationJson: plugin.configurationJson,
    secrets: Object.entries(secrets).map(([secret, { setAt }]) => ({ name: secret, setAt })),
    missingSecrets: missingOf(plugin),
    routes: plugin.routes,
    lastTest: lastTest && { ...lastTest, revision: BigInt(lastTest.revision) },
    health: health && { ...health, lastCallAt: health.lastCallAt, lastErrorAt: health.lastErrorAt },
    revision: BigInt(plugin.revision),
    pendingApprovalId: pending?.approvalId ?? "",
    createdAt: plugin.createdAt,
    changedAt: plugin.changedAt,
  };
}

/** Of one that is gone nothing is missing. */
function missingOf(plugin: PluginRecord): string[] {
  const isGone = plugin.status === "REMOVING" || plugin.status === "REMOVED";
  return isGone ? [] : missingForCalls(plugin);
}

/** Also of one that is to go: what was begun there is asked for there still. */
export function missingForCalls(plugin: PluginRecord): string[] {
  const manifest = pluginTypeOf(plugin.type);
  return manifest === undefined ? [] : missingSecrets(plugin, manifest);
}

export function callToWire({
  callId,
  at,
  operation,
  reference,
  status,
  durationMs,
  outcome,
}: PluginCallRecord): WireCall {
  return { callId, at, operation, reference, status, durationMs, outcome };
}

export function changeToWire({ entryId: changeId, at, actor, action, reason, detail = "" }: AuditRecord): WireChange {
  return { changeId, at, actor, action, reason, detail };
}

/** What a test found, no later than now. Refuses INVALID_INPUT. */
export function testFromWire(test: WireTest | undefined, now: Date): PluginTest {
  if (test?.at === undefined) throw invalidInput("test.at", "is required");
  if (test.checks.length > maxChecks) throw invalidInput("test.checks", `must have at most ${maxChecks} entries`);
  return {
    at: test.at > now ? now : test.at,
    hasPassed: test.hasPassed,
    revision: Number(test.revision),
    checks: test.checks.map(({ name, result, detail, durationMs }, at) => {
      if (!checkResults.includes(result)) {
        throw invalidInput(`test.checks[${at}].result`, `must be one of ${checkResults.join(", ")}`);
      }
      return { name: oneLine(name, 100), result, detail: oneLine(detail, maxDetail), durationMs };
    }),
  };
}

/** A call that an owner made; what is too long is cut off. */
export function callFromWire({ callId, at, operation, reference, status, durationMs, outcome }: WireCall, now: Date) {
  return {
    callId: oneLine(callId, 64),
    at: at === undefined || at > now ? now : at,
    operation: oneLine(operation, 64),
    reference: oneLine(reference, 128),
    status,
    durationMs: Math.min(Math.max(0, durationMs), maxInt32),
    outcome: callOutcomes.includes(outcome) ? outcome : "UNKNOWN",
  };
}

const oneLine = (text: string, length: number) => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, length);
