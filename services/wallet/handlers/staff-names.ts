import { Role, type StaffName } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { WalletDeps } from "./deps.js";

export interface AtDesk extends Pick<StaffName, "userId" | "name"> {
  /** What they are now, whatever they were when they opened a till. */
  readonly role: "CASHIER" | "AGENT";
}

/** Cashiers and agents who may log in, by id: at most as many as a page has. */
export async function atDesks(
  { identity }: Pick<WalletDeps, "identity">,
  userIds: readonly string[],
  call: Call,
): Promise<ReadonlyMap<string, AtDesk>> {
  if (userIds.length === 0) return new Map();
  const { names } = await identity.getStaffNames({ userIds: [...userIds] }, outgoing(call));
  return new Map(
    names.flatMap(({ userId, name, role }) => {
      const named = role === Role.ROLE_CASHIER ? "CASHIER" : role === Role.ROLE_AGENT ? "AGENT" : undefined;
      return named === undefined ? [] : [[userId, { userId, name, role: named }] as const];
    }),
  );
}
