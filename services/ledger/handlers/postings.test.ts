import { randomUUID } from "node:crypto";
import { TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica, WireTransfer } from "../../../test/support/ledger-fixture.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";
const upTo = { mode: TransferMode.TRANSFER_MODE_POSTED_UP_TO };
const pending = { mode: TransferMode.TRANSFER_MODE_PENDING };

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_postings");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

/** w1 with 100, w2 with nothing. */
async function funded(amount = 100n) {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  await tenant.post(ledger, transfer("fund", bank, "w1", amount));
  return tenant;
}

const reversal = (key: string, reversesKey: string, more: WireTransfer = {}): WireTransfer => ({
  key,
  reversesKey,
  kind: "reversal",
  mode: TransferMode.TRANSFER_MODE_REVERSAL,
  ...more,
});

test("a refusal of a bulk names the transfer, the rule and the figures", async () => {
  const tenant = await funded();
  const { results } = await ledger.wallet.postTransfers(
    {
      createdBy: "u",
      groups: [
        { transfers: [transfer("a", "w1", "w2", 1n)] },
        { transfers: [transfer("b", "w1", "w2", 1n), transfer("c", "w1", "w2", 99n)] },
      ],
    },
    tenant.call(),
  );
  expect(results[1]!.refused).toEqual({
    code: "INSUFFICIENT_FUNDS",
    message: "account w1 has 98 of 99 minor units",
    transferIndex: 1,
    transferKey: "c",
    availableMinor: 98n,
    askedMinor: 99n,
    replayed: false,
  });
});

describe("up to an amount", () => {
  test("moves what there is, less what is reserved, and no more than asked", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("hold", "w1", "w2", 30n, pending));
    const part = await tenant.post(ledger, transfer("part", "w1", "w2", 20n, upTo));
    expect(part.posted!.transfers).toMatchObject([{ amountMinor: 20n, debitBalanceMinor: 80n }]);
    const rest = await tenant.post(ledger, transfer("rest", "w1", "w2", 1_000n, upTo));
    expect(rest.posted!.transfers).toMatchObject([{ amountMinor: 50n, debitBalanceMinor: 30n }]);
    const { transfer: stored } = await ledger.wallet.getTransfer({ key: "rest" }, tenant.call());
    expect(stored!.transfer!.amount).toEqual({ amountMinor: 50n, currency: "USD" });
  });

  test("reserves what there is", async () => {
    const tenant = await funded();
    const mode = TransferMode.TRANSFER_MODE_PENDING_UP_TO;
    const held = await tenant.post(ledger, transfer("hold", "w1", "w2", 1_000n, { mode }));
    expect(held.posted!.transfers).toMatchObject([{ amountMinor: 100n }]);
    const { account } = await ledger.wallet.getAccount({ accountId: "w1" }, tenant.call());
    expect(account).toMatchObject({ debitsPendingMinor: 100n, debitsPostedMinor: 0n });
  });

  test("repeated it gives the same amount, and its key holds nothing else", async () => {
    const tenant = await funded();
    const requested = transfer("k", "w1", "w2", 1_000n, upTo);
    const first = await tenant.post(ledger, requested);
    await tenant.post(ledger, transfer("more", bank, "w1", 500n));
    expect((await tenant.post(ledger, requested)).posted).toEqual({ ...first.posted, replayed: true });
    const plain = transfer("k", "w1", "w2", 1_000n);
    expect((await tenant.post(ledger, plain)).refused).toMatchObject({ code: "KEY_REUSED" });
  });

  test("INSUFFICIENT_FUNDS for nothing, with the figures", async () => {
    const tenant = await funded();
    const { refused } = await tenant.post(ledger, transfer("k", "w2", "w1", 7n, upTo));
    expect(refused).toMatchObject({ code: "INSUFFICIENT_FUNDS", availableMinor: 0n, askedMinor: 7n });
  });
});

