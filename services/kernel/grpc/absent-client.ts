import { Refusal } from "../refusal.js";
import type { createClient } from "./client.js";
import type { GrpcDefinition } from "./definition.js";

/**
 * In place of the client of a service that this system runs without: every rpc is refused with
 * SERVICE_NOT_INSTALLED, and nothing is dialled.
 */
export function absentClient<Def extends GrpcDefinition>(
  definition: Def,
  service: string,
): ReturnType<typeof createClient<Def>> {
  const refuse = () => Promise.reject(notInstalled(service));
  const rpcs = Object.keys(definition.methods).map((rpc) => [rpc, refuse]);
  return { ...Object.fromEntries(rpcs), batch: refuse, close: () => undefined } as ReturnType<typeof createClient<Def>>;
}

/** What a caller is told of a service that this system runs without. */
export function notInstalled(service: string): Refusal {
  return new Refusal("SERVICE_NOT_INSTALLED", `${service} is not part of this system`);
}
