import { v7 as uuidv7 } from "uuid";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { isHeldByBlock } from "../domain/customer-blocks.js";
import { newCustomer } from "../domain/customer.js";
import type { Origin } from "../../common/domain/origin.js";
import { recipientKeyOf, withHold, type SubjectHold } from "../../screening/domain/subject-hold.js";
import type { SubjectRef } from "../../common/domain/subject.js";
import { reconsiderRow } from "../store/block-rows.js";
import type { ComplianceStore, Session } from "../store/index.js";

/**
 * Puts what a subject's hits come to on its customer, under the customer's lock. Where they hold
 * nothing any more, what waited is decided anew.
 */
export function createPutHold({ store, outbox }: { store: ComplianceStore; outbox: Outbox }) {
  return async (origin: Origin, subject: SubjectRef, status: SubjectHold["status"] | undefined, session: Session) => {
    const { tenantId } = origin;
    const { customerId } = subject;
    if (customerId === "") return;
    const tenant = store.forTenant(tenantId);
    const before = (await tenant.lockCustomer(customerId, session)) ?? newCustomer(customerId);
    const name = recipientKeyOf(subject);
    const { holds = [] } = before;
    const known = holds.find((one) => one.recipientKey === name)?.status;
    if (known === status) return;
    const after = { ...before, holds: withHold(holds, name, status), version: before.version + 1 };
    await tenant.putCustomer(after, session);
    if (status !== undefined || isHeldByBlock(after)) return;
    await outbox.add(reconsiderRow(origin, { screeningId: uuidv7(), version: 1 }, customerId), session);
  };
}
