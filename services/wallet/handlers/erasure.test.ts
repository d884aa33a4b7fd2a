import { randomUUID } from "node:crypto";
import { createCounter } from "../../../test/support/counter.js";
import { tracesIn } from "../../../test/support/erasure.js";
import {
  createWalletFixture,
  eventually,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { collections } from "../store/collections.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_erasure");
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });

async function bankAccount(person: Person, accountNumber: string): Promise<string> {
  const request = { ...key(), country: "NGA", currency: "NGN", bankCode: "058", accountNumber };
  const { account } = await wallet.gateway.addBankAccount(request, wallet.calls(person));
  return account!.bankAccountId;
}

async function withdrawal(person: Person, bankAccountId: string): Promise<string> {
  const request = { ...key(), bankAccountId, amount: "120" };
  return (await wallet.gateway.requestWithdrawal(request, wallet.calls(person))).payable!.payableId;
}

const statusOf = async (person: Person, payableId: string) =>
  (await wallet.database.db
    .collection(collections.payables)
    .findOne({ tenantId: person.tenantId, _id: payableId as never }))!["status"];

async function arrive({ tenantId }: Person, reference: string, creditId = `cr-${randomUUID()}`): Promise<string> {
  const sender = { senderName: "Chidi Okafor", senderAccountNumber: "0987654321" };
  const money = { amount: "75.50", currency: "NGN" };
  await wallet.bank("/bank/credits", {
    account: tenantId,
    collection: "wallet",
    reference,
    creditId,
    ...money,
    ...sender,
  });
  return creditId;
}

test("bank accounts that no money went to go at once; where money went, and who sent some, when the retention is over", async () => {
  const person = wallet.person();
  const { accountId, accountNumber } = await wallet.wallet(person, "NGN", 500_00n);
  const manager = wallet.person(person.tenantId, "MANAGER");
  const [used] = [await bankAccount(person, "0123456789"), await bankAccount(person, "0123456788")];
  const paid = await withdrawal(person, used);
  const payment = { accountId, payableType: "PAYABLE_TYPE_WITHDRAWAL" as const, payableId: paid };
  await wallet.pay(person, { ...payment, totalCheckoutAmount: "120" });
  await eventually("the withdrawal", async () => (await statusOf(person, paid)) === "SENT");
  const unpaid = await withdrawal(person, used);
  await arrive(person, accountNumber);
  const assigned = await arrive(person, "thank you");
  const unmatched = () => wallet.gateway.listUnmatchedCredits({}, wallet.calls(manager)).then(({ credits }) => credits);
  await eventually("the credit", async () => (await unmatched()).length === 1);
  await wallet.gateway.assignCredit(
    { ...key(), creditId: assigned, accountId, reason: "they called" },
    wallet.calls(manager),
  );
  const balance = wallet.ledger.balance(person.tenantId, accountId);

  const first = await wallet.erase(person, "AT_ONCE");
  expect(first.erased).toMatchObject({ "unused-bank-accounts": 1 });
  expect(first.kept).toEqual({ "bank-accounts": 1, "received-bank-transfers": 2, "assigned-bank-transfers": 1 });
  const list = await wallet.gateway.listBankAccounts({ customerId: person.customerId }, wallet.calls(manager));
  expect(list.accounts).toEqual([]);
  expect(await statusOf(person, unpaid)).toBe("CANCELLED");
  expect(await tracesIn(wallet.database.database, person.tenantId, ["0123456788"])).toEqual([]);
  expect(await wallet.erase(person, "AT_ONCE")).toEqual(first);

  const second = await wallet.erase(person, "AFTER_RETENTION");
  expect(second).toEqual({
    erased: { "bank-accounts": 1, "received-bank-transfers": 2, "assigned-bank-transfers": 1 },
    kept: {},
  });
  const traces = ["0123456789", "0987654321", "they called"];
  expect(await tracesIn(wallet.database.database, person.tenantId, traces)).toEqual([]);
  // The names that are left are in texts of bookings, as the ledger has them.
  expect(await tracesIn(wallet.database.database, person.tenantId, ["Chidi"])).toEqual(["movements: Chidi"]);
  expect(wallet.ledger.balance(person.tenantId, accountId)).toBe(balance);
  expect(await statusOf(person, paid)).toBe("SENT");
});

test("a bank account that a withdrawal is on its way to stays until it has arrived", async () => {
  const person = wallet.person();
  const id = await bankAccount(person, "0123456789");
  const payableId = await withdrawal(person, id);
  const items = wallet.database.db.collection(collections.payables);
  const set = (status: string) =>
    items.updateOne({ tenantId: person.tenantId, _id: payableId as never }, { $set: { status } });
  await set("SENDING");
  const counts = { "bank-accounts": 1 };
  expect((await wallet.erase(person, "AFTER_RETENTION")).kept).toEqual(counts);
  await set("SENT");
  expect(await wallet.erase(person, "AFTER_RETENTION")).toMatchObject({ erased: counts, kept: {} });
});

