import type { IdentityServiceDefinition, User } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";

/** One of the staff of the caller's tenant, disabled ones too; undefined for anybody else. */
export async function findStaffUser(
  identity: Pick<Client<IdentityServiceDefinition>, "listStaffUsers">,
  userId: string,
  call: Call,
): Promise<User | undefined> {
  for (let pageToken = ""; ;) {
    const page = await identity.listStaffUsers({ pageSize: 0, pageToken }, outgoing(call));
    const found = page.users.find((user) => user.userId === userId);
    if (found !== undefined || page.nextPageToken === "") return found;
    pageToken = page.nextPageToken;
  }
}
