import type { Refund } from "../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Edge } from "./edge.js";
import { sampleBeneficiary, sampleTransaction } from "./samples.js";

const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

const sampleRefund: WirePartial<Refund> = {
  refundId: "r-1",
  amount: usd(500n),
  status: "ASKED",
  reason: "late",
  askedBy: "user-1",
  askedAt: at,
  approvalId: "ap-1",
};

export const remittanceSamples = {
  getReceipt: async () => ({
    transaction: { ...sampleTransaction, refundedAmount: usd(500n), refunds: [sampleRefund] },
    paidAt: at,
    organisation: "Demo",
    pdf: Buffer.from("%PDF-1.3"),
  }),
  getCallOverReport: async () => ({
    date: "2026-11-21",
    rows: [
      {
        agentId: "=cmd",
        createdBy: "user-1",
        createdByRole: "CASHIER",
        status: "COMPLETED",
        count: 2n,
        principal: usd(20_000n),
        feesMinor: 300n,
        taxesMinor: 22n,
        totalMinor: 20_322n,
      },
    ],
  }),
  getAnalytics: async () => ({
    rows: [
      {
        date: "2026-11-21",
        originCountry: "USA",
        receivingCountry: "NGA",
        type: "DELIVERY_METHOD_ACCOUNTPAYMENT",
        status: "COMPLETED",
        count: 2n,
        principal: usd(20_000n),
        feesMinor: 300n,
        taxesMinor: 22n,
        received: { amountMinor: 32_000_000n, currency: "NGN" },
      },
    ],
  }),
  createBeneficiary: async () => ({ beneficiary: sampleBeneficiary }),
  changeBeneficiary: async () => ({ beneficiary: sampleBeneficiary }),
} satisfies Edge["fakes"]["remittance"];
