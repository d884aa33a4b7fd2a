import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { route, type Route } from "../route.js";
import { maybe, wholeNumberIn } from "../schema.js";
import { filled } from "../wire.js";
import { reasonIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { assertServed } from "./plugin-corridors.js";
import {
  changedFromWire,
  configurationIn,
  configurationToWire,
  kindOf,
  nameIn,
  Plugin,
  pluginFromWire,
  pluginKeys,
  pluginPath,
  pluginsBase,
  routesIn,
  routesToWire,
  secretsIn,
} from "./plugin-shapes.js";

// Within the time that a request has, with room for a read after it.
const testWaitMs = 7_000;
const of = (action: string) => `${pluginsBase}/plugins/:installationId/${action}`;
const changes = { method: "post", tag: "Plugins", access: ["MANAGER"], params: pluginPath, answer: Plugin } as const;
const keyed = { headers: { idempotencyKey: "required" }, renames: pluginKeys } as const;
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

/** Ours */
const changePlugin = route({
  ...changes,
  ...keyed,
  path: of("change"),
  operationId: "changePlugin",
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
  run: async ({ params, body, headers, call, clients }) => {
    const { name, configuration, secrets = {}, revision = 0, reason } = body;
    const routes = body.routes && routesToWire(body.routes);
    if (routes) await assertServed(params.installationId, routes, call, clients);
    const request = {
      ...params,
      ...keyOf(headers),
      ...(name !== undefined && { name }),
      ...(configuration && configurationToWire(configuration)),
      ...(routes && { routes: { routes } }),
      secrets,
      revision: BigInt(revision),
      reason,
    };
    return changedFromWire((await clients.plugins.changePlugin(request, replaying(call))).plugin, call);
  },
});

/** Ours */
const rotatePluginSecret = route({
  ...changes,
  ...keyed,
  path: of("rotate-secret"),
  operationId: "rotatePluginSecret",
  peopleOnly: "partners",
  summary: "Replace secrets of a plugin; another manager approves it once it was enabled",
  body: z.object({ secrets: secretsIn, reason: reasonIn }).meta({ id: "RotatePluginSecretRequest" }),
  message: "Secrets replaced",
  waits: "Secrets wait for another manager",
  example: exampleOf("rotate", { secrets: { apiKey: "the-key-that-they-gave-us-next" }, reason: "yearly rotation" }),
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, ...keyOf(headers) };
    return changedFromWire((await clients.plugins.rotatePluginSecret(request, replaying(call))).plugin, call);
  },
});

/** Ours */
const testPlugin = route({
  ...changes,
  path: of("test"),
  operationId: "testPlugin",
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
      return pluginFromWire((await owner.testPlugin(params, outgoing(call, { timeoutMs: testWaitMs }))).plugin);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "DEADLINE_EXCEEDED") throw error;
      call.markWaiting();
      return pluginFromWire((await clients.plugins.getPlugin(params, outgoing(call))).plugin);
    }
  },
});

/** Ours */
const enablePlugin = route({
  ...changes,
  ...keyed,
  path: of("enable"),
  operationId: "enablePlugin",
  peopleOnly: "partners",
  summary: "Let new work go to a partner; 409 names a missing secret or test, another manager approves",
  body: why.meta({ id: "EnablePluginRequest" }),
  message: "Plugin enabled",
  waits: "Plugin waits for another manager",
  example: exampleOf("enable", { reason: "signed with them" }),
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, ...keyOf(headers) };
    return changedFromWire((await clients.plugins.enablePlugin(request, replaying(call))).plugin, call);
  },
});

/** Ours */
const pausePlugin = route({
  ...changes,
  ...keyed,
  path: of("pause"),
  operationId: "pausePlugin",
  scopes: ["plugins:manage"],
  summary: "Let nothing new go to a partner; what is under way there ends there",
  body: why.meta({ id: "PausePluginRequest" }),
  message: "Plugin paused",
  example: exampleOf("pause", { reason: "they answer slowly" }),
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, ...keyOf(headers) };
    return pluginFromWire((await clients.plugins.pausePlugin(request, replaying(call))).plugin);
  },
});

/** Ours */
const removePlugin = route({
  ...changes,
  ...keyed,
  path: of("remove"),
  operationId: "removePlugin",
  scopes: ["plugins:manage"],
  summary: "Remove a plugin, once what is under way there has ended; 409 lists corridors that nothing else serves",
  body: why.meta({ id: "RemovePluginRequest" }),
  message: "Plugin takes nothing more; REMOVED once what it began has ended",
  example: exampleOf("remove", { reason: "the contract has ended" }),
  run: async ({ params, body, headers, call, clients }) => {
    await assertServed(params.installationId, [], call, clients);
    const request = { ...params, ...body, ...keyOf(headers) };
    return pluginFromWire((await clients.plugins.removePlugin(request, replaying(call))).plugin);
  },
});

export const pluginChangeRoutes: readonly Route[] = [
  changePlugin,
  rotatePluginSecret,
  testPlugin,
  enablePlugin,
  pausePlugin,
  removePlugin,
];
