import { v7 as uuidv7 } from "uuid";
import {
  CashInRequest,
  CashInResponse,
  type GetCashInRequest,
  type GetCashInResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import type { OutcomeHandler } from "../../shared/approvals.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import { formatMoney, type Money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { refusedByDay } from "../store/day-limit.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { cashRuleOf, dayPartsOfCashIn, refusedByCashLimits, type CashIn } from "../domain/cash.js";
import { withHeld } from "../domain/held.js";
import { limitOf } from "../domain/limits.js";
import type { Movement } from "../domain/movement.js";
import { notOpen, type Till } from "../domain/till.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { Session, TenantStore, WalletStore } from "../store/index.js";
import { cashInToWire } from "../wire/money-in.js";
import { textFromWire } from "../wire/payments.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";
import { cashMovement, cashOf } from "./tills.js";

const operation = "wallet.v1.CashIn";

/**
 * Above the amount of four eyes it waits for a manager and is answered without a movement. Refuses TILL_NOT_OPEN, ACCOUNT_NOT_FOUND,
 * ACCOUNT_CLOSED, CURRENCY_MISMATCH, AMOUNT_OUT_OF_LIMITS and DAILY_LIMIT_EXCEEDED of cashier, till and wallet, CUSTOMER_NOT_CONFIRMED.
 */
export function cashIn(deps: WalletDeps) {
  return async (request: CashInRequest, call: Call): Promise<CashInResponse> => {
    const { till, account, amount } = await cashOf(deps, request, call);
    const rule = cashRuleOf(await cashLimitsOf(deps, till, call), till.cashierId);
    const fits = amount.minor <= rule.perCashInMinor;
    if (fits && amount.minor > rule.fourEyesAboveMinor) return askedFor(deps, request, { till, account, amount }, call);
    return runMovement<CashInRequest, CashInResponse>(deps, {
      operation,
      request,
      requestType: CashInRequest,
      response: CashInResponse,
      call,
      plan: async (movementId) => {
        const planned = await decide(deps, { till, account, amount }, call);
        if (planned instanceof Refusal) return planned;
        const { parts: spends, tillMinor: tillMostMinor, isHeld } = planned;
        const movement = { ...cashMovement(movementId, till, account, amount.minor, true), spends, tillMostMinor };
        return isHeld ? withHeld(movement, account, "CASH_IN") : movement;
      },
    });
  };
}

/** Refuses NOT_FOUND, FORBIDDEN for another cashier's. */
export function getCashIn({ store }: Pick<WalletDeps, "store">) {
  return async (request: GetCashInRequest, call: Call): Promise<GetCashInResponse> => {
    const found = await store.forTenant(call.tenantId).findCashIn(textFromWire(request.cashInId, "cashInId"));
    if (found === undefined) throw new Refusal("NOT_FOUND", "no such cash-in");
    const { role, userId } = requireUser(call);
    if (role === "CASHIER" && found.cashierId !== userId) throw new Refusal("FORBIDDEN", "this is another cashier's");
    return { cashIn: cashInToWire(found) };
  };
}

interface Wanted {
  till: Till;
  account: WalletAccount;
  amount: Money;
}

const cashLimitsOf = ({ store }: Pick<WalletDeps, "store">, { cashierId, currency }: Till, { tenantId }: Call) =>
  store.forTenant(tenantId).cashLimitsFor(cashierId, currency);

/** Whether it may come in as things are, and what it takes. */
async function decide(deps: WalletDeps, { till, account, amount }: Wanted, call: Call) {
  if (till.status !== "OPEN") return notOpen(till.status);
  // A frozen wallet takes money in.
  if (account.status === "CLOSED") return refusalByStatus(account) as Refusal;
  const wallet = deps.store.forTenant(call.tenantId);
  const { accountId, currency, customerId } = account;
  const rule = cashRuleOf(await cashLimitsOf(deps, till, call), till.cashierId);
  const ofWallet = limitOf(await wallet.limitsFor(accountId, currency), accountId);
  const tooMuch = refusedByCashLimits(rule, ofWallet, till, amount);
  if (tooMuch !== undefined) return tooMuch;
  const { refusal, isHeld } = await deps.moves.ask({ customerId, kind: "CASH_IN" }, call);
  if (refusal !== undefined) return refusal;
  const day = (await deps.businessClock.forTenant(call.tenantId, call.interactionId)).today().toString();
  const parts = dayPartsOfCashIn({ cashierId: till.cashierId, accountId, day }, rule, ofWallet, amount);
  for (const part of parts) await wallet.openDay(part.accountId, day);
  return { parts, tillMinor: rule.tillMinor, isHeld };
}

/** Keeps what is wanted and asks for a second person's word. Asked again by whoever repeats the request; identity knows the key. */
async function askedFor(deps: WalletDeps, request: CashInRequest, wanted: Wanted, call: Call): Promise<CashInResponse> {
  const { till, account, amount } = wanted;
  const wallet = deps.store.forTenant(call.tenantId);
  const kept = await deps.once<CashInRequest, CashInResponse>({
    operation,
    request,
    requestType: CashInRequest,
    response: CashInResponse,
    call,
    work: async (session) => {
      const planned = await decide(deps, wanted, call);
      if (planned instanceof Refusal) throw planned;
      const { isHeld, ...taken } = planned;
      for (const part of taken.parts) {
        const refusal = await refusedByDay(wallet, part, session);
        if (refusal !== undefined) throw refusal;
      }
      const { accountId, customerId } = account;
      const { tillId, cashierId } = till;
      const made: CashIn = {
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
      await wallet.insertCashIn(made, session);
      return { cashIn: cashInToWire(made), movement: undefined };
    },
  });
  // Its first try went through without four eyes.
  if (kept.cashIn === undefined) return kept;
  const { cashInId } = kept.cashIn;
  const text = `${formatMoney(amount)} ${amount.currency}`;
  const { approvalId } = await deps.approvals.ask(call, {
    idempotencyKey: `wallet-cash-in:${cashInId}`,
    kind: "CASH_IN",
    subject: `wallet:${account.accountId}`,
    summary: `Cash in of ${text} into wallet ${account.accountNumber} at till ${till.tillId}`,
    amount,
    reason: "more than a cashier takes alone",
    payload: { cashInId },
    customerId: account.customerId,
  });
  await wallet.moveCashIn(cashInId, "WAITING", { approvalId });
  const now = await wallet.findCashIn(cashInId);
  return { movement: undefined, cashIn: now && cashInToWire({ ...now, approvalId }) };
}

/** What a manager said: it is booked by a movement of its own, in the cashier's name, or is over. */
export function cashInOutcome(store: WalletStore, movements: () => MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ status, payload, decidedBecause }, session, call) => {
    const wallet = store.forTenant(call.tenantId);
    const kept = await wallet.findCashIn(String(payload["cashInId"]), session);
    if (kept?.status !== "WAITING") return;
    const { cashInId } = kept;
    if (status !== "APPROVED") {
      const failure = decidedBecause || status;
      await wallet.moveCashIn(cashInId, "WAITING", { status: "REFUSED", failure }, session);
      return;
    }
    const till = await wallet.findTill(kept.tillId, session);
    const refusal = await refusedNow(wallet, kept, till, session);
    if (till === undefined || refusal !== undefined) {
      const failure = refusal?.code ?? "TILL_NOT_OPEN";
      await wallet.moveCashIn(cashInId, "WAITING", { status: "FAILED", failure }, session);
      return;
    }
    await wallet.moveCashIn(cashInId, "WAITING", { status: "POSTING" }, session);
    await movements().beginUnasked(call.tenantId, movementOf(kept, till, clock.now(), call), session);
  };
}

/** What would refuse it in this transaction, before anything of it is written. */
async function refusedNow(wallet: TenantStore, kept: CashIn, till: Till | undefined, session: Session) {
  if (till?.status !== "OPEN") return notOpen(till?.status);
  if (till.expectedMinor + kept.amount.minor > kept.tillMinor) {
    return new Refusal("AMOUNT_OUT_OF_LIMITS", "the till has no room for so much");
  }
  for (const part of kept.parts) {
    const refusal = await refusedByDay(wallet, part, session);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function movementOf(kept: CashIn, till: Till, createdAt: Date, { interactionId }: Call): Movement {
  const { cashInId, accountId, customerId, amount, parts: spends, tillMinor: tillMostMinor, cashierId } = kept;
  const movementId = uuidv7();
  const account = { accountId, customerId };
  const planned = { ...cashMovement(movementId, till, account, amount.minor, true), spends, tillMostMinor, cashInId };
  return {
    movementId,
    ...(kept.isHeld === true ? withHeld(planned, account, "CASH_IN") : planned),
    createdAt,
    caller: "wallet",
    idempotencyKey: "",
    interactionId,
    createdBy: cashierId,
  };
}
