import type { ClientSession, Connection } from "mongoose";
import { warmUpTenantId } from "../process/warm-up-tenant.js";
import { idempotencyCollection } from "../idempotency/index.js";
import { Refusal } from "../refusal.js";
import type { WarmUp } from "./warm-up.js";
import { tenantCollection } from "../mongo/tenant-collection.js";
import { inTransaction } from "../mongo/transaction.js";

// A pool opens a connection only where all others are busy.
const connectionsAtFirst = 4;

/** Opens connections of the pool, and runs a transaction that is taken back. */
export function warmUpDatabase(db: Connection): WarmUp {
  const rows = tenantCollection<{ _id: string; tenantId: string }>(db, idempotencyCollection).forTenant(warmUpTenantId);
  return {
    name: "MongoDB",
    async run() {
      await Promise.all(Array.from({ length: connectionsAtFirst }, () => rows.findOne({ _id: warmUpTenantId })));
      const work = async (session: ClientSession) => {
        await rows.findOne({ _id: warmUpTenantId }, { session });
        throw new Refusal("NOT_FOUND", "nothing of this is kept");
      };
      await inTransaction(db, work, { readBack: async () => undefined });
    },
  };
}
