import { PayOutCashRequest, PayOutCashResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { moneyFromWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { notOpen, tillAccounts, tillShort } from "../domain/till.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/**
 * Refuses TRANSACTION_NOT_FOUND, TILL_NOT_OPEN, STATE_CONFLICT of what was handed out, and
 * TILL_SHORT before a try of the code is counted; then STATE_CONFLICT, PICKUP_CODE_WRONG,
 * PICKUP_CODE_LOCKED as remittance does, and the till has again what was reserved. A corrected code
 * goes through under the same key.
 */
export function payOutCash(deps: WalletDeps) {
  return async (request: PayOutCashRequest, call: Call): Promise<PayOutCashResponse> => {
    const transactionCode = textFromWire(request.transactionCode, "transactionCode", { maximum: 40 });
    const pickupCode = textFromWire(request.pickupCode, "pickupCode", { maximum: 40 });
    const cashierId = requireUser(call).userId;
    const found = await deps.remittance.findPickup({ transactionCode }, outgoing(call));
    const { minor, currency } = moneyFromWire(found.amount, "amount");
    const done = await runMovement<PayOutCashRequest, PayOutCashResponse>(deps, {
      operation: "wallet.v1.PayOutCash",
      request,
      requestType: PayOutCashRequest,
      omit: ["pickupCode"],
      response: PayOutCashResponse,
      call,
      told: { pickupCode },
      plan: async () => {
        const till = await deps.store.forTenant(call.tenantId).findTillOf(cashierId, currency);
        if (till?.status !== "OPEN") return notOpen(till?.status);
        if (found.isHandedOut) return new Refusal("STATE_CONFLICT", "the transaction is COMPLETED");
        if (till.expectedMinor < minor) return tillShort();
        return {
          kind: "CASH_PICKUP",
          accountId: "",
          customerId: "",
          ownAccounts: tillAccounts(till),
          transfers: [],
          subjectId: till.tillId,
          subjectMinor: -minor,
          pickup: { transactionId: found.transactionId, transactionCode: found.transactionCode, currency },
        };
      },
    });
    deps.outbox.wakeSoon();
    return { ...done, recipientName: found.recipientName };
  };
}
