import { z } from "zod";
import { formatMoney } from "../../shared/money.js";
import { readCredits } from "../../shared/partner/bank-credits.js";
import { createSender, type PartnerAnswer, type SenderOptions } from "../../shared/partner/sender.js";
import { Refusal } from "../../shared/refusal.js";
import type { BankConnector, BankTransferOrder } from "./bank-connector.js";

const reason = z.string().default("");
const checkSchema = z.object({
  verified: z.boolean(),
  bankName: z.string(),
  accountHolderName: z.string(),
  reason,
});
const bvnSchema = z.discriminatedUnion("found", [
  z.object({ found: z.literal(false) }),
  z.object({
    found: z.literal(true),
    firstName: z.string(),
    lastName: z.string(),
    dateOfBirth: z.iso.date().optional(),
    phoneNumber: z.string().optional(),
  }),
]);
const transferSchema = z.object({ status: z.enum(["ACCEPTED", "PAID", "REFUSED", "RETURNED"]), reason });
const chargeSchema = z.object({ status: z.enum(["CAPTURED", "REFUSED", "PENDING"]), reason });
const creditsSchema = z.object({
  credits: z.array(
    z.object({
      // Becomes a part of the ledger's key.
      creditId: z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/),
      reference: z.string(),
      // Read one by one: what cannot be booked is passed over.
      amount: z.string().max(200),
      currency: z.string().max(200),
      senderName: z.string(),
      senderAccountNumber: z.string().default(""),
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
    async checkAccount(reference, account, call) {
      const answer = await send("POST", "/v1/bank/account-checks", call, { reference, ...account });
      const { verified, ...check } = checkSchema.parse(bodyOf(answer, "an account check"));
      return { isVerified: verified, ...check, reason: check.reason.slice(0, 200) };
    },

    async lookUpBvn(reference, asked, call) {
      const answer = await send("POST", "/v1/bank/bvn-lookups", call, { reference, ...asked });
      const found = bvnSchema.parse(bodyOf(answer, "a BVN look-up"));
      if (!found.found) return undefined;
      const { firstName, lastName, dateOfBirth, phoneNumber } = found;
      return {
        firstName,
        lastName,
        ...(dateOfBirth === undefined ? {} : { dateOfBirth }),
        ...(phoneNumber === undefined ? {} : { phoneNumber }),
      };
    },

    async transfer(order, call) {
      const answer = await send("PUT", transferPath(order.reference), call, transferBody(order));
      return transferSchema.parse(bodyOf(answer, "a transfer"));
    },

    async findTransfer(reference, call) {
      const answer = await send("GET", transferPath(reference), call);
      return answer.status === 404 ? undefined : transferSchema.parse(bodyOf(answer, "a look at a transfer"));
    },

    async charge(reference, cardToken, amount, call) {
      const body = { cardToken, amount: formatMoney(amount), currency: amount.currency };
      return chargeSchema.parse(bodyOf(await send("PUT", chargePath(reference), call, body), "a charge"));
    },

    async findCharge(reference, call) {
      const answer = await send("GET", chargePath(reference), call);
      return answer.status === 404 ? undefined : chargeSchema.parse(bodyOf(answer, "a look at a charge"));
    },

    async credits(after, call) {
      const query = new URLSearchParams({ collection: "wallet", after, limit: "100" });
      const answer = await send("GET", `/v1/bank/credits?${query.toString()}`, call);
      const { credits, nextCursor } = creditsSchema.parse(bodyOf(answer, "what arrived"));
      return { nextCursor, ...readCredits(credits) };
    },
  };
}

const transferPath = (reference: string): string => `/v1/bank/transfers/${encodeURIComponent(reference)}`;
const chargePath = (reference: string): string => `/v1/bank/card-charges/${encodeURIComponent(reference)}`;

function transferBody({ amount, to, narration }: BankTransferOrder): object {
  const { bankCode, accountNumber, accountHolderName } = to;
  return {
    amount: formatMoney(amount),
    currency: amount.currency,
    bankCode,
    accountNumber,
    accountHolderName,
    narration,
  };
}

function bodyOf({ status, body }: PartnerAnswer, what: string): unknown {
  if (status === 200 || status === 202) return body;
  if (status === 409) throw new Refusal("STATE_CONFLICT", `the bank has something else under the reference of ${what}`);
  throw new Error(`the bank answered ${what} with status ${status}`);
}