describe("reversal", () => {
  test("moves it all back as a transfer of its own, linked both ways", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("t", "w1", "w2", 40n));
    const { posted } = await tenant.post(ledger, reversal("r", "t"));
    expect(posted!.transfers).toMatchObject([{ amountMinor: 40n, debitBalanceMinor: 0n, creditBalanceMinor: 100n }]);
    const get = async (key: string) => (await ledger.wallet.getTransfer({ key }, tenant.call())).transfer;
    expect(await get("t")).toMatchObject({ reversedByKey: "r" });
    expect(await get("r")).toMatchObject({
      reversedByKey: "",
      transfer: { mode: "TRANSFER_MODE_REVERSAL", reversesKey: "t", debitAccountId: "w2", creditAccountId: "w1" },
    });
  });

  test("what a pending transfer became is reversed by the key that posted it", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("p", "w1", "w2", 40n, pending));
    const post = { key: "post", pendingKey: "p", kind: "t", mode: TransferMode.TRANSFER_MODE_POST_PENDING };
    await tenant.post(ledger, { ...post, amount: { amountMinor: 15n, currency: "USD" } });
    const { posted } = await tenant.post(ledger, reversal("r", "post"));
    expect(posted!.transfers).toMatchObject([{ amountMinor: 15n, creditBalanceMinor: 100n }]);
  });

  test("in the call and in the group that posts it", async () => {
    const tenant = await funded();
    const transfers = [transfer("t", "w1", "w2", 40n), reversal("r", "t")];
    expect((await tenant.post(ledger, ...transfers)).posted!.transfers).toHaveLength(2);
    const groups = [{ transfers: [transfer("t2", "w1", "w2", 40n)] }, { transfers: [reversal("r2", "t2")] }];
    const { results } = await ledger.wallet.postTransfers({ createdBy: "u", groups }, tenant.call());
    expect(results.map(({ posted }) => posted?.transfers.length)).toEqual([1, 1]);
    expect(await tenant.balance(ledger, "w1")).toBe(100n);
    expect((await tenant.post(ledger, reversal("r3", "t2"))).refused).toMatchObject({
      code: "TRANSFER_ALREADY_REVERSED",
      message: "transfer t2 was reversed by r2",
    });
  });

  test("once only: of fifty at the same time one", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("t", "w1", "w2", 40n));
    await tenant.post(ledger, transfer("t2", "w1", "w2", 60n));
    const other = await fixture.start();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => tenant.post(n % 2 === 0 ? ledger : other, reversal(randomUUID(), "t"))),
    );
    await other.stop();
    expect(results.filter(({ posted }) => posted !== undefined)).toHaveLength(1);
    expect(new Set(results.map(({ refused }) => refused?.code))).toEqual(
      new Set([undefined, "TRANSFER_ALREADY_REVERSED"]),
    );
    expect(await tenant.balance(ledger, "w1")).toBe(40n);
  });

  test("repeated it is the same answer", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("t", "w1", "w2", 40n));
    const first = await tenant.post(ledger, reversal("r", "t"));
    expect((await tenant.post(ledger, reversal("r", "t"))).posted).toEqual({ ...first.posted, replayed: true });
  });

  test("refused, and nothing written", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("t", "w1", "w2", 40n));
    await tenant.post(ledger, transfer("spent", "w2", bank, 40n));
    await tenant.post(ledger, transfer("p", "w1", "w2", 1n, pending));
    await tenant.post(ledger, transfer("refused", "w1", "w2", 1_000n));
    await tenant.post(ledger, transfer("back", bank, "w2", 1n));
    await tenant.post(ledger, reversal("rev", "back"));
    for (const [reversesKey, code] of [
      ["nothing", "TRANSFER_NOT_FOUND"],
      ["refused", "TRANSFER_NOT_FOUND"],
      ["p", "TRANSFER_NOT_REVERSIBLE"],
      ["rev", "TRANSFER_NOT_REVERSIBLE"],
      ["t", "INSUFFICIENT_FUNDS"],
    ] as const) {
      expect((await tenant.post(ledger, reversal(randomUUID(), reversesKey))).refused).toMatchObject({ code });
    }
    expect(await tenant.balance(ledger, "w1")).toBe(60n);
    const requested = { createdBy: "u", groups: [{ transfers: [reversal("x", "t")] }] };
    const { results } = await ledger.remittance.postTransfers(requested, tenant.call());
    expect(results[0]!.refused).toMatchObject({ code: "NOT_ACCOUNT_OWNER" });
    await ledger.wallet.closeAccount({ accountId: "w2" }, tenant.call()).catch(() => undefined);
  });

  test("ACCOUNT_CLOSED where an account of it is closed since", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("t", "w1", "w2", 100n));
    await ledger.wallet.closeAccount({ accountId: "w1" }, tenant.call());
    expect((await tenant.post(ledger, reversal("r", "t"))).refused).toMatchObject({ code: "ACCOUNT_CLOSED" });
  });

  test.each<[string, WireTransfer, string]>([
    ["no key to reverse", reversal("r", ""), "reverses_key"],
    ["an amount", reversal("r", "t", { amount: { amountMinor: 1n, currency: "USD" } }), "amount"],
    ["accounts", reversal("r", "t", { debitAccountId: "w1" }), "debit_account_id"],
    ["a pending key", reversal("r", "t", { pendingKey: "p" }), "pending_key"],
    ["a key to reverse without need", transfer("k", bank, "w1", 1n, { reversesKey: "t" }), "reverses_key"],
  ])("INVALID_INPUT for %s", async (_what, requested, field) => {
    const path = `groups[0].transfers[0].${field}`;
    await expect(tenantCalls().post(ledger, requested)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path }] },
    });
  });
});

