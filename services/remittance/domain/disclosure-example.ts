import { money } from "../../kernel/money.js";
import type { DisclosedTransaction } from "./disclosure-lines.js";
import type { Promised } from "./promised-day.js";

/** What a preview shows: 100.00 USD to Nigeria, whose bank takes 1,500.00 NGN. */
export function exampleTransaction(now: Date): DisclosedTransaction & Omit<Promised, "availableOn"> {
  const usd = (minor: bigint) => money(minor, "USD");
  const naira = (minor: bigint) => money(minor, "NGN");
  return {
    transactionCode: "MN7K4M9QADX2",
    createdAt: now,
    paidAt: now,
    expiresAt: new Date(now.getTime() + 30 * 60_000),
    price: {
      principal: usd(100_00n),
      fees: [{ name: "Transfer fee", amount: usd(2_50n), tax: usd(19n) }],
      totalFees: usd(2_50n),
      totalTaxes: usd(19n),
      total: usd(102_69n),
      receive: naira(152_575_43n),
      rate: "1525.754321",
      inclusive: false,
    },
    terms: {
      middleRate: "1530",
      markup: { tenantBps: 28, agentBps: 0, promotionBps: 0, tenantFeeBps: 0, agentFeeBps: 0 },
      delivery: { days: 1, otherFees: [{ name: "Fee of the recipient's bank", amount: naira(1_500_00n) }] },
    },
    transferInformation: { receivingCountry: "NGA" },
    sender: { customerId: "", customerCode: "C-AMINA", name: "Amina Bello", country: "USA" },
    recipient: { customerId: "", customerCode: "B-CHIDI", name: "Chidi Okafor", country: "NGA" },
    creditParty: [
      { key: "bankname", value: "First Bank of Nigeria" },
      { key: "bankaccountno", value: "3001234560" },
    ],
  };
}
