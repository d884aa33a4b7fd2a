import type { ClientSession } from "mongoose";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import type { PluginRecord } from "../domain/plugins.js";
import type { TenantStore } from "../store/index.js";

/** Refuses NOT_FOUND; one that is REMOVED is there still. */
export async function pluginOf(
  ofTenant: Pick<TenantStore, "findPlugin">,
  installationId: string,
  session?: ClientSession,
): Promise<PluginRecord> {
  const found = await ofTenant.findPlugin(idFromWire(installationId, "installationId"), session);
  if (found === undefined) throw noPlugin();
  return found;
}

export function noPlugin(): Refusal {
  return new Refusal("NOT_FOUND", "there is no such plugin");
}
