import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Preference } from "../domain/tenants.js";
import type { IdentityStore } from "../store/index.js";

/** The tenant of the call; TENANT_NOT_FOUND where there is none of this id. */
export async function tenantOf(store: IdentityStore, tenantId: string) {
  const tenant = await store.forTenant(tenantId).findTenant();
  if (tenant === undefined) throw new Refusal("TENANT_NOT_FOUND", "there is no such tenant");
  return tenant;
}

/** Refuses FORBIDDEN where the tenant lets nobody register themselves. */
export async function assertRegistrationOpen(store: IdentityStore, call: Call): Promise<Preference> {
  const { preference } = await tenantOf(store, call.tenantId);
  if (!preference.selfRegistration) throw new Refusal("FORBIDDEN", "people do not register themselves here");
  return preference;
}
