import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire, trimmedFromWire } from "../../kernel/text/wire-text.js";
import type { RemittanceDeps } from "./deps.js";

/** Who looked at whose recipients at a desk. */
export function recipientLookHandlers({ store, people }: RemittanceDeps) {
  return {
    /** Refuses CUSTOMER_NOT_FOUND. */
    async listRecipientLooks(request, call) {
      const customerCode = idFromWire(request.customerCode, "customerCode");
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      const before = trimmedFromWire(request.cursor, "cursor", 128, true);
      const { customerId } = await people.findCustomer({ customerCode }, call);
      const all = await store.forTenant(call.tenantId).listRecipientLooks(customerId, before, size + 1);
      const looks = all.slice(0, size).map(({ code = "", ...look }) => ({ ...look, code }));
      return { looks, nextCursor: all.length > size ? (looks.at(-1)?.lookId ?? "") : "" };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
