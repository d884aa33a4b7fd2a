import type { PluginManifest } from "../../platform/plugins/manifest.js";
import { secretPlacesOf } from "./plugin-configuration.js";
import type { PluginChange, PluginRecord, PluginSecret } from "./plugins.js";

type Stored = Pick<PluginRecord, "secrets" | "droppedSecrets">;

/**
 * Names of the secrets that a change drops: those that it would have sent to where none was sent
 * before, and does not bring anew. Whoever changes an address need not know them, and must not
 * learn them by it. What never leaves us stays where only a test system is new.
 */
export function droppedBy(
  { configurationJson, secrets }: Pick<PluginRecord, "configurationJson" | "secrets">,
  change: Pick<PluginChange, "configurationJson" | "secrets">,
  manifest: PluginManifest,
): string[] {
  if (change.configurationJson === undefined) return [];
  const before = new Set(secretPlacesOf(configurationJson, manifest).map(({ place }) => place));
  const fresh = secretPlacesOf(change.configurationJson, manifest).filter(({ place }) => !before.has(place));
  if (fresh.length === 0) return [];
  const isForTests = fresh.every(({ isOfTests }) => isOfTests);
  const staying = manifest.secrets.filter(({ isSent }) => isForTests && isSent === false).map(({ name }) => name);
  return Object.keys(secrets).filter((name) => !Object.hasOwn(change.secrets ?? {}, name) && !staying.includes(name));
}

/** What is kept where some are dropped and others given. */
export function secretsAfter(before: Stored, dropped: readonly string[], given: Record<string, PluginSecret>): Stored {
  const remaining = Object.entries(before.secrets).filter(([name]) => !dropped.includes(name));
  const waiting = [...before.droppedSecrets, ...dropped].filter((name) => !Object.hasOwn(given, name));
  return { secrets: { ...Object.fromEntries(remaining), ...given }, droppedSecrets: waiting };
}

/**
 * Secrets without which a partner is not called: what its type requires, and what
 * was dropped and not given since.
 */
export function missingSecrets({ secrets, droppedSecrets }: Stored, { secrets: fields }: PluginManifest): string[] {
  const isMissing = ({ name, isRequired }: { name: string; isRequired: boolean }) =>
    !Object.hasOwn(secrets, name) && (isRequired || droppedSecrets.includes(name));
  return fields.filter(isMissing).map(({ name }) => name);
}