describe("DryRunTransfers", () => {
  test("answers as posting would, group after group, and decides nothing", async () => {
    const tenant = await funded();
    await tenant.post(ledger, transfer("old", "w1", "w2", 10n));
    const groups = [
      { transfers: [transfer("a", "w1", "w2", 60n)] },
      { transfers: [transfer("b", "w1", "w2", 60n)] },
      { transfers: [reversal("c", "a")] },
      { transfers: [transfer("old", "w1", "w2", 10n)] },
      { transfers: [transfer("z", "w1", "w2", 0n)] },
    ];
    const request = { createdBy: "u", groups };
    const dry = await ledger.wallet.dryRunTransfers({ request }, tenant.call());
    expect(dry.results).toMatchObject([
      { posted: { transfers: [{ key: "a", sequence: 0n, debitBalanceMinor: 30n }], replayed: false } },
      { refused: { code: "INSUFFICIENT_FUNDS", availableMinor: 30n, askedMinor: 60n, transferKey: "b" } },
      { posted: { transfers: [{ key: "c", amountMinor: 60n, creditBalanceMinor: 90n }] } },
      { posted: { transfers: [{ key: "old", sequence: 2n }], replayed: true } },
      { refused: { code: "AMOUNT_NOT_POSITIVE" } },
    ]);
    expect(await tenant.balance(ledger, "w1")).toBe(90n);
    await expect(ledger.wallet.getTransfer({ key: "a" }, tenant.call())).rejects.toMatchObject({
      code: "TRANSFER_NOT_FOUND",
    });
    // The refusal was not kept either: the key is free.
    await tenant.post(ledger, transfer("more", bank, "w1", 100n));
    expect((await tenant.post(ledger, transfer("b", "w1", "w2", 60n))).posted).toMatchObject({ replayed: false });
  });

  test("of a journal that does not exist yet", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    const request = { createdBy: "u", groups: [{ transfers: [transfer("a", bank, "w1", 60n)] }] };
    const { results } = await ledger.wallet.dryRunTransfers({ request }, tenant.call());
    expect(results).toMatchObject([{ posted: { transfers: [{ creditBalanceMinor: 60n }] } }]);
    expect((await ledger.as("operator").getJournalHead({}, tenant.call())).sequence).toBe(0n);
  });

  test("INVALID_INPUT without a request; TOO_MANY_TRANSFERS for 1,001", async () => {
    const tenant = tenantCalls();
    await expect(ledger.wallet.dryRunTransfers({}, tenant.call())).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const transfers = Array.from({ length: 1_001 }, (_, n) => transfer(`k${n}`, bank, "w1", 1n));
    const request = { createdBy: "u", groups: [{ transfers }] };
    await expect(ledger.wallet.dryRunTransfers({ request }, tenant.call())).rejects.toMatchObject({
      code: "TOO_MANY_TRANSFERS",
    });
  });
});

