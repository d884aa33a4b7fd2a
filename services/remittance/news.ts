import type { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../shared/crash-point.js";
import { outgoing, type Client } from "../shared/grpc/client.js";
import type { OutboxRow, RowHandler } from "../shared/outbox/index.js";

/** Kinds of outbox rows. */
export const confirmReservation = "compliance.confirm-reservation";
export const releaseReservation = "compliance.release-reservation";
export const recoverCreation = "create.recover";

/** The rows of one transaction run one after the other, in the order of its versions. */
export function transactionAggregate(transactionId: string): string {
  return `transaction:${transactionId}`;
}

/** The transaction that a row is about. */
export function transactionOf(row: OutboxRow): string {
  const { transactionId } = row.payload;
  if (typeof transactionId !== "string") throw new Error(`row ${row.id} names no transaction`);
  return transactionId;
}

type Compliance = Pick<Client<ComplianceServiceDefinition>, "confirmReservation" | "releaseReservation">;

/** Tells compliance what became of what it reserved. */
export function complianceNews(compliance: Compliance): Record<string, RowHandler> {
  return {
    async [confirmReservation](row, { signal }) {
      await compliance.confirmReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.paid.confirmed");
    },
    async [releaseReservation](row, { signal }) {
      await compliance.releaseReservation({ transactionId: transactionOf(row) }, outgoing({ ...row, signal }));
      crashPoint("remittance.expired.released");
    },
  };
}
