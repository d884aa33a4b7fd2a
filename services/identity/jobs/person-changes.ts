import type { ClientSession } from "mongoose";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { ComplianceClient } from "../clients/neighbours.js";
import type { ContactType, PersonPart } from "../domain/contacts.js";
import type { UserRecord } from "../domain/people.js";
import type { IdentityStore } from "../store/index.js";
import { detailsToWire } from "../wire/people.js";
import { rowKinds } from "../row-kinds.js";

/** Nothing of the person but ids: who they are is read when it is told. */
interface Payload {
  /** Of staff the user's id. */
  customerId: string;
  isStaff?: boolean;
  revision: number;
  changed: PersonPart[];
  proven: ContactType[];
}

/**
 * Adds the row that tells compliance of a change, in the order of the person's changes, in the
 * change's transaction.
 */
export async function addPersonChange(
  outbox: Outbox,
  of: Pick<OutboxRow, "tenantId" | "interactionId" | "actor">,
  { userId, customer, staffRevision }: Pick<UserRecord, "userId" | "customer" | "staffRevision">,
  { changed = [], proven = [] }: { changed?: PersonPart[]; proven?: ContactType[] },
  session: ClientSession,
): Promise<void> {
  const isStaff = customer === undefined;
  const revision = isStaff ? staffRevision : customer.revision;
  if (revision === undefined) return;
  const customerId = isStaff ? userId : customer.id;
  const payload = { customerId, isStaff, revision, changed, proven };
  const row = { aggregate: `person:${customerId}`, seq: revision, kind: rowKinds.personChange, payload };
  await outbox.add({ ...of, ...row }, session);
}

/**
 * Tells compliance until it has taken the change, with who the person is by then. Of somebody who
 * was erased since there is nothing to tell.
 */
export function personChangeRows({
  store,
  compliance,
}: {
  store: IdentityStore;
  compliance: ComplianceClient | undefined;
}): Record<string, RowHandler> {
  return {
    async [rowKinds.personChange](row, { signal }) {
      if (compliance === undefined) throw new Refusal("UNAVAILABLE", "identity has no address of compliance");
      const { isStaff = false, ...payload } = row.payload as unknown as Payload;
      const { customerId } = payload;
      const ofTenant = store.forTenant(row.tenantId);
      const user = await (isStaff ? ofTenant.findUser(customerId) : ofTenant.findCustomer({ customerId }));
      if (user === undefined) throw new Error(`the person ${customerId} is gone`);
      if (user.erasedAt !== undefined) return;
      const request = { ...payload, isStaff, ...whoOf(user) };
      await compliance.notePersonChange(request, outgoing({ ...row, signal })).catch((error: unknown) => {
        throw isOfEarlierVersion(error)
          ? new Refusal("UNAVAILABLE", "compliance does not know this kind of change yet")
          : error;
      });
    },
  };
}

/** As compliance is told of them. Of staff the whole name stands in the first. */
export function whoOf({ name, customer }: Pick<UserRecord, "name" | "customer">) {
  if (customer === undefined) return { firstName: name, lastName: "", country: "", details: undefined };
  const { firstName, lastName, country, details = {} } = customer;
  return { firstName, lastName, country, details: detailsToWire(details) };
}

/**
 * A compliance that is about to be upgraded refuses what it does not know; the row waits for the
 * one that comes instead of being parked.
 */
function isOfEarlierVersion(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "INVALID_INPUT" || error.code === "CUSTOMER_NOT_FOUND");
}
