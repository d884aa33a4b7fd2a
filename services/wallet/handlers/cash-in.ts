import {
  CashInRequest,
  CashInResponse,
  type GetCashInRequest,
  type GetCashInResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { needsApproval } from "../domain/cash-in-approval.js";
import { withHeld } from "../domain/held-arrival.js";
import { cashInToWire } from "../wire/cash.js";
import { requestCashInApproval } from "./cash-in-approval.js";
import { cashInOperation, cashMovement, cashOf, cashRuleFor, decideCashIn } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/**
 * Takes cash into a wallet. Above the maker-checker threshold it waits for a manager and is
 * answered without a movement. Refuses TILL_NOT_OPEN, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED,
 * CURRENCY_MISMATCH, AMOUNT_OUT_OF_LIMITS and DAILY_LIMIT_EXCEEDED of cashier, till and wallet,
 * CUSTOMER_NOT_CONFIRMED, FORBIDDEN for a customer whom the agent does not manage.
 */
export function cashIn(deps: WalletDeps) {
  return async (request: CashInRequest, call: Call): Promise<CashInResponse> => {
    const wanted = await cashOf(deps, request, call);
    const { till, account, amount } = wanted;
    const rule = await cashRuleFor(deps, till, call);
    if (needsApproval(rule, amount)) return requestCashInApproval(deps, request, wanted, call);
    return runMovement<CashInRequest, CashInResponse>(deps, {
      operation: cashInOperation,
      request,
      requestType: CashInRequest,
      response: CashInResponse,
      call,
      plan: async (movementId) => {
        const decided = await decideCashIn(deps, wanted, call);
        if (decided instanceof Refusal) return decided;
        const { parts: spends, tillMinor: tillMaxMinor, isHeld } = decided;
        const movement = { ...cashMovement(movementId, till, account, amount.minor, true), spends, tillMaxMinor };
        return isHeld ? withHeld(movement, account, "CASH_IN") : movement;
      },
    });
  };
}

/** Refuses NOT_FOUND, FORBIDDEN for another person's. */
export function getCashIn({ store }: Pick<WalletDeps, "store">) {
  return async (request: GetCashInRequest, call: Call): Promise<GetCashInResponse> => {
    const found = await store.forTenant(call.tenantId).findCashIn(textFromWire(request.cashInId, "cashInId"));
    if (found === undefined) throw new Refusal("NOT_FOUND", "no such cash-in");
    const { role, userId } = requireUser(call);
    if (role !== "MANAGER" && found.cashierId !== userId) throw new Refusal("FORBIDDEN", "this is another person's");
    return { cashIn: cashInToWire(found) };
  };
}
