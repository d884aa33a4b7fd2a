import type { AccessRow } from "./access-row.js";

const managers: AccessRow = { roles: ["MANAGER"], scopes: ["plugins:manage"] };
const managersInPerson: AccessRow = { roles: ["MANAGER"] };

export const pluginsAccess = {
  listPluginTypes: managers,
  createPlugin: managers,
  listPlugins: managers,
  readPlugin: managers,
  changePlugin: managersInPerson,
  rotatePluginSecret: managersInPerson,
  testPlugin: managers,
  enablePlugin: managersInPerson,
  pausePlugin: managers,
  removePlugin: managers,
  listPluginCalls: managers,
  listPluginChanges: managers,
} satisfies Record<string, AccessRow>;
