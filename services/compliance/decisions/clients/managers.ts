import { Role, type IdentityServiceDefinition } from "../../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client } from "../../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import { invalidInput } from "../../../kernel/refusal.js";

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
  for (let pageToken = ""; ;) {
    const page = await identity.listStaffUsers({ pageSize: 0, pageToken }, outgoing(call));
    const found = page.users.find((user) => user.userId === userId);
    if (found?.role === Role.ROLE_MANAGER && !found.disabled) return;
    if (found !== undefined || page.nextPageToken === "") break;
    pageToken = page.nextPageToken;
  }
  throw invalidInput("assignee", "must be a manager who can log in");
}
