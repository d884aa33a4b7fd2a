import type { RemittanceServiceDefinition } from "../../../../proto/gen/remittance/v1/remittance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../../kernel/grpc/client.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { RemittanceStatus } from "../../cases/domain/case-content.js";

export type CustomerStatuses = ReturnType<typeof createCustomerStatuses>;

const atOnce = 1_000;
/** Whoever looks at a queue is not kept waiting by a neighbour that hangs. */
const timeoutMs = 2_000;

/** Where remittances stand, as remittance tells. */
export function createCustomerStatuses(
  remittance: Pick<Client<RemittanceServiceDefinition>, "describeTransactions"> | undefined,
) {
  return {
    /**
     * By transaction id, a thousand a call. Refuses UNAVAILABLE where remittance does not answer.
     */
    async of(transactionIds: readonly string[], call: OutgoingContext): Promise<Map<string, RemittanceStatus>> {
      const statuses = new Map<string, RemittanceStatus>();
      if (transactionIds.length === 0) return statuses;
      if (remittance === undefined) throw new Refusal("UNAVAILABLE", "nobody says where transactions stand");
      for (let from = 0; from < transactionIds.length; from += atOnce) {
        const named = transactionIds.slice(from, from + atOnce);
        const { transactions } = await remittance.describeTransactions(
          { transactionIds: named },
          outgoingUnnamed(call, { timeoutMs }),
        );
        for (const { transactionId, transactionCode, status, since, recipientName } of transactions) {
          const when = since === undefined ? {} : { since };
          statuses.set(transactionId, { transactionCode, status, ...when, recipientName });
        }
      }
      return statuses;
    },
  };
}
