import type { Call } from "../../kernel/grpc/context.js";
import { detailsViewOf } from "../domain/details-view.js";
import type { UserRecord } from "../domain/people.js";
import type { IdentityStore } from "../store/index.js";
import { profileToWire } from "../wire/people.js";

/** The profile of a user with the contacts that wait for their code, as the caller may see it. */
export async function profileOf(store: IdentityStore, user: UserRecord, call: Call, now: Date) {
  const pending = await store.forTenant(call.tenantId).listPendingContacts(user.userId, now);
  return profileToWire(user, pending, detailsViewOf(call.caller, call.user?.role));
}
