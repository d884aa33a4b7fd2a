import type { Edge } from "./edge.js";

/** Right answers to them. */
export function lendingSamples(at: Date) {
  const parts = { principalMinor: 94_62n, interestMinor: 12_00n, feesMinor: 0n, penaltiesMinor: 0n };
  const instalment = {
    number: 1,
    from: "2026-11-01",
    dueOn: "2026-12-01",
    charged: parts,
    paid: { principalMinor: 0n, interestMinor: 0n, feesMinor: 0n, penaltiesMinor: 0n },
    outstandingMinor: 106_62n,
    balanceMinor: 1_105_38n,
  };
  const loan = {
    accountId: "loan-1",
    loanApplicationId: "la-1",
    customerId: "customer-1",
    productId: "personal",
    productName: "Personal loan",
    currency: "USD",
    amountMinor: 1_200_00n,
    status: "ACTIVE",
    disbursedOn: "2026-11-01",
    outstanding: parts,
    totalPayableMinor: 1_279_42n,
    nextDueOn: "2026-12-01",
    nextDueMinor: 106_62n,
    bucket: "CURRENT",
    instalments: [instalment],
    createdAt: at,
  };
  const repayment = {
    repaymentId: "rp-1",
    loanApplicationId: "la-1",
    accountId: "loan-1",
    customerId: "customer-1",
    amount: { amountMinor: 10_00n, currency: "USD" },
    status: "PENDING_VERIFICATION",
    reference: "LN00000000018",
    paymentMethod: "BANK_TRANSFER",
    paymentDate: "2026-11-21",
    customerName: "Amina Bello",
    email: "amina@demo.test",
    loanProductName: "Personal loan",
    createdAt: at,
  };
  return {
    listLoanHistory: async () => ({ loans: [loan], total: 1n }),
    listRepaidTransactions: async () => ({ repayments: [{ ...repayment, status: "VERIFIED" }] }),
  } satisfies Edge["fakes"]["lending"];
}
