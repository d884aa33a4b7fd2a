import { z } from "zod";
import { formatMoney } from "../../shared/money.js";
import { readCredits } from "../../shared/partner/bank-credits.js";
import { createSender, type PartnerAnswer, type SenderOptions } from "../../shared/partner/sender.js";
import { Refusal } from "../../shared/refusal.js";
import type { BankConnector } from "./bank-connector.js";

const reason = z.string().default("");
const transferSchema = z.object({ status: z.enum(["ACCEPTED", "PAID", "REFUSED", "RETURNED"]), reason });
const chargeSchema = z.object({ status: z.enum(["CAPTURED", "REFUSED", "PENDING"]), reason });
const cardSchema = z.object({ cardToken: z.string().min(1).max(200) });
const creditsSchema = z.object({
  credits: z.array(
    z.object({
      creditId: z.string().min(1).max(128),
      reference: z.string(),
      // Read one by one: what cannot be booked is passed over.
      amount: z.string().max(200),
      currency: z.string().max(200),
      senderName: z.string(),
      receivedAt: z.iso.datetime(),
    }),
  ),
  nextCursor: z.string(),
});

/**
 * The bank's HTTP API. A status that it does not document is a bug (Error), never an answer about
 * the money.
 */
export function createHttpBankConnector(options: SenderOptions): BankConnector {
  const send = createSender(options);
  return {
    async transfer({ reference, amount, ...to }, call) {
      const body = { amount: formatMoney(amount), currency: amount.currency, ...to };
      const answer = await send("PUT", `/v1/bank/transfers/${encodeURIComponent(reference)}`, call, body);
      return transferSchema.parse(bodyOf(answer, "a transfer"));
    },
    async findTransfer(reference, call) {
      const answer = await send("GET", `/v1/bank/transfers/${encodeURIComponent(reference)}`, call);
      return answer.status === 404 ? undefined : transferSchema.parse(bodyOf(answer, "a look at a transfer"));
    },
    async storedCard(customerId, call) {
      const answer = await send("GET", `/v1/bank/customers/${encodeURIComponent(customerId)}/card`, call);
      if (answer.status === 404) return undefined;
      return cardSchema.parse(bodyOf(answer, "a stored card")).cardToken;
    },
    async charge(reference, cardToken, amount, call) {
      const body = { cardToken, amount: formatMoney(amount), currency: amount.currency };
      const answer = await send("PUT", `/v1/bank/card-charges/${encodeURIComponent(reference)}`, call, body);
      return chargeSchema.parse(bodyOf(answer, "a charge"));
    },
    async credits(after, call) {
      const query = new URLSearchParams({ collection: "lending", after, limit: "100" });
      const answer = await send("GET", `/v1/bank/credits?${query.toString()}`, call);
      const { credits, nextCursor } = creditsSchema.parse(bodyOf(answer, "what arrived"));
      return { nextCursor, ...readCredits(credits) };
    },
  };
}

function bodyOf({ status, body }: PartnerAnswer, what: string): unknown {
  if (status === 200 || status === 202) return body;
  if (status === 409) throw new Refusal("STATE_CONFLICT", `the bank has something else under the reference of ${what}`);
  throw new Error(`the bank answered ${what} with status ${status}`);
}
