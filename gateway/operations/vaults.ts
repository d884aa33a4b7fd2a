import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/tills.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { currencyCode, decimalText, instant, moneyTextOrNumberIn, shown, text } from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";

const VaultMovement = shape(
  wire.VaultMovement,
  z
    .object({
      movementId: z.string(),
      direction: shown(z.string(), "FROM_BANK").meta({ description: "FROM_BANK or TO_BANK." }),
      amount: decimalText,
      currency: z.string(),
      at: instant,
    })
    .meta({ id: "VaultMovement" }),
  { amount: "amount", currency: "amount.currency" },
);

export const moveVaultCash = operation({
  method: "post",
  path: `${paymentsBase}/vault-movements`,
  tag: "Cash",
  summary: "Enter cash fetched from the bank into the vault that tills are filled from, or brought to the bank",
  access: ["MANAGER"],
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      direction: z.enum(["FROM_BANK", "TO_BANK"]),
      currency: currencyCode,
      amount: moneyTextOrNumberIn,
      reference: text(128).meta({ description: "Of the bank's slip." }),
    })
    .meta({ id: "VaultMovementRequest" }),
  answer: VaultMovement,
  message: "Cash moved",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "vault-2026-11-21" },
    body: { direction: "FROM_BANK", currency: "USD", amount: "5000.00", reference: "Slip 4711" },
  },
  rpc: "tills.moveVaultCash",
});
