import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import type { People } from "../clients/people.js";
import { Stale } from "../domain/decision-inputs.js";
import type { Origin } from "../../common/domain/origin.js";
import type { Customers } from "./customers.js";

const maxAttempts = 3;

export type WhenCurrent = ReturnType<typeof createWhenCurrent>;

/**
 * Runs a decision; where the customer was last assessed by another policy, assesses them anew and
 * runs it again.
 */
export function createWhenCurrent({ people, customers }: { people: People; customers: Customers }) {
  return async function whenCurrent<T>(
    origin: Origin,
    call: OutgoingContext,
    customerId: string,
    run: () => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Stale) || attempt === maxAttempts) throw error;
        await customers.current(origin, await people.find({ customerId }, call));
      }
    }
  };
}
