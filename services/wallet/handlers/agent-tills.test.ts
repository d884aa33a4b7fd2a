import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { rightPassword } from "../../../test/support/stand-in-identity.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agent_tills");
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const key = () => ({ idempotencyKey: randomUUID() });

// Codes work once, whoever's they are.
let code = 300_000;

const manage = (agent: Person | undefined, { customerId }: Person) => {
  const { agentId: _before, ...known } = wallet.identity.customers.get(customerId)!;
  wallet.identity.customers.set(customerId, { ...known, ...(agent && { agentId: agent.userId }) });
};

/** An agent with an own till of 200.00 USD, and a managed customer with 100.00. */
async function float() {
  const customer = wallet.person();
  const { tenantId } = customer;
  const { accountId } = await wallet.wallet(customer, "USD", 100_00n);
  const agent = wallet.person(tenantId, "AGENT");
  manage(agent, customer);
  const { till } = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "200" }, wallet.calls(agent));
  const tillId = till?.tillId ?? "";
  const proof = () => ({ password: rightPassword, otp: String((code += 1)) });
  return {
    customer,
    tenantId,
    agent,
    accountId,
    tillId,
    till,
    balance: (of = accountId) => wallet.ledger.balance(tenantId, of),
    vault: () => -wallet.ledger.balance(tenantId, "cash_vault:USD"),
    cashIn: (amount: string, part = {}) =>
      wallet.gateway.cashIn({ ...key(), tillId, accountId, amount, ...part }, wallet.calls(agent)),
    cashOut: (amount: string, part = {}) =>
      wallet.gateway.cashOut({ ...key(), tillId, accountId, amount, ...proof(), ...part }, wallet.calls(agent)),
    close: (counted: string) => wallet.gateway.closeTill({ ...key(), tillId, counted }, wallet.calls(agent)),
  };
}

test("the wallets of a managed customer are listed for their agent, and of anybody for a cashier", async () => {
  const { tenantId, agent, customer, accountId } = await float();
  const { customerId } = customer;
  for (const person of [agent, wallet.person(tenantId, "CASHIER")]) {
    const as = wallet.calls(person);
    await expect(wallet.gateway.listWalletAccounts({ customerId }, as)).resolves.toMatchObject({
      accounts: [{ accountId, currency: "USD", availableBalanceMinor: 100_00n }],
    });
    await expect(wallet.gateway.listWalletAccounts({}, as)).rejects.toEqual(refused("INVALID_INPUT"));
  }
});

test("an agent's float comes out of the vault, moves by cash of a managed customer, and goes back counted", async () => {
  const { agent, till, tillId, cashIn, cashOut, close, balance, vault } = await float();
  expect(till).toMatchObject({ cashierId: agent.userId, role: "AGENT", floatMinor: 200_00n, status: "OPEN" });
  expect(vault()).toBe(-200_00n);
  expect((await cashIn("50")).movement).toMatchObject({ newBalanceMinor: 150_00n });
  expect((await cashOut("30")).movement).toMatchObject({ newBalanceMinor: 120_00n });
  const counted = await wallet.gateway.countTill({ ...key(), tillId, counted: "219" }, wallet.calls(agent));
  expect(counted.till).toMatchObject({ differenceMinor: -1_00n, status: "OPEN" });
  expect((await close("220")).till).toMatchObject({ status: "CLOSED", differenceMinor: 0n });
  expect([balance(), vault()]).toEqual([120_00n, 20_00n]);
});

test("cash of a customer whom the agent does not manage is refused, in and out, whoever else manages them", async () => {
  const { tenantId, agent, customer, cashIn, cashOut, balance, close } = await float();
  const stranger = wallet.person(tenantId);
  const { accountId } = await wallet.wallet(stranger, "USD", 100_00n);
  for (const manager of [undefined, wallet.person(tenantId, "AGENT")]) {
    manage(manager, stranger);
    await expect(cashIn("1", { accountId })).rejects.toEqual(refused("FORBIDDEN"));
    // Also where a manager would have to approve it.
    await expect(cashIn("20000", { accountId })).rejects.toEqual(refused("FORBIDDEN"));
    await expect(cashOut("1", { accountId })).rejects.toEqual(refused("FORBIDDEN"));
    await expect(wallet.gateway.getWalletAccount({ accountId }, wallet.calls(agent))).rejects.toEqual(
      refused("FORBIDDEN"),
    );
    const { customerId } = stranger;
    await expect(wallet.gateway.listWalletAccounts({ customerId }, wallet.calls(agent))).rejects.toEqual(
      refused("FORBIDDEN"),
    );
  }
  // Nobody learns whether the password was right.
  wallet.identity.verified.length = 0;
  await expect(cashOut("1", { accountId, password: "wrong" })).rejects.toEqual(refused("FORBIDDEN"));
  expect(wallet.identity.verified).toEqual([]);
  expect(balance(accountId)).toBe(100_00n);
  // The till was not touched by any of it.
  expect((await close("200")).till).toMatchObject({ differenceMinor: 0n });
  manage(undefined, customer);
});

test("where the organisation lets agents act for everybody, they take and give anybody's cash", async () => {
  const { tenantId, agent, cashIn, cashOut, balance } = await float();
  const stranger = wallet.person(tenantId);
  const { accountId } = await wallet.wallet(stranger, "USD", 100_00n);
  wallet.identity.everybodysAgents.add(tenantId);
  await cashIn("10", { accountId });
  await cashOut("5", { accountId });
  expect(balance(accountId)).toBe(105_00n);
  await expect(wallet.gateway.getWalletAccount({ accountId }, wallet.calls(agent))).resolves.toMatchObject({
    account: { accountId },
  });
});

