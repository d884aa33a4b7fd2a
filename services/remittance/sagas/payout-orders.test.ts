import { paidTransaction } from "../../../test/support/transactions.js";
import { samplePartiesOf } from "../../../test/support/order-parties.js";
import type { ComplianceOutcome } from "../domain/compliance-outcome.js";
import type { Transaction } from "../domain/transaction.js";
import type { RemittanceStore } from "../store/index.js";
import { createPartyCipher } from "../store/party-cipher.js";
import { createTransactionCipher } from "../store/transaction-cipher.js";
import { createPayoutOrders } from "./payout-orders.js";

const asked = { transparencyMembers: ["ADDRESS"] } as ComplianceOutcome;
const paid: Transaction = { ...paidTransaction("PROCESSING"), compliance: asked };
const orders = createPayoutOrders({} as RemittanceStore);

test("an order for which the policy asks members is never made without its parties", async () => {
  await expect(orders.of("t", paid)).rejects.toThrow(`the parties of ${paid.transactionId} are not there`);
  const orderParties = samplePartiesOf(paid.transactionId);
  await expect(orders.of("t", { ...paid, orderParties })).resolves.toMatchObject({
    parties: orderParties,
    askedMembers: ["ADDRESS"],
  });
  await expect(orders.of("t", { ...paid, compliance: { ...asked, transparencyMembers: [] } })).resolves.toBeDefined();
});

test.each<[string, Pick<Transaction, "orderParties" | "amendments" | "traces" | "payer">, boolean]>([
  ["its parties", { orderParties: samplePartiesOf(paid.transactionId) }, true],
  ["names that were put right", { amendments: [] }, true],
  ["what a partner is asked to put right", { traces: [] }, true],
  ["the account that paid", { payer: { accountNumber: "1000000008" } }, false],
])("without keys a change that keeps %s is a fault where a resend would need it", async (_what, set, isFault) => {
  const { sealedChange } = createTransactionCipher(createPartyCipher(undefined));
  const change = sealedChange("t", set, { ...paid, ...set });
  if (isFault) await expect(change).rejects.toThrow(/^no keys to seal /);
  else await expect(change).resolves.toEqual({});
});
