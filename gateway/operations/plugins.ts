import { z } from "zod";
import { operation } from "../operation.js";
import { maybe, text, cursorQuery } from "../schema.js";
import {
  configurationField,
  configurationIn,
  kindIn,
  nameIn,
  Plugin,
  PluginCall,
  PluginChange,
  pluginStatuses,
  PluginType,
  routesIn,
  secretsIn,
} from "../shapes/plugins.js";
import { pluginChangeRoutes, pluginPath, pluginsBase } from "./plugin-changes.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const reads = { tag: "Plugins", access: ["MANAGER"] } as const;
const pageKeys = { pageToken: "query.cursor", pageSize: "query.size" };
const none = { as: "manager@demo.example", params: { installationId: "the-plugin" }, answers: 404 };

const listPluginTypes = operation({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugin-types`,
  scopes: ["plugins:manage"],
  summary: "List the types of plugins that can be installed",
  answer: z.object({
    pluginTypes: z.array(PluginType),
  }),
  message: "Types of plugins",
  example: { as: "manager@demo.example" },
  rpc: "plugins.listPluginTypes",
  answerFields: { pluginTypes: "types" },
});

const createPlugin = operation({
  ...reads,
  method: "post",
  path: `${pluginsBase}/plugins`,
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
  rpc: "plugins.createPlugin",
  fields: configurationField,
});

const listPlugins = operation({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins`,
  scopes: ["plugins:manage"],
  summary: "List the installed partners, the oldest first; removed ones by their status alone",
  query: z.object({ kind: kindIn.optional(), status: z.enum(pluginStatuses).optional() }),
  answer: z.object({ plugins: z.array(Plugin) }),
  message: "Plugins",
  example: { as: "manager@demo.example" },
  rpc: "plugins.listPlugins",
});

const readPlugin = operation({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins/:installationId`,
  scopes: ["plugins:manage"],
  summary: "Read an installed partner with its last test and its health",
  params: pluginPath,
  answer: Plugin,
  message: "Plugin",
  example: none,
  rpc: "plugins.getPlugin",
  gives: "plugin",
});

const listPluginCalls = operation({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins/:installationId/calls`,
  scopes: ["plugins:manage"],
  summary: "List the last 1,000 calls to a partner, newest first; never what was in them",
  params: pluginPath,
  query: cursorQuery,
  answer: z.object({
    calls: z.array(PluginCall),
    nextCursor: leaf.nextCursor.optional(),
  }),
  message: "Calls",
  renames: pageKeys,
  example: none,
  rpc: "plugins.listPluginCalls",
  fields: { cursor: "pageToken" },
  answerFields: { nextCursor: "nextPageToken" },
});

const listPluginChanges = operation({
  ...reads,
  method: "get",
  path: `${pluginsBase}/plugins/:installationId/changes`,
  scopes: ["plugins:manage"],
  summary: "List who changed what of a plugin and why, newest first; never a secret",
  params: pluginPath,
  query: cursorQuery,
  answer: z.object({
    changes: z.array(PluginChange),
    nextCursor: leaf.nextCursor.optional(),
  }),
  message: "Changes",
  renames: pageKeys,
  example: none,
  rpc: "plugins.listPluginChanges",
  fields: { cursor: "pageToken" },
  answerFields: { nextCursor: "nextPageToken" },
});

export const pluginRoutes = {
  listPluginTypes,
  createPlugin,
  listPlugins,
  readPlugin,
  ...pluginChangeRoutes,
  listPluginCalls,
  listPluginChanges,
};
