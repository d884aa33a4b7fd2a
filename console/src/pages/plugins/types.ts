import type { AnswerOf, api } from "../../lib/api";

export type Plugin = AnswerOf<typeof api.plugins.read>;
export type PluginType = AnswerOf<typeof api.plugins.listTypes>["pluginTypes"][number];
export type PluginRoute = Plugin["routes"][number];
