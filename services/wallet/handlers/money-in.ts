import { v7 as uuidv7 } from "uuid";
import {
  AssignCreditRequest,
  AssignCreditResponse,
  TopUpByCardRequest,
  TopUpByCardResponse,
  type GetTopUpRequest,
  type GetTopUpResponse,
  type ListUnmatchedCreditsRequest,
  type ListUnmatchedCreditsResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../shared/grpc/client.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import { fingerprintOf } from "../../shared/idempotency/index.js";
import { maxInt64, parseMoney } from "../../shared/money.js";
import { invalidInput, passing, Refusal } from "../../shared/refusal.js";
import { runKeyedSaga } from "../../shared/sagas.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { accountsOfCredit, transferOfAssignment } from "../domain/credit.js";
import { withHeld } from "../domain/held.js";
import { checkPositive } from "../domain/payment.js";
import { cardSettlement, type TopUp } from "../domain/top-up.js";
import { suspense } from "../domain/transfers.js";
import { ChargePending, topUpOperation } from "../sagas/top-up.js";
import { creditToWire, topUpToWire } from "../wire/money-in.js";
import { textFromWire } from "../wire/payments.js";
import { originOf, waiting, type WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

// What is being charged at the same time, thousands of the largest ceiling, still fits into the other half.
const halfFullMinor = maxInt64 / 2n;

/** A top-up whose card is not charged yet is answered PENDING. Refuses CARD_REFUSED, ACCOUNT_NOT_FOUND, FORBIDDEN, ACCOUNT_CLOSED. */
export function topUpByCard(deps: WalletDeps) {
  const { store, idempotency, sagas, topUps, clock } = deps;
  return async (request: TopUpByCardRequest, call: Call): Promise<TopUpByCardResponse> => {
    const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
    const cardToken = textFromWire(request.cardToken, "cardToken", { maximum: 255 });
    const accountId = textFromWire(request.accountId, "accountId");
    const { userId: caller, customerId } = requireUser(call);
    const { tenantId } = call;
    let topUpId = "";
    return runKeyedSaga<TopUpByCardResponse>({
      idempotency,
      sagas,
      scope: { tenantId, caller, operation: topUpOperation, key },
      fingerprint: fingerprintOf(TopUpByCardRequest, request, ["idempotencyKey", "cardToken"]),
      response: TopUpByCardResponse,
      call,
      async start(ticket) {
        const account = await store.forTenant(tenantId).findAccount(accountId);
        if (account === undefined || account.status === "OPENING") {
          throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
        }
        if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the account is another customer's");
        if (account.status === "CLOSED") return { refusal: refusalByStatus(account) as Refusal };
        const amount = parseMoney(request.amount, account.currency, "amount");
        checkPositive(amount);
        await deps.ceilings.check(call, amount);
        await checkRoom(deps, account, call);
        // Before the card is asked: afterwards the money would have arrived.
        const { refusal } = await deps.moves.ask({ customerId, kind: "TOP_UP" }, call);
        if (refusal !== undefined) return { refusal };
        topUpId = uuidv7();
        const base = { topUpId, accountId, customerId, amount, cardToken, createdAt: clock.now() };
        const topUp: TopUp = { ...base, ...originOf(call, caller, key) };
        await topUps.begin(tenantId, topUp, ticket);
        return { drive: () => topUps.drive(tenantId, topUp, { ...waiting(call), isFirst: true }) };
      },
      resume: (id) => {
        topUpId = id;
        return topUps.driveById(tenantId, id, waiting(call));
      },
    }).catch(async (error: unknown) => {
      if (!(error instanceof ChargePending)) throw error;
      const pending = await store.forTenant(tenantId).findTopUp(topUpId);
      if (pending === undefined) throw error;
      return { topUp: topUpToWire(pending) };
    });
  };
}

/** A card is charged only while wallet, settlement and suspense are at most half full. Refuses AMOUNT_TOO_LARGE. */
async function checkRoom({ ledger }: WalletDeps, { accountId, currency }: WalletAccount, call: Call): Promise<void> {
  const { tenantId, interactionId } = call;
  const accountIds = [accountId, cardSettlement(currency).accountId, suspense(currency).accountId];
  const { accounts } = await ledger.getAccounts({ accountIds }, outgoing({ tenantId, interactionId }));
  const isFull = accounts.some(({ creditsPostedMinor, debitsPostedMinor }) => {
    const balance = creditsPostedMinor - debitsPostedMinor;
    return balance > halfFullMinor || balance < -halfFullMinor;
  });
  if (isFull) throw new Refusal("AMOUNT_TOO_LARGE", `the books hold no more ${currency}; nothing was charged`);
}

/** Refuses NOT_FOUND, FORBIDDEN for another customer's. */
export function getTopUp({ store }: WalletDeps) {
  return async (request: GetTopUpRequest, call: Call): Promise<GetTopUpResponse> => {
    const topUp = await store.forTenant(call.tenantId).findTopUp(textFromWire(request.topUpId, "topUpId"));
    if (topUp === undefined) throw new Refusal("NOT_FOUND", "no such top-up");
    const { role, customerId } = requireUser(call);
    if (role === "CUSTOMER" && topUp.customerId !== customerId) {
      throw new Refusal("FORBIDDEN", "this is another customer's");
    }
    return { topUp: topUpToWire(topUp) };
  };
}

export function listUnmatchedCredits({ store }: WalletDeps) {
  return async (request: ListUnmatchedCreditsRequest, call: Call): Promise<ListUnmatchedCreditsResponse> => {
    const size = request.pageSize || 20;
    if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
    textFromWire(request.cursor, "cursor", { minimum: 0 });
    const found = await store.forTenant(call.tenantId).unmatchedCredits(request.cursor, size + 1);
    const credits = found.slice(0, size);
    const nextCursor = found.length > size ? (credits.at(-1)?.creditId ?? "") : "";
    return { credits: credits.map(creditToWire), nextCursor };
  };
}

/** Refuses NOT_FOUND, STATE_CONFLICT once it is somebody's, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, CURRENCY_MISMATCH. */
export function assignCredit(deps: WalletDeps) {
  return async (request: AssignCreditRequest, call: Call): Promise<AssignCreditResponse> => {
    const wallet = deps.store.forTenant(call.tenantId);
    const creditId = textFromWire(request.creditId, "creditId");
    textFromWire(request.reason, "reason", { maximum: 500 });
    return runMovement<AssignCreditRequest, AssignCreditResponse>(deps, {
      operation: "wallet.v1.AssignCredit",
      request,
      requestType: AssignCreditRequest,
      response: AssignCreditResponse,
      call,
      plan: async (movementId) => {
        const credit = await wallet.findCredit(creditId);
        if (credit === undefined) throw new Refusal("NOT_FOUND", "no such credit");
        const account = await wallet.findAccount(textFromWire(request.accountId, "accountId"));
        if (account === undefined || account.status === "OPENING") {
          throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
        }
        if (credit.status === "TAKEN" || credit.status === "ASSIGNING") {
          return passing("STATE_CONFLICT", "the credit is being given to somebody");
        }
        if (credit.status !== "UNMATCHED") return new Refusal("STATE_CONFLICT", "the credit is somebody's already");
        if (account.status === "CLOSED") return refusalByStatus(account) as Refusal;
        const { currency } = credit.amount;
        // The tenant's ceiling has set it aside for staff to look at; the operator's holds.
        deps.ceilings.checkSum(credit.amount);
        if (account.currency !== currency) {
          return new Refusal("CURRENCY_MISMATCH", `the credit is in ${currency}, the wallet holds ${account.currency}`);
        }
        const { accountId, customerId } = account;
        const { isHeld } = await deps.moves.ask({ customerId, kind: "BANK_CREDIT_RECEIVED" }, call);
        const movement = {
          kind: "CREDIT_ASSIGNMENT" as const,
          accountId,
          customerId,
          ownAccounts: [accountsOfCredit(credit).suspense],
          transfers: [transferOfAssignment(credit, movementId, accountId)],
          subjectId: creditId,
          credit: { ...credit, status: "ASSIGNED" as const, accountId },
        };
        return isHeld ? withHeld(movement, account, "BANK_CREDIT_RECEIVED") : movement;
      },
    });
  };
}
