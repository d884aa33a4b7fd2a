import { randomInt } from "node:crypto";
import type { DomiciliaryItem } from "../../../proto/gen/wallet/v1/statements.js";
import { createWalletFixture, type Person, type WalletFixture } from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_domiciliary");
});
afterAll(() => wallet.close());

const anyBvn = () => `22${randomInt(100_000_000, 1_000_000_000)}`;
async function registered(firstName = "Amina", lastName = "Bello", part = {}) {
  const bvn = anyBvn();
  await wallet.bank("/bank/bvns", { bvn, firstName, lastName, ...part });
  return bvn;
}
const itemOf = (existingAccountBvn: string, part: Partial<DomiciliaryItem> = {}): DomiciliaryItem => ({
  bvnCountry: "NGA",
  existingAccountBankCode: "58",
  existingAccountBvn,
  existingAccountCurrencyCode: "NGN",
  newAccountCurrencyCode: "USD",
  ...part,
});
const create = (person: Person, ...items: DomiciliaryItem[]) =>
  wallet.gateway.createDomiciliaryAccounts({ items }, wallet.calls(person)).then(({ results }) => results);

test("opens an account for the number's holder; the same item again gives the same account", async () => {
  const person = wallet.person();
  const item = itemOf(await registered("AMINA", "BELLO"));
  const [first] = await create(person, item);
  expect(first).toMatchObject({
    status: "SUCCESS",
    msgCode: "DOM_CREATED",
    msgCodeId: "100",
    createdAccountCurrencyCode: "USD",
    createdAccountNumber: expect.stringMatching(/^\d{10}$/),
    accountBankCode: "058",
  });
  const [again, twice] = await create(person, item, item);
  expect(again).toMatchObject({ msgCode: "DOM_EXISTS", createdAccountNumber: first?.createdAccountNumber });
  expect(twice).toEqual(again);
});

test("ten requests at once for one item make one account", async () => {
  const person = wallet.person();
  const item = itemOf(await registered());
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => create(person, item)));
  const numbers = results.flatMap((result) =>
    result.status === "fulfilled" ? [result.value[0]?.createdAccountNumber].filter(Boolean) : [],
  );
  expect(new Set(numbers).size).toBe(1);
  const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(person));
  expect(accounts).toHaveLength(1);
});

test("each item has a result of its own; the others go on when one fails", async () => {
  const bvn = await registered();
  const results = await create(
    wallet.person(),
    itemOf(bvn, { bvnCountry: "GHA" }),
    itemOf("123"),
    itemOf(bvn, { existingAccountBankCode: "12345" }),
    itemOf(bvn, { newAccountCurrencyCode: "ZZZ" }),
    itemOf(bvn, { newAccountCurrencyCode: "NGN" }),
    itemOf(bvn, { newAccountCurrencyCode: "CHF" }),
    itemOf(anyBvn()),
    itemOf(await registered("Chidi", "Okafor")),
    itemOf(bvn, { bvnCountry: "NG", newAccountCurrencyCode: "GBP" }),
  );
  expect(results.map(({ msgCode }) => msgCode)).toEqual([
    "DOM_COUNTRY_NOT_SUPPORTED",
    "DOM_BVN_INVALID",
    "DOM_BANK_CODE_INVALID",
    "DOM_CURRENCY_INVALID",
    "DOM_CURRENCY_NOT_FOREIGN",
    "DOM_CURRENCY_NOT_OFFERED",
    "DOM_BVN_NOT_FOUND",
    "DOM_BVN_NOT_CUSTOMERS",
    "DOM_CREATED",
  ]);
  for (const { status, createdAccountNumber } of results.slice(0, -1)) {
    expect([status, createdAccountNumber]).toEqual(["FAILED", ""]);
  }
});

test("a register that does not answer fails the item, not the request", async () => {
  const person = wallet.person();
  const item = itemOf(await registered());
  await wallet.bank("/rules", { account: person.tenantId, behaviour: "AWAY" });
  expect((await create(person, item))[0]).toMatchObject({ status: "FAILED", msgCode: "DOM_BANK_UNAVAILABLE" });
  await wallet.bankRulesCleared(person.tenantId);
});

