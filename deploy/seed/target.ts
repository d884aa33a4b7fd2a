import { outgoing, type CallOptions } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { OperatorClients } from "../local/operator-clients.js";
import type { Fault } from "./fixture.js";

/**
 * Does one piece of the seed's work; undefined where a service refused it, which is noted under
 * `path`.
 */
export type Step = <T>(path: string, work: () => Promise<T>) => Promise<T | undefined>;

/** What a part of the seed works on: one tenant, live or sandbox. */
export interface SeedTarget {
  readonly clients: OperatorClients;
  readonly tenantId: string;
  /** Options of the next call to a service, on behalf of the tenant. */
  readonly call: () => CallOptions;
  readonly step: Step;
}

/** The same seed run on another tenant; refusals go where those of the first go. */
export function targetOf(tenantId: string, interactionId: string, clients: OperatorClients, step: Step): SeedTarget {
  return { clients, tenantId, call: () => outgoing({ tenantId, interactionId }), step };
}

/**
 * Notes refusals below the path `at`; anything else, such as a service that is away, ends the seed.
 */
export function createStep(at: string, faults: Fault[]): Step {
  return async (path, work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED") throw error;
      faults.push(...faultsOf(error, at + path));
      return undefined;
    }
  };
}

/** What a service refused, worded for the author of a fixture. */
function faultsOf({ code, message, details }: Refusal, path: string): Fault[] {
  if (code === "IDEMPOTENCY_KEY_REUSED") {
    return [
      { path, message: "was loaded before with other content, and a fixture creates it once: change it by its rpc" },
    ];
  }
  if (!details?.errors?.length) return [{ path, message: `${code}: ${message}` }];
  return details.errors.map((fault) => ({ path: `${path} ${fault.path}`, message: `${code}: ${fault.message}` }));
}
