import { randomUUID } from "node:crypto";
import { testTenant } from "../../../test/support/index.js";
import {
  createWalletFixture,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { isAccountNumber } from "../domain/account.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_accounts");
});
afterAll(() => wallet.close());
afterEach(() => wallet.faults.clear());

const refused = (code: string) => expect.objectContaining({ code });
const open = (tenantId: string, customerId: string, currency = "USD", idempotencyKey: string = randomUUID()) =>
  wallet.operator.openWalletAccount({ idempotencyKey, customerId, currency }, wallet.calls({ tenantId }));

describe("OpenWalletAccount", () => {
  test("opens an account that the ledger keeps from going below zero", async () => {
    const { tenantId, customerId } = wallet.person();
    const { account } = await open(tenantId, customerId, "KWD");
    expect(account).toMatchObject({ customerId, currency: "KWD", status: "OPEN", availableBalanceMinor: 0n });
    expect(isAccountNumber(account?.accountNumber ?? "")).toBe(true);
    expect(wallet.ledger.account(tenantId, account?.accountId ?? "")?.account).toMatchObject({
      code: "customer_wallet",
      currency: "KWD",
      ownerId: customerId,
      name: `KWD wallet ${account?.accountNumber}`,
      flags: ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS"],
    });
  });

  test("answers a repeated key with the first account", async () => {
    const { tenantId, customerId } = wallet.person();
    const key = randomUUID();
    const first = await open(tenantId, customerId, "USD", key);
    let isReplayed = false;
    const again = await wallet.operator.openWalletAccount(
      { idempotencyKey: key, customerId, currency: "USD" },
      wallet.calls({ tenantId }, { onReplayed: () => (isReplayed = true) }),
    );
    expect(again).toEqual(first);
    expect(isReplayed).toBe(true);
    await expect(open(tenantId, customerId, "EUR", key)).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  });

  test("opens one account per customer and currency, also when many ask at once", async () => {
    const { tenantId, customerId } = wallet.person();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => open(tenantId, customerId)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toEqual(refused("ALREADY_EXISTS"));
    }
    await expect(open(tenantId, customerId, "EUR")).resolves.toBeDefined();
  });

  test("comes to its end by recovery or by retry when the ledger was away", async () => {
    const { tenantId, customerId } = wallet.person();
    for (const when of ["before", "after"] as const) {
      const currency = when === "before" ? "USD" : "EUR";
      const key = randomUUID();
      wallet.faults.next("createAccounts", when);
      await expect(open(tenantId, customerId, currency, key)).rejects.toEqual(refused("UNAVAILABLE"));
      const { accounts } = await wallet.operator.listWalletAccounts({ customerId }, wallet.calls({ tenantId }));
      expect(accounts.map((account) => account.currency)).not.toContain(currency);
      const { account } = await open(tenantId, customerId, currency, key);
      expect(account).toMatchObject({ status: "OPEN", currency });
    }
  });

  test.each([
    ["an unknown customer", { customerId: "nobody" }, "CUSTOMER_NOT_FOUND"],
    ["no customer", { customerId: "" }, "INVALID_INPUT"],
    ["no key", { idempotencyKey: "" }, "INVALID_INPUT"],
    ["a unit of account", { currency: "XAU" }, "INVALID_INPUT"],
    ["a currency in small letters", { currency: "usd" }, "INVALID_INPUT"],
  ])("refuses %s", async (_what, draft, code) => {
    const { tenantId, customerId } = wallet.person();
    const request = { idempotencyKey: randomUUID(), customerId, currency: "USD", ...draft };
    await expect(wallet.operator.openWalletAccount(request, wallet.calls({ tenantId }))).rejects.toEqual(refused(code));
  });

  test("refuses a customer of another tenant; a customer opens their own in a currency that the organisation offers", async () => {
    const { customerId } = wallet.person();
    await expect(open(testTenant(), customerId)).rejects.toEqual(refused("CUSTOMER_NOT_FOUND"));
    const person = wallet.person();
    const ask = (currency: string, of = "") =>
      wallet.gateway.openWalletAccount(
        { idempotencyKey: randomUUID(), customerId: of, currency },
        wallet.calls(person),
      );
    expect((await ask("GBP")).account).toMatchObject({ customerId: person.customerId, currency: "GBP" });
    await expect(ask("CHF")).rejects.toEqual(refused("CURRENCY_MISMATCH"));
    await expect(ask("USD", customerId)).rejects.toEqual(refused("FORBIDDEN"));
    const lending = wallet.clientOf("lending");
    await expect(lending.openWalletAccount({}, wallet.calls(person))).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
  });
});

