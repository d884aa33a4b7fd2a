import { randomBytes } from "node:crypto";
import {
  HandOutCashRequest,
  HandOutCashResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyToWire } from "../../kernel/money.js";
import { passing, Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { idFromWire, trimmedFromWire } from "../../kernel/text/wire-text.js";
import { assertKey } from "../wire/fields.js";
import { shownStatus } from "../domain/block-view.js";
import { handOut } from "../domain/payout.js";
import {
  assertIssuedByAnother,
  assertMayTry,
  isPickupCode,
  maxTries,
  newPickupCode,
  pickupLocked,
} from "../domain/pickup.js";
import { settlementKey } from "../domain/payout-transfers.js";
import { refusedInState, type Transaction } from "../domain/transaction.js";
import type { RemittanceDeps } from "./deps.js";

const handOutDecisions: ReadonlySet<RefusalCode> = new Set([
  "STATE_CONFLICT",
  "FORBIDDEN",
  "PICKUP_CODE_WRONG",
  "PICKUP_CODE_LOCKED",
] as const);

interface Tried {
  readonly handOutId: string;
  readonly cashierId: string;
  readonly code: string;
}

/** A transaction whose code is right, and how far its tenant's business time is ahead. */
interface RightTry {
  readonly right: Transaction;
  readonly aheadMs: number;
}

/** Cash that our own cashiers hand out against a code that only the sender has seen. */
export function cashHandlers(deps: RemittanceDeps) {
  const { store, people, runOnce, outbox, clock, times, steps, holds } = deps;

  /**
   * One try, counted where the code is wrong, before that is said. Refuses PICKUP_CODE_WRONG saying
   * how many are left, PICKUP_CODE_LOCKED. While a hit stands nobody is paid, whatever the code, in
   * the words of whoever was slower; the try is not counted, nor is one of whoever issued the code.
   */
  async function tryCode(transaction: Transaction, { code, cashierId }: Tried, call: Call): Promise<void> {
    const { pickup, transactionId } = transaction;
    const status = shownStatus(transaction);
    if (pickup === undefined) throw notByCashier();
    if (status !== "READY_FOR_PICKUP") throw refusedInState(status);
    assertMayTry(pickup);
    assertIssuedByAnother(pickup, cashierId);
    if (await holds.isHeld(transaction, call)) throw changedMeanwhile();
    if (await isPickupCode(pickup, code)) return;
    const tries = await store.forTenant(call.tenantId).countWrongPickup(transactionId, maxTries);
    if (tries === undefined) throw pickupLocked();
    const triesLeft = String(maxTries - tries);
    throw new Refusal("PICKUP_CODE_WRONG", "the pickup code is wrong", { figures: { triesLeft } });
  }

  /**
   * The transaction whose code is right, or why it is not handed out: kept for the hand-out, so
   * that no slower try of it is decided otherwise. Throws while nobody can decide.
   */
  async function tried(transactionId: string, given: Tried, call: Call): Promise<Transaction | Refusal> {
    const found = await store.forTenant(call.tenantId).findTransaction(transactionId);
    if (found === undefined) return new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    if (found.pickup?.handOutId === given.handOutId) return found;
    if (given.code === "") return passing("STATE_CONFLICT", "the hand-out was cut off before its code was tried");
    try {
      await tryCode(found, given, call);
      return found;
    } catch (error) {
      if (error instanceof Refusal && handOutDecisions.has(error.code)) return error;
      throw error;
    }
  }

  return {
    async issuePickupCode(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      await people.assertServesDesk(call);
      const tenant = store.forTenant(call.tenantId);
      for (;;) {
        const before = await tenant.findTransaction(transactionId);
        if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
        await people.assertMayChange(before, call);
        const { pickup, transactionCode } = before;
        const status = shownStatus(before);
        if (pickup === undefined) throw notByCashier();
        if (status !== "PAID" && status !== "READY_FOR_PICKUP") {
          throw refusedInState(status);
        }
        const issued = await newPickupCode(pickup, requireUser(call).userId, randomBytes);
        const stamp = { at: clock.now(), actor: actorOf(call) };
        const after = await tenant.change(before, { set: { pickup: issued.pickup } }, stamp);
        if (after !== undefined) return { code: issued.code, transactionCode };
        call.signal.throwIfAborted();
      }
    },

    async findPickup(request, call) {
      const code = trimmedFromWire(request.transactionCode, "transactionCode", 40).toUpperCase();
      const found = await store.forTenant(call.tenantId).findTransactionByCode(code);
      if (found === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
      if (found.pickup === undefined) throw notByCashier();
      const { transactionId, transactionCode, price, recipient, pickup } = found;
      const amount = moneyToWire(price.receive);
      const isHandedOut = pickup.handOutId !== undefined;
      return { transactionId, transactionCode, amount, recipientName: recipient.name, isHandedOut };
    },

    async handOutCash(request, call) {
      const { idempotencyKey: handOutId } = request;
      assertKey(handOutId);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const cashierId = idFromWire(request.cashierId, "cashierId");
      const pickupCode = trimmedFromWire(request.pickupCode, "pickupCode", 40, true);
      const handedOutAt = request.handedOutAt ?? clock.now();
      const by = { cashierId, handOutId, ...(request.ofAgent && { isOfAgent: true as const }) };
      const { tenantId, interactionId } = call;
      const tenant = store.forTenant(tenantId);
      const response = await runOnce<HandOutCashRequest, HandOutCashResponse, RightTry | Refusal>({
        operation: "hand-out-cash",
        request,
        requestType: HandOutCashRequest,
        // Wallet's recovery knows no code.
        omit: ["pickupCode"],
        response: HandOutCashResponse,
        call,
        caller: "wallet",
        prepare: async () => {
          const right = await tried(transactionId, { handOutId, cashierId, code: pickupCode }, call);
          if (right instanceof Refusal) return right;
          return { right, aheadMs: (await times.forTenant(tenantId, interactionId)).aheadMs };
        },
        async work(session, tryOf) {
          if (tryOf instanceof Refusal) return { refused: refusedToWire(tryOf) };
          const { right, aheadMs } = tryOf;
          const before = await tenant.findTransaction(transactionId, session);
          if (before?.pickup?.handOutId === handOutId) return { settlementKey: settlementKey(before) };
          // The code that was right may have been replaced meanwhile.
          const isSame = before?.pickup?.codeHash === right.pickup?.codeHash;
          // Wrong ones that came at once with the right one are counted by now.
          if (isSame && (before?.pickup?.tries ?? 0) >= maxTries) return { refused: refusedToWire(pickupLocked()) };
          const step =
            before && isSame
              ? handOut(before, { ...by, effectiveAt: new Date(handedOutAt.getTime() + aheadMs) }, handedOutAt)
              : undefined;
          if (before === undefined || step === undefined) return { refused: refusedToWire(changedMeanwhile()) };
          await steps.write(tenantId, before, step, { actor: cashierId, interactionId }, session);
          return { settlementKey: settlementKey(before) };
        },
      });
      crashPoint("remittance.pickup.handed-out");
      outbox.wake();
      return response;
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

function notByCashier(): Refusal {
  return new Refusal("STATE_CONFLICT", "this transaction is not handed out by a cashier");
}

function changedMeanwhile(): Refusal {
  return passing("STATE_CONFLICT", "the transaction was handed out or changed at this moment");
}

function refusedToWire({ code, message, details }: Refusal) {
  const triesLeft = details?.figures?.triesLeft;
  return {
    code,
    message,
    retryAfterS: details?.retryAfterS ?? 0,
    ...(triesLeft !== undefined && { triesLeft: Number(triesLeft) }),
  };
}
