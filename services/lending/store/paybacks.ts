import type { TenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { Payback } from "../domain/paybacks.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export type PaybackRow = EntityRow<Payback>;

export function createPaybackStore(paybacks: TenantCollection<PaybackRow>) {
  const { insert, one, list, replaceIf } = entities<Payback>(paybacks);
  return {
    insertPayback: (payback: Payback, session: Session) => insert(payback.paybackId, payback, session),
    findPayback: (paybackId: string, session?: Session) => one({ _id: paybackId }, session),
    /** True when it was PAYING. */
    endPayback: (payback: Payback, session: Session) =>
      replaceIf({ _id: payback.paybackId, status: "PAYING" }, payback, session),
    /** Of one loan, the newest first. */
    listPaybacksOf: (accountId: string) => list({ accountId }, { sort: { _id: -1 }, limit: 100 }),
  };
}