describe("ListWalletAccounts", () => {
  test("shows a customer their own accounts with the ledger's balances", async () => {
    const person = wallet.person();
    await wallet.wallet(person, "USD", 2_500n);
    await wallet.wallet(person, "EUR");
    const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(person));
    expect(accounts.map(({ currency, availableBalanceMinor }) => [currency, availableBalanceMinor])).toEqual([
      ["EUR", 0n],
      ["USD", 2_500n],
    ]);
  });

  test("subtracts what is held", async () => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD", 2_500n);
    const real = wallet.ledger.handlers.getAccounts!;
    wallet.ledger.handlers.getAccounts = async () => ({
      accounts: [{ accountId, creditsPostedMinor: 2_500n, debitsPostedMinor: 300n, debitsPendingMinor: 200n }],
    });
    try {
      const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(person));
      expect(accounts[0]).toMatchObject({ availableBalanceMinor: 2_000n, heldBalanceMinor: 200n });
    } finally {
      wallet.ledger.handlers.getAccounts = real;
    }
  });

  test("customers who ask at once have their own each, by fewer calls of the ledger than they are", async () => {
    const [first, ...others] = [wallet.person()].flatMap((one) => [
      one,
      ...Array.from({ length: 8 }, () => wallet.person(one.tenantId)),
    ]);
    const persons = [first!, ...others];
    // The last one has none.
    for (const [index, person] of persons.slice(0, -1).entries()) {
      await wallet.wallet(person, "USD", BigInt(100 + index));
      if (index % 2 === 0) await wallet.wallet(person, "EUR", BigInt(200 + index));
    }
    const reads = () => wallet.faults.calledIn(first!.tenantId).filter((rpc) => rpc === "getAccounts").length;
    const before = reads();
    const lists = await Promise.all(
      persons.map((person) => wallet.gateway.listWalletAccounts({}, wallet.calls(person))),
    );
    const shown = lists.map(({ accounts }) =>
      accounts.map(({ customerId, currency, availableBalanceMinor }) => [customerId, currency, availableBalanceMinor]),
    );
    const expected = persons
      .slice(0, -1)
      .map(({ customerId }, index) => [
        ...(index % 2 === 0 ? [[customerId, "EUR", BigInt(200 + index)]] : []),
        [customerId, "USD", BigInt(100 + index)],
      ]);
    expect(shown).toEqual([...expected, []]);
    expect([reads() > before, reads() - before < 8]).toEqual([true, true]);
  });

  test("shows a MANAGER and the operator the customer they name, and a stranger nothing", async () => {
    const person = wallet.person();
    await wallet.wallet(person, "USD");
    const { tenantId, customerId } = person;
    const manager = wallet.person(tenantId, "MANAGER");
    for (const list of [
      wallet.gateway.listWalletAccounts({ customerId }, wallet.calls(manager)),
      wallet.operator.listWalletAccounts({ customerId }, wallet.calls({ tenantId })),
    ]) {
      expect((await list).accounts).toHaveLength(1);
    }
    const elsewhere = await wallet.operator.listWalletAccounts(
      { customerId },
      wallet.calls({ tenantId: testTenant() }),
    );
    expect(elsewhere.accounts).toEqual([]);
  });

  test("refuses another customer's, other roles, and a call without a user", async () => {
    const person = wallet.person();
    const { tenantId } = person;
    const { customerId } = wallet.person(tenantId);
    const list = (as: Parameters<typeof wallet.calls>[0], named = customerId) =>
      wallet.gateway.listWalletAccounts({ customerId: named }, wallet.calls(as));
    await expect(list(person)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(list(wallet.person(tenantId, "AGENT"))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(list({ tenantId })).rejects.toEqual(refused("UNAUTHENTICATED"));
    await expect(list(wallet.person(tenantId, "MANAGER"), "")).rejects.toEqual(refused("INVALID_INPUT"));
    await expect(list(wallet.person(tenantId, "CASHIER"), "")).rejects.toEqual(refused("INVALID_INPUT"));
    expect(await list(wallet.person(tenantId, "CASHIER"))).toEqual({ accounts: [] });
  });
});

