import { randomUUID } from "node:crypto";
import { AccountFlag, EntrySide, TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica, WireTransfer } from "../../../test/support/ledger-fixture.js";
import { waitFor } from "../../../test/support/index.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";
const maxInt64 = 2n ** 63n - 1n;

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_handlers");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

const wallet = (accountId: string, more: object = {}) => ({
  accountId,
  code: "customer_wallet",
  currency: "USD",
  name: "USD wallet",
  ownerId: "customer-1",
  flags: [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS],
  metadata: { tier: "1" },
  ...more,
});

describe("CreateAccounts", () => {
  test("makes each account once, and gives it again when asked with the same content", async () => {
    const tenant = tenantCalls();
    const accounts = [wallet("w1"), wallet("w2", { currency: "JPY" })];
    const first = await ledger.wallet.createAccounts({ accounts }, tenant.call());
    expect(first.accounts).toMatchObject([
      { accountId: "w1", type: "ACCOUNT_TYPE_LIABILITY", owningService: "wallet", creditsPostedMinor: 0n },
      { accountId: "w2", currency: "JPY", metadata: { tier: "1" } },
    ]);
    await tenant.open(ledger, []);
    await tenant.post(ledger, transfer("k", bank, "w1", 5n));
    const again = await ledger.wallet.createAccounts({ accounts }, tenant.call());
    expect(again.accounts[0]).toEqual({ ...first.accounts[0], creditsPostedMinor: 5n });
  });

  test("made by ten callers at once it is one account", async () => {
    const tenant = tenantCalls();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ledger.wallet.createAccounts({ accounts: [wallet("w1")] }, tenant.call())),
    );
    expect(new Set(answers.map(({ accounts }) => accounts[0]!.createdAt!.getTime())).size).toBe(1);
  });

  test("keeps the name it was made with: whom it names may be called otherwise since", async () => {
    const tenant = tenantCalls();
    await ledger.wallet.createAccounts({ accounts: [wallet("w1")] }, tenant.call());
    const again = await ledger.wallet.createAccounts({ accounts: [wallet("w1", { name: "other" })] }, tenant.call());
    expect(again.accounts).toMatchObject([{ accountId: "w1", name: "USD wallet" }]);
  });

  test.each([
    ["currency", { currency: "EUR" }],
    ["owner", { ownerId: "customer-2" }],
    ["flags", { flags: [] }],
    ["metadata", { metadata: {} }],
  ])("ALREADY_EXISTS for another %s", async (_what, change) => {
    const tenant = tenantCalls();
    await ledger.wallet.createAccounts({ accounts: [wallet("w1")] }, tenant.call());
    const other = ledger.wallet.createAccounts({ accounts: [wallet("w1", change)] }, tenant.call());
    await expect(other).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
  });

  test.each([
    ["an id with a space", { accountId: "w 1" }, "accounts[0].account_id"],
    ["no id", { accountId: "" }, "accounts[0].account_id"],
    ["a code that the chart does not have", { code: "slush_fund" }, "accounts[0].code"],
    ["no currency", { currency: "" }, "accounts[0].currency"],
    ["an unknown currency", { currency: "XXX" }, "accounts[0].currency"],
    ["closed from the start", { flags: [AccountFlag.ACCOUNT_FLAG_CLOSED] }, "accounts[0].flags"],
    [
      "bound on both sides",
      {
        flags: [
          AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS,
          AccountFlag.ACCOUNT_FLAG_CREDITS_MUST_NOT_EXCEED_DEBITS,
        ],
      },
      "accounts[0].flags",
    ],
    ["too long a name", { name: "x".repeat(201) }, "accounts[0].name"],
    ["an odd metadata key", { metadata: { $where: "1" } }, "accounts[0].metadata"],
  ])("INVALID_INPUT for %s", async (_what, change, path) => {
    const requested = ledger.wallet.createAccounts({ accounts: [wallet("w1", change)] }, tenantCalls().call());
    await expect(requested).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });

  test("NOT_ACCOUNT_OWNER for a code of another service", async () => {
    const requested = ledger.remittance.createAccounts({ accounts: [wallet("w1")] }, tenantCalls().call());
    await expect(requested).rejects.toMatchObject({ code: "NOT_ACCOUNT_OWNER" });
  });

  test("INVALID_INPUT for none, and for 1,001", async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => wallet(`w${n}`));
    for (const accounts of [[], many]) {
      const requested = ledger.wallet.createAccounts({ accounts }, tenantCalls().call());
      await expect(requested).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });
});

