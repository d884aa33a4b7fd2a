import { randomUUID } from "node:crypto";
import { AccountFlag, TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica } from "../../../test/support/ledger-fixture.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_accounts");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

describe("ListAccounts", () => {
  const tenant = tenantCalls();
  const list = (request: object, client = ledger.as("operator")) => client.listAccounts(request, tenant.call());
  const idsOf = async (request: object) => (await list(request)).accounts.map(({ accountId }) => accountId);

  beforeAll(async () => {
    const wallets = [
      { accountId: "w1", ownerId: "c1", metadata: { tier: "1", region: "eu" } },
      { accountId: "w2", ownerId: "c1", metadata: { tier: "2" } },
      { accountId: "w3", ownerId: "c2", metadata: { tier: "1" }, currency: "JPY" },
      { accountId: "w4", ownerId: "c2", metadata: { note: "region" } },
    ];
    const accounts = [
      ...wallets.map((wallet) => ({ code: "customer_wallet", currency: "USD", ...wallet })),
      { accountId: bank, code: "bank_settlement", currency: "USD" },
    ];
    await ledger.wallet.createAccounts({ accounts }, tenant.call());
  });

  test.each<[string, object, string[]]>([
    ["all", {}, [bank, "w1", "w2", "w3", "w4"]],
    ["by code", { code: "customer_wallet" }, ["w1", "w2", "w3", "w4"]],
    ["by code and currency", { code: "customer_wallet", currency: "JPY" }, ["w3"]],
    ["by owner", { ownerId: "c1" }, ["w1", "w2"]],
    ["by metadata", { metadata: { tier: "1" } }, ["w1", "w3"]],
    ["by two of metadata", { metadata: { tier: "1", region: "eu" } }, ["w1"]],
    ["by metadata that exists", { metadataExists: ["region"] }, ["w1"]],
    ["by all of it", { ownerId: "c2", metadata: { tier: "1" }, metadataExists: ["tier"] }, ["w3"]],
    ["by what nobody has", { metadata: { tier: "3" } }, []],
  ])("%s, ordered by id", async (_what, request, ids) => {
    expect(await idsOf(request)).toEqual(ids);
  });

  test("pages by cursor, each account once, whatever is made meanwhile", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await list({ code: "customer_wallet", pageSize: 3, cursor });
      seen.push(...page.accounts.map(({ accountId }) => accountId));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual(["w1", "w2", "w3", "w4"]);
  });

  test("nothing of another tenant", async () => {
    const { accounts } = await ledger.wallet.listAccounts({}, tenantCalls().call());
    expect(accounts).toEqual([]);
  });

  test("INVALID_INPUT for a page too large, an odd name, and a cursor of another request", async () => {
    const { nextCursor } = await list({ pageSize: 1 });
    for (const [request, path] of [
      [{ pageSize: 1_001 }, "page_size"],
      [{ pageSize: -1 }, "page_size"],
      [{ metadataExists: ["$where"] }, "metadata_exists"],
      [{ metadata: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, ""])) }, "metadata"],
      [{ ownerId: "a b" }, "owner_id"],
      [{ cursor: "nonsense" }, "cursor"],
      [{ code: "customer_wallet", cursor: nextCursor }, "cursor"],
    ] as const) {
      await expect(list(request)).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
    }
  });
});

