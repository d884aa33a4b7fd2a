import type { Connection } from "mongoose";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { addMissingRows } from "../../shared/outbox/index.js";
import type { CustomerRecord } from "../domain/customer.js";
import { statusRow } from "./outbox-rows.js";
import { collections, type StatusChange } from "./index.js";

const reason = "migration: statuses told to identity";

/** Tells identity what was come to of each customer before it was told: their latest status. What it knows already it passes over. */
export async function tellStatuses(db: Connection): Promise<void> {
  const statuses = acrossTenants<CustomerRecord & { tenantId: string }>(db, collections.statuses, reason);
  const changes = acrossTenants<StatusChange & { tenantId: string }>(db, collections.statusChanges, reason);
  const now = new Date();
  for await (const { tenantId, customerId, sequence } of statuses.stream({ sequence: { $gte: 1 } } as object)) {
    const change = await changes.findOne({ tenantId, customerId, sequence });
    if (change === null) continue;
    const { actor, interactionId, at } = change;
    // A sandbox's status may have been come to on a day that is still to come.
    await addMissingRows(db, [statusRow({ tenantId, actor, interactionId }, change)], at < now ? at : now);
  }
}
