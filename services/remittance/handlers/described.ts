import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import type { RemittanceDeps } from "./deps.js";

const maxNamed = 1_000;

/** Where transactions stand, for compliance, which shows it beside its cases to managers alone. */
export function describedHandlers({ store }: RemittanceDeps) {
  return {
    async describeTransactions({ transactionIds }, call) {
      if (transactionIds.length > maxNamed) throw invalidInput("transactionIds", `must have at most ${maxNamed}`);
      const named = transactionIds.map((id, index) => idFromWire(id, `transactionIds[${index}]`));
      const found = named.length === 0 ? [] : await store.forTenant(call.tenantId).describe(named);
      return {
        transactions: found.map(({ transactionId, transactionCode, status, recipient, timeline }) => ({
          transactionId,
          transactionCode,
          status,
          since: timeline.at(-1)?.at,
          recipientName: recipient.name,
        })),
      };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
