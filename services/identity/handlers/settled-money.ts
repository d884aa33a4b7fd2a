import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { MoneyClients } from "../clients/neighbours.js";

/** Nobody could be paid, or asked for money, once they are erased. */
export class Unsettled extends Refusal {
  constructor(open: readonly string[]) {
    super("STATE_CONFLICT", `money is not settled with the customer: ${open.join(", ")}`);
  }
}

/** Refuses STATE_CONFLICT with what is open where, and UNAVAILABLE while a service does not say. */
export function createAssertSettled(money: MoneyClients) {
  return async function assertSettled(customerId: string, call: Pick<Call, "tenantId" | "interactionId">) {
    const open = await Promise.all(
      Object.entries(money).map(async ([service, client]) => {
        const answer = await client.listOpenMoney({ customerId }, outgoing(call));
        return answer.open.map(({ kind, records }) => `${records} ${kind} (${service})`);
      }),
    );
    if (open.flat().length > 0) throw new Unsettled(open.flat());
  };
}
