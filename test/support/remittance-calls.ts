import type { Role } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { stateUser } from "./service-network.js";

/** Options of a call in a tenant, for a user where one is given. */
export function on(tenantId: string, user?: { role: Role; userId: string; customerId?: string }) {
  const userToken = user && stateUser({ tenantId, ...user });
  return { tenantId, interactionId: "i-1", ...(userToken !== undefined && { userToken }) };
}

export const ada = { role: "CUSTOMER", userId: "u1", customerId: "c1" } as const;
export const ben = { role: "CUSTOMER", userId: "u2", customerId: "c2" } as const;
export const cashier = { role: "CASHIER", userId: "CA1" } as const;
export const agent = { role: "AGENT", userId: "AG1" } as const;
export const manager = { role: "MANAGER", userId: "MA1" } as const;

/** The refusal that a call ends with. */
export async function refused(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => new Error("nothing was refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw error;
  return error;
}

/** Code of the refusal and the path of its first fault. */
export async function faultOf(work: Promise<unknown>): Promise<[code: string, path: string | undefined]> {
  const { code, details } = await refused(work);
  return [code, details?.errors?.[0]?.path];
}
