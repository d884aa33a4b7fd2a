import { Refusal } from "../../kernel/refusal.js";
import type { Installation } from "./installations.js";

export interface Lack {
  path: string;
  message: string;
}

/** A secret that is to be given first. */
export const lackingSecret = (name: string): Lack => ({ path: `secrets.${name}`, message: "is not set" });

/** PLUGIN_NOT_READY, naming all that lacks. */
export function notReady(errors: readonly Lack[]): Refusal {
  const words = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new Refusal("PLUGIN_NOT_READY", words, { errors: [...errors] });
}

/**
 * Refuses UNAVAILABLE for a partner that lacks secrets: it would answer as to a stranger, and that
 * says nothing of what is there.
 */
export function assertHasSecrets({
  installationId,
  missingSecrets,
}: Pick<Installation, "installationId" | "missingSecrets">): void {
  if (missingSecrets.length > 0) throw lackOf(installationId, missingSecrets);
}

export function lackOf(installationId: string, missing: readonly string[]): Refusal {
  return new Refusal("UNAVAILABLE", `plugin ${installationId} is not called without its secret ${missing.join(", ")}`);
}
