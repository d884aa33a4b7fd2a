import type { Connection } from "mongoose";
import { ApprovalOutcomeServiceDefinition } from "../../../proto/gen/identity/v1/approvals.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { createClient, outgoing, type Client } from "../../shared/grpc/client.js";
import type { ServiceName } from "../../shared/grpc/context.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox, OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import type { ServiceTokenSigner } from "../../shared/tokens/service-tokens.js";
import type { ApprovalKind, ApprovalRecord } from "../domain/approvals.js";
import { rowKinds } from "./relay.js";
import type { IdentityStore } from "../store/index.js";
import { approvalToWire } from "../wire/customers.js";

export type OutcomeClients = Partial<Record<ServiceName, Client<ApprovalOutcomeServiceDefinition> & { close(): void }>>;

/** Clients of the services that ask for approvals, by the addresses that are known. */
export function createOutcomeClients(
  addresses: Partial<Record<ServiceName, string | undefined>>,
  signer: ServiceTokenSigner,
): OutcomeClients {
  const clients: OutcomeClients = {};
  for (const [service, address] of Object.entries(addresses) as [ServiceName, string | undefined][]) {
    if (address === undefined) continue;
    clients[service] = createClient(ApprovalOutcomeServiceDefinition, { address, audience: service, signer });
  }
  return clients;
}

/** What follows from approvals: they expire, and whoever asked hears of the outcome until they have taken it. */
export function approvalRows(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  outcomes: OutcomeClients;
  /** What identity does about its own, by kind. */
  own: Partial<Record<ApprovalKind, (approval: ApprovalRecord, row: OutboxRow) => Promise<void>>>;
  clock: Clock;
}): Record<string, RowHandler> {
  const { db, store, outbox, outcomes, own, clock } = deps;
  return {
    async [rowKinds.approvalExpires]({ tenantId, payload, interactionId }) {
      const { approvalId } = payload as { approvalId: string };
      const ofTenant = store.forTenant(tenantId);
      const decision = {
        status: "EXPIRED" as const,
        decidedBy: "identity",
        decidedBecause: "nobody decided in time",
        decidedAt: clock.now(),
      };
      const told = { kind: rowKinds.approvalOutcome, aggregate: `approval:${approvalId}`, seq: 1 };
      await inTransaction(
        db,
        async (session) => {
          // Null where somebody has decided meanwhile, or this ran before.
          if ((await ofTenant.decideApproval(approvalId, decision, session)) === null) return true;
          await outbox.add({ tenantId, interactionId, actor: "identity", payload: { approvalId }, ...told }, session);
          return true;
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
    },

    async [rowKinds.approvalOutcome](row, { signal }) {
      const { tenantId, payload, interactionId } = row;
      const { approvalId } = payload as { approvalId: string };
      const approval = await store.forTenant(tenantId).findApproval(approvalId);
      if (approval === null) throw new Error(`approval ${approvalId} is gone`);
      if (approval.service === "identity") {
        const carryOut = own[approval.kind];
        if (carryOut === undefined) throw new Error(`identity asks for no ${approval.kind}`);
        return carryOut(approval, row);
      }
      const client = outcomes[approval.service as ServiceName];
      if (client === undefined) throw new Error(`identity has no address of ${approval.service}`);
      await client.decideApproval(
        { approval: approvalToWire(approval), payloadJson: approval.payloadJson },
        outgoing({ tenantId, interactionId, signal }),
      );
    },
  };
}
