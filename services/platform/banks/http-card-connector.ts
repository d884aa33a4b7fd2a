import { z } from "zod";
import { formatMoney } from "../../kernel/money.js";
import { createSender, repeats, type SenderOptions } from "../partners/sender.js";
import { bodyOf } from "./answers.js";
import type { CardConnector } from "./bank-connector.js";

const reason = z.string().default("");
const chargeSchema = z.object({ status: z.enum(["CAPTURED", "REFUSED", "PENDING"]), reason });
const cardSchema = z.object({ cardToken: z.string().min(1).max(200) });

/** The acquirer's HTTP API; as createHttpBankConnector. */
export function createHttpCardConnector(options: SenderOptions): CardConnector {
  const send = createSender(options);
  return {
    async charge(reference, cardToken, amount, call) {
      const body = { cardToken, amount: formatMoney(amount), currency: amount.currency };
      const [subject, isOurs] = [{ operation: "charge", reference }, repeats({ reference })];
      const answer = await send("PUT", chargePath(reference), call, body, subject, isOurs);
      return chargeSchema.parse(bodyOf(answer, "a charge"));
    },

    async findCharge(reference, call) {
      const [subject, isOurs] = [{ operation: "find", reference }, repeats({ reference })];
      const answer = await send("GET", chargePath(reference), call, undefined, subject, isOurs);
      return answer.status === 404 ? undefined : chargeSchema.parse(bodyOf(answer, "a look at a charge"));
    },

    async storedCard(customerId, call) {
      const path = `/v1/bank/customers/${encodeURIComponent(customerId)}/card`;
      const [subject, isOurs] = [{ operation: "find", reference: customerId }, repeats({ customerId })];
      const answer = await send("GET", path, call, undefined, subject, isOurs);
      if (answer.status === 404) return undefined;
      return cardSchema.parse(bodyOf(answer, "a stored card")).cardToken;
    },
  };
}

const chargePath = (reference: string): string => `/v1/bank/card-charges/${encodeURIComponent(reference)}`;