test("what was booked is answered again after the customer went to another agent; nothing new is", async () => {
  const { tenantId, customer, cashIn, balance } = await float();
  const request = key();
  const first = await cashIn("10", request);
  manage(wallet.person(tenantId, "AGENT"), customer);
  expect(await cashIn("10", request)).toEqual(first);
  await expect(cashIn("10")).rejects.toEqual(refused("FORBIDDEN"));
  expect(balance()).toBe(110_00n);
});

test("an agent's till is nobody else's, and they see no other", async () => {
  const { tenantId, agent, tillId, accountId } = await float();
  const [other, cashier, manager] = [
    wallet.person(tenantId, "AGENT"),
    wallet.person(tenantId, "CASHIER"),
    wallet.person(tenantId, "MANAGER"),
  ];
  for (const somebody of [other, cashier]) {
    const as = wallet.calls(somebody);
    const cash = { ...key(), tillId, accountId, amount: "1" };
    await expect(wallet.gateway.cashIn(cash, as)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(wallet.gateway.countTill({ ...key(), tillId, counted: "200" }, as)).rejects.toEqual(
      refused("FORBIDDEN"),
    );
    await expect(wallet.gateway.closeTill({ ...key(), tillId, counted: "200" }, as)).rejects.toEqual(
      refused("FORBIDDEN"),
    );
  }
  await wallet.gateway.openTill({ ...key(), currency: "USD", float: "" }, wallet.calls(cashier));
  await expect(wallet.gateway.openTill({ ...key(), currency: "USD", float: "" }, wallet.calls(agent))).rejects.toEqual(
    refused("ALREADY_EXISTS"),
  );
  const seenBy = async (person: Person) =>
    (await wallet.gateway.listTills({ openOnly: true }, wallet.calls(person))).tills.map(({ role }) => role);
  expect(await seenBy(agent)).toEqual(["AGENT"]);
  expect(await seenBy(other)).toEqual([]);
  expect((await seenBy(manager)).toSorted()).toEqual(["AGENT", "CASHIER"]);
});

test("cash out takes the customer's password and one-time code, as a cashier's does", async () => {
  const { customer, cashOut, balance } = await float();
  await expect(cashOut("1", { otp: "" })).rejects.toEqual(refused("OTP_REQUIRED"));
  await expect(cashOut("1", { password: "wrong" })).rejects.toEqual(refused("PASSWORD_WRONG"));
  wallet.identity.verified.length = 0;
  await cashOut("1");
  expect(wallet.identity.verified).toMatchObject([{ userId: customer.userId }]);
  expect(balance()).toBe(99_00n);
});

test("limits, maker-checker and the day's report are as a cashier's, and name an agent", async () => {
  const { tenantId, agent, cashIn, close, balance } = await float();
  const manager = wallet.person(tenantId, "MANAGER");
  const limit = { cashierId: agent.userId, currency: "USD", perCashInMinor: 600_00n, fourEyesAboveMinor: 500_00n };
  const request = { ...key(), limit, reason: "this year's" };
  await wallet.decide((await wallet.gateway.setCashLimit(request, wallet.calls(manager))).approvalId);
  expect((await refusalOf(cashIn("600.01"))).code).toBe("AMOUNT_OUT_OF_LIMITS");
  const { cashIn: requested } = await cashIn("500.01");
  expect(requested).toMatchObject({ status: "WAITING" });
  const read = (by: Person) =>
    wallet.gateway.getCashIn({ cashInId: requested?.cashInId ?? "" }, wallet.calls(by)).then((answer) => answer.cashIn);
  await expect(read(wallet.person(tenantId, "AGENT"))).rejects.toEqual(refused("FORBIDDEN"));
  await wallet.decide(requested?.approvalId ?? "");
  expect((await read(agent))?.status).toBe("APPROVED");
  await wallet.gateway.takeCashIn({ ...key(), cashInId: requested?.cashInId ?? "" }, wallet.calls(agent));
  await cashIn("10");
  expect(balance()).toBe(610_01n);
  const { sums } = await wallet.gateway.sumCash({ date: "" }, wallet.calls(manager));
  const { userId: cashierId } = agent;
  expect(sums).toMatchObject([
    { cashierId, role: "AGENT", kind: "CASH_IN", count: 2, totalMinor: 510_01n, approved: 1 },
  ]);
  expect((await close("710.01")).till).toMatchObject({ differenceMinor: 0n });
});

test("an agent pays from no wallet, moves no vault cash and sets no limit", async () => {
  const { agent, accountId } = await float();
  const as = wallet.calls(agent);
  const payment = {
    ...key(),
    accountId,
    payableType: "PAYABLE_TYPE_WALLET" as const,
    payableId: randomUUID(),
    totalCheckoutAmount: "1",
    password: rightPassword,
  };
  await expect(wallet.gateway.makePayment(payment, as)).rejects.toEqual(refused("FORBIDDEN"));
  const vault = { ...key(), direction: "FROM_BANK" as const, currency: "USD", amount: "1", reference: "s" };
  await expect(wallet.gateway.moveVaultCash(vault as never, as)).rejects.toEqual(refused("FORBIDDEN"));
  const limit = { ...key(), limit: { cashierId: "", currency: "USD" }, reason: "mine" };
  await expect(wallet.gateway.setCashLimit(limit, as)).rejects.toEqual(refused("FORBIDDEN"));
});
