import { Role, type IdentityServiceDefinition } from "../../../../proto/gen/identity/v1/identity.js";
import type { Client } from "../../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { findStaffUser } from "../../../platform/neighbours/staff-users.js";

/**
 * Refuses INVALID_INPUT at `assignee` unless the user is a manager of the caller's tenant who can
 * log in. The caller is one.
 */
export async function assertManager(
  identity: Pick<Client<IdentityServiceDefinition>, "listStaffUsers">,
  userId: string,
  call: Call,
): Promise<void> {
  if (userId === requireUser(call).userId) return;
  const found = await findStaffUser(identity, userId, call);
  if (found?.role === Role.ROLE_MANAGER && !found.disabled) return;
  throw invalidInput("assignee", "must be a manager who can log in");
}