describe("GetAccount and GetAccounts", () => {
  test("see everything that was acknowledged, and nothing of another tenant", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    for (let n = 1n; n <= 20n; n++) {
      await tenant.post(ledger, transfer(randomUUID(), bank, "w1", 1n));
      expect(await tenant.balance(ledger, "w1")).toBe(n);
    }
    const ids = { accountIds: ["w2", "nobody", "w1", "w2"] };
    const { accounts } = await ledger.wallet.getAccounts(ids, tenant.call());
    expect(accounts.map(({ accountId }) => accountId)).toEqual(["w2", "w1"]);
    const stranger = tenantCalls();
    expect(await ledger.wallet.getAccounts(ids, stranger.call())).toEqual({ accounts: [] });
    const other = ledger.wallet.getAccount({ accountId: "w1" }, stranger.call());
    await expect(other).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
  });

  test("INVALID_INPUT for an id that cannot be one", async () => {
    const requested = ledger.wallet.getAccount({ accountId: "a\u0000b" }, tenantCalls().call());
    await expect(requested).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("PostTransfers", () => {
  test("groups of a call are decided each by itself, in the order asked", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    const { results } = await ledger.wallet.postTransfers(
      {
        createdBy: "user-1",
        groups: [
          { transfers: [transfer("a", bank, "w1", 10n)] },
          { transfers: [transfer("b1", "w1", "w2", 4n), transfer("b2", "w1", "w2", 7n)] },
          { transfers: [transfer("c1", "w1", "w2", 4n), transfer("c2", "w1", "w2", 6n)] },
        ],
      },
      tenant.call(),
    );
    expect(results[0]!.posted).toMatchObject({
      replayed: false,
      transfers: [{ key: "a", transferId: "a", sequence: 1n, debitBalanceMinor: 10n, creditBalanceMinor: 10n }],
    });
    expect(results[1]!.refused).toMatchObject({
      code: "INSUFFICIENT_FUNDS",
      transferIndex: 1,
      availableMinor: 6n,
      askedMinor: 7n,
      replayed: false,
    });
    expect(results[2]!.posted).toMatchObject({
      transfers: [{ sequence: 2n }, { sequence: 3n, debitBalanceMinor: 0n }],
    });
  });

  test("a replayed answer is the first one, posted or refused, through any replica", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    const deposit = transfer("d", bank, "w1", 10n, { metadata: { a: "1", b: "2" }, effectiveAt: new Date(0) });
    const debit = transfer("x", "w1", "w2", 11n);
    const posted = await tenant.post(ledger, deposit);
    const refused = await tenant.post(ledger, debit);
    await tenant.post(ledger, transfer("later", bank, "w1", 10n));
    const other = await fixture.start();
    for (const replica of [ledger, other]) {
      expect((await tenant.post(replica, deposit)).posted).toEqual({ ...posted.posted, replayed: true });
      expect((await tenant.post(replica, debit)).refused).toEqual({ ...refused.refused, replayed: true });
    }
    await other.stop();
  });

  test.each<[string, WireTransfer, string]>([
    ["zero", transfer("k", bank, "w1", 0n), "AMOUNT_NOT_POSITIVE"],
    ["a negative amount", transfer("k", bank, "w1", -1n), "AMOUNT_NOT_POSITIVE"],
    ["one account on both sides", transfer("k", bank, bank, 1n), "SAME_ACCOUNT"],
    ["an unknown account", transfer("k", bank, "nobody", 1n), "ACCOUNT_NOT_FOUND"],
    ["a closed account", transfer("k", bank, "closed", 1n), "ACCOUNT_CLOSED"],
    [
      "another currency",
      { ...transfer("k", bank, "w1", 1n), amount: { amountMinor: 1n, currency: "EUR" } },
      "CURRENCY_MISMATCH",
    ],
    ["too little money", transfer("k", "w1", bank, 1n), "INSUFFICIENT_FUNDS"],
    ["a balance beyond int64", transfer("k", bank, "full", 1n), "AMOUNT_TOO_LARGE"],
    ["a key used for something else", transfer("used", bank, "full", 2n), "KEY_REUSED"],
    [
      "no such pending transfer",
      { key: "k", kind: "t", mode: TransferMode.TRANSFER_MODE_POST_PENDING, pendingKey: "nothing" },
      "PENDING_NOT_FOUND",
    ],
  ])("refuses %s and writes nothing", async (_what, refused, code) => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "full", "closed"]);
    await fixture.database.db
      .collection("accounts")
      .updateOne(
        { _id: `${tenant.tenantId}:closed` as never, tenantId: tenant.tenantId },
        { $set: { flags: ["CLOSED"] } },
      );
    await tenant.post(ledger, transfer("used", bank, "full", maxInt64));
    const result = await tenant.post(ledger, refused);
    expect(result.refused).toMatchObject({ code, transferIndex: 0 });
    expect(await tenant.balance(ledger, "w1")).toBe(0n);
    expect(await tenant.balance(ledger, "full")).toBe(maxInt64);
  });

  test("NOT_ACCOUNT_OWNER: only the service that owns a code takes from it", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    const requested = { createdBy: "u", groups: [{ transfers: [transfer("k", bank, "w1", 1n)] }] };
    const { results } = await ledger.remittance.postTransfers(requested, tenant.call());
    expect(results[0]!.refused).toMatchObject({ code: "NOT_ACCOUNT_OWNER" });
    // It decided nothing: the owner may use the key.
    expect((await tenant.post(ledger, transfer("k", bank, "w1", 1n))).posted).toMatchObject({ replayed: false });
  });

  test("TOO_MANY_TRANSFERS for 1,001, and 1,000 post", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    const transfers = Array.from({ length: 1_001 }, (_, n) => transfer(`k${n}`, bank, "w1", 1n));
    await expect(tenant.post(ledger, ...transfers)).rejects.toMatchObject({ code: "TOO_MANY_TRANSFERS" });
    const { posted } = await tenant.post(ledger, ...transfers.slice(0, 1_000));
    expect(posted!.transfers).toHaveLength(1_000);
    expect(await tenant.balance(ledger, "w1")).toBe(1_000n);
  });

  test.each<[string, WireTransfer, string]>([
    ["no key", transfer("", bank, "w1", 1n), "key"],
    ["a key of 129 characters", transfer("k".repeat(129), bank, "w1", 1n), "key"],
    ["the ledger's own mark in a key", transfer("k#expired", bank, "w1", 1n), "key"],
    ["no amount", { ...transfer("k", bank, "w1", 1n), amount: undefined }, "amount"],
    [
      "an unknown currency",
      { ...transfer("k", bank, "w1", 1n), amount: { amountMinor: 1n, currency: "usd" } },
      "amount.currency",
    ],
    ["no mode", transfer("k", bank, "w1", 1n, { mode: TransferMode.TRANSFER_MODE_UNSPECIFIED }), "mode"],
    ["no kind", transfer("k", bank, "w1", 1n, { kind: "" }), "kind"],
    [
      "a timeout without pending",
      transfer("k", bank, "w1", 1n, { pendingTimeout: { seconds: 1n, nanos: 0 } }),
      "pending_timeout",
    ],
    [
      "a timeout of nothing",
      transfer("k", bank, "w1", 1n, {
        mode: TransferMode.TRANSFER_MODE_PENDING,
        pendingTimeout: { seconds: 0n, nanos: 0 },
      }),
      "pending_timeout",
    ],
    ["a pending key without need", transfer("k", bank, "w1", 1n, { pendingKey: "p" }), "pending_key"],
    [
      "accounts beside a pending key",
      transfer("k", bank, "", 1n, { mode: TransferMode.TRANSFER_MODE_POST_PENDING, pendingKey: "p" }),
      "debit_account_id",
    ],
    [
      "a date of the Middle Ages",
      transfer("k", bank, "w1", 1n, { effectiveAt: new Date("1066-10-14") }),
      "effective_at",
    ],
    ["too long a description", transfer("k", bank, "w1", 1n, { description: "x".repeat(501) }), "description"],
  ])("INVALID_INPUT for %s", async (_what, refused, field) => {
    const path = `groups[0].transfers[0].${field}`;
    await expect(tenantCalls().post(ledger, refused)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path }] },
    });
  });

  test("INVALID_INPUT for nothing to post, and nobody who asks", async () => {
    const tenant = tenantCalls();
    const groups = [{ transfers: [transfer("k", bank, "w1", 1n)] }];
    for (const request of [
      { createdBy: "u", groups: [] },
      { createdBy: "u", groups: [{ transfers: [] }] },
      { createdBy: "", groups },
    ]) {
      await expect(ledger.wallet.postTransfers(request, tenant.call())).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    }
  });

  test("CALLER_NOT_ALLOWED for services that own no account", async () => {
    const request = { createdBy: "u", groups: [{ transfers: [transfer("k", bank, "w1", 1n)] }] };
    for (const caller of ["gateway", "operator", "identity"] as const) {
      const requested = ledger.as(caller).postTransfers(request, tenantCalls().call());
      await expect(requested).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
    }
  });
});

