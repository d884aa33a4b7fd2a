import type { ClientSession } from "mongoose";
import { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { createClient, outgoing, type Client } from "../../shared/grpc/client.js";
import type { Outbox, OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import type { ServiceTokenSigner } from "../../shared/tokens/service-tokens.js";
import type { ContactType, PersonPart } from "../domain/contacts.js";
import { rowKinds } from "./relay.js";
import type { UserRecord } from "../domain/people.js";

export type ComplianceClient = Pick<Client<ComplianceServiceDefinition>, "notePersonChange"> & { close(): void };

/** Undefined where its address is not known: what is to be told waits. */
export function createComplianceClient(
  address: string | undefined,
  signer: ServiceTokenSigner,
): ComplianceClient | undefined {
  if (address === undefined) return undefined;
  return createClient(ComplianceServiceDefinition, { address, audience: "compliance", signer });
}

interface Payload {
  customerId: string;
  revision: number;
  changed: PersonPart[];
  proven: ContactType[];
}

/** Adds what tells compliance of a change, in the order of the customer's changes. Inside the change's transaction. */
export async function tellCompliance(
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

/** Tells compliance, until it has taken it. */
export function personRows(compliance: ComplianceClient | undefined): Record<string, RowHandler> {
  return {
    async [rowKinds.personChange](row, { signal }) {
      if (compliance === undefined) throw new Error("identity has no address of compliance");
      await compliance.notePersonChange(row.payload as unknown as Payload, outgoing({ ...row, signal }));
    },
  };
}
