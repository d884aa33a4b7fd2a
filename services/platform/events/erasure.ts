import type { Connection } from "mongoose";
import type { PersonalRecords } from "../erasure/erasure.js";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import type { OutboxRow } from "../../kernel/outbox/index.js";
import { publishKind } from "./row.js";

type Row = Omit<OutboxRow, "id"> & { _id: string };

/**
 * Events of a person that were not told yet are told to nobody. They have no numbers before they
 * are told, so that nobody finds a gap.
 */
export function waitingEvents(db: Connection): PersonalRecords {
  const rows = tenantCollection<Row>(db, "outbox");
  return {
    kind: "waiting-events",
    async erase({ tenantId, customerId }, limit, session) {
      const own = rows.forTenant(tenantId);
      const waiting = { kind: publishKind, "payload.customerId": customerId } as Filter<Row>;
      const found = await own.find(waiting, { limit, session, projection: { _id: 1 } });
      if (found.length > 0) await own.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
      return found.length;
    },
  };
}