describe("two-phase transfers", () => {
  const hold = (key: string, amountMinor: bigint, more: WireTransfer = {}) =>
    transfer(key, "w1", "w2", amountMinor, { mode: TransferMode.TRANSFER_MODE_PENDING, ...more });
  const resolve = (key: string, pendingKey: string, more: WireTransfer = {}): WireTransfer => ({
    key,
    pendingKey,
    kind: "test",
    mode: TransferMode.TRANSFER_MODE_POST_PENDING,
    ...more,
  });

  async function funded() {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    await tenant.post(ledger, transfer("fund", bank, "w1", 100n));
    const stateOf = async (key: string) => (await ledger.wallet.getTransfer({ key }, tenant.call())).transfer!.state;
    return { ...tenant, stateOf };
  }

  test("reserve, post in part, and the rest is free again", async () => {
    const tenant = await funded();
    await tenant.post(ledger, hold("p", 60n));
    expect(await tenant.stateOf("p")).toBe("PENDING");
    const { account } = await ledger.wallet.getAccount({ accountId: "w1" }, tenant.call());
    expect(account).toMatchObject({ debitsPostedMinor: 0n, debitsPendingMinor: 60n });
    const part = { amount: { amountMinor: 25n, currency: "USD" } };
    expect((await tenant.post(ledger, resolve("r", "p", part))).posted).toMatchObject({
      transfers: [{ debitBalanceMinor: 75n, creditBalanceMinor: 25n }],
    });
    expect(await tenant.stateOf("p")).toBe("POSTED");
    expect((await tenant.post(ledger, resolve("r2", "p"))).refused).toMatchObject({ code: "PENDING_ALREADY_RESOLVED" });
  });

  test("void", async () => {
    const tenant = await funded();
    await tenant.post(ledger, hold("p", 60n));
    await tenant.post(ledger, resolve("v", "p", { mode: TransferMode.TRANSFER_MODE_VOID_PENDING }));
    expect(await tenant.stateOf("p")).toBe("VOIDED");
    expect((await tenant.post(ledger, transfer("all", "w1", "w2", 100n))).posted).toBeDefined();
  });

  test("past its timeout it is refused at once and released by itself", async () => {
    const tenant = await funded();
    const timeout = { pendingTimeout: { seconds: 0n, nanos: 200_000_000 } };
    await tenant.post(ledger, hold("p", 60n, timeout));
    await waitFor(async () => (await tenant.stateOf("p")) === "EXPIRED");
    expect((await tenant.post(ledger, resolve("r", "p"))).refused).toMatchObject({ code: "PENDING_EXPIRED" });
    expect((await tenant.post(ledger, transfer("all", "w1", "w2", 100n))).posted).toBeDefined();
    const { transfer: expiry } = await ledger.wallet.getTransfer({ key: "p#expired" }, tenant.call());
    expect(expiry).toMatchObject({ createdBy: "ledger", entries: [], transfer: { pendingKey: "p" } });
  });

  test("what fell due while no replica ran is released by the next one", async () => {
    const alone = await createLedgerFixture("ledger_expiry");
    const first = await alone.start({ EXPIRY_SWEEP_MS: "60000" });
    const tenant = tenantCalls();
    await tenant.open(first, ["w1", "w2"]);
    await tenant.post(first, transfer("fund", bank, "w1", 100n));
    await tenant.post(first, hold("p", 60n, { pendingTimeout: { seconds: 0n, nanos: 1_000_000 } }));
    // Not swept yet, and refused all the same.
    expect((await tenant.post(first, resolve("r", "p"))).refused).toMatchObject({ code: "PENDING_EXPIRED" });
    await first.stop();
    const second = await alone.start();
    const state = async () => (await second.wallet.getTransfer({ key: "p" }, tenant.call())).transfer!.state;
    await waitFor(async () => (await state()) === "EXPIRED");
    await alone.close();
  });
});

