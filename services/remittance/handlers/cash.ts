import { randomBytes } from "node:crypto";
import {
  PayOutCashRequest,
  PayOutCashResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf, requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { moneyToWire } from "../../shared/money.js";
import { passing, Refusal } from "../../shared/refusal.js";
import { idFromWire, trimmedFromWire } from "../../shared/wire-text.js";
import { assertKey } from "../wire/fields.js";
import type { PayoutHolds } from "../clients/payout-holds.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { shownStatus } from "../domain/block-view.js";
import { handOut } from "../domain/payout.js";
import { assertMayTry, isPickupCode, maxTries, newPickupCode } from "../domain/pickup.js";
import { refusedInState, type Transaction } from "../domain/transaction.js";
import type { RemittanceDeps } from "./deps.js";

type CashRpcs = "issuePickupCode" | "payOutCash";

/** Cash that our own cashiers hand out against a code that only the sender has seen. */
export function cashHandlers(
  deps: Pick<RemittanceDeps, "store" | "people" | "runOnce" | "outbox" | "clock"> & {
    steps: PayoutSteps;
    holds: PayoutHolds;
  },
): Pick<Handlers<RemittanceServiceDefinition>, CashRpcs> {
  const { store, people, runOnce, outbox, clock, steps, holds } = deps;

  /**
   * One try, counted before the code is looked at. Refuses PICKUP_CODE_WRONG saying how many are
   * left, PICKUP_CODE_LOCKED. While a hit stands nobody is paid, whatever the code, in the words of
   * whoever was slower; the try is not counted.
   */
  async function tryCode(transaction: Transaction, code: string, call: Call): Promise<void> {
    const { pickup, transactionId } = transaction;
    const status = shownStatus(transaction);
    if (pickup === undefined) throw new Refusal("STATE_CONFLICT", "this transaction is not handed out by a cashier");
    if (status !== "READY_FOR_PICKUP") throw refusedInState(status);
    assertMayTry(pickup);
    if (await holds.isHeld(transaction, call)) throw changedMeanwhile();
    if (!(await store.forTenant(call.tenantId).countPickupTry(transactionId, maxTries))) {
      assertMayTry({ ...pickup, tries: maxTries });
    }
    if (await isPickupCode(pickup, code)) return;
    const triesLeft = String(Math.max(0, maxTries - pickup.tries - 1));
    throw new Refusal("PICKUP_CODE_WRONG", "the pickup code is wrong", { figures: { triesLeft } });
  }

  return {
    async issuePickupCode(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const tenant = store.forTenant(call.tenantId);
      for (;;) {
        const before = await tenant.findTransaction(transactionId);
        if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
        await people.assertMayChange(before, call);
        const { pickup, transactionCode } = before;
        const status = shownStatus(before);
        if (pickup === undefined)
          throw new Refusal("STATE_CONFLICT", "this transaction is not handed out by a cashier");
        if (status !== "PAID" && status !== "READY_FOR_PICKUP") {
          throw refusedInState(status);
        }
        const issued = await newPickupCode(pickup, randomBytes);
        const stamp = { at: clock.now(), actor: actorOf(call) };
        const after = await tenant.change(before, { set: { pickup: issued.pickup } }, stamp);
        if (after !== undefined) return { code: issued.code, transactionCode };
        call.signal.throwIfAborted();
      }
    },

    async payOutCash(request, call) {
      assertKey(request.idempotencyKey);
      const transactionCode = trimmedFromWire(request.transactionCode, "transactionCode", 40).toUpperCase();
      const pickupCode = trimmedFromWire(request.pickupCode, "pickupCode", 40);
      const { tenantId, interactionId } = call;
      const caller = requireUser(call).userId;
      const tenant = store.forTenant(tenantId);
      const response = await runOnce({
        operation: "pay-out-cash",
        request,
        requestType: PayOutCashRequest,
        // A corrected code goes through under the same key.
        omit: ["pickupCode"],
        response: PayOutCashResponse,
        call,
        async prepare() {
          const found = await tenant.findTransactionByCode(transactionCode);
          if (found === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
          await tryCode(found, pickupCode, call);
          return found;
        },
        async work(session, tried) {
          const before = await tenant.findTransaction(tried.transactionId, session);
          // The code that was right may have been replaced meanwhile.
          const isSame = before?.pickup?.codeHash === tried.pickup?.codeHash;
          const step = before && isSame ? handOut(before, caller, clock.now()) : undefined;
          if (before === undefined || step === undefined) {
            throw changedMeanwhile();
          }
          return handedOut(await steps.write(tenantId, before, step, { actor: caller, interactionId }, session));
        },
      });
      crashPoint("remittance.pickup.handed-out");
      outbox.wake();
      return response;
    },
  };
}

function changedMeanwhile(): Refusal {
  return passing("STATE_CONFLICT", "the transaction was handed out or changed at this moment");
}

function handedOut({ transactionId, transactionCode, status, price, recipient, pickup }: Transaction) {
  return {
    transactionId,
    transactionCode,
    status,
    amount: moneyToWire(price.receive),
    recipientName: recipient.name,
    ...(pickup?.paidOutAt !== undefined && { paidOutAt: pickup.paidOutAt }),
  };
}
