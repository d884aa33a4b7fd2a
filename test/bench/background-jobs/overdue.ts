import { randomUUID } from "node:crypto";
import { money } from "../../../services/kernel/money.js";

/** Unpaid transactions whose time is over, as far as their expiry looks at them. */
export function overdueRows(tenantId: string, count: number): Record<string, unknown>[] {
  const usd = (minor: bigint) => money(minor, "USD");
  const price = {
    inclusive: false,
    rate: "1600",
    principal: usd(100_00n),
    fees: [{ name: "Transfer fee", amount: usd(2_50n), tax: usd(19n) }],
    totalFees: usd(2_50n),
    totalTaxes: usd(19n),
    total: usd(102_69n),
    receive: money(160_000_00n, "NGN"),
  };
  const at = Date.now() - count;
  return Array.from({ length: count }, (_, index) => {
    const transactionId = randomUUID();
    return {
      tenantId,
      transactionId,
      transactionCode: transactionId,
      version: 2,
      status: "AWAITING_PAYMENT",
      expiresAt: new Date(at + index),
      createdAt: new Date(at - 1_800_000),
      price,
      sender: { customerId: `c${index}`, customerCode: `C-${index}`, name: "Ada Obi", country: "USA" },
      recipient: { customerId: `r${index}`, customerCode: `B-${index}`, name: "Ngozi Okafor", country: "NGA" },
      deliveryMethod: "ACCOUNTPAYMENT",
      processingMode: "REAL_TIME",
      creditParty: [{ key: "bankaccountno", value: "3012345671" }],
      transferInformation: { originCountry: "USA", receivingCountry: "NGA", remittancePurpose: "", sourceOfFunds: "" },
      descriptionText: "",
      releasedPayments: [],
      interactionId: "bench",
      timeline: [{ status: "AWAITING_PAYMENT", at: new Date(at), actor: "bench", reason: "" }],
    };
  });
}
