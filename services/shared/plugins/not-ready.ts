import { Refusal } from "../refusal.js";

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
