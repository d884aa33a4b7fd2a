import type { ClientSession } from "mongoose";
import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { kindRules, pluginKindOf, pluginKinds, type PluginKind } from "../../platform/plugins/kinds.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { released, tested, type PluginRecord } from "../domain/plugins.js";
import { manifestOf, pluginSubject } from "../jobs/plugin-changes.js";
import type { TenantStore } from "../store/index.js";
import { callFromWire, missingForCalls, pluginToWire, testFromWire } from "../wire/plugins.js";
import type { PluginDeps } from "./plugin-deps.js";
import { noPlugin, pluginOf } from "./plugin-of.js";

const maxInstallations = 100;
const maxCalls = 1_000;

/** What services that call partners ask and tell; the gateway asks whose a callback is. */
export function pluginOwnerHandlers({ db, store, clock }: PluginDeps) {
  /** Moves an installation on in one commit; unchanged ones are not written. */
  async function move(
    call: Call,
    installationId: string,
    to: (before: PluginRecord) => { after: PluginRecord; action: string; detail: string },
  ): Promise<PluginRecord> {
    const ofTenant = store.forTenant(call.tenantId);
    return inTransaction<PluginRecord>(
      db,
      async (session: ClientSession) => {
        const before = await pluginOf(ofTenant, installationId, session);
        assertCalls(call, before.kind);
        const { after, action, detail } = to(before);
        if (after === before) return before;
        await ofTenant.putPlugin(after, session);
        const noted = {
          at: clock.now(),
          actor: actorOf(call),
          action,
          subject: pluginSubject(before.installationId),
          reason: "",
        };
        await ofTenant.noteAudit({ ...noted, detail, interactionId: call.interactionId }, session);
        return after;
      },
      { readBack: async () => undefined },
    );
  }

  return {
    async resolvePlugins({ kinds, installationId }, call) {
      const ofTenant = store.forTenant(call.tenantId);
      const plugins =
        installationId === ""
          ? (await ofTenant.listPlugins({ kinds: kindsOf(kinds, call) })).filter(isInUse)
          : await one(ofTenant, installationId, kindsOf(kinds, call));
      return {
        plugins: plugins.map((plugin) => ({
          installationId: plugin.installationId,
          name: plugin.name,
          type: plugin.type,
          kind: plugin.kind,
          status: plugin.status,
          configurationJson: plugin.configurationJson,
          secrets: ofTenant.openPluginSecrets(plugin),
          missingSecrets: missingForCalls(plugin),
          routes: plugin.routes,
          revision: BigInt(plugin.revision),
          configuredBy: plugin.configuredBy,
        })),
      };
    },

    async findPlugin({ installationId }) {
      const found = await store.across.findPluginAnywhere(installationId);
      if (found === undefined || found.status === "REMOVED" || !manifestOf(found).hasCallbacks) throw noPlugin();
      return { tenantId: found.tenantId, kind: found.kind };
    },

    async notePluginTest({ installationId, test: reported }, call) {
      const test = testFromWire(reported, clock.now());
      const after = await move(call, installationId, (before) => {
        const known = before.lastTest;
        // An older report comes late, or the same one again.
        const isNewer = known === undefined || test.at > known.at;
        const passed = test.checks.filter(({ result }) => result !== "FAILED").length;
        const detail = `${test.hasPassed ? "passed" : "failed"}: ${passed} of ${test.checks.length} checks`;
        return { after: isNewer ? tested(before, test) : before, action: "plugin.test", detail };
      });
      return { plugin: pluginToWire(call.tenantId, after) };
    },

    async notePluginCalls({ noted }, call) {
      if (noted.length > maxInstallations) throw invalidInput("noted", `must have at most ${maxInstallations} entries`);
      const ofTenant = store.forTenant(call.tenantId);
      const now = clock.now();
      for (const { installationId, calls, breaker } of noted) {
        if (calls.length > maxCalls) throw invalidInput("noted.calls", `must have at most ${maxCalls} entries`);
        const plugin = await ofTenant.findPlugin(installationId);
        // What was called is a partner of the tenant's, or is nobody's any more.
        if (plugin === undefined || plugin.status === "REMOVED") continue;
        assertCalls(call, plugin.kind);
        const made = calls.map((one) => callFromWire(one, now));
        await ofTenant.notePluginCalls(plugin.installationId, made, breaker === "OPEN", now);
      }
      return {};
    },

    async releasePlugin({ installationId }, call) {
      await move(call, installationId, (before) => {
        const after = released(before, call.caller, clock.now());
        const detail = after.status === "REMOVED" ? "REMOVED" : `nothing is under way at ${call.caller}`;
        return { after, action: "plugin.release", detail };
      });
      crashPoint("identity.plugin.released");
      return {};
    },

    async listRemovingPlugins({ kinds }, call) {
      const { caller } = call;
      const found = await store.across.listRemovingPlugins(kindsOf(kinds, call), caller, maxInstallations);
      return {
        plugins: found.map(({ tenantId, installationId, kind, changedAt: removingSince }) => ({
          tenantId,
          installationId,
          kind,
          removingSince,
        })),
      };
    },
  } satisfies Partial<Handlers<PluginServiceDefinition>>;
}

/**
 * Kinds that are asked for, or all of the caller's. Refuses FORBIDDEN for
 * one that is another service's.
 */
function kindsOf(requested: readonly string[], call: Call): PluginKind[] {
  if (requested.length === 0) return pluginKinds.filter((kind) => isCalledBy(kind, call));
  // A kind of a newer version is none that anything is installed of.
  const kinds = requested.map(pluginKindOf).filter((kind) => kind !== undefined);
  for (const kind of kinds) assertCalls(call, kind);
  return kinds;
}

async function one(ofTenant: TenantStore, installationId: string, kinds: readonly PluginKind[]) {
  const found = await ofTenant.findPlugin(installationId);
  return found === undefined || found.status === "REMOVED" || !kinds.includes(found.kind) ? [] : [found];
}

/** New work may go to it, or what was begun there ends there. */
const isInUse = ({ status }: PluginRecord) => status === "ENABLED" || status === "PAUSED" || status === "REMOVING";

const isCalledBy = (kind: PluginKind, { caller }: Call) => kindRules[kind].callers.some((one) => one === caller);

/** Refuses FORBIDDEN unless the service calls partners of the kind. */
function assertCalls(call: Call, kind: PluginKind): void {
  if (!isCalledBy(kind, call)) throw notYours(call, kind);
}

function notYours({ caller }: Call, kind: PluginKind): Refusal {
  return new Refusal("FORBIDDEN", `${kind} is not a kind of plugin of ${caller}`);
}
