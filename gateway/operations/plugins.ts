import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { trusts, type Trust } from "../../services/platform/plugins/kinds.js";
import { route, type Route } from "../route.js";
import { instant, maybe, text } from "../schema.js";
import { absentIfEmpty, timeText } from "../wire.js";
import { cursorQuery, nextCursorOf, pageOf } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { pluginChangeRoutes } from "./plugin-changes.js";
import {
  configurationIn,
  configurationToWire,
  kindIn,
  kindOf,
  nameIn,
  Plugin,
  pluginFromWire,
  pluginKeys,
  pluginPath,
  pluginsBase,
  pluginStatuses,
  routesIn,
  routesToWire,
  secretsIn,
} from "./plugin-shapes.js";

const callOutcomes = ["OK", "REFUSED", "UNKNOWN"] as const;
const reads = { tag: "Plugins", access: ["MANAGER"] } as const;
const pageKeys = { pageToken: "query.cursor", pageSize: "query.size" };
const none = { as: "manager@demo.example", params: { installationId: "the-plugin" }, answers: 404 };

/** Ours */
const listPluginTypes = route({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugin-types`,
  operationId: "listPluginTypes",
  scopes: ["plugins:manage"],
  summary: "List the types of plugins that can be installed",
  answer: z.object({
    pluginTypes: z.array(
      z
        .object({
          name: z.string(),
          kind: kindIn,
          title: z.string(),
          version: z.string(),
          capabilities: z.array(z.string()),
          configurationSchema: z.record(z.string(), z.unknown()).meta({
            description:
              "JSON Schema 2020-12; isAddress marks what says where secrets are sent, isTemplate what may hold {{secret}}.",
          }),
          secrets: z.array(z.object({ name: z.string(), title: z.string(), isRequired: z.boolean() })),
          hasCallbacks: z.boolean(),
          trustedWith: z.enum(trusts).meta({
            description:
              "What a partner of it has in its hands. Enabling it, and changing it afterwards, takes two managers and no API token.",
          }),
          isCertified: z.boolean().meta({ description: "It is enabled only after a passed test." }),
        })
        .meta({ id: "PluginType" }),
    ),
  }),
  message: "Types of plugins",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { types } = await clients.plugins.listPluginTypes({}, outgoing(call));
    return {
      pluginTypes: types.map(({ configurationSchemaJson, ...type }) => ({
        ...type,
        kind: kindOf(type),
        trustedWith: type.trustedWith as Trust,
        configurationSchema: JSON.parse(configurationSchemaJson) as Record<string, unknown>,
      })),
    };
  },
});

/** Ours */
const createPlugin = route({
  ...reads,
  method: "post",
  path: `${pluginsBase}/plugins`,
  operationId: "createPlugin",
  scopes: ["plugins:manage"],
  summary: "Install a partner as a draft; at most 50 an organisation",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      type: text(64).meta({ examples: ["manilla-http"] }),
      name: nameIn,
      configuration: configurationIn,
      secrets: maybe(secretsIn),
      routes: maybe(routesIn),
    })
    .meta({ id: "CreatePluginRequest" }),
  answer: Plugin,
  message: "Plugin created",
  renames: pluginKeys,
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "plugin-2026-0042" },
    body: {
      type: "manilla-http",
      name: "Lagos payouts",
      configuration: { url: "http://localhost:4000" },
      secrets: { apiKey: "the-key-that-they-gave-us" },
      routes: [{ receivingCountry: "NGA", receivingCurrency: "NGN", priority: 1 }],
    },
  },
  run: async ({ body, headers, call, clients }) => {
    const { type, name, configuration, secrets = {}, routes = [] } = body;
    const requested = { type, name, secrets, routes: routesToWire(routes), ...configurationToWire(configuration) };
    const { plugin } = await clients.plugins.createPlugin({ ...requested, ...keyOf(headers) }, replaying(call));
    return pluginFromWire(plugin);
  },
});

/** Ours */
const listPlugins = route({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins`,
  operationId: "listPlugins",
  scopes: ["plugins:manage"],
  summary: "List the installed partners, the oldest first; removed ones by their status alone",
  query: z.object({ kind: kindIn.optional(), status: z.enum(pluginStatuses).optional() }),
  answer: z.object({ plugins: z.array(Plugin) }),
  message: "Plugins",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const { kind = "", status = "" } = query;
    const { plugins } = await clients.plugins.listPlugins({ kind, status }, outgoing(call));
    return { plugins: plugins.map(pluginFromWire) };
  },
});