describe("CloseAccount", () => {
  test("an account that is empty takes nothing any more, at once and for good", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    await tenant.post(ledger, transfer("in", bank, "w1", 5n));
    await tenant.post(ledger, transfer("out", "w1", "w2", 5n));
    const { account } = await ledger.wallet.closeAccount({ accountId: "w1" }, tenant.call());
    expect(account!.flags).toContain(AccountFlag.ACCOUNT_FLAG_CLOSED);
    // The owner of the journal had it in its cache.
    expect((await tenant.post(ledger, transfer("late", bank, "w1", 5n))).refused).toMatchObject({
      code: "ACCOUNT_CLOSED",
    });
    expect((await tenant.post(ledger, transfer("other", bank, "w2", 5n))).posted).toBeDefined();
    const again = await ledger.as("operator").closeAccount({ accountId: "w1" }, tenant.call());
    expect(again.account).toEqual(account);
    const { accounts } = await ledger.wallet.createAccounts(
      { accounts: [{ ...account, flags: [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS] }] },
      tenant.call(),
    );
    expect(accounts).toEqual([account]);
  });

  test("one that nothing was ever posted to", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    await ledger.wallet.closeAccount({ accountId: "w1" }, tenant.call());
    expect((await tenant.post(ledger, transfer("k", bank, "w1", 5n))).refused).toMatchObject({
      code: "ACCOUNT_CLOSED",
    });
  });

  test("never leaves money on a closed account, however postings race with it", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    for (let round = 0; round < 10; round++) {
      const accountId = `r${round}`;
      await tenant.open(ledger, [accountId]);
      const [posted, closed] = await Promise.allSettled([
        tenant.post(ledger, transfer(randomUUID(), bank, accountId, 5n)),
        ledger.wallet.closeAccount({ accountId }, tenant.call()),
      ]);
      if (posted.status === "rejected") throw posted.reason;
      const isPosted = posted.value.posted !== undefined;
      expect(closed.status).toBe(isPosted ? "rejected" : "fulfilled");
      expect(await tenant.balance(ledger, accountId)).toBe(isPosted ? 5n : 0n);
    }
  });

  test("ACCOUNT_NOT_EMPTY with the figures, for money on it or reserved", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    await tenant.post(ledger, transfer("in", bank, "w1", 5n));
    const close = (accountId: string) => ledger.wallet.closeAccount({ accountId }, tenant.call());
    await expect(close("w1")).rejects.toMatchObject({
      code: "ACCOUNT_NOT_EMPTY",
      details: { figures: { creditsLessDebitsMinor: "5" } },
    });
    await tenant.post(ledger, transfer("hold", "w1", "w2", 3n, { mode: TransferMode.TRANSFER_MODE_PENDING }));
    await expect(close("w2")).rejects.toMatchObject({
      code: "ACCOUNT_NOT_EMPTY",
      details: { figures: { creditsPendingMinor: "3" } },
    });
    expect((await ledger.wallet.getAccount({ accountId: "w2" }, tenant.call())).account!.flags).not.toContain(
      AccountFlag.ACCOUNT_FLAG_CLOSED,
    );
  });

  test("ACCOUNT_NOT_FOUND, NOT_ACCOUNT_OWNER, INVALID_INPUT, CALLER_NOT_ALLOWED", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    for (const [client, accountId, code] of [
      [ledger.wallet, "nobody", "ACCOUNT_NOT_FOUND"],
      [ledger.remittance, "w1", "NOT_ACCOUNT_OWNER"],
      [ledger.wallet, "", "INVALID_INPUT"],
      [ledger.as("gateway"), "w1", "CALLER_NOT_ALLOWED"],
    ] as const) {
      await expect(client.closeAccount({ accountId }, tenant.call())).rejects.toMatchObject({ code });
    }
  });
});

test("GetChart tells what a code is and whose it is", async () => {
  const { codes } = await ledger.as("operator").getChart({}, tenantCalls().call());
  expect(codes).toContainEqual({
    code: "customer_wallet",
    type: "ACCOUNT_TYPE_LIABILITY",
    owningService: "wallet",
    side: "ENTRY_SIDE_CREDIT",
    postedBy: ["wallet"],
    openedByPeople: false,
    description: "What customers hold in wallets",
  });
});

describe("OpenBookAccount", () => {
  const tenant = tenantCalls();
  const manager = { userId: "manager-1", role: "MANAGER" as const, tenantId: tenant.tenantId };
  const open = (request: object, user: object = manager) =>
    ledger.as("gateway").openBookAccount(
      {
        idempotencyKey: randomUUID(),
        code: "own_bank",
        currency: "USD",
        name: "Crédit Agricole (Paris)",
        ...request,
      },
      tenant.call({ user: user as typeof manager }),
    );

  test("is called by its name, and opened twice it is one", async () => {
    const first = await open({});
    expect(first.account).toMatchObject({
      accountId: "own_bank:credit-agricole-paris:USD",
      code: "own_bank",
      name: "Crédit Agricole (Paris)",
      type: "ACCOUNT_TYPE_ASSET",
      owningService: "ledger",
    });
    expect(await open({})).toEqual(first);
    const others = await Promise.all([open({ currency: "NGN" }), open({ code: "operating_expense", name: "Rent" })]);
    const ids = others.map(({ account }) => account!.accountId);
    expect(ids).toEqual(["own_bank:credit-agricole-paris:NGN", "operating_expense:rent:USD"]);
  });

  test.each<[string, object, object]>([
    ["another name that gives the same word", { name: "Credit-Agricole Paris" }, { code: "ALREADY_EXISTS" }],
    ["a code that people do not open", { code: "fee_income" }, { details: { errors: [{ path: "code" }] } }],
    ["no currency", { currency: "QQQ" }, { details: { errors: [{ path: "currency" }] } }],
    ["a name without letters", { name: " -?! " }, { details: { errors: [{ path: "name" }] } }],
    ["a name too long", { name: "a".repeat(101) }, { details: { errors: [{ path: "name" }] } }],
  ])("is refused for %s", async (_what, request, refusal) => {
    await open({});
    await expect(open(request)).rejects.toMatchObject(refusal);
  });

  test("is for managers, and the ledger posts from it", async () => {
    await expect(open({}, { ...manager, role: "CASHIER" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const { codes } = await ledger.as("gateway").getChart({}, tenant.call({ user: manager }));
    const opened = codes.filter(({ openedByPeople }) => openedByPeople);
    expect(opened.map(({ code, side, postedBy }) => [code, side, postedBy])).toEqual([
      ["operating_expense", "ENTRY_SIDE_DEBIT", ["ledger"]],
      ["own_bank", "ENTRY_SIDE_DEBIT", ["ledger"]],
    ]);
  });
});
