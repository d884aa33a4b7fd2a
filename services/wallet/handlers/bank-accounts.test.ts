import { randomUUID } from "node:crypto";
import type { AddBankAccountRequest } from "../../../proto/gen/wallet/v1/bank_accounts.js";
import {
  createWalletFixture,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_bank_accounts");
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const draft = {
  country: "NG",
  currency: "NGN",
  bankCode: "58",
  accountNumber: "012 345 6789",
  accountHolderName: "BELLO, Amína",
};
const add = (person: Person, part: Partial<AddBankAccountRequest> = {}) =>
  wallet.gateway.addBankAccount({ idempotencyKey: randomUUID(), ...draft, ...part }, wallet.calls(person));
const list = (person: Person, customerId = "") => wallet.gateway.listBankAccounts({ customerId }, wallet.calls(person));

test("is added once the bank has said whose it is, and shown without its number", async () => {
  const person = wallet.person();
  const { account } = await add(person);
  expect(account).toMatchObject({
    customerId: person.customerId,
    bankName: "Guaranty Trust Bank",
    bankCode: "058",
    accountNumber: "",
    accountNumberMasked: "******6789",
    country: "NGA",
    status: "VERIFIED",
  });
  expect((await list(person)).accounts).toEqual([account]);
});

test.each(["ＢＥＬＬＯ AMİNA", "Amına Bel’lo", "Amina Bełło"])("of %s is Amina Bello's", async (accountHolderName) => {
  const { account } = await add(wallet.person(), { accountHolderName });
  expect(account).toMatchObject({ accountHolderName, status: "VERIFIED" });
});

test("a repeated key gives the first answer; the same account under another key is there already", async () => {
  const person = wallet.person();
  const key = { idempotencyKey: randomUUID() };
  const first = await add(person, key);
  expect(await add(person, key)).toEqual(first);
  await expect(add(person, { ...key, bankCode: "011" })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  await expect(add(person)).rejects.toEqual(refused("ALREADY_EXISTS"));
  expect((await list(person)).accounts).toHaveLength(1);
});

test("five at once with one key are one account, with five keys one account and four conflicts", async () => {
  const person = wallet.person();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => add(person)));
  expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(1);
  expect((await list(person)).accounts).toHaveLength(1);
});

test.each([
  ["that nobody has", { accountNumber: "0123450000" }, "NO_SUCH_ACCOUNT"],
  ["whose holder is somebody else", { accountHolderName: "Chidi Okafor" }, "not the customer's"],
])("an account %s is refused", async (_what, part, why) => {
  const refusal = await refusalOf(add(wallet.person(), part));
  expect([refusal.code, refusal.message]).toEqual(["VERIFICATION_FAILED", expect.stringContaining(why)]);
});

test.each([
  ["accountNumber", { accountNumber: "123" }],
  ["accountNumber", { country: "DE", bankCode: "", accountNumber: "DE89370400440532013001" }],
  ["bankCode", { bankCode: "ABC" }],
  ["country", { country: "ZZ" }],
  ["currency", { currency: "ZZZ" }],
  ["idempotencyKey", { idempotencyKey: "" }],
])("a faulty %s is named", async (path, part) => {
  expect(await refusalOf(add(wallet.person(), part))).toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ path }] },
  });
});

test("takes an IBAN with a right check", async () => {
  const part = { country: "DEU", currency: "EUR", bankCode: "", accountNumber: "DE89 3704 0044 0532 0130 00" };
  const { account } = await add(wallet.person(), part);
  expect(account?.accountNumberMasked).toBe(`${"*".repeat(18)}3000`);
});

test("lending gets the whole number of the customer's own, and nothing of another's", async () => {
  const person = wallet.person();
  const { account } = await add(person);
  const lending = wallet.clientOf("lending");
  const { tenantId, customerId } = person;
  const read = (bankAccountId: string, owner: string, tenant = tenantId) =>
    lending.getBankAccount({ bankAccountId, customerId: owner }, wallet.calls({ tenantId: tenant }));
  const bankAccountId = account?.bankAccountId ?? "";
  expect((await read(bankAccountId, customerId)).account).toMatchObject({ accountNumber: "0123456789" });
  const stranger = wallet.person(tenantId);
  await expect(read(bankAccountId, stranger.customerId)).rejects.toEqual(refused("NOT_FOUND"));
  await expect(read(randomUUID(), customerId)).rejects.toEqual(refused("NOT_FOUND"));
  await expect(read(bankAccountId, customerId, wallet.person().tenantId)).rejects.toEqual(refused("NOT_FOUND"));
  await expect(list(stranger, customerId)).rejects.toEqual(refused("FORBIDDEN"));
  expect((await list(wallet.person(tenantId, "MANAGER"), customerId)).accounts).toHaveLength(1);
});

test("a removed one is off the list, can still be read, and can be added anew", async () => {
  const person = wallet.person();
  const { account } = await add(person);
  const bankAccountId = account?.bankAccountId ?? "";
  const remove = (by: Person) => wallet.gateway.removeBankAccount({ bankAccountId }, wallet.calls(by));
  await expect(remove(wallet.person(person.tenantId))).rejects.toEqual(refused("FORBIDDEN"));
  await expect(remove(wallet.person())).rejects.toEqual(refused("NOT_FOUND"));
  for (let time = 0; time < 2; time += 1) expect((await remove(person)).account).toMatchObject({ status: "REMOVED" });
  expect((await list(person)).accounts).toEqual([]);
  expect((await add(person)).account?.bankAccountId).not.toBe(bankAccountId);
});

test("while the bank does not answer nothing is added, and the same key goes through later", async () => {
  const person = wallet.person();
  const key = { idempotencyKey: randomUUID() };
  await wallet.bank("/rules", { account: person.tenantId, behaviour: "AWAY", times: 1 });
  await expect(add(person, key)).rejects.toEqual(refused("UNAVAILABLE"));
  await wallet.bankRulesCleared(person.tenantId);
  await expect(add(person, key)).resolves.toBeDefined();
});