/** Ours */
const readPlugin = route({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins/:installationId`,
  operationId: "readPlugin",
  scopes: ["plugins:manage"],
  summary: "Read an installed partner with its last test and its health",
  params: pluginPath,
  answer: Plugin,
  message: "Plugin",
  example: none,
  run: async ({ params, call, clients }) =>
    pluginFromWire((await clients.plugins.getPlugin(params, outgoing(call))).plugin),
});

/** Ours */
const listPluginCalls = route({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins/:installationId/calls`,
  operationId: "listPluginCalls",
  scopes: ["plugins:manage"],
  summary: "List the last 1,000 calls to a partner, newest first; never what was in them",
  params: pluginPath,
  query: cursorQuery,
  answer: z.object({
    calls: z.array(
      z
        .object({
          callId: z.string(),
          at: instant,
          operation: z.string(),
          reference: z.string().optional().meta({ description: "Ours, such as a transaction's id." }),
          status: z.number().int().optional().meta({ description: "The partner's; absent where there was no answer." }),
          durationMs: z.number().int(),
          outcome: z.enum(callOutcomes),
        })
        .meta({ id: "PluginCall" }),
    ),
    nextCursor: z.string().optional(),
  }),
  message: "Calls",
  renames: pageKeys,
  example: none,
  run: async ({ params, query, call, clients }) => {
    const { pageSize, cursor } = pageOf(query);
    const page = await clients.plugins.listPluginCalls({ ...params, pageToken: cursor, pageSize }, outgoing(call));
    const calls = page.calls.map(({ callId, at, operation, reference, status, durationMs, outcome }) => ({
      callId,
      at: timeText(at, "call.at"),
      operation,
      reference: absentIfEmpty(reference),
      status: status === 0 ? undefined : status,
      durationMs,
      outcome: outcome as (typeof callOutcomes)[number],
    }));
    return { calls, ...nextCursorOf({ nextCursor: page.nextPageToken }) };
  },
});

/** Ours */
const listPluginChanges = route({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins/:installationId/changes`,
  operationId: "listPluginChanges",
  scopes: ["plugins:manage"],
  summary: "List who changed what of a plugin and why, newest first; never a secret",
  params: pluginPath,
  query: cursorQuery,
  answer: z.object({
    changes: z.array(
      z
        .object({
          changeId: z.string(),
          at: instant,
          actor: z.string(),
          action: z.string().meta({ examples: ["plugin.enable"] }),
          reason: z.string().optional(),
          detail: z
            .string()
            .optional()
            .meta({ description: "In one line.", examples: ["configuration.url, routes"] }),
        })
        .meta({ id: "PluginChange" }),
    ),
    nextCursor: z.string().optional(),
  }),
  message: "Changes",
  renames: pageKeys,
  example: none,
  run: async ({ params, query, call, clients }) => {
    const { pageSize, cursor } = pageOf(query);
    const page = await clients.plugins.listPluginChanges({ ...params, pageToken: cursor, pageSize }, outgoing(call));
    const changes = page.changes.map(({ changeId, at, actor, action, reason, detail }) => ({
      changeId,
      at: timeText(at, "change.at"),
      actor,
      action,
      reason: absentIfEmpty(reason),
      detail: absentIfEmpty(detail),
    }));
    return { changes, ...nextCursorOf({ nextCursor: page.nextPageToken }) };
  },
});

export const pluginRoutes: readonly Route[] = [
  listPluginTypes,
  createPlugin,
  listPlugins,
  readPlugin,
  ...pluginChangeRoutes,
  listPluginCalls,
  listPluginChanges,
];
