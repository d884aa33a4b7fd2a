import { OpenMoneyServiceDefinition } from "../../../proto/gen/identity/v1/erasure.js";
import type { Call } from "../../kernel/grpc/context.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";

/** How much of each kind is not settled with a person, such as `{ loans: 1 }`. */
export type CountOpenMoney = (
  customerId: string,
  call: Pick<Call, "tenantId" | "interactionId">,
) => Promise<Readonly<Record<string, number>>>;

/** What identity asks before it erases somebody: nobody could be paid, or asked for money, then. */
export function serveOpenMoney(count: CountOpenMoney): AnyServedService {
  return alsoServe<OpenMoneyServiceDefinition>({
    definition: OpenMoneyServiceDefinition,
    access: { listOpenMoney: { callers: ["identity"] } },
    handlers: {
      async listOpenMoney({ customerId }, call) {
        if (customerId === "") throw invalidInput("customerId", "is required");
        const found = Object.entries(await count(customerId, call)).filter(([, records]) => records > 0);
        return { open: found.map(([kind, records]) => ({ kind, records: BigInt(records) })) };
      },
    },
  });
}
