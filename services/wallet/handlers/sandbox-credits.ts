import { v7 as uuidv7 } from "uuid";
import { ReceiveBankTransferRequest, ReceiveBankTransferResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import { assertCurrency } from "../../shared/currencies.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { parseMoney } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { isSandbox } from "../../shared/sandbox.js";
import { bookCredit } from "../jobs/credit-booking.js";
import { checkPositive } from "../domain/payment.js";
import type { StoredCredit } from "../domain/credit.js";
import { creditToWire } from "../wire/money-in.js";
import { textFromWire } from "../wire/payments.js";
import type { WalletDeps } from "./deps.js";

/**
 * A bank transfer arrives at a sandbox's bank. What comes of it comes as with one that the bank told of: it is taken here with its
 * decision, and booked by its row. Refuses FORBIDDEN outside a sandbox, AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING.
 */
export function receiveBankTransfer({ store, once, outbox, credits, ceilings, clock }: WalletDeps) {
  return async (request: ReceiveBankTransferRequest, call: Call): Promise<ReceiveBankTransferResponse> => {
    const { tenantId } = call;
    if (!isSandbox(tenantId)) throw new Refusal("FORBIDDEN", "bank transfers are made to arrive in a sandbox only");
    const { currency } = request;
    assertCurrency(currency, "currency");
    const amount = parseMoney(request.amount, currency, "amount");
    checkPositive(amount);
    const credit = {
      creditId: `sandbox-${uuidv7()}`,
      reference: textFromWire(request.reference, "reference"),
      amount,
      senderName: textFromWire(request.senderName, "senderName", { maximum: 100 }),
      senderAccountNumber: textFromWire(request.senderAccountNumber, "senderAccountNumber", {
        minimum: 0,
        maximum: 40,
      }),
      receivedAt: clock.now(),
    };
    const { creditId } = credit;
    let taken: StoredCredit | undefined;
    return once<ReceiveBankTransferRequest, ReceiveBankTransferResponse>({
      operation: "wallet.v1.ReceiveBankTransfer",
      request,
      requestType: ReceiveBankTransferRequest,
      response: ReceiveBankTransferResponse,
      call,
      work: async (session) => {
        await ceilings.check(call, amount);
        taken ??= await credits.decide(tenantId, credit);
        await store.forTenant(tenantId).insertCredit(taken, session);
        const { interactionId } = call;
        const row = { tenantId, aggregate: `credit:${creditId}`, seq: 1, kind: bookCredit, payload: { creditId } };
        await outbox.add({ ...row, interactionId, actor: actorOf(call) }, session);
        return { credit: creditToWire(taken) };
      },
    });
  };
}
