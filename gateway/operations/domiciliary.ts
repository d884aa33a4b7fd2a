import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/statements.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { JsonNumber } from "../../services/kernel/json.js";
import { maybe, text, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const bankCode = z
  .custom<JsonNumber | string>((value) => value instanceof JsonNumber || typeof value === "string", {
    error: "must be a number or a string",
  })
  .meta({ override: { type: ["number", "string"], examples: [58, "058"] } })
  .transform((value) => (value instanceof JsonNumber ? value.text : value).slice(0, 40));

// What is missing or wrong in an item is in its result, so that the others go on.
const Item = shape(
  wire.DomiciliaryItem,
  z
    .object({
      bvnCountry: maybe(text(40, 0)).meta({ description: "NGA, or NG; no other country is supported." }),
      existingAccountBankCode: maybe(bankCode).meta({ description: "Padded to three digits." }),
      existingAccountBvn: maybe(text(40, 0)).meta({ description: "Eleven digits." }),
      existingAccountCurrencyCode: maybe(text(40, 0)),
      newAccountCurrencyCode: maybe(text(40, 0)),
    })
    .meta({ id: "DomiciliaryAccountRequestItem" }),
);

const itemsField = "dormAccountRequestDTO";

const Result = shape(
  wire.DomiciliaryResult,
  z
    .object({
      createdAccountNumber: leaf.accountNumber,
      existingBankAccountNumber: leaf.senderAccountNumber,
      createdAccountCurrencyCode: z.string(),
      status: shown(z.string(), "SUCCESS").meta({ description: "SUCCESS or FAILED." }),
      msg_note: shown(z.string(), "the customer has this account already").meta({
        description: "For people; names what is missing by its path.",
      }),
      msg_code: shown(z.string(), "DOM_EXISTS").meta({ description: "See docs/wallet.md." }),
      msg_code_id: shown(z.string(), "101"),
      accountBankCode: shown(z.string(), "058"),
    })
    .meta({ id: "DomiciliaryAccountResultItem" }),
  {
    msg_note: ({ msgNote }) => msgNote.replaceAll("items[", `${itemsField}[`),
    msg_code: "msgCode",
    msg_code_id: "msgCodeId",
  },
);

/** §4.5 */
export const createDomiciliaryAccounts = operation({
  method: "post",
  path: "/gateway/create-domiciliary-bank-account-with-bvn",
  operationId: "createDomiciliaryAccounts",
  contract: true,
  tag: "Gateway",
  summary: "Open accounts in foreign currencies for the holder of a Nigerian bank verification number",
  access: ["CUSTOMER", "AGENT"],
  scopes: ["accounts:open"],
  body: z.object({ dormAccountRequestDTO: z.array(Item).min(1).max(20) }).meta({ id: "DomiciliaryAccountRequest" }),
  answer: z.object({ dormAccountResponseDTO: z.array(Result) }).meta({ id: "DomiciliaryAccountResponse" }),
  bare: true,
  message: "A result per item",
  example: {
    as: "amina@demo.example",
    body: {
      dormAccountRequestDTO: [
        {
          bvnCountry: "NGA",
          existingAccountBankCode: 58,
          existingAccountBvn: "22123456789",
          existingAccountCurrencyCode: "NGN",
          newAccountCurrencyCode: "USD",
        },
      ],
    },
  },
  renames: { items: itemsField },
  rpc: "wallet.createDomiciliaryAccounts",
  fields: { dormAccountRequestDTO: "items" },
  answerFields: { dormAccountResponseDTO: "results" },
});
