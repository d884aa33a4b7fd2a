import type { Connection } from "mongoose";
import type { GuardedCollection } from "./collection.js";
import { guardedCollection } from "./guarded-collection.js";
import { perTenant } from "./per-tenant.js";
import { rangeGuard, tenantGuard } from "./tenant-guard.js";

export type {
  BulkOperation,
  FindOptions,
  Filter,
  GuardedCollection,
  Insert,
  Update,
  UpdateResult,
} from "./collection.js";
export { TenantGuardError } from "./values.js";

export type TenantCollection<T> = GuardedCollection<T>;

/** What comments of commands that cross tenants begin with; the command monitor looks for it. */
export const acrossTenantsComment = "acrossTenants:";

/**
 * A collection whose documents belong to tenants. `forTenant` puts the tenant's id into every
 * filter, document and pipeline, and throws TenantGuardError on whatever names another tenant,
 * moves a document, or could reach past the guard.
 */
export function tenantCollection<T extends { tenantId: string }>(
  db: Connection,
  name: string,
): { forTenant(tenantId: string): TenantCollection<T> } {
  return { forTenant: perTenant((tenantId) => guardedCollection<T>(db, name, tenantGuard(tenantId))) };
}

/**
 * The one way past the tenant guard: relays, due sweeps, leases, migrations, look-up of a host.
 * `reason` names the use and goes to MongoDB as the comment of every command. Ranges stay guarded.
 */
export function acrossTenants<T>(db: Connection, name: string, reason: string): GuardedCollection<T> {
  return guardedCollection<T>(db, name, rangeGuard, `${acrossTenantsComment}${reason}`);
}
