import { v7 as uuidv7 } from "uuid";
import { CashInRequest, CashInResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { stillRefused } from "../../platform/approvals/approvals.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CashIn } from "../domain/cash-in-approval.js";
import { withHeld } from "../domain/held-arrival.js";
import type { Movement } from "../domain/movement.js";
import { notOpen, type Till } from "../domain/till.js";
import { dayLimitRefusal } from "../sagas/wallet-daily-limit.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { Session } from "../store/collections.js";
import type { TenantStore, WalletStore } from "../store/index.js";
import { cashInToWire } from "../wire/cash.js";
import { cashInOperation, cashMovement, decideCashIn, type TakenByCashIn, type WantedCash } from "./cash.js";
import type { WalletDeps } from "./deps.js";

/**
 * Keeps a cash-in and asks a manager to approve it. A repeated request asks again:
 * identity knows the key. Refuses FORBIDDEN and INVALID_INPUT as identity does: then
 * it is over, also for a repeat.
 */
export async function requestCashInApproval(
  deps: WalletDeps,
  request: CashInRequest,
  wanted: WantedCash,
  call: Call,
): Promise<CashInResponse> {
  const stored = await keep(deps, request, wanted, call);
  // Its first try went through without an approval.
  if (stored.cashIn === undefined) return stored;
  const { cashInId } = stored.cashIn;
  const { till, account, amount } = wanted;
  const text = `${formatMoney(amount)} ${amount.currency}`;
  const wallet = deps.store.forTenant(call.tenantId);
  const before = await wallet.findCashIn(cashInId);
  if (before?.status === "FAILED" && before.approvalId === undefined) throw stillRefused(before.failure ?? "");
  const question = {
    idempotencyKey: `wallet-cash-in:${cashInId}`,
    kind: "CASH_IN" as const,
    subject: `wallet:${account.accountId}`,
    summary: `Cash in of ${text} into wallet ${account.accountNumber} at till ${till.tillId}`,
    amount,
    reason: "more than one person takes alone at a desk",
    payload: { cashInId },
    customerId: account.customerId,
  };
  const { approvalId } = await deps.approvals.askAndNote(call, question, (noted) => {
    const change = "approvalId" in noted ? noted : { status: "FAILED" as const, failure: noted.refusedBecause };
    return wallet.moveCashIn(cashInId, "WAITING", change);
  });
  const now = await wallet.findCashIn(cashInId);
  return { movement: undefined, cashIn: now && cashInToWire({ ...now, approvalId }) };
}

function keep(deps: WalletDeps, request: CashInRequest, wanted: WantedCash, call: Call): Promise<CashInResponse> {
  const { till, account, amount } = wanted;
  const wallet = deps.store.forTenant(call.tenantId);
  return deps.runOnce<CashInRequest, CashInResponse, TakenByCashIn>({
    operation: cashInOperation,
    request,
    requestType: CashInRequest,
    response: CashInResponse,
    call,
    prepare: async () => {
      const decided = await decideCashIn(deps, wanted, call);
      if (decided instanceof Refusal) throw decided;
      return decided;
    },
    work: async (session, { isHeld, ...taken }) => {
      for (const part of taken.parts) {
        const refusal = await dayLimitRefusal(wallet, part, session);
        if (refusal !== undefined) throw refusal;
      }
      const { accountId, customerId } = account;
      const { tillId, cashierId } = till;
      const waiting: CashIn = {
        cashInId: uuidv7(),
        tillId,
        cashierId,
        accountId,
        customerId,
        amount,
        status: "WAITING",
        ...taken,
        ...(isHeld && { isHeld }),
        createdAt: deps.clock.now(),
      };
      await wallet.insertCashIn(waiting, session);
      return { cashIn: cashInToWire(waiting), movement: undefined };
    },
  });
}

/**
 * Applies a manager's decision: the cash-in is booked by a movement in the cashier's name, or is
 * over.
 */
export function cashInOutcome(store: WalletStore, movements: MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ status, payload, decidedBecause, subject }, session, call, effects) => {
    const wallet = store.forTenant(call.tenantId);
    const stored = await wallet.findCashIn(String(payload["cashInId"]), session);
    if (stored?.status !== "WAITING") return effects.add({ kind: "NOTHING_DONE", subject });
    const { cashInId } = stored;
    if (status !== "APPROVED") {
      const failure = decidedBecause || status;
      await wallet.moveCashIn(cashInId, "WAITING", { status: "REFUSED", failure }, session);
      return;
    }
    const till = await wallet.findTill(stored.tillId, session);
    const refusal = await refusedNow(wallet, stored, till, session);
    if (till === undefined || refusal !== undefined) {
      const failure = refusal?.code ?? "TILL_NOT_OPEN";
      await wallet.moveCashIn(cashInId, "WAITING", { status: "FAILED", failure }, session);
      return effects.add({ kind: "NOTHING_DONE", subject });
    }
    effects.add({ kind: "MONEY_PAID_IN", subject: `wallet:${stored.accountId}`, amount: stored.amount });
    await wallet.moveCashIn(cashInId, "WAITING", { status: "POSTING" }, session);
    await movements.beginUnasked(call.tenantId, movementOf(stored, till, clock.now(), call), session);
  };
}

/** What would refuse it in this transaction, before anything of it is written. */
async function refusedNow(wallet: TenantStore, stored: CashIn, till: Till | undefined, session: Session) {
  if (till?.status !== "OPEN") return notOpen(till?.status);
  if (till.expectedMinor + stored.amount.minor > stored.tillMinor) {
    return new Refusal("AMOUNT_OUT_OF_LIMITS", "the till has no room for so much");
  }
  for (const part of stored.parts) {
    const refusal = await dayLimitRefusal(wallet, part, session);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function movementOf(stored: CashIn, till: Till, createdAt: Date, { interactionId }: Call): Movement {
  const { cashInId, accountId, customerId, amount, parts: spends, tillMinor: tillMaxMinor, cashierId } = stored;
  const movementId = uuidv7();
  const account = { accountId, customerId };
  const planned = { ...cashMovement(movementId, till, account, amount.minor, true), spends, tillMaxMinor, cashInId };
  return {
    movementId,
    ...(stored.isHeld === true ? withHeld(planned, account, "CASH_IN") : planned),
    createdAt,
    caller: "wallet",
    idempotencyKey: "",
    interactionId,
    createdBy: cashierId,
  };
}
