import type { Transaction } from "../domain/transaction.js";
import { checkToWire } from "./compliance.js";

const transferInformation = {
  originCountry: "USA",
  receivingCountry: "NGA",
  remittancePurpose: "family",
  sourceOfFunds: "salary",
};
const transaction = {
  transactionId: "t1",
  sender: { customerId: "c1", customerCode: "C-1", name: "Ada Obi", country: "USA" },
  recipient: { customerId: "c1", customerCode: "B-1", name: "Ngozi Okafor", country: "NGA" },
  price: { principal: { minor: 100_00n, currency: "USD" }, receive: { minor: 160_000_00n, currency: "NGN" } },
  creditParty: [{ key: "walletaccountno", value: "1002003004" }],
  transferInformation,
} as unknown as Transaction;

const facts = { policyVersion: 3, knownMembers: ["RECIPIENT_NAME"] };

test("a delivery into a wallet says whose it is, each time the same; any other names no customer who is paid", () => {
  const toWallet = { ...transaction, recipientWallet: { accountId: "w2", customerId: "c2" } };
  expect(checkToWire(toWallet, facts)).toMatchObject({
    customerId: "c1",
    recipientCode: "B-1",
    recipientCustomerId: "c2",
  });
  expect(checkToWire({ ...toWallet }, facts)).toEqual(checkToWire(toWallet, facts));
  expect(Object.keys(checkToWire(transaction, facts))).not.toContain("recipientCustomerId");
});
