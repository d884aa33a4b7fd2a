import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import type { OriginatorOnFile } from "../domain/order-parties.js";

export interface OriginatorsDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "getOriginator">;
}

/** Who pays, as identity has them when an order is first sent: numbers of documents too. */
export function createOriginators(identity: OriginatorsDeps["identity"]) {
  return {
    /** Undefined of whom nothing is known. Refuses UNAVAILABLE. */
    async of(customerId: string, call: OutgoingContext): Promise<OriginatorOnFile | undefined> {
      try {
        const { customer } = await identity.getOriginator({ customerId }, outgoingUnnamed(call));
        return customer?.details;
      } catch (error) {
        if (error instanceof Refusal && error.code === "CUSTOMER_NOT_FOUND") return undefined;
        throw error;
      }
    },
  };
}
