import { z } from "zod";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, moneyTextOrNumberIn, text } from "../schema.js";
import { filled, moneyOf, moneyText, timeText } from "../wire.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";

const VaultMovement = z
  .object({
    movementId: z.string(),
    direction: z.string().meta({ description: "FROM_BANK or TO_BANK." }),
    amount: decimalText,
    currency: z.string(),
    at: instant,
  })
  .meta({ id: "VaultMovement" });

/** Ours */
export const moveVaultCash = route({
  method: "post",
  path: `${paymentsBase}/vault-movements`,
  operationId: "moveVaultCash",
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
  run: async ({ body, headers, call, clients }) => {
    const { movement: wire } = await clients.wallet.moveVaultCash({ ...keyOf(headers), ...body }, replaying(call));
    const movement = filled(wire, "movement");
    return {
      movementId: movement.movementId,
      direction: movement.direction,
      amount: moneyText(movement.amount, "movement.amount"),
      currency: moneyOf(movement.amount, "movement.amount").currency,
      at: timeText(movement.at, "movement.at"),
    };
  },
});
