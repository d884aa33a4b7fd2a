import type { AccessRow } from "./access-row.js";

const managers: AccessRow = { roles: ["MANAGER"], scopes: ["plugins:manage"] };

export const pluginsAccess = {
  listPluginTypes: managers,
  createPlugin: managers,
  listPlugins: managers,
  readPlugin: managers,
  changePlugin: managers,
  rotatePluginSecret: managers,
  testPlugin: managers,
  enablePlugin: managers,
  pausePlugin: managers,
  removePlugin: managers,
  listPluginCalls: managers,
  listPluginChanges: managers,
} satisfies Record<string, AccessRow>;