test("requests for payment that nobody has paid end, and others stop naming the payee when the retention is over", async () => {
  const payee = wallet.person();
  await wallet.wallet(payee, "USD");
  const { accounts } = await wallet.gateway.listWalletAccounts({ customerId: payee.customerId }, wallet.calls(payee));
  const ask = async () => {
    const request = { ...key(), payeeAccountId: accounts[0]!.accountId, amount: "10", description: "for Zuberi" };
    return (await wallet.gateway.requestPayment(request, wallet.calls(payee))).payable!.payableId;
  };
  const [open, paid] = [await ask(), await ask()];
  await wallet.database.db
    .collection(collections.payables)
    .updateOne({ tenantId: payee.tenantId, _id: paid as never }, { $set: { status: "PAID" } });
  expect(await wallet.erase(payee, "AT_ONCE")).toMatchObject({
    erased: { "unpaid-payment-requests": 1 },
    kept: { "payment-requests": 1 },
  });
  expect([await statusOf(payee, open), await statusOf(payee, paid)]).toEqual(["CANCELLED", "PAID"]);
  const payment = { accountId: accounts[0]!.accountId, payableId: open, totalCheckoutAmount: "10" };
  const pay = wallet.pay(payee, { ...payment, payableType: "PAYABLE_TYPE_WALLET" });
  await expect(pay).rejects.toEqual(refused("PAYABLE_NOT_OPEN"));
  expect(await wallet.erase(payee, "AFTER_RETENTION")).toMatchObject({ erased: { "payment-requests": 1 }, kept: {} });
  expect(await tracesIn(wallet.database.database, payee.tenantId, ["Zuberi"])).toEqual([]);
});

test("of what a sender was paid back at the counter, the document goes when the retention is over, wherever it is kept", async () => {
  const counter = await createCounter(wallet);
  const { sender, payables, code, pay, comesBack, sell, till, stored } = counter;
  await sell();
  await comesBack(50_00n, true);
  await comesBack(102_69n, false, 52_69n);
  const [open, paid] = (await payables()) as unknown as [{ payableId: string }, { payableId: string }];
  for (const { payableId } of [open, paid]) await code(payableId);
  expect(await wallet.openMoney(sender)).toEqual({ "cash-payables": 2 });
  const at = await till();
  const requested = { key: randomUUID(), document: { type: "PASSPORT", number: "A-ZUBERI" } };
  const right = await code(paid.payableId);
  await pay(paid.payableId, right, at, requested);
  expect(await wallet.openMoney(sender)).toEqual({ "cash-payables": 1 });
  const [movement] = await stored("movements", { kind: "COUNTER_PAYABLE" });
  const [payable] = await stored(collections.counterPayables, { _id: paid.payableId });
  const { codeHash } = payable!["code"] as { codeHash: string };
  expect(Object.keys(movement!["counterPayable"].code).toSorted()).toEqual(["codeId", "issuedAt", "issuedBy", "tries"]);
  expect((await wallet.erase(sender, "AT_ONCE")).kept).toMatchObject({
    "counter-payables": 2,
    "paid-counter-payables": 1,
  });
  // What is still owed is kept with its code.
  expect(await wallet.erase(sender, "AFTER_RETENTION")).toMatchObject({
    erased: { "counter-payables": 1, "paid-counter-payables": 1 },
    kept: { "counter-payables": 1 },
  });
  expect(await tracesIn(wallet.database.database, sender.tenantId, ["BERI", codeHash])).toEqual([]);
  const after = await stored(collections.counterPayables);
  expect(after.map(({ status, code: kept }) => [status, kept === undefined]).toSorted()).toEqual([
    ["OPEN", false],
    ["PAID", true],
  ]);
});

test("nobody else's go with it", async () => {
  const [person, other] = [wallet.person(), wallet.person()];
  const neighbour = wallet.person(person.tenantId);
  for (const one of [person, neighbour, other]) await bankAccount(one, "0123456789");
  await wallet.erase(person, "AFTER_RETENTION");
  for (const one of [neighbour, other]) {
    const { accounts } = await wallet.gateway.listBankAccounts({ customerId: "" }, wallet.calls(one));
    expect(accounts).toMatchObject([{ accountNumberMasked: "******6789" }]);
  }
});

test("money in a wallet is not settled, held or not; that of others and an empty wallet say nothing", async () => {
  const person = wallet.person();
  const other = wallet.person(person.tenantId);
  const { accountId } = await wallet.wallet(person, "USD", 12_00n);
  await wallet.wallet(person, "NGN");
  expect(await wallet.openMoney(person)).toEqual({ wallets: 1 });
  expect(await wallet.openMoney(other)).toEqual({});
  const pot = await wallet.wallet(other, "USD");
  const request = { payableType: "PAYABLE_TYPE_WALLET" as const, accountId, totalCheckoutAmount: "12" };
  const asked = { ...key(), payeeAccountId: pot.accountId, amount: "12", description: "all of it" };
  const { payable } = await wallet.gateway.requestPayment(asked, wallet.calls(other));
  await wallet.pay(person, { ...request, payableId: payable!.payableId });
  expect([await wallet.openMoney(person), await wallet.openMoney(other)]).toEqual([{}, { wallets: 1 }]);
  await expect(wallet.openMoney.asGateway(person)).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
  await expect(wallet.openMoney({ ...person, customerId: "" })).rejects.toEqual(refused("INVALID_INPUT"));
});
