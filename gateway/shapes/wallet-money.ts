import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/money_in.js";
import { shape, moneyText } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { decimalText, instant, shown } from "../schema.js";

export const TopUp = shape(
  wire.TopUp,
  z
    .object({
      topUpId: z.string(),
      accountId: leaf.accountId,
      amount: decimalText,
      currency: z.string(),
      status: shown(z.string(), "PENDING").meta({
        description: "PENDING while the card has not been charged, DONE or FAILED.",
      }),
      newBalance: leaf.balance.optional(),
      createdAt: instant,
      reason: leaf.reason.optional(),
    })
    .meta({ id: "TopUp" }),
  {
    currency: "amount.currency",
    newBalance: ({ status, newBalanceMinor, amount }) =>
      status === "DONE" ? moneyText({ amountMinor: newBalanceMinor, currency: amount?.currency ?? "" }, "") : undefined,
  },
);

export const BankCredit = shape(
  wire.BankCredit,
  z
    .object({
      creditId: z.string(),
      reference: leaf.reference,
      amount: decimalText,
      currency: z.string(),
      senderName: leaf.name,
      senderAccountNumber: leaf.senderAccountNumber.meta({ description: "Its last four digits." }),
      receivedAt: instant,
      status: shown(z.string(), "TAKEN").meta({
        description: "TAKEN until it is booked; BOOKED into a wallet, or UNMATCHED in suspense until it is ASSIGNED.",
      }),
      reason: leaf.reason.optional(),
      accountId: leaf.accountId.optional(),
    })
    .meta({ id: "BankCredit" }),
  {
    currency: "amount.currency",
    senderAccountNumber: "senderAccountNumberMasked",
  },
);

export const HeldArrival = shape(
  wire.HeldArrival,
  z
    .object({
      heldId: z.string(),
      accountId: leaf.accountId,
      customerId: leaf.customerId,
      amount: decimalText,
      currency: z.string(),
      kind: shown(z.string(), "PAYMENT_RECEIVED").meta({
        description: "How it came, such as BANK_CREDIT_RECEIVED or PAYMENT_RECEIVED.",
      }),
      status: shown(z.string(), "HELD").meta({ description: "HELD, or RELEASED once the customer may have it." }),
      heldAt: instant,
      releasedAt: instant.optional(),
    })
    .meta({ id: "HeldArrival" }),
  {
    currency: "amount.currency",
  },
);

export const CashMovement = shape(
  wire.CashMovement,
  z
    .object({
      movementId: z.string(),
      tillId: z.string(),
      accountId: leaf.accountId,
      amount: decimalText,
      currency: z.string(),
      newBalance: leaf.balance.meta({ description: "Of the wallet." }),
      at: instant,
    })
    .meta({ id: "CashMovement" }),
  {
    currency: "amount.currency",
    newBalance: { minor: "newBalanceMinor", currency: "amount.currency" },
  },
);

export const WaitingCashIn = shape(
  wire.CashIn,
  z
    .object({
      cashInId: z.string(),
      tillId: z.string(),
      accountId: leaf.accountId,
      amount: shown(decimalText, "1200.00"),
      currency: z.string(),
      status: shown(z.string(), "WAITING").meta({
        description:
          "WAITING for a manager, APPROVED until it is taken, POSTING, then DONE or FAILED; REFUSED where nobody approved it, " +
          "EXPIRED once its business day is over.",
      }),
      approvalId: z.string().optional(),
      failure: leaf.failure.optional().meta({ description: "Of REFUSED and FAILED." }),
      createdAt: instant,
    })
    .meta({ id: "WaitingCashIn" }),
  {
    currency: "amount.currency",
  },
);
