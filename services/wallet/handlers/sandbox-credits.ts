import { v7 as uuidv7 } from "uuid";
import { ReceiveBankTransferRequest, ReceiveBankTransferResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { parseMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { StoredCredit } from "../domain/credit.js";
import { checkPositive } from "../domain/payment.js";
import { creditToWire } from "../wire/credits.js";
import type { WalletDeps } from "./deps.js";

/**
 * Makes a bank transfer arrive at a sandbox's bank: it is taken here with its decision, and booked
 * by its outbox row as one from a bank's list is. Refuses FORBIDDEN outside a sandbox,
 * AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING.
 */
export function receiveBankTransfer({ runOnce, credits, ceilings, clock }: WalletDeps) {
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
    return runOnce<ReceiveBankTransferRequest, ReceiveBankTransferResponse, StoredCredit>({
      operation: "wallet.v1.ReceiveBankTransfer",
      request,
      requestType: ReceiveBankTransferRequest,
      response: ReceiveBankTransferResponse,
      call,
      prepare: async () => {
        await ceilings.check(call, amount);
        return credits.decide(tenantId, credit);
      },
      work: async (session, taken) => {
        const { interactionId } = call;
        await credits.insert(taken, { tenantId, interactionId, actor: actorOf(call) }, session);
        return { credit: creditToWire(taken) };
      },
    });
  };
}