test("an agent opens for a customer they manage, told apart by phone where names are one", async () => {
  const customer = wallet.person();
  const twin = wallet.person(customer.tenantId);
  const agent = wallet.person(customer.tenantId, "AGENT");
  const name = { firstName: "Ngozi", lastName: "Eze" };
  const own = await registered("Ngozi", "Eze", { phoneNumber: "08031234567" });
  expect((await create(agent, itemOf(own)))[0]?.msgCode).toBe("DOM_BVN_NOT_CUSTOMERS");
  wallet.identity.managed.set(agent.userId, [
    { customerId: twin.customerId, ...name, phoneNumber: "+2348039999999" },
    { customerId: customer.customerId, ...name, phoneNumber: "+2348031234567" },
  ]);
  expect((await create(agent, itemOf(own)))[0]?.msgCode).toBe("DOM_CREATED");
  const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(customer));
  expect(accounts).toHaveLength(1);
});

test.each(["", "N/A"])("a register's phone number %j is not that of a namesake without one", async (phoneNumber) => {
  const customer = wallet.person();
  const namesake = wallet.person(customer.tenantId);
  const agent = wallet.person(customer.tenantId, "AGENT");
  const name = { firstName: "Ngozi", lastName: "Eze" };
  const own = await registered("Ngozi", "Eze", { phoneNumber });
  wallet.identity.managed.set(agent.userId, [
    { customerId: namesake.customerId, ...name, phoneNumber: "" },
    { customerId: customer.customerId, ...name, phoneNumber: "+2348031234567" },
  ]);
  expect((await create(agent, itemOf(own)))[0]?.msgCode).toBe("DOM_BVN_NOT_CUSTOMERS");
});

test("a register that writes names in other letters knows the customer", async () => {
  const customer = wallet.person();
  const agent = wallet.person(customer.tenantId, "AGENT");
  const own = await registered("ISIL", "GROSS-OBRIEN");
  wallet.identity.managed.set(agent.userId, [
    { customerId: customer.customerId, firstName: "Işıl", lastName: "Groß O’Brien", phoneNumber: "" },
  ]);
  expect((await create(agent, itemOf(own)))[0]?.msgCode).toBe("DOM_CREATED");
});

test("managers and cashiers may not, more than twenty items neither, and no number is kept or logged", async () => {
  const person = wallet.person();
  const bvn = await registered();
  for (const role of ["MANAGER", "CASHIER"] as const) {
    const by = wallet.person(person.tenantId, role);
    await expect(create(by, itemOf(bvn))).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
  const many = Array.from({ length: 21 }, () => itemOf(bvn));
  await expect(create(person, ...many)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await create(person, itemOf(bvn));
  const documents: unknown[] = [];
  for (const { name } of await wallet.database.db.listCollections()) {
    documents.push(await wallet.database.db.collection(name).find({ tenantId: person.tenantId }).toArray());
  }
  const text = JSON.stringify(documents, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  expect(text + wallet.network.lines.join("")).not.toContain(bvn);
});

describe("a statement", () => {
  test("has the balance after each entry and is read page by page, by its owner and managers", async () => {
    const person = wallet.person();
    const friend = wallet.person(person.tenantId);
    const { accountId } = await wallet.wallet(person, "USD", 100_00n);
    const to = await wallet.wallet(friend, "USD");
    for (const totalCheckoutAmount of ["10", "20", "30"]) {
      const draft = { accountId, payableId: to.accountId, totalCheckoutAmount };
      await wallet.pay(person, { ...draft, payableType: "PAYABLE_TYPE_WALLET" });
    }
    const read = (cursor = "", by = person) =>
      wallet.gateway.listStatement({ accountId, pageSize: 3, cursor, newestFirst: true }, wallet.calls(by));
    const first = await read();
    const second = await read(first.nextCursor);
    const shown = [...first.entries, ...second.entries];
    expect(shown.map(({ side, amount, balanceMinor }) => [side, amount?.amountMinor, balanceMinor])).toEqual([
      ["DEBIT", 30_00n, 40_00n],
      ["DEBIT", 20_00n, 70_00n],
      ["DEBIT", 10_00n, 90_00n],
      ["CREDIT", 100_00n, 100_00n],
    ]);
    await expect(read("", friend)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(read("", wallet.person())).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
    await expect(read("", wallet.person(person.tenantId, "MANAGER"))).resolves.toBeDefined();
  });
});
