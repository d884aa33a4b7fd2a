import { z } from "zod";
import { operation } from "../operation.js";
import { approvalAsked, currencyCode, isPending, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";

export const moveVaultCash = operation({
  method: "post",
  path: `${paymentsBase}/vault-movements`,
  tag: "Cash",
  summary: "Ask for cash to be moved between bank and a vault, which another manager approves",
  access: ["MANAGER"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      direction: z.enum(["FROM_BANK", "TO_BANK"]),
      currency: currencyCode,
      amount: moneyTextOrNumberIn,
      bank: maybe(text(128)).meta({
        description: 'The id of one of its own, or "operator"; needed where the organisation has several.',
      }),
      branchCode: maybe(text(64)).meta({ description: "Whose vault; absent for the house." }),
      reference: text(128).meta({ description: "Of the bank's slip." }),
    })
    .meta({ id: "VaultMovementRequest" }),
  answer: approvalAsked,
  message: "Movement asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "vault-2026-11-21" },
    body: { direction: "FROM_BANK", currency: "USD", amount: "5000.00", reference: "Slip 4711" },
    answers: 202,
  },
  rpc: "tills.moveVaultCash",
  isWaiting: isPending,
});
