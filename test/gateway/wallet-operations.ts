import type { Edge } from "./edge.js";
import { samplePayment } from "./samples.js";

/** Right answers to them. */
export function walletSamples(at: Date) {
  const account = {
    accountId: "acc-1",
    accountNumber: "1002003004",
    currency: "JPY",
    availableBalanceMinor: 9_223_372_036_854_775_807n,
    status: "OPEN",
    createdAt: at,
  };
  const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
  const entry = {
    entryId: "e-1",
    side: "DEBIT",
    amount: usd(25_00n),
    balanceMinor: 75_00n,
    kind: "wallet_transfer",
    description: '=Lunch, with "friends"',
    executedAt: at,
    effectiveAt: at,
    interactionId: "i-1",
    sequence: 7n,
  };
  const topUp = { topUpId: "tu-1", accountId: "acc-1", amount: usd(20_00n), status: "DONE", createdAt: at };
  const credit = { creditId: "cr-1", reference: "x", amount: usd(1n), status: "UNMATCHED", receivedAt: at };
  const movement = { movementId: "m-1", amount: usd(20_00n), newBalanceMinor: 1n, at };
  const hold = { holdId: "h-1", amount: usd(40_00n), status: "HELD", createdAt: at, expiresAt: at };
  const ngn = { amountMinor: 15_257_50n, currency: "NGN" };
  const quote = { quoteId: "q-1", from: usd(10_00n), to: ngn, rate: "1525.75", status: "OPEN", expiresAt: at };
  const refund = { refundId: "r-1", paymentId: "p-1", amount: usd(1_00n), status: "ASKED", createdAt: at };
  return {
    listWalletAccounts: async () => ({ accounts: [account] }),
    setWalletLimit: async () => ({ approvalId: "ap-1", approvalStatus: "PENDING" }),
    getPayment: async () => ({ payment: { ...samplePayment, refundedMinor: 1_00n } }),
    listStatement: async () => ({ entries: [entry], accountNumber: "1002003004", currency: "USD" }),
    topUpByCard: async () => ({ topUp }),
    getTopUp: async () => ({ topUp }),
    listUnmatchedCredits: async () => ({ credits: [credit] }),
    listHeldArrivals: async () => ({
      arrivals: [
        {
          heldId: "credit:1",
          accountId: "acc-1",
          customerId: "c-1",
          amount: { amountMinor: 20_00n, currency: "USD" },
          kind: "BANK_CREDIT_RECEIVED",
          status: "HELD",
          heldAt: at,
        },
      ],
    }),
    assignCredit: async () => ({ credit: { ...credit, status: "ASSIGNED", accountId: "acc-1" } }),
    receiveBankTransfer: async () => ({ credit: { ...credit, status: "TAKEN" } }),
    cashIn: async () => ({ movement }),
    getCashIn: async () => ({
      cashIn: {
        cashInId: "ci-1",
        tillId: "till-1",
        accountId: "acc-1",
        amount: { amountMinor: 20_000_00n, currency: "USD" },
        status: "WAITING",
        createdAt: at,
      },
    }),
    setCashLimit: async () => ({ approvalId: "ap-2", approvalStatus: "PENDING" }),
    listCashLimits: async () => ({ limits: [{ currency: "USD", perCashInMinor: 5_000_00n }] }),
    sumCash: async () => ({ date: "2026-11-21", sums: [] }),
    cashOut: async () => ({ movement }),
    createHold: async () => ({ hold }),
    confirmHold: async () => ({ hold: { ...hold, status: "CONFIRMED", confirmedMinor: 25_00n } }),
    releaseHold: async () => ({ hold: { ...hold, status: "RELEASED" } }),
    getHold: async () => ({ hold }),
    quoteExchange: async () => ({ quote }),
    executeExchange: async () => ({ quote, newFromBalanceMinor: 1n, newToBalanceMinor: 2n, postedAt: at }),
    refundPayment: async () => ({ refund }),
    getRefund: async () => ({ refund }),
    createDomiciliaryAccounts: async () => ({
      results: [{ createdAccountNumber: "1002003004", status: "SUCCESS", msgCode: "DOM_CREATED", msgCodeId: "100" }],
    }),
    listWalletLimits: async () => ({ limits: [{ currency: "USD", perPaymentMinor: 100_00n }] }),
  } satisfies Edge["fakes"]["wallet"];
}
