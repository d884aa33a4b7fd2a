import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { OrderParties } from "../../platform/plugins/party-contract.js";
import { orderPartiesOf, type OriginatorOnFile } from "../domain/order-parties.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";

export interface OriginatorsDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "getOriginator">;
  clock: Clock;
}

/** What an order would say of its parties if it were sent now. Refuses UNAVAILABLE. */
export type PartiesOf = (tenantId: string, transaction: Transaction, signal?: AbortSignal) => Promise<OrderParties>;

/** The sender as identity has them at that time: numbers of documents too. */
export function createPartiesOf({ identity, clock }: OriginatorsDeps): PartiesOf {
  /** Undefined of whom nothing is known. */
  async function onFile(customerId: string, call: OutgoingContext): Promise<OriginatorOnFile | undefined> {
    try {
      const { customer } = await identity.getOriginator({ customerId }, outgoingUnnamed(call));
      return customer?.details;
    } catch (error) {
      if (error instanceof Refusal && error.code === "CUSTOMER_NOT_FOUND") return undefined;
      throw error;
    }
  }

  return async function partiesOf(tenantId, transaction, signal) {
    const interactionId = payoutOf(transaction).interactionId || transaction.interactionId;
    const call = { tenantId, interactionId, ...(signal !== undefined && { signal }) };
    const sender = await onFile(transaction.sender.customerId, call);
    return orderPartiesOf(transaction, sender, dayOf(clock.now()));
  };
}
