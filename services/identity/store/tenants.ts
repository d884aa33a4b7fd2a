import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { createSharedRead } from "./shared-read.js";
import { Refusal } from "../../kernel/refusal.js";
import type { AcrossTenantsStore } from "./across-tenants.js";
import type { HostRecord, TenantRecord } from "../domain/tenants.js";

/** One tenant's own record. */
export function tenantPart(
  tenants: RecordCollection<TenantRecord, "tenantId">,
  hosts: RecordCollection<HostRecord, "host">,
  across: AcrossTenantsStore,
  tenantId: string,
) {
  async function putRecord(tenant: Omit<TenantRecord, "tenantId" | "createdAt">, session: ClientSession) {
    const put = await tenants.findOneAndUpdate(
      { _id: tenantId },
      { $set: tenant, $setOnInsert: { createdAt: tenant.updatedAt } },
      { session, upsert: true, returnDocument: "after" },
    );
    return put!;
  }

  const readShared = createSharedRead(() => tenants.findOne({ _id: tenantId }));

  return {
    /**
     * Every service asks for it again and again: who asks in one turn of the event loop shares one
     * read.
     */
    findTenant: (session?: ClientSession) =>
      session === undefined ? readShared() : tenants.findOne({ _id: tenantId }, { session }),

    /**
     * Writes the tenant and exactly its hosts. Refuses ALREADY_EXISTS for a host of another tenant.
     */
    async putTenant(
      tenant: Omit<TenantRecord, "tenantId" | "createdAt">,
      session: ClientSession,
    ): Promise<TenantRecord> {
      const wanted = tenant.hosts;
      const taken = await across.listHosts(wanted, session);
      const foreign = taken.find((one) => one.tenantId !== tenantId);
      if (foreign) throw new Refusal("ALREADY_EXISTS", `host ${foreign.host} belongs to another tenant`);
      await hosts.deleteMany({ _id: { $nin: wanted } }, { session });
      const known = new Set(taken.map(({ host }) => host));
      await hosts.insertMany(
        wanted.filter((host) => !known.has(host)).map((host) => ({ host })),
        { session },
      );
      return putRecord(tenant, session);
    },

    /** Writes a sandbox: it has no host of its own, and keeps its business date. */
    putSandbox: (tenant: Omit<TenantRecord, "tenantId" | "createdAt">, session: ClientSession) =>
      putRecord(tenant, session),

    /** Moves a sandbox's business time. Undefined for a tenant that is no sandbox. */
    setBusinessAhead: (businessAheadMs: number, session: ClientSession) =>
      tenants.findOneAndUpdate(
        { _id: tenantId, sandboxOf: { $exists: true } },
        { $set: { businessAheadMs } },
        { session, returnDocument: "after" },
      ),
  };
}
