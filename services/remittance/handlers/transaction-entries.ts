import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { transferKeysOf } from "../domain/payout-transfers.js";
import { pageSizeFromWire } from "../wire/fields.js";
import type { RemittanceDeps } from "./deps.js";
import { findByIdOrCode } from "./find-transaction.js";

const usualPage = 100;

/**
 * What the ledger has of a transaction, whichever service posted it,
 * by the keys that follow from it.
 */
export function transactionEntryHandlers({ store, people, ledger }: RemittanceDeps) {
  return {
    async listTransactionEntries(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const size = request.pageSize === 0 ? usualPage : pageSizeFromWire(request.pageSize);
      const start = positionFromWire(request.cursor);
      const transaction = await findByIdOrCode(store.forTenant(call.tenantId), transactionId);
      await people.assertMaySee(transaction, call);
      const { role, userId } = requireUser(call);
      const all = transferKeysOf(transaction);
      const keys = all.slice(start, start + size);
      if (keys.length === 0) return { entries: [], nextCursor: "" };
      const requested = { keys, createdBy: role === "CASHIER" ? userId : "" };
      const { entries } = await ledger.listEntriesByKeys(requested, outgoing(call));
      return { entries, nextCursor: start + size < all.length ? String(start + size) : "" };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** Of the first key of a page. Refuses INVALID_INPUT. */
function positionFromWire(cursor: string): number {
  if (cursor === "") return 0;
  if (!/^\d{1,6}$/.test(cursor)) throw invalidInput("cursor", "is none of this list");
  return Number(cursor);
}
