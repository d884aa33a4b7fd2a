import { z } from "zod";
import { formatMoney } from "../../kernel/money.js";
import { readCredits } from "./bank-credits.js";
import { createSender, repeats, type SenderOptions } from "../partners/sender.js";
import type { BankConnector, BankTransferOrder, Collection } from "./bank-connector.js";
import { bodyOf } from "./answers.js";

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
const creditsSchema = (creditId: z.ZodString) =>
  z.object({
    credits: z.array(
      z.object({
        creditId,
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
 * Ids of credits become a part of the ledger's key in the wallet; lending makes a digest of them.
 */
const defaultCreditIds: Readonly<Record<Collection, z.ZodString>> = {
  wallet: z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/),
  lending: z.string().min(1).max(128),
};

export interface HttpBankOptions extends SenderOptions {
  collection: Collection;
  /** In place of what the operator's default bank may name its credits. */
  creditIds?: z.ZodString;
}

/**
 * The bank's HTTP API. A status that it does not document is a bug (Error), never an answer about
 * the money.
 */
export function createHttpBankConnector(options: HttpBankOptions): BankConnector {
  const send = createSender(options);
  const { collection, creditIds = defaultCreditIds[collection] } = options;
  const pageSchema = creditsSchema(creditIds);
  return {
    async checkAccount(reference, account, call) {
      const body = { reference, ...account };
      const subject = { operation: "check-account", reference };
      const answer = await send("POST", "/v1/bank/account-checks", call, body, subject, repeats({ reference }));
      const { verified, ...check } = checkSchema.parse(bodyOf(answer, "an account check"));
      return { isVerified: verified, ...check, reason: check.reason.slice(0, 200) };
    },

    async lookUpBvn(reference, requested, call) {
      const subject = { operation: "look-up-bvn", reference };
      const body = { reference, ...requested };
      const answer = await send("POST", "/v1/bank/bvn-lookups", call, body, subject, repeats({ reference }));
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
      const { reference } = order;
      const [subject, isOurs] = [{ operation: "transfer", reference }, repeats({ reference })];
      const answer = await send("PUT", transferPath(reference), call, transferBody(order), subject, isOurs);
      return transferSchema.parse(bodyOf(answer, "a transfer"));
    },

    async findTransfer(reference, call) {
      const subject = { operation: "find", reference };
      const answer = await send("GET", transferPath(reference), call, undefined, subject, repeats({ reference }));
      return answer.status === 404 ? undefined : transferSchema.parse(bodyOf(answer, "a look at a transfer"));
    },

    async credits(after, call) {
      const query = new URLSearchParams({ collection, after, limit: "100" });
      const subject = { operation: "credits", reference: "" };
      const path = `/v1/bank/credits?${query.toString()}`;
      const answer = await send("GET", path, call, undefined, subject, repeats({ collection }));
      const { credits, nextCursor } = pageSchema.parse(bodyOf(answer, "what arrived"));
      return { nextCursor, ...readCredits(credits) };
    },
  };
}

const transferPath = (reference: string): string => `/v1/bank/transfers/${encodeURIComponent(reference)}`;

function transferBody({ amount, to, narration, parties }: BankTransferOrder): object {
  const { bankCode, accountNumber, accountHolderName } = to;
  return {
    amount: formatMoney(amount),
    currency: amount.currency,
    bankCode,
    accountNumber,
    accountHolderName,
    narration,
    ...parties,
  };
}
