import { v7 as uuidv7 } from "uuid";
import { TopUpByCardRequest, TopUpByCardResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { maxInt64, parseMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, originOf, runSaga } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { checkPositive } from "../domain/payment.js";
import { cardSettlement, type TopUp } from "../domain/top-up.js";
import { suspense } from "../domain/transfers.js";
import { ChargePending, topUpOperation } from "../sagas/top-up.js";
import { topUpToWire } from "../wire/top-ups.js";
import type { WalletDeps } from "./deps.js";
import { findOwnAccount } from "./find-account.js";

// The other half has room for thousands of charges under way of the largest ceiling.
const halfFullMinor = maxInt64 / 2n;

/** Money into a wallet from a card. */
export function topUpHandlers(deps: WalletDeps) {
  const { store, idempotency, sagas, topUps } = deps;
  return {
    /**
     * Charges a card into a wallet; answers PENDING while the acquirer has not decided. Refuses
     * CARD_REFUSED, ACCOUNT_NOT_FOUND, FORBIDDEN, ACCOUNT_CLOSED.
     */
    async topUpByCard(request, call) {
      textFromWire(request.cardToken, "cardToken", { maximum: 255 });
      textFromWire(request.accountId, "accountId");
      const { tenantId } = call;
      let topUpId = "";
      return runSaga<TopUpByCardRequest, TopUpByCardResponse>({
        idempotency,
        sagas,
        operation: topUpOperation,
        request,
        requestType: TopUpByCardRequest,
        // A retry may come with another token of the same card.
        omit: ["cardToken"],
        response: TopUpByCardResponse,
        call,
        async start(ticket) {
          const topUp = await plan(deps, request, call);
          if (topUp instanceof Refusal) return { refusal: topUp };
          ({ topUpId } = topUp);
          await topUps.begin(tenantId, topUp, ticket);
          return { drive: () => topUps.drive(tenantId, topUp, { ...deadlineOf(call), isFirst: true }) };
        },
        resume: (id) => {
          topUpId = id;
          return topUps.driveById(tenantId, id, deadlineOf(call));
        },
      }).catch(async (error: unknown) => {
        if (!(error instanceof ChargePending)) throw error;
        const pending = await store.forTenant(tenantId).findTopUp(topUpId);
        if (pending === undefined) throw error;
        return { topUp: topUpToWire(pending) };
      });
    },

    /** Refuses NOT_FOUND, FORBIDDEN for another customer's. */
    async getTopUp(request, call) {
      const topUp = await store.forTenant(call.tenantId).findTopUp(textFromWire(request.topUpId, "topUpId"));
      if (topUp === undefined) throw new Refusal("NOT_FOUND", "no such top-up");
      const { role, customerId } = requireUser(call);
      if (role === "CUSTOMER" && topUp.customerId !== customerId) {
        throw new Refusal("FORBIDDEN", "this is another customer's");
      }
      return { topUp: topUpToWire(topUp) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

async function plan(deps: WalletDeps, request: TopUpByCardRequest, call: Call): Promise<TopUp | Refusal> {
  const { cardToken, idempotencyKey } = request;
  const account = await findOwnAccount(deps, request.accountId, call);
  const { accountId, customerId, currency } = account;
  if (account.status === "CLOSED") return refusalByStatus(account) as Refusal;
  const amount = parseMoney(request.amount, currency, "amount");
  checkPositive(amount);
  await deps.ceilings.check(call, amount);
  const partner = await deps.cards.takerOf(call.tenantId, call.interactionId);
  await checkRoom(deps, account, partner, call);
  // Before the card is asked: afterwards the money would have arrived.
  const { refusal } = await deps.moves.ask({ customerId, kind: "TOP_UP" }, call);
  if (refusal !== undefined) return refusal;
  const origin = originOf(call, requireUser(call).userId, idempotencyKey);
  return {
    topUpId: uuidv7(),
    accountId,
    customerId,
    amount,
    cardToken,
    ...(partner !== undefined && { partner }),
    createdAt: deps.clock.now(),
    ...origin,
  };
}

/**
 * Refuses AMOUNT_TOO_LARGE where wallet, settlement or suspense is more than half full.
 */
async function checkRoom(
  { ledger }: WalletDeps,
  { accountId, currency }: WalletAccount,
  partner: OwnPartner | undefined,
  call: Call,
): Promise<void> {
  const { tenantId, interactionId } = call;
  const accountIds = [accountId, cardSettlement(currency, partner).accountId, suspense(currency).accountId];
  const { accounts } = await ledger.getAccounts({ accountIds }, outgoing({ tenantId, interactionId }));
  const isFull = accounts.some(({ creditsPostedMinor, debitsPostedMinor }) => {
    const balance = creditsPostedMinor - debitsPostedMinor;
    return balance > halfFullMinor || balance < -halfFullMinor;
  });
  if (isFull) throw new Refusal("AMOUNT_TOO_LARGE", `the books hold no more ${currency}; nothing was charged`);
}
