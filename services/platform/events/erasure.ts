import type { Connection } from "mongoose";
import { erasedDocuments, type PersonalRecords } from "../erasure/erasure.js";
import { publishKind } from "./row.js";

/**
 * Events of a person that were not told yet are told to nobody. They have no numbers before they
 * are told, so that nobody finds a gap.
 */
export function waitingEvents(db: Connection): PersonalRecords {
  return erasedDocuments(db, {
    kind: "waiting-events",
    collection: "outbox",
    which: ({ customerId }) => ({ kind: publishKind, "payload.customerId": customerId }),
  });
}