describe("GetTransfer", () => {
  test("gives the transfer with both entries", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    const effectiveAt = new Date("2026-01-02T03:04:05.678Z");
    await tenant.post(ledger, transfer("k", bank, "w1", 7n, { effectiveAt, description: "x", metadata: { a: "b" } }));
    const { transfer: found } = await ledger.as("operator").getTransfer({ key: "k" }, tenant.call());
    expect(found).toMatchObject({
      transferId: "k",
      sequence: 1n,
      state: "POSTED",
      createdBy: "user-1",
      transfer: { key: "k", description: "x", metadata: { a: "b" }, effectiveAt },
      entries: [
        { side: EntrySide.ENTRY_SIDE_DEBIT, accountId: bank, accountCode: "bank_settlement", accountName: "Bank" },
        { side: EntrySide.ENTRY_SIDE_CREDIT, accountId: "w1", ownerId: "customer-w1", balanceMinor: 7n },
      ],
    });
  });

  test("TRANSFER_NOT_FOUND for an unknown key, another tenant's, and one that was refused", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    await tenant.post(ledger, transfer("refused", "w1", bank, 7n));
    await tenant.post(ledger, transfer("k", bank, "w1", 7n));
    for (const [key, { call }] of [
      ["nothing", tenant],
      ["refused", tenant],
      ["k", tenantCalls()],
    ] as const) {
      await expect(ledger.wallet.getTransfer({ key }, call())).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
    }
  });
});

