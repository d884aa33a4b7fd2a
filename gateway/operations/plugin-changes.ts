import { z } from "zod";
import type { Plugin as WirePlugin, PluginRoute as WireRoute } from "../../proto/gen/identity/v1/plugins.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { kindRules } from "../../services/platform/plugins/kinds.js";
import type { Clients } from "../clients.js";
import { readerOf, filled } from "../codec.js";
import { operation } from "../operation.js";
import { route, type EdgeCall, v6, keyOf, replaying } from "../route.js";
import { maybe, wholeNumberIn, idIn, reasonIn } from "../schema.js";
import {
  configurationIn,
  configurationToWire,
  kindOf,
  nameIn,
  Plugin,
  routesIn,
  secretsIn,
} from "../shapes/plugins.js";

export const pluginsBase = `${v6}/admin/plugin-management`;
export const pluginPath = z.object({ installationId: idIn });
/** Paths of faults in the contract's words. */

const pluginOf = readerOf(Plugin);
/** Whether a change of it waits for another manager. */
const isToApprove = ({ pendingApprovalId }: z.output<typeof Plugin>) => pendingApprovalId !== undefined;
// Within the time that a request has, with room for a read after it.
const testWaitMs = 7_000;
const of = (action: string) => `${pluginsBase}/plugins/:installationId/${action}`;
const changes = { method: "post", tag: "Plugins", access: ["MANAGER"], params: pluginPath, answer: Plugin } as const;
const keyed = { headers: { idempotencyKey: "required" } } as const;
const why = z.object({ reason: reasonIn });

function exampleOf(action: string, body: Record<string, unknown>) {
  return {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": `plugin-${action}-2026-0042` },
    params: { installationId: "the-plugin" },
    body,
    answers: 404,
  };
}

const changePlugin = route({
  ...changes,
  ...keyed,
  path: of("change"),
  peopleOnly: "partners",
  summary: "Change what is named of a plugin; another manager approves it once it was enabled",
  body: z
    .object({
      name: maybe(nameIn),
      configuration: maybe(configurationIn).meta({
        description:
          "The whole of it. Where secrets would be sent to another origin by it (what the type's configurationSchema marks as isAddress), or put into a new text around {{secret}} (isTemplate), those that are not among secrets here are dropped, an enabled plugin is paused, and missingSecrets names them.",
      }),
      secrets: maybe(secretsIn),
      routes: maybe(routesIn),
      revision: maybe(
        wholeNumberIn(1, 1_000_000_000).meta({ description: "As it was read; 409 where it has moved on since." }),
      ),
      reason: reasonIn,
    })
    .meta({ id: "ChangePluginRequest" }),
  message: "Plugin changed",
  waits: "Change waits for another manager",
  example: exampleOf("change", { configuration: { url: "https://payouts.example" }, reason: "they have moved" }),
  run: async ({ params, body: { configuration, routes, revision = 0, ...rest }, headers, call, clients }) => {
    if (routes) await assertServed(params.installationId, routes, call, clients);
    const request = {
      ...params,
      ...keyOf(headers),
      ...rest,
      ...(configuration && configurationToWire(configuration)),
      ...(routes && { routes: { routes } }),
      revision: BigInt(revision),
    };
    const plugin = pluginOf((await clients.plugins.changePlugin(request, replaying(call))).plugin);
    if (isToApprove(plugin)) call.markWaiting();
    return plugin;
  },
});

const rotatePluginSecret = operation({
  ...changes,
  ...keyed,
  path: of("rotate-secret"),
  peopleOnly: "partners",
  summary: "Replace secrets of a plugin; another manager approves it once it was enabled",
  body: z.object({ secrets: secretsIn, reason: reasonIn }).meta({ id: "RotatePluginSecretRequest" }),
  message: "Secrets replaced",
  waits: "Secrets wait for another manager",
  example: exampleOf("rotate", { secrets: { apiKey: "the-key-that-they-gave-us-next" }, reason: "yearly rotation" }),
  rpc: "plugins.rotatePluginSecret",
  isWaiting: isToApprove,
});