describe("RecordDeposit", () => {
  const deposit = (tenantId: string, accountId: string, draft: object = {}) =>
    wallet.operator.recordDeposit(
      {
        idempotencyKey: randomUUID(),
        accountId,
        amount: { amountMinor: 2_500n, currency: "USD" },
        reference: "BANK-77",
        ...draft,
      },
      wallet.calls({ tenantId }, { interactionId: "deposit-1" }),
    );

  test("moves money from the bank to the wallet once per key, in the name of who asked", async () => {
    const person = wallet.person();
    const { tenantId } = person;
    const { accountId } = await wallet.wallet(person, "USD");
    const idempotencyKey = randomUUID();
    const first = await deposit(tenantId, accountId, { idempotencyKey });
    expect(first.newBalanceMinor).toBe(2_500n);
    expect(await deposit(tenantId, accountId, { idempotencyKey })).toEqual(first);
    expect(wallet.ledger.balance(tenantId, "bank_settlement:operator:USD")).toBe(-2_500n);
    expect(wallet.ledger.ofTenant(tenantId)).toEqual([
      expect.objectContaining({ interactionId: "deposit-1", createdBy: "operator" }),
    ]);
    const second = await deposit(tenantId, accountId);
    expect(second.newBalanceMinor).toBe(5_000n);
  });

  test("moves it once, whichever step was lost", async () => {
    const person = wallet.person();
    const { tenantId } = person;
    const { accountId } = await wallet.wallet(person, "USD");
    let expected = 0n;
    for (const [rpc, when] of [
      ["createAccounts", "before"],
      ["postTransfers", "before"],
      ["postTransfers", "after"],
    ] as const) {
      const idempotencyKey = randomUUID();
      wallet.faults.next(rpc, when, "DEADLINE_EXCEEDED");
      await expect(deposit(tenantId, accountId, { idempotencyKey })).rejects.toEqual(refused("DEADLINE_EXCEEDED"));
      expected += 2_500n;
      expect((await deposit(tenantId, accountId, { idempotencyKey })).newBalanceMinor).toBe(expected);
    }
  });

  test("keeps the ledger's refusal as the answer", async () => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD");
    const real = wallet.ledger.handlers.postTransfers!;
    const closed = { code: "ACCOUNT_CLOSED", message: "the account is closed" };
    wallet.ledger.handlers.postTransfers = async () => ({ results: [{ refused: closed }] });
    const idempotencyKey = randomUUID();
    try {
      await expect(deposit(person.tenantId, accountId, { idempotencyKey })).rejects.toEqual(refused("ACCOUNT_CLOSED"));
    } finally {
      wallet.ledger.handlers.postTransfers = real;
    }
    await expect(deposit(person.tenantId, accountId, { idempotencyKey })).rejects.toEqual(refused("ACCOUNT_CLOSED"));
  });

  test.each([
    ["an unknown account", { accountId: "nothing" }, "ACCOUNT_NOT_FOUND"],
    ["another currency", { amount: { amountMinor: 1n, currency: "EUR" } }, "CURRENCY_MISMATCH"],
    ["nothing", { amount: { amountMinor: 0n, currency: "USD" } }, "AMOUNT_NOT_POSITIVE"],
    ["less than nothing", { amount: { amountMinor: -1n, currency: "USD" } }, "AMOUNT_NOT_POSITIVE"],
    ["no amount", { amount: undefined }, "INVALID_INPUT"],
    ["no reference", { reference: "" }, "INVALID_INPUT"],
    ["no key", { idempotencyKey: "" }, "INVALID_INPUT"],
  ])("refuses %s", async (_what, draft, code) => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD");
    await expect(deposit(person.tenantId, accountId, draft)).rejects.toEqual(refused(code));
    expect(wallet.ledger.ofTenant(person.tenantId)).toEqual([]);
  });

  test("refuses an account of another tenant, another request under the key, and every caller but the operator", async () => {
    const person = wallet.person();
    const { tenantId } = person;
    const { accountId } = await wallet.wallet(person, "USD");
    await expect(deposit(testTenant(), accountId)).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
    const idempotencyKey = randomUUID();
    await deposit(tenantId, accountId, { idempotencyKey });
    await expect(deposit(tenantId, accountId, { idempotencyKey, reference: "other" })).rejects.toEqual(
      refused("IDEMPOTENCY_KEY_REUSED"),
    );
    const request = {
      idempotencyKey: randomUUID(),
      accountId,
      amount: { amountMinor: 1n, currency: "USD" },
      reference: "x",
    };
    const byGateway = await refusalOf(wallet.gateway.recordDeposit(request, wallet.calls(person)));
    expect(byGateway.code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("freezing and closing", () => {
  const freeze = (by: Person, accountId: string, frozen = true) =>
    wallet.gateway.setWalletAccountFrozen({ accountId, frozen, reason: "asked by the police" }, wallet.calls(by));
  const close = (by: Person, accountId: string) =>
    wallet.gateway.closeWalletAccount({ accountId, reason: "" }, wallet.calls(by));

  test("a manager freezes and releases; a frozen wallet pays nothing and takes money in", async () => {
    const person = wallet.person();
    const manager = wallet.person(person.tenantId, "MANAGER");
    const { accountId } = await wallet.wallet(person, "USD", 500_00n);
    await expect(freeze(person, accountId)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const frozen = await Promise.all(Array.from({ length: 8 }, () => freeze(manager, accountId)));
    for (const { account } of [...frozen, await freeze(manager, accountId)]) {
      expect(account).toMatchObject({ status: "FROZEN" });
    }
    const stored = await wallet.database.db
      .collection("wallet_accounts")
      .findOne({ _id: accountId as never, tenantId: person.tenantId });
    expect(stored?.["changes"]).toHaveLength(1);
    const { id, total } = wallet.transaction(person);
    const draft = { accountId, payableId: id, totalCheckoutAmount: total };
    await expect(wallet.pay(person, draft)).rejects.toMatchObject({ code: "ACCOUNT_FROZEN" });
    const amount = { amountMinor: 1n, currency: "USD" };
    const deposit = { idempotencyKey: "d-1", accountId, amount, reference: "B-1" };
    await wallet.operator.recordDeposit(deposit, wallet.calls({ tenantId: person.tenantId }));
    expect(wallet.ledger.balance(person.tenantId, accountId)).toBe(500_01n);
    await freeze(manager, accountId, false);
    await expect(wallet.pay(person, draft)).resolves.toBeDefined();
    await expect(freeze(wallet.person(undefined, "MANAGER"), accountId)).rejects.toMatchObject({
      code: "ACCOUNT_NOT_FOUND",
    });
  });

  test("an empty wallet closes for good, one with money in it does not", async () => {
    const person = wallet.person();
    const full = await wallet.wallet(person, "USD", 1n);
    await expect(close(person, full.accountId)).rejects.toMatchObject({ code: "ACCOUNT_NOT_EMPTY" });
    const empty = await wallet.wallet(person, "EUR");
    await expect(close(wallet.person(person.tenantId), empty.accountId)).rejects.toMatchObject({ code: "FORBIDDEN" });
    for (let time = 0; time < 2; time += 1) {
      expect((await close(person, empty.accountId)).account).toMatchObject({ status: "CLOSED" });
    }
    const manager = wallet.person(person.tenantId, "MANAGER");
    await expect(freeze(manager, empty.accountId)).rejects.toMatchObject({ code: "ACCOUNT_CLOSED" });
    const pay = wallet.pay(person, {
      payableType: "PAYABLE_TYPE_WALLET_CUSTOMER",
      accountId: empty.accountId,
      payableId: full.accountId,
      totalCheckoutAmount: "1",
    });
    await expect(pay).rejects.toMatchObject({ code: "ACCOUNT_CLOSED" });
  });
});
