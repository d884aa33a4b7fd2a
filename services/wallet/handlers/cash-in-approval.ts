import { v7 as uuidv7 } from "uuid";
import { CashInRequest, CashInResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { stillRefused } from "../../platform/approvals/approvals.js";
import type { Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CashIn } from "../domain/cash-in-approval.js";
import { dayLimitRefusal } from "../sagas/wallet-daily-limit.js";
import type { WalletStore } from "../store/index.js";
import { cashInToWire } from "../wire/cash.js";
import { cashInOperation, decideCashIn, type TakenByCashIn, type WantedCash } from "./cash.js";
import type { WalletDeps } from "./deps.js";

/**
 * Keeps a cash-in and asks a manager to allow it, until its business day is over. A repeated
 * request asks again: identity knows the key. Refuses FORBIDDEN and INVALID_INPUT as identity does:
 * then it is over, also for a repeat.
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
    expiresInS: await secondsOfDay(deps, call),
  };
  const { approvalId } = await deps.approvals.askAndNote(call, question, (noted) => {
    const change = "approvalId" in noted ? noted : { status: "FAILED" as const, failure: noted.refusedBecause };
    return wallet.moveCashIn(cashInId, "WAITING", change);
  });
  const now = await wallet.findCashIn(cashInId);
  const { day: today } = now ?? { day: "" };
  return { movement: undefined, cashIn: now && cashInToWire({ ...now, approvalId }, today) };
}

/** Until the business day is over: nobody need decide about it then. */
async function secondsOfDay({ businessClock }: WalletDeps, call: Call): Promise<number> {
  const time = await businessClock.forTenant(call.tenantId, call.interactionId);
  const ends = time.today().add({ days: 1 }).toZonedDateTime(time.timeZone).epochMilliseconds;
  return Math.max(60, Math.floor((ends - time.now().getTime()) / 1_000));
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
    work: async (session, { parts, day }) => {
      for (const part of parts) {
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
        day,
        createdAt: deps.clock.now(),
      };
      await wallet.insertCashIn(waiting, session);
      return { cashIn: cashInToWire(waiting, day), movement: undefined };
    },
  });
}

/** Books nothing: the cashier may take the cash from now on, or it is over. */
export function cashInOutcome(store: WalletStore): OutcomeHandler {
  return async ({ status, payload, decidedBecause, subject }, session, call, effects) => {
    const wallet = store.forTenant(call.tenantId);
    const stored = await wallet.findCashIn(String(payload["cashInId"]), session);
    if (stored?.status !== "WAITING") return effects.add({ kind: "NOTHING_DONE", subject });
    const { cashInId, amount } = stored;
    if (status !== "APPROVED") {
      const failure = decidedBecause || status;
      await wallet.moveCashIn(cashInId, "WAITING", { status: "REFUSED", failure }, session);
      return;
    }
    effects.add({ kind: "CASH_IN_ALLOWED", subject, amount });
    await wallet.moveCashIn(cashInId, "WAITING", { status: "APPROVED" }, session);
  };
}
