import type { Plugin as WirePlugin, PluginRoute as WireRoute } from "../../proto/gen/identity/v1/plugins.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { kindRules } from "../../services/platform/plugins/kinds.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { Clients } from "../clients.js";
import type { EdgeCall } from "../route.js";
import { filled } from "../wire.js";
import { kindOf } from "./plugin-shapes.js";

const maxNamed = 20;

/**
 * Refuses PLUGIN_ROUTE_NEEDED where an open corridor would have
 * nobody, were these its routes alone.
 */
export async function assertServed(installationId: string, routes: WireRoute[], call: EdgeCall, clients: Clients) {
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

async function assertNoneUnserved(plugin: WirePlugin, routes: WireRoute[], call: EdgeCall, clients: Clients) {
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
