import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { batchPayoutChecks } from "../../platform/neighbours/compliance-batches.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import type { Transaction } from "../domain/transaction.js";

export type PayoutHolds = ReturnType<typeof createPayoutHolds>;

/**
 * What hits hold, as compliance knows them: asked right before money is handed over, of
 * several payouts with one call.
 */
export function createPayoutHolds({
  compliance,
}: {
  compliance: Pick<Client<ComplianceServiceDefinition>, "checkPayouts">;
}) {
  const check = batchPayoutChecks(compliance);
  return {
    /**
     * Whether a hit, open or confirmed, stands against the sender, the recipient or the account's
     * holder. Throws while compliance is away: nothing is handed over then.
     */
    async isHeld({ sender, recipient }: Pick<Transaction, "sender" | "recipient">, call: OutgoingContext) {
      const requested = { customerId: sender.customerId, recipientCode: recipient.customerCode };
      const { verdict } = await check(requested, outgoingUnnamed(call));
      return verdict !== "MOVE_VERDICT_PASS";
    },
  };
}
