import { defineTexts } from "../../lib/language";

/** As docs/remittance.md has them. */
export const statuses = [
  "AWAITING_COMPLIANCE",
  "BLOCKED",
  "AWAITING_PAYMENT",
  "PAYING",
  "PAID",
  "PROCESSING",
  "READY_FOR_PICKUP",
  "COMPLETED",
  "FAILED",
  "RETURNED",
  "CANCELLING",
  "PARTIALLY_REFUNDED",
  "REFUNDED",
  "CANCELLED",
  "EXPIRED",
  "REJECTED",
] as const;

/** How the recipient gets the money, in words. */
export const deliveryTexts = defineTexts({
  en: { ACCOUNTPAYMENT: "Bank account", MOBILE_MONEY: "Mobile money", CASH_PICKUP: "Cash pickup", WALLET: "Wallet" },
  fr: {
    ACCOUNTPAYMENT: "Compte bancaire",
    MOBILE_MONEY: "Argent mobile",
    CASH_PICKUP: "Retrait d’espèces",
    WALLET: "Portefeuille",
  },
});

/** The server decides; these only keep buttons away that surely lead nowhere. */
export const mayBeCancelled = (status: string) =>
  /^(AWAITING_COMPLIANCE|AWAITING_PAYMENT|PAID|PROCESSING|READY_FOR_PICKUP)$/.test(status);
export const mayBeRefunded = (status: string) => /^(COMPLETED|PARTIALLY_REFUNDED)$/.test(status);
export const wasPaid = (status: string) =>
  /^(PAID|PROCESSING|READY_FOR_PICKUP|COMPLETED|FAILED|RETURNED|PARTIALLY_REFUNDED|REFUNDED)$/.test(status);