describe("ListEntriesByInteraction", () => {
  async function withEntries() {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    const interactionId = "abc:1";
    const post = (createdBy: string, ...transfers: WireTransfer[]) =>
      ledger.wallet.postTransfers({ createdBy, groups: [{ transfers }] }, tenant.call({ interactionId }));
    await post("user-1", transfer("a", bank, "w1", 10n));
    await post("user-2", transfer("b", "w1", "w2", 4n), transfer("refund", "w2", "w1", 1n));
    // Nothing of these was processed under it: a refusal, a reservation, and a posting under
    // another interaction.
    await post("user-2", transfer("c", "w1", "w2", 40n));
    await post("user-2", transfer("d", "w1", "w2", 1n, { mode: TransferMode.TRANSFER_MODE_PENDING }));
    await tenant.post(ledger, transfer("e", bank, "w1", 10n));
    return { ...tenant, interactionId };
  }
  const user = (tenantId: string, role: "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER", more: object = {}) => ({
    user: { tenantId, role, userId: "user-2", ...more },
  });

  test("gives both sides of what was posted, oldest first", async () => {
    const { call, interactionId } = await withEntries();
    const { entries } = await ledger.wallet.listEntriesByInteraction({ interactionId }, call());
    expect(
      entries.map(({ transferId, side, accountId, balanceMinor }) => [transferId, side, accountId, balanceMinor]),
    ).toEqual([
      ["a", EntrySide.ENTRY_SIDE_DEBIT, bank, 10n],
      ["a", EntrySide.ENTRY_SIDE_CREDIT, "w1", 10n],
      ["b", EntrySide.ENTRY_SIDE_DEBIT, "w1", 6n],
      ["b", EntrySide.ENTRY_SIDE_CREDIT, "w2", 4n],
      ["refund", EntrySide.ENTRY_SIDE_DEBIT, "w2", 3n],
      ["refund", EntrySide.ENTRY_SIDE_CREDIT, "w1", 7n],
    ]);
    expect(entries[2]).toMatchObject({
      interactionId,
      createdBy: "user-2",
      amount: { amountMinor: 4n, currency: "USD" },
      ownerId: "customer-w1",
      sequence: 2n,
    });
    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(6);
  });

  test("gives a customer the entries of their own accounts, a cashier what they caused, and staff all", async () => {
    const { call, tenantId, interactionId } = await withEntries();
    const gateway = ledger.as("gateway");
    const keysFor = async (request: object, who: object) => {
      const { entries } = await gateway.listEntriesByInteraction({ interactionId, ...request }, call(who));
      return entries.map(({ transferId }) => transferId);
    };
    const customer = user(tenantId, "CUSTOMER", { customerId: "customer-w2" });
    expect(await keysFor({ ownerId: "customer-w2" }, customer)).toEqual(["b", "refund"]);
    expect(await keysFor({ createdBy: "user-2" }, user(tenantId, "CASHIER"))).toEqual(["b", "b", "refund", "refund"]);
    expect(await keysFor({}, user(tenantId, "MANAGER"))).toHaveLength(6);
    expect(await keysFor({ createdBy: "user-1" }, user(tenantId, "AGENT"))).toEqual(["a", "a"]);
  });

  test("FORBIDDEN where the gateway would show others' entries; UNAUTHENTICATED without a user", async () => {
    const { call, tenantId, interactionId } = await withEntries();
    const ask = (request: object, who: object) =>
      ledger.as("gateway").listEntriesByInteraction({ interactionId, ...request }, call(who));
    const customer = user(tenantId, "CUSTOMER", { customerId: "customer-w2" });
    for (const [request, who] of [
      [{}, customer],
      [{ ownerId: "customer-w1" }, customer],
      [{ createdBy: "user-2" }, customer],
      [{ ownerId: "" }, user(tenantId, "CUSTOMER")],
      [{}, user(tenantId, "CASHIER")],
      [{ createdBy: "user-1" }, user(tenantId, "CASHIER")],
    ] as const) {
      await expect(ask(request, who)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await expect(ask({ ownerId: "customer-w2" }, {})).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("INVALID_INPUT for an interaction id that cannot be one", async () => {
    const requested = ledger.wallet.listEntriesByInteraction({ interactionId: "" }, tenantCalls().call());
    await expect(requested).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

test("GetTrialBalance: debits equal credits in every currency, also where a sum passes what a double holds", async () => {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  await tenant.open(ledger, ["y1"], "JPY");
  await tenant.post(ledger, transfer("a", bank, "w1", 2n ** 53n + 1n));
  await tenant.post(ledger, transfer("b", "w1", "w2", 3n));
  const yen = { amount: { amountMinor: 5n, currency: "JPY" } };
  await tenant.post(ledger, transfer("c", "bank_settlement:JPY", "y1", 1n, yen));
  const { lines } = await ledger.as("operator").getTrialBalance({}, tenant.call());
  expect(lines).toEqual([
    { code: "bank_settlement", currency: "JPY", debitsMinor: "5", creditsMinor: "0", accounts: 1n },
    { code: "bank_settlement", currency: "USD", debitsMinor: String(2n ** 53n + 1n), creditsMinor: "0", accounts: 1n },
    { code: "customer_wallet", currency: "JPY", debitsMinor: "0", creditsMinor: "5", accounts: 1n },
    { code: "customer_wallet", currency: "USD", debitsMinor: "3", creditsMinor: String(2n ** 53n + 4n), accounts: 2n },
  ]);
});
