import { money } from "../../kernel/money.js";
import type { WalletAccount } from "./account.js";
import {
  checkNamedAccount,
  checkPositive,
  checkReceivingWallet,
  insufficientFunds,
  type Due,
  type Payment,
} from "./payment.js";
import { principalKeyOf, transferOfDeposit, transfersOfTransaction, transferToWallet } from "./transfers.js";

const origin = { caller: "u1", idempotencyKey: "k", interactionId: "i", createdBy: "u1" };
const account: WalletAccount = {
  accountId: "a1",
  accountNumber: "1789372990",
  customerId: "c1",
  currency: "USD",
  status: "ACTIVE",
  createdAt: new Date(0),
  ...origin,
};
const payment: Payment = {
  paymentId: "p1",
  customerId: "c1",
  accountId: "a1",
  accountNumber: "1789372990",
  payableType: "TRANSACTION",
  payableId: "t1",
  total: money(10_269n, "USD"),
  paymentGatewayRef: "r1",
  fingerprint: "f",
  createdAt: new Date(0),
  ...origin,
};
const due: Due = {
  principal: money(10_000n, "USD"),
  fees: money(250n, "USD"),
  taxes: money(19n, "USD"),
  clearingAccountId: "clearing",
  feeIncomeAccountId: "fees",
  taxPayableAccountId: "taxes",
  transactionCode: "MNL-1",
};
const refused = (code: string) => expect.objectContaining({ code });

describe("a payment of a transaction", () => {
  test("is one group of principal, fee and tax from the wallet", () => {
    const transfers = transfersOfTransaction(payment, due);
    expect(
      transfers.map(({ key, kind, creditAccountId, amount }) => [key, kind, creditAccountId, amount.minor]),
    ).toEqual([
      ["payment:p1:principal", "wallet_payment", "clearing", 10_000n],
      ["payment:p1:fee", "fee", "fees", 250n],
      ["payment:p1:tax", "tax", "taxes", 19n],
    ]);
    expect(new Set(transfers.map(({ debitAccountId }) => debitAccountId))).toEqual(new Set(["a1"]));
    expect(transfers[0]?.key).toBe(principalKeyOf(payment));
  });

  test("leaves out parts of zero", () => {
    const free = { ...due, principal: payment.total, fees: money(0n, "USD"), taxes: money(0n, "USD") };
    expect(transfersOfTransaction(payment, free).map(({ kind }) => kind)).toEqual(["wallet_payment"]);
  });

  test.each([
    ["less than was agreed", { ...due, fees: money(249n, "USD") }],
    ["another currency", { ...due, taxes: money(19n, "EUR") }],
    ["a negative part", { ...due, principal: money(10_269n, "USD"), taxes: money(-250n, "USD") }],
    ["no principal", { ...due, principal: money(0n, "USD"), fees: money(10_250n, "USD") }],
  ])("is not posted for %s", (_what, claimed) => {
    expect(() => transfersOfTransaction(payment, claimed)).toThrow("payment p1");
  });
});

test("a payment to a wallet and a deposit are one transfer each", () => {
  const toWallet: Payment = { ...payment, payableType: "WALLET_CUSTOMER", payableId: "a2" };
  expect(transferToWallet(toWallet)).toMatchObject({
    key: "payment:p1:transfer",
    debitAccountId: "a1",
    creditAccountId: "a2",
    kind: "wallet_transfer",
  });
  const deposit = {
    depositId: "d1",
    accountId: "a1",
    amount: money(5n, "EUR"),
    reference: "B",
    createdAt: new Date(0),
  };
  expect(transferOfDeposit({ ...deposit, ...origin })).toMatchObject({
    key: "deposit:d1",
    debitAccountId: "bank_settlement:operator:EUR",
    creditAccountId: "a1",
    kind: "deposit",
  });
});

test("what is said of the account must be so", () => {
  expect(() => checkNamedAccount(account, { accountNumber: "", currency: "" })).not.toThrow();
  expect(() => checkNamedAccount(account, { accountNumber: "1789372990", currency: "USD" })).not.toThrow();
  expect(() => checkNamedAccount(account, { accountNumber: "1789372991", currency: "" })).toThrow(
    refused("ACCOUNT_NUMBER_MISMATCH"),
  );
  expect(() => checkNamedAccount(account, { accountNumber: "", currency: "EUR" })).toThrow(
    refused("CURRENCY_MISMATCH"),
  );
});

test("a wallet is paid by another wallet of its currency", () => {
  expect(() => checkReceivingWallet(account, { ...account, accountId: "a2" })).not.toThrow();
  expect(() => checkReceivingWallet(account, account)).toThrow(refused("SAME_ACCOUNT"));
  expect(() => checkReceivingWallet(account, { ...account, accountId: "a2", currency: "EUR" })).toThrow(
    refused("CURRENCY_MISMATCH"),
  );
});

test("an amount must be above zero", () => {
  expect(() => checkPositive(money(1n, "USD"))).not.toThrow();
  expect(() => checkPositive(money(0n, "USD"))).toThrow(refused("AMOUNT_NOT_POSITIVE"));
});

test("insufficient funds come with figures in the wallet's currency", () => {
  expect(insufficientFunds("USD", 100n, 10_269n)).toMatchObject({
    code: "INSUFFICIENT_FUNDS",
    details: { figures: { available: "1.00", asked: "102.69", currency: "USD" } },
  });
});
