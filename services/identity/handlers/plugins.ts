import { v7 as uuidv7 } from "uuid";
import {
  CreatePluginRequest,
  CreatePluginResponse,
  type PluginServiceDefinition,
} from "../../../proto/gen/identity/v1/plugins.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { createFaults } from "../../kernel/text/faults.js";
import { parseName } from "../../kernel/text/one-line.js";
import { pluginKindOf, pluginKinds } from "../../platform/plugins/kinds.js";
import { pluginTypeOf, pluginTypes } from "../../platform/plugins/types/index.js";
import { invalidInput } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { parseConfiguration } from "../domain/plugin-configuration.js";
import { assertRoom, parseRoutes, parseSecrets, pluginStatuses, type PluginRecord } from "../domain/plugins.js";
import { checkKey, pageOf } from "../domain/requests.js";
import { pluginSubject } from "../jobs/plugin-changes.js";
import { callToWire, changeToWire, pluginToWire, typeToWire } from "../wire/plugins.js";
import { assertPartnersReachable, type PluginDeps } from "./plugin-deps.js";
import { pluginOf } from "./plugin-of.js";

const largestPage = 100;

/** What a tenant has installed, and what became of it. */
export function pluginHandlers(deps: PluginDeps) {
  const { store, clock } = deps;

  return {
    listPluginTypes: async () => ({ types: pluginTypes.map(typeToWire) }),

    createPlugin: (request, call) => createPlugin(deps, request, call),

    async getPlugin({ installationId }, { tenantId }) {
      const ofTenant = store.forTenant(tenantId);
      const plugin = await pluginOf(ofTenant, installationId);
      const health = await ofTenant.pluginHealth([plugin.installationId], clock.now());
      const waiting = ofTenant.openPluginChange(plugin)?.routes;
      return {
        plugin: pluginToWire(tenantId, plugin, health.get(plugin.installationId)),
        pendingRoutes: waiting && { routes: waiting },
      };
    },

    async listPlugins(request, { tenantId }) {
      const ofTenant = store.forTenant(tenantId);
      const plugins = await ofTenant.listPlugins(filterOf(request));
      const health = await ofTenant.pluginHealth(
        plugins.map(({ installationId }) => installationId),
        clock.now(),
      );
      return { plugins: plugins.map((one) => pluginToWire(tenantId, one, health.get(one.installationId))) };
    },

    async listPluginCalls({ installationId, pageToken, pageSize }, { tenantId }) {
      const ofTenant = store.forTenant(tenantId);
      await pluginOf(ofTenant, installationId);
      if (!/^\d{0,15}$/.test(pageToken)) throw invalidInput("pageToken", "is not the token of a page");
      const limit = sizeOf(pageSize);
      const found = await ofTenant.listPluginCalls(installationId, { before: Number(pageToken), limit: limit + 1 });
      const page = found.slice(0, limit);
      return { calls: page.map(callToWire), nextPageToken: found.length > limit ? String(page.at(-1)!.seq) : "" };
    },

    async listPluginChanges({ installationId, pageToken, pageSize }, { tenantId }) {
      const ofTenant = store.forTenant(tenantId);
      await pluginOf(ofTenant, installationId);
      const { after } = pageOf({ pageToken, pageSize });
      const limit = sizeOf(pageSize);
      const found = await ofTenant.listNewestAudit(pluginSubject(installationId), { after, limit: limit + 1 });
      const page = found.slice(0, limit);
      return { changes: page.map(changeToWire), nextPageToken: found.length > limit ? page.at(-1)!.entryId : "" };
    },
  } satisfies Partial<Handlers<PluginServiceDefinition>>;
}

async function createPlugin(
  { store, runOnce, clock, ...partners }: PluginDeps,
  request: CreatePluginRequest,
  call: Call,
) {
  const { tenantId, interactionId } = call;
  const ofTenant = store.forTenant(tenantId);
  const requested = parseDraft(request, tenantId);
  const made = await runOnce({
    call,
    operation: "createPlugin",
    request: { ...request, secrets: ofTenant.markPluginSecrets(request.secrets) },
    requestType: CreatePluginRequest,
    response: CreatePluginResponse,
    prepare: () => assertPartnersReachable(partners, requested, tenantId),
    work: async (session) => {
      assertRoom(await ofTenant.countPlugins(session));
      const now = clock.now();
      const installationId = uuidv7();
      const { manifest, name, configuration, routes } = requested;
      const plugin: PluginRecord = {
        installationId,
        type: manifest.name,
        kind: manifest.kind,
        name,
        status: "DRAFT",
        configurationJson: JSON.stringify(configuration),
        configuredBy: actorOf(call),
        routes,
        secrets: ofTenant.sealPluginSecrets(installationId, requested.secrets, now),
        droppedSecrets: [],
        revision: 1,
        testableSince: 1,
        createdAt: now,
        changedAt: now,
      };
      await ofTenant.insertPlugin(plugin, session);
      const subject = pluginSubject(installationId);
      const noted = { at: now, actor: actorOf(call), action: "plugin.create", subject, reason: "" };
      await ofTenant.noteAudit({ ...noted, interactionId, detail: `${manifest.name} "${name}"` }, session);
      return { plugin: pluginToWire(tenantId, plugin) };
    },
  });
  crashPoint("identity.plugin.created");
  return made;
}

function parseDraft(request: CreatePluginRequest, tenantId: string) {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const name = faults.of(() => parseName(request.name, "name"));
  const manifest = pluginTypeOf(request.type);
  if (manifest === undefined) {
    faults.add("type", `must be one of ${pluginTypes.map((one) => one.name).join(", ")}`);
  }
  const { configurationJson: json } = request;
  const isLive = !isSandbox(tenantId);
  const configuration = manifest && faults.of(() => parseConfiguration(json, manifest, isLive));
  const secrets = manifest && faults.of(() => parseSecrets(request.secrets, manifest));
  const routes = manifest && faults.of(() => parseRoutes(request.routes, manifest.kind));
  faults.refuseIfAny();
  return { manifest: manifest!, name: name!, configuration: configuration!, secrets: secrets!, routes: routes! };
}

/** Refuses INVALID_INPUT for a kind or status that there is not. */
function filterOf({ kind, status }: { kind: string; status: string }) {
  const faults = createFaults();
  const [ofKind, ofStatus] = [pluginKindOf(kind), pluginStatuses.find((one) => one === status)];
  if (kind !== "" && ofKind === undefined) faults.add("kind", `must be one of ${pluginKinds.join(", ")}`);
  if (status !== "" && ofStatus === undefined) faults.add("status", `must be one of ${pluginStatuses.join(", ")}`);
  faults.refuseIfAny();
  return { ...(ofKind && { kinds: [ofKind] }), ...(ofStatus && { status: ofStatus }) };
}

function sizeOf(pageSize: number): number {
  if (pageSize < 0 || pageSize > largestPage) throw invalidInput("pageSize", `must be 1 to ${largestPage}`);
  return pageSize === 0 ? largestPage : pageSize;
}
