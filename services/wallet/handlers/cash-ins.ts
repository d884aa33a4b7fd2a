import { TakeCashInRequest, TakeCashInResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { statusOn, type CashIn } from "../domain/cash-in-approval.js";
import { withHeld } from "../domain/held-arrival.js";
import { notOpen } from "../domain/till.js";
import { takeCashInOperation } from "../sagas/movements/cash.js";
import { cashInToWire } from "../wire/cash.js";
import { cashMovement, decideCashIn } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { runMovement } from "./run-movement.js";

/** Cash-ins that a manager allows, and their cashiers then take. */
export function cashInHandlers(deps: WalletDeps) {
  /** Refuses NOT_FOUND. */
  async function found(cashInId: string, { tenantId, interactionId }: Call) {
    const cashIn = await deps.store.forTenant(tenantId).findCashIn(textFromWire(cashInId, "cashInId"));
    if (cashIn === undefined) throw new Refusal("NOT_FOUND", "no such cash-in");
    const today = (await deps.businessClock.forTenant(tenantId, interactionId)).today().toString();
    return { cashIn, today };
  }
  const assertOwn = ({ cashierId }: CashIn, call: Call): void => {
    if (cashierId !== requireUser(call).userId) throw new Refusal("FORBIDDEN", "this is another person's");
  };

  return {
    /** Refuses NOT_FOUND, FORBIDDEN for another person's. */
    async getCashIn(request, call) {
      const { cashIn, today } = await found(request.cashInId, call);
      if (requireUser(call).role !== "MANAGER") assertOwn(cashIn, call);
      return { cashIn: cashInToWire(cashIn, today) };
    },

    /**
     * Takes the cash into the cashier's open till, as the limits and the customer's status are now.
     * Refuses STATE_CONFLICT for one that is not APPROVED, of another day's too, and as cashIn.
     */
    async takeCashIn(request, call) {
      const { cashIn, today } = await found(request.cashInId, call);
      assertOwn(cashIn, call);
      return runMovement<TakeCashInRequest, TakeCashInResponse>(deps, {
        operation: takeCashInOperation,
        request,
        requestType: TakeCashInRequest,
        response: TakeCashInResponse,
        call,
        plan: async (movementId) => {
          const status = statusOn(cashIn, today);
          if (status === "WAITING") return passing("STATE_CONFLICT", "no manager has decided yet");
          if (status !== "APPROVED") return new Refusal("STATE_CONFLICT", `the cash-in is ${status}`);
          const { cashierId, amount, cashInId } = cashIn;
          const till = await deps.store.forTenant(call.tenantId).findTillOf(cashierId, amount.currency);
          if (till === undefined) return notOpen(undefined);
          const account = await findOpenedAccount(deps, cashIn.accountId, call);
          const wanted = { till, account, amount };
          const decided = await decideCashIn(deps, wanted, call);
          if (decided instanceof Refusal) return decided;
          const { parts: spends, tillMinor: tillMaxMinor, isHeld } = decided;
          const planned = cashMovement(movementId, wanted, true, call);
          const movement = { ...planned, spends, tillMaxMinor, cashInId };
          return isHeld ? withHeld(movement, account, "CASH_IN") : movement;
        },
      });
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
