import type { PluginManifest } from "../../shared/plugins/manifest.js";
import { addressesOf } from "./plugin-configuration.js";
import type { PluginChange, PluginRecord, PluginSecret } from "./plugins.js";

type Kept = Pick<PluginRecord, "secrets" | "droppedSecrets">;

/**
 * Names of the secrets that a change drops: those that it would have sent to where none was sent before, and does not bring anew.
 * Whoever changes an address need not know them, and must not learn them by it.
 */
export function droppedBy(
  { configurationJson, secrets }: Pick<PluginRecord, "configurationJson" | "secrets">,
  change: Pick<PluginChange, "configurationJson" | "secrets">,
  manifest: PluginManifest,
): string[] {
  if (change.configurationJson === undefined) return [];
  const before = addressesOf(configurationJson, manifest);
  const isElsewhere = [...addressesOf(change.configurationJson, manifest)].some((address) => !before.has(address));
  return isElsewhere ? Object.keys(secrets).filter((name) => !Object.hasOwn(change.secrets ?? {}, name)) : [];
}

/** What is kept where some are dropped and others given. */
export function secretsAfter(before: Kept, dropped: readonly string[], given: Record<string, PluginSecret>): Kept {
  const kept = Object.entries(before.secrets).filter(([name]) => !dropped.includes(name));
  const waiting = [...(before.droppedSecrets ?? []), ...dropped].filter((name) => !Object.hasOwn(given, name));
  return { secrets: { ...Object.fromEntries(kept), ...given }, droppedSecrets: waiting };
}

/** Secrets without which a partner is not called: what its type requires, and what was dropped and not given since. */
export function missingSecrets({ secrets, droppedSecrets = [] }: Kept, { secrets: fields }: PluginManifest): string[] {
  const isMissing = ({ name, isRequired }: { name: string; isRequired: boolean }) =>
    !Object.hasOwn(secrets, name) && (isRequired || droppedSecrets.includes(name));
  return fields.filter(isMissing).map(({ name }) => name);
}
