import type { ClientSession } from "mongoose";
import { outgoing } from "../../shared/grpc/client.js";
import type { Outbox, OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import type { ComplianceClient } from "../clients/neighbours.js";
import type { ContactType, PersonPart } from "../domain/contacts.js";
import { rowKinds } from "./row-kinds.js";
import type { UserRecord } from "../domain/people.js";

interface Payload {
  customerId: string;
  revision: number;
  changed: PersonPart[];
  proven: ContactType[];
}

/**
 * Adds the row that tells compliance of a change, in the order of the customer's changes, in the
 * change's transaction.
 */
export async function addPersonChange(
  outbox: Outbox,
  of: Pick<OutboxRow, "tenantId" | "interactionId" | "actor">,
  { customer }: Pick<UserRecord, "customer">,
  { changed = [], proven = [] }: { changed?: PersonPart[]; proven?: ContactType[] },
  session: ClientSession,
): Promise<void> {
  if (customer?.revision === undefined) return;
  const { id: customerId, revision } = customer;
  const payload = { customerId, revision, changed, proven };
  const row = { aggregate: `person:${customerId}`, seq: revision, kind: rowKinds.personChange, payload };
  await outbox.add({ ...of, ...row }, session);
}

/** Tells compliance until it has taken the change. */
export function personChangeRows(compliance: ComplianceClient | undefined): Record<string, RowHandler> {
  return {
    async [rowKinds.personChange](row, { signal }) {
      if (compliance === undefined) throw new Error("identity has no address of compliance");
      await compliance.notePersonChange(row.payload as unknown as Payload, outgoing({ ...row, signal }));
    },
  };
}
