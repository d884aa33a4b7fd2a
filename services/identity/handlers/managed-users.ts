import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { UserRecord } from "../domain/people.js";
import { assertMayManage } from "../domain/roles.js";
import type { IdentityStore } from "../store/index.js";
import { tenantOf } from "./tenant-of.js";

/** Refuses NOT_FOUND, also for who was erased. */
export async function userOf(store: IdentityStore, tenantId: string, userId: string): Promise<UserRecord> {
  const user = await store.forTenant(tenantId).findUser(userId);
  if (user === undefined || user.erasedAt !== undefined) throw new Refusal("NOT_FOUND", "there is no such user");
  return user;
}

/** The user, if the caller manages them. Refuses FORBIDDEN, NOT_FOUND. */
export function createManagedUser(store: IdentityStore) {
  return async (call: Call, userId: string): Promise<UserRecord> => {
    const { preference } = await tenantOf(store, call.tenantId);
    const user = await userOf(store, call.tenantId, userId);
    const manager =
      call.user === undefined && call.caller === "operator"
        ? { role: "operator" as const, userId: "operator" }
        : requireUser(call);
    const target = { role: user.role, userId: user.userId, agentId: user.customer?.agentId };
    assertMayManage(manager, target, preference.agentScope);
    return user;
  };
}