const testPlugin = route({
  ...changes,
  path: of("test"),
  scopes: ["plugins:manage"],
  summary:
    "Run the checks of the type against the partner; 202 where they go on, lastTest has them later, 409 names a missing secret",
  body: z.object({}).meta({ id: "TestPluginRequest" }),
  bodyOptional: true,
  message: "Plugin tested",
  waits: "Test goes on",
  example: { as: "manager@demo.example", params: { installationId: "the-plugin" }, body: {}, answers: 404 },
  run: async ({ params, call, clients }) => {
    const { plugin } = await clients.plugins.getPlugin(params, outgoing(call));
    const owner = clients.pluginOwners[kindOf(filled(plugin, "plugin"))];
    try {
      return pluginOf((await owner.testPlugin(params, outgoing(call, { timeoutMs: testWaitMs }))).plugin);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "DEADLINE_EXCEEDED") throw error;
      call.markWaiting();
      return pluginOf((await clients.plugins.getPlugin(params, outgoing(call))).plugin);
    }
  },
});

const enablePlugin = operation({
  ...changes,
  ...keyed,
  path: of("enable"),
  peopleOnly: "partners",
  summary: "Let new work go to a partner; 409 names a missing secret or test, another manager approves",
  body: why.meta({ id: "EnablePluginRequest" }),
  message: "Plugin enabled",
  waits: "Plugin waits for another manager",
  example: exampleOf("enable", { reason: "signed with them" }),
  rpc: "plugins.enablePlugin",
  isWaiting: isToApprove,
});

const pausePlugin = operation({
  ...changes,
  ...keyed,
  path: of("pause"),
  scopes: ["plugins:manage"],
  summary: "Let nothing new go to a partner; what is under way there ends there",
  body: why.meta({ id: "PausePluginRequest" }),
  message: "Plugin paused",
  example: exampleOf("pause", { reason: "they answer slowly" }),
  rpc: "plugins.pausePlugin",
});

const removePlugin = route({
  ...changes,
  ...keyed,
  path: of("remove"),
  scopes: ["plugins:manage"],
  summary: "Remove a plugin, once what is under way there has ended; 409 lists corridors that nothing else serves",
  body: why.meta({ id: "RemovePluginRequest" }),
  message: "Plugin takes nothing more; REMOVED once what it began has ended",
  example: exampleOf("remove", { reason: "the contract has ended" }),
  run: async ({ params, body, headers, call, clients }) => {
    await assertServed(params.installationId, [], call, clients);
    const request = { ...params, ...body, ...keyOf(headers) };
    return pluginOf((await clients.plugins.removePlugin(request, replaying(call))).plugin);
  },
});

export const pluginChangeRoutes = {
  changePlugin,
  rotatePluginSecret,
  testPlugin,
  enablePlugin,
  pausePlugin,
  removePlugin,
};

const maxNamed = 20;

/**
 * Refuses PLUGIN_ROUTE_NEEDED where an open corridor would have
 * nobody, were these its routes alone.
 */
export async function assertServed(
  installationId: string,
  routes: readonly WirePartial<WireRoute>[],
  call: EdgeCall,
  clients: Clients,
) {
  const plugin = filled((await clients.plugins.getPlugin({ installationId }, outgoing(call))).plugin, "plugin");
  await assertNoneUnserved(plugin, routes, call, clients);
}

/**
 * The same of routes that wait for the decision on this approval: corridors may have opened since
 * they were asked for.
 */
export async function assertWaitingServed(
  { approvalId, subject }: { approvalId: string; subject: string },
  call: EdgeCall,
  clients: Clients,
): Promise<void> {
  const [, installationId] = /^plugin:(.+)$/.exec(subject) ?? [];
  if (installationId === undefined) return;
  const { plugin: found, pendingRoutes } = await clients.plugins.getPlugin({ installationId }, outgoing(call));
  const plugin = filled(found, "plugin");
  if (pendingRoutes === undefined || plugin.pendingApprovalId !== approvalId) return;
  await assertNoneUnserved(plugin, pendingRoutes.routes, call, clients);
}

async function assertNoneUnserved(
  plugin: WirePlugin,
  routes: readonly WirePartial<WireRoute>[],
  call: EdgeCall,
  clients: Clients,
) {
  if (!servesCorridors(plugin)) return;
  const { installationId } = plugin;
  const owner = clients.pluginOwners[kindOf(plugin)];
  const { corridors } = await owner.listUnservedCorridors({ installationId, routes }, outgoing(call));
  if (corridors.length === 0) return;
  const named = corridors.slice(0, maxNamed);
  const more = corridors.length > maxNamed ? `, and ${corridors.length - maxNamed} more` : "";
  throw new Refusal("PLUGIN_ROUTE_NEEDED", `nothing else serves ${named.join(", ")}${more}`, {
    errors: named.map((corridor) => ({ path: "routes", message: corridor })),
  });
}

const servesCorridors = (plugin: WirePlugin) => plugin.status === "ENABLED" && kindRules[kindOf(plugin)].isRouted;
