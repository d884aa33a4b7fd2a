import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clock.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { inTransaction, isDuplicateKey } from "../../shared/mongo/transaction.js";
import { Refusal } from "../../shared/refusal.js";
import { canonicalHost, parseTenant, type TenantInput } from "../domain/tenants.js";
import type { IdentityStore } from "../store/store.js";
import { tenantFromWire, tenantToWire } from "../wire.js";

type TenantRpcs = "putTenant" | "resolveHost" | "getOrganisationPreference";

export function tenantHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, TenantRpcs> {
  const { db, store, clock } = deps;

  async function put({ tenantId, name, hosts, preference }: TenantInput) {
    const ofTenant = store.forTenant(tenantId);
    const revision = randomUUID();
    const content = { name, hosts, preference, updatedAt: clock.now(), revision };
    return inTransaction(db, (session) => ofTenant.putTenant(content, session), {
      readBack: async () => {
        const found = await ofTenant.findTenant();
        return found?.revision === revision ? found : undefined;
      },
    });
  }

  return {
    async putTenant(request, call) {
      const input = parseTenant(tenantFromWire(request.tenant));
      try {
        const tenant = await put(input);
        call.log.info({ tenant: tenant.tenantId, hosts: tenant.hosts }, "tenant put");
        return { tenant: tenantToWire(tenant) };
      } catch (error) {
        // Two tenants asked for one host at the same moment.
        if (isDuplicateKey(error)) throw new Refusal("ALREADY_EXISTS", "a host belongs to another tenant");
        throw error;
      }
    },

    async resolveHost({ host }) {
      const tenantId = await store.across.findTenantOfHost(canonicalHost(host));
      if (tenantId === undefined) throw new Refusal("TENANT_NOT_FOUND", "no tenant has this host");
      return { tenantId };
    },

    async getOrganisationPreference(_, call) {
      return { tenant: tenantToWire(await tenantOf(store, call.tenantId)) };
    },
  };
}

/** The tenant of the call; TENANT_NOT_FOUND where there is none of this id. */
export async function tenantOf(store: IdentityStore, tenantId: string) {
  const tenant = await store.forTenant(tenantId).findTenant();
  if (tenant === null) throw new Refusal("TENANT_NOT_FOUND", "there is no such tenant");
  return tenant;
}