describe("PostExchange", () => {
  const accounts = [
    { accountId: "clearing", code: "remittance_clearing", currency: "USD" },
    { accountId: "partner", code: "partner_settlement", currency: "NGN" },
  ];
  const exchange = (more: object = {}) => ({
    key: "x1",
    debitAccountId: "clearing",
    creditAccountId: "partner",
    from: { amountMinor: 10_000n, currency: "USD" },
    to: { amountMinor: 16_000_050n, currency: "NGN" },
    rate: "1600.005",
    kind: "exchange",
    createdBy: "remittance",
    ...more,
  });

  async function opened() {
    const tenant = tenantCalls();
    await ledger.remittance.createAccounts({ accounts }, tenant.call());
    return tenant;
  }

  test("goes over the position accounts of both currencies, with the rate on both", async () => {
    const tenant = await opened();
    const ask = () => ledger.remittance.postExchange(exchange({ metadata: { deal: "7" } }), tenant.call());
    const { result } = await ask();
    expect(result!.posted!.transfers.map(({ key }) => key)).toEqual(["x1:from", "x1:to"]);
    expect((await ask()).result!.posted).toEqual({ ...result!.posted, replayed: true });
    for (const [key, debitAccountId, creditAccountId] of [
      ["x1:from", "clearing", "exchange_position:USD"],
      ["x1:to", "exchange_position:NGN", "partner"],
    ] as const) {
      const { transfer: found } = await ledger.remittance.getTransfer({ key }, tenant.call());
      expect(found!.transfer).toMatchObject({
        debitAccountId,
        creditAccountId,
        metadata: { rate: "1600.005", pair: "USD/NGN", deal: "7" },
      });
    }
  });

  test("gain and loss per currency are what the positions are worth", async () => {
    const tenant = await opened();
    await ledger.remittance.postExchange(exchange(), tenant.call());
    const ask = (request: object) => ledger.as("operator").getExchangePositions(request, tenant.call());
    const plain = await ask({});
    expect(plain.resultMinor).toBeUndefined();
    expect(plain.positions).toEqual([
      { currency: "NGN", boughtMinor: "0", soldMinor: "16000050", positionMinor: -16_000_050n, valueMinor: undefined },
      { currency: "USD", boughtMinor: "10000", soldMinor: "0", positionMinor: 10_000n, valueMinor: undefined },
    ]);
    // Bought at 1,600.005, worth 1,610: what was sold costs 99.38 USD now.
    const valued = await ask({ valuationCurrency: "USD", rates: { NGN: "0.000621118" } });
    expect(valued.positions.map(({ valueMinor }) => valueMinor)).toEqual([-9_938n, 10_000n]);
    expect(valued.resultMinor).toBe(62n);
    await expect(ask({ valuationCurrency: "USD" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(ask({ rates: { NGN: "1" } })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(ask({ valuationCurrency: "usd" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(ask({ valuationCurrency: "USD", rates: { NGN: "-1" } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  test("both or none: a side that is refused names its transfer", async () => {
    const tenant = await opened();
    const { result } = await ledger.remittance.postExchange(exchange({ creditAccountId: "nobody" }), tenant.call());
    expect(result!.refused).toMatchObject({ code: "ACCOUNT_NOT_FOUND", transferKey: "x1:to", transferIndex: 1 });
    const { positions } = await ledger.remittance.getExchangePositions({}, tenant.call());
    expect(positions.map(({ positionMinor }) => positionMinor)).toEqual([0n, 0n]);
  });

  test.each<[string, object, string]>([
    ["one currency", { to: { amountMinor: 1n, currency: "USD" } }, "INVALID_INPUT"],
    ["no amount", { from: undefined }, "INVALID_INPUT"],
    ["no rate", { rate: "" }, "INVALID_INPUT"],
    ["a rate of zero", { rate: "0" }, "INVALID_INPUT"],
    ["an amount that its rate does not give", { to: { amountMinor: 16_000_052n, currency: "NGN" } }, "AMOUNT_MISMATCH"],
    ["too long a key", { key: "k".repeat(121) }, "INVALID_INPUT"],
    ["nobody who asks", { createdBy: "" }, "INVALID_INPUT"],
  ])("refuses %s", async (_what, change, code) => {
    const tenant = await opened();
    await expect(ledger.remittance.postExchange(exchange(change), tenant.call())).rejects.toMatchObject({ code });
  });

  test("each service exchanges over position accounts of its own; the tenant's position is what all of them left", async () => {
    const tenant = await opened();
    await ledger.remittance.postExchange(exchange(), tenant.call());
    await tenant.open(ledger, ["w1"]);
    await tenant.open(ledger, ["n1"], "NGN");
    await tenant.post(ledger, transfer("fund", bank, "w1", 100n));
    const { result } = await ledger.wallet.postExchange(
      exchange({
        key: "x2",
        debitAccountId: "w1",
        creditAccountId: "n1",
        from: { amountMinor: 10n, currency: "USD" },
        to: { amountMinor: 16_000n, currency: "NGN" },
      }),
      tenant.call(),
    );
    expect(result!.posted!.transfers.map(({ key }) => key)).toEqual(["x2:from", "x2:to"]);
    const { transfer: found } = await ledger.wallet.getTransfer({ key: "x2:from" }, tenant.call());
    expect(found!.transfer).toMatchObject({ creditAccountId: "wallet_exchange_position:USD" });
    const { positions } = await ledger.as("operator").getExchangePositions({}, tenant.call());
    expect(positions.map(({ currency, positionMinor }) => [currency, positionMinor])).toEqual([
      ["NGN", -16_016_050n],
      ["USD", 10_010n],
    ]);
  });

  test("NOT_ACCOUNT_OWNER for a service that has no position accounts", async () => {
    const tenant = await opened();
    await expect(ledger.as("lending").postExchange(exchange(), tenant.call())).rejects.toMatchObject({
      code: "NOT_ACCOUNT_OWNER",
    });
  });
});
