import { closeDays } from "../../../test/support/close-days.js";
import { waitFor } from "../../../test/support/index.js";
import { transfer } from "../../../test/support/ledger-fixture.js";
import { plansOf } from "../../../test/support/read-plans.js";
import { createSettlingFixture, settlingTenant, type SettlingLedger } from "../../../test/support/settling-fixture.js";
import { parseDay } from "../domain/days.js";

let fixture: Awaited<ReturnType<typeof createSettlingFixture>>;
let ledger: SettlingLedger;

beforeAll(async () => {
  fixture = await createSettlingFixture("ledger_settlements");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

async function freshTenant() {
  const tenant = settlingTenant(
    () => ledger,
    () => fixture.identity,
  );
  await tenant.openAll();
  return tenant;
}

describe("a settlement with a partner", () => {
  test("in another currency leaves nothing owed, and both sides on the exchange position", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerNgn, 15_257_500n);
    const cost = { amount: "99.40", currency: "USD" };
    const terms = { accountId: tenant.partnerNgn, amount: "152575.00", currency: "NGN", cost };
    const settlement = await tenant.settle(terms);
    expect(settlement).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED", decidedBy: "manager-2" });
    const balances = [tenant.partnerNgn, "exchange_position:NGN", "exchange_position:USD", tenant.bank];
    expect(await Promise.all(balances.map(tenant.balance))).toEqual([0n, 0n, -9_940n, 9_940n]);
  });

  test("with a fee pays both out of the bank, and who approves sees each account of it", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 5_000n);
    const cost = { amount: "50.75", currency: "USD" };
    const { settlementId, approvalId } = await tenant.propose({ amount: "50", cost, fee: "0.75" });
    const { noted } = await tenant.decide(approvalId);
    expect(noted).toEqual([
      `ACCOUNT_CREDITED account:${tenant.bank} 50.75 USD`,
      "ACCOUNT_DEBITED account:partner_fees:p1:USD 0.75 USD",
      `ACCOUNT_DEBITED account:${tenant.partnerUsd} 50.00 USD`,
    ]);
    await tenant.ended(settlementId, "POSTED");
    const balances = [tenant.partnerUsd, tenant.bank, "partner_fees:p1:USD"];
    expect(await Promise.all(balances.map(tenant.balance))).toEqual([0n, 5_075n, -75n]);
  });
});

describe("an acquirer of 2.9 % and 0.30", () => {
  const acquired = async () => {
    const tenant = await freshTenant();
    for (const minor of [10_000n, 25_000n, 4_999n]) await tenant.owe(tenant.card, minor);
    const terms = { kind: "SETTLEMENT_KIND_ACQUIRER" as const, accountId: tenant.card, fee: "12.50" };
    const pays = (amount: string, net: string) => ({ ...terms, amount, cost: { amount: net, currency: "USD" } });
    return { tenant, pays };
  };

  test("pays 387.49 of 399.99 and keeps 12.50", async () => {
    const { tenant, pays } = await acquired();
    await tenant.settle(pays("399.99", "387.49"));
    const balances = [tenant.card, tenant.bank, "card_fees:USD"];
    expect(await Promise.all(balances.map(tenant.balance))).toEqual([0n, -38_749n, -1_250n]);
  });

  test("that pays a cent too little leaves it open", async () => {
    const { tenant, pays } = await acquired();
    await tenant.settle(pays("399.98", "387.48"));
    expect(await tenant.balance(tenant.card)).toBe(-1n);
    await expect(tenant.propose(pays("0.02", "0.01"))).rejects.toMatchObject({ code: "COST_MISMATCH" });
    const rest = { ...pays("0.02", "0.02"), fee: "" };
    await expect(tenant.propose(rest)).rejects.toMatchObject({
      code: "ABOVE_OWED",
      details: { figures: { owed: "0.01", amount: "0.02", currency: "USD" } },
    });
  });
});

describe("tax of a hundred fees", () => {
  const taxed = async () => {
    const tenant = await freshTenant();
    await Promise.all(Array.from({ length: 100 }, () => tenant.owe(tenant.tax, 19n)));
    const terms = (amount: string) => ({
      kind: "SETTLEMENT_KIND_TAX" as const,
      accountId: tenant.tax,
      amount,
      cost: { amount, currency: "USD" },
    });
    return { tenant, terms };
  };

  test("is paid to the cent, and not a cent beyond", async () => {
    const { tenant, terms } = await taxed();
    await expect(tenant.propose(terms("19.01"))).rejects.toMatchObject({
      code: "ABOVE_OWED",
      details: { figures: { owed: "19.00", amount: "19.01" } },
    });
    expect(await tenant.settle(terms("19.00"))).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED" });
    expect(await tenant.balance(tenant.tax)).toBe(0n);
  });

  test("may be paid ahead where that is said", async () => {
    const { tenant, terms } = await taxed();
    await tenant.settle({ ...terms("20.00"), prefund: true });
    expect(await tenant.balance(tenant.tax)).toBe(-100n);
  });

  test("of two settlements at once one is refused", async () => {
    const { tenant, terms } = await taxed();
    const proposed = await Promise.all([tenant.propose(terms("10.00")), tenant.propose(terms("10.00"))]);
    await Promise.all(proposed.map(({ approvalId }) => tenant.decide(approvalId)));
    const ended = await Promise.all(
      proposed.map(({ settlementId }) => tenant.ended(settlementId, "POSTED", "REFUSED")),
    );
    expect(ended.map(({ status }) => status).toSorted()).toEqual([
      "SETTLEMENT_STATUS_POSTED",
      "SETTLEMENT_STATUS_REFUSED",
    ]);
    const [refused] = ended.filter(({ refusal }) => refusal !== undefined);
    expect(refused!.refusal).toEqual({
      code: "ABOVE_OWED",
      message: `on account ${tenant.tax} 9.00 USD is owed`,
    });
    expect(await tenant.balance(tenant.tax)).toBe(900n);
  });
});

describe("approval", () => {
  test("told fifty times at once posts once", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 2_000n);
    const { settlementId, approvalId } = await tenant.propose({});
    const outcome = tenant.outcomeOf(approvalId);
    await Promise.all(Array.from({ length: 50 }, () => ledger.outcomes.decideApproval(outcome, tenant.call())));
    const { transferIds } = await tenant.ended(settlementId, "POSTED");
    expect(transferIds).toEqual([`settlement:${settlementId}:amount`]);
    expect([await tenant.balance(tenant.partnerUsd), await tenant.balance(tenant.bank)]).toEqual([1_000n, 1_000n]);
  });

  test("refused ends it, and its reference may be used again", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    const { settlementId, approvalId } = await tenant.propose({ reference: "WIRE-1" });
    await expect(tenant.propose({ reference: "WIRE-1" })).rejects.toMatchObject({ code: "SETTLEMENT_REFERENCE_TAKEN" });
    await tenant.decide(approvalId, "REFUSED");
    const ended = await tenant.ended(settlementId, "REFUSED");
    expect(ended.refusal).toEqual({ code: "NOT_APPROVED", message: "no" });
    expect(await tenant.settle({ reference: "WIRE-1" })).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED" });
  });

  test("that nobody may be asked for ends it, also for a repeat", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    fixture.identity.state.takesNoQuestion = "FORBIDDEN";
    const request = tenant.request();
    const propose = () => ledger.settlements.proposeSettlement(request, tenant.asManager());
    await expect(propose()).rejects.toMatchObject({ code: "FORBIDDEN" });
    fixture.identity.state.takesNoQuestion = undefined;
    await expect(propose()).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("begin anew"),
    });
    const { settlements } = await ledger.settlements.listSettlements(
      { status: "SETTLEMENT_STATUS_REFUSED" },
      tenant.asManager(),
    );
    expect(settlements.map(({ reference }) => reference)).toEqual([request.reference]);
  });

  test("is asked for once by requests that are equal", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    const request = tenant.request();
    const propose = () => ledger.settlements.proposeSettlement(request, tenant.asManager());
    const first = await propose();
    expect(first.approvalStatus).toBe("PENDING");
    expect(await propose()).toEqual(first);
  });
});

describe("lines", () => {
  const owed = async () => {
    const tenant = await freshTenant();
    const keys = [
      await tenant.owe(tenant.partnerUsd, 400n),
      await tenant.owe(tenant.partnerUsd, 600n),
      await tenant.owe(tenant.partnerUsd, 500n),
    ] as const;
    const open = async (more: object = {}) => {
      const request = { accountId: tenant.partnerUsd, ...more };
      const { lines } = await ledger.settlements.listOpenLines(request, tenant.asManager());
      return lines.map(({ transferId }) => transferId);
    };
    return { tenant, keys, open };
  };

  test("that are named come to the amount, and stand in one settlement", async () => {
    const { tenant, keys, open } = await owed();
    const lines = { transferIds: [keys[0], keys[1]] };
    const { settlementId, approvalId, lineCount } = await tenant.propose({ lines });
    expect(lineCount).toBe(2);
    expect(await open()).toEqual([keys[2]]);
    const other = { amount: "9.00", cost: { amount: "9.00", currency: "USD" } };
    await expect(tenant.propose({ lines: { transferIds: [keys[0], keys[2]] }, ...other })).rejects.toMatchObject({
      code: "LINE_TAKEN",
      details: { figures: { transferId: keys[0] } },
    });
    await tenant.decide(approvalId);
    await tenant.ended(settlementId, "POSTED");
    const listed = await ledger.settlements.listSettlementLines({ settlementId }, tenant.asManager());
    expect(listed.lines.map(({ transferId, amount }) => [transferId, amount?.amountMinor])).toEqual([
      [keys[0], 400n],
      [keys[1], 600n],
    ]);
    expect(await open()).toEqual([keys[2]]);
  });

  test("that come to something else are refused with the difference", async () => {
    const { tenant, keys } = await owed();
    await expect(tenant.propose({ lines: { transferIds: [keys[0], keys[2]] } })).rejects.toMatchObject({
      code: "LINES_MISMATCH",
      details: { figures: { amount: "10.00", lines: "9.00", difference: "1.00" } },
    });
  });

  test("of a settlement that is not approved are open again", async () => {
    const { tenant, keys, open } = await owed();
    const { settlementId, approvalId } = await tenant.propose({ lines: { transferIds: [keys[0], keys[1]] } });
    await tenant.decide(approvalId, "REFUSED");
    await tenant.ended(settlementId, "REFUSED");
    await waitFor(async () => ((await open()).length === 3 ? true : undefined), { what: "three open lines" });
  });

  test("through a day are all that is open of it, taken while a second person decides", async () => {
    const { tenant, keys, open } = await owed();
    await tenant.settle({ lines: { transferIds: [keys[0], keys[1]] } });
    const through = { throughDate: new Date().toISOString().slice(0, 10) };
    const amount = { amount: "5.00", cost: { amount: "5.00", currency: "USD" } };
    const { settlementId, approvalId } = await tenant.propose({ lines: through, ...amount });
    await tenant.decide(approvalId);
    const posted = await tenant.ended(settlementId, "POSTED", "REFUSED");
    expect(posted).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED", lineCount: 1 });
    expect(await open()).toEqual([]);
    expect(await tenant.balance(tenant.partnerUsd)).toBe(0n);
  });

  test("through a day that come to something else end it with the difference", async () => {
    const { tenant, open } = await owed();
    const through = { throughDate: new Date().toISOString().slice(0, 10) };
    const { settlementId } = await tenant.propose({ lines: through });
    const ended = await tenant.ended(settlementId, "REFUSED");
    expect(ended.refusal).toEqual({ code: "LINES_MISMATCH", message: "the lines come to 15.00 USD" });
    await waitFor(async () => ((await open()).length === 3 ? true : undefined), { what: "three open lines" });
  });
});

describe("open lines of an account with much that is settled", () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const settled = 2_500;
  const settledWorld = async () => {
    const tenant = await freshTenant();
    for (let from = 0; from < settled; from += 500) {
      const transfers = Array.from({ length: 500 }, (_, n) =>
        transfer(`owed-${from + n}`, "remittance_clearing:USD", tenant.partnerUsd, 1n),
      );
      const request = { groups: transfers.map((one) => ({ transfers: [one] })), createdBy: "remittance" };
      await ledger.remittance.postTransfers(request, tenant.call());
    }
    const terms = { amount: "25.00", cost: { amount: "25.00", currency: "USD" }, lines: { throughDate: today() } };
    const settlement = await tenant.settle(terms);
    expect(settlement).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED", lineCount: settled });
    const open = async () => {
      const { lines } = await ledger.settlements.listOpenLines({ accountId: tenant.partnerUsd }, tenant.asManager());
      return lines.map(({ transferId }) => transferId);
    };
    return { tenant, settlement, open };
  };

  test("cost what is open: what is settled is looked at once, and again where it is freed", async () => {
    const { tenant, settlement, open } = await settledWorld();
    const examined = async (work: () => Promise<unknown>) => {
      const reads = await plansOf(fixture.database, work);
      const own = reads.filter(({ collection }) => collection === "transfers" || collection === "settlement_lines");
      return own.reduce((sum, { examined: rows }) => sum + rows, 0);
    };
    expect(await examined(open)).toBeGreaterThan(1_000);
    const key = await tenant.owe(tenant.partnerUsd, 300n);
    expect(await examined(open)).toBeLessThan(50);
    expect(await open()).toEqual([key]);
    const next = { amount: "3.00", cost: { amount: "3.00", currency: "USD" }, lines: { throughDate: today() } };
    expect(await examined(() => tenant.settle(next))).toBeLessThan(100);
    const { approvalId } = await tenant.reverse(settlement.settlementId);
    await tenant.decide(approvalId);
    await tenant.ended(settlement.settlementId, "REVERSED");
    await waitFor(async () => ((await open()).length === 100 ? true : undefined), {
      what: "lines that are open again",
    });
    expect((await open())[0]).toBe("owed-0");
  });
});

describe("what is over", () => {
  const mismatched = async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    const lines = { throughDate: new Date().toISOString().slice(0, 10) };
    const terms = { amount: "9.00", cost: { amount: "9.00", currency: "USD" }, lines };
    const { settlementId } = await tenant.propose(terms);
    const { approvalId } = await tenant.ended(settlementId, "REFUSED");
    return { tenant, settlementId, approvalId };
  };
  const withdrawn = { status: "REFUSED", decidedBy: "ledger" };

  test("waits for nobody: its approval is withdrawn, and one who approves it all the same moves nothing", async () => {
    const { tenant, settlementId, approvalId } = await mismatched();
    await waitFor(() => tenant.approvalOf(approvalId).status !== "PENDING");
    expect(tenant.approvalOf(approvalId)).toMatchObject(withdrawn);
    const { noted } = await tenant.decide(approvalId);
    expect(noted).toEqual([`NOTHING_DONE settlement:${settlementId}`]);
    expect(await tenant.balance(tenant.partnerUsd)).toBe(1_000n);
  });

  test("is withdrawn once identity is there again, and what people decided stays theirs", async () => {
    fixture.identity.state.isAway = true;
    const { tenant, approvalId } = await mismatched();
    expect(tenant.approvalOf(approvalId).status).toBe("PENDING");
    fixture.identity.state.isAway = false;
    await waitFor(() => tenant.approvalOf(approvalId).status !== "PENDING", { timeoutMs: 20_000 });
    expect(tenant.approvalOf(approvalId)).toMatchObject(withdrawn);
    const { approvalId: other } = await tenant.propose();
    await tenant.decide(other, "REFUSED");
    expect(tenant.approvalOf(other).status).toBe("PENDING");
  });
});

describe("events", () => {
  const toldOf = (settlementId: string, count: number) =>
    waitFor(() => (fixture.events.of(settlementId).length >= count ? fixture.events.of(settlementId) : undefined));

  test("tell of what is posted and of what is taken back, as managers read it, and of what is refused", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    const { settlementId } = await tenant.settle();
    const { approvalId } = await tenant.reverse(settlementId);
    await tenant.decide(approvalId);
    await tenant.ended(settlementId, "REVERSED");
    const told = await toldOf(settlementId, 2);
    expect(told.map(({ type, subjectType }) => [type, subjectType])).toEqual([
      ["settlement.posted", "settlement"],
      ["settlement.reversed", "settlement"],
    ]);
    const [posted, reversed] = told.map(({ dataJson }) => JSON.parse(dataJson) as Record<string, unknown>);
    const terms = { settlementId, accountId: tenant.partnerUsd, amount: "10.00", currency: "USD", fee: "0.00" };
    expect(posted).toMatchObject({ ...terms, status: "POSTED", decidedBy: "manager-2" });
    expect(posted!["transferIds"]).toEqual([`settlement:${settlementId}:amount`]);
    expect(reversed).toMatchObject({ ...terms, status: "REVERSED", reversal: { status: "POSTED" } });

    const refused = await tenant.propose();
    await tenant.decide(refused.approvalId, "REFUSED");
    const [only, ...more] = await toldOf(refused.settlementId, 1);
    expect([only!.type, more]).toEqual(["settlement.refused", []]);
    expect(JSON.parse(only!.dataJson)).toMatchObject({ status: "REFUSED", refusal: { code: "NOT_APPROVED" } });
  });
});

describe("a reversal", () => {
  test("takes back what was posted, once, and is linked both ways", async () => {
    const tenant = await freshTenant();
    const key = await tenant.owe(tenant.partnerUsd, 1_000n);
    const lines = { transferIds: [key] };
    const fee = { fee: "0.50", cost: { amount: "10.50", currency: "USD" }, lines };
    const { settlementId, reference } = await tenant.settle(fee);
    const { approvalId } = await tenant.reverse(settlementId);
    const again = tenant.reverse(settlementId);
    await expect(again).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    const { noted } = await tenant.decide(approvalId);
    expect(noted).toContain(`ACCOUNT_CREDITED account:${tenant.partnerUsd} 10.00 USD`);
    const reversed = await tenant.ended(settlementId, "REVERSED");
    expect(reversed.reversal).toMatchObject({
      status: "POSTED",
      transferIds: reversed.transferIds.map((posted) => `${posted}:reversal`),
    });
    const [transferId = ""] = reversed.transferIds;
    const { transfer } = await ledger.as("operator").getTransfer({ key: transferId }, tenant.call());
    expect(transfer!.reversedByKey).toBe(`${transferId}:reversal`);
    const balances = [tenant.partnerUsd, tenant.bank, "partner_fees:p1:USD"];
    expect(await Promise.all(balances.map(tenant.balance))).toEqual([1_000n, 0n, 0n]);
    await expect(tenant.reverse(settlementId)).rejects.toMatchObject({ code: "ALREADY_REVERSED" });
    // Its reference and its lines are free.
    const anew = await waitFor(() => tenant.settle({ reference, lines }).catch(() => undefined), { what: "lines" });
    expect(anew).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED" });
  });

  test("that is not approved leaves it posted, and may be asked for again", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    const { settlementId } = await tenant.settle({});
    const first = await tenant.reverse(settlementId);
    await tenant.decide(first.approvalId, "REFUSED");
    const { status, reversal } = await tenant.read(settlementId);
    expect([status, reversal?.status, reversal?.refusal?.code]).toEqual([
      "SETTLEMENT_STATUS_POSTED",
      "REFUSED",
      "NOT_APPROVED",
    ]);
    const second = await tenant.reverse(settlementId);
    await tenant.decide(second.approvalId);
    await tenant.ended(settlementId, "REVERSED");
  });

  test("is of what is posted", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 1_000n);
    const { settlementId } = await tenant.propose({});
    await expect(tenant.reverse(settlementId)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    await expect(tenant.reverse("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("bad input", () => {
  const usd = (amount: string) => ({ amount, currency: "USD" });
  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const tooMuch = "92233720368547758.08";
  let tenant: Awaited<ReturnType<typeof freshTenant>>;
  beforeAll(async () => {
    tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 100_000n);
  });

  test.each<[string, () => object, string, string]>([
    ["no kind", () => ({ kind: "SETTLEMENT_KIND_UNSPECIFIED" }), "INVALID_INPUT", "kind"],
    ["a cost without a currency", () => ({ cost: { amount: "1.00" } }), "INVALID_INPUT", "cost.currency"],
    ["no cost", () => ({ cost: undefined }), "INVALID_INPUT", "cost"],
    ["a negative amount", () => ({ amount: "-1.00" }), "INVALID_INPUT", "amount"],
    ["nothing", () => ({ amount: "0.00" }), "INVALID_INPUT", "amount"],
    ["too many decimals", () => ({ amount: "1.001" }), "INVALID_INPUT", "amount"],
    ["2^63", () => ({ amount: tooMuch }), "AMOUNT_TOO_LARGE", "amount"],
    ["2^63 of cost", () => ({ cost: usd(tooMuch) }), "AMOUNT_TOO_LARGE", "cost.amount"],
    ["a negative fee", () => ({ fee: "-1.00" }), "INVALID_INPUT", "fee"],
    ["a day to come", () => ({ valueDate: tomorrow() }), "INVALID_INPUT", "valueDate"],
    ["no day", () => ({ valueDate: "2026-02-30" }), "INVALID_INPUT", "valueDate"],
    ["no reference", () => ({ reference: " " }), "INVALID_INPUT", "reference"],
    ["an amount that is not cost and fee", () => ({ fee: "0.01" }), "COST_MISMATCH", ""],
    ["an account that is not there", () => ({ accountId: "partner_settlement:p2:USD" }), "ACCOUNT_NOT_FOUND", ""],
    ["an account of another kind", () => ({ kind: "SETTLEMENT_KIND_TAX" }), "ACCOUNT_NOT_FOR_SETTLEMENT", "accountId"],
    [
      "income",
      () => ({ kind: "SETTLEMENT_KIND_OTHER", accountId: "fee_income:USD" }),
      "ACCOUNT_NOT_FOR_SETTLEMENT",
      "accountId",
    ],
    [
      "a position",
      () => ({ kind: "SETTLEMENT_KIND_OTHER", accountId: "exchange_position:USD" }),
      "ACCOUNT_NOT_FOR_SETTLEMENT",
      "accountId",
    ],
    ["no bank", () => ({ bankAccountId: tenant.partnerUsd }), "ACCOUNT_NOT_FOR_SETTLEMENT", "bankAccountId"],
    ["a bank in another currency", () => ({ bankAccountId: tenant.bankNgn }), "CURRENCY_MISMATCH", "cost.currency"],
    ["lines twice", () => ({ lines: { transferIds: ["a", "a"] } }), "INVALID_INPUT", "lines.transferIds"],
    ["lines that are none", () => ({ lines: {} }), "INVALID_INPUT", "lines"],
    ["a line that is not there", () => ({ lines: { transferIds: ["a"] } }), "INVALID_INPUT", "lines.transferIds.0"],
  ])("is refused: %s", async (_what, more, code, path) => {
    const refused = tenant.propose(more());
    await expect(refused).rejects.toMatchObject({ code, ...(path !== "" && { details: { errors: [{ path }] } }) });
  });

  test("another tenant's account is not found", async () => {
    const other = await freshTenant();
    const { settlementId } = await tenant.propose({});
    await expect(other.read(settlementId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const stranger = settlingTenant(
      () => ledger,
      () => fixture.identity,
    );
    await expect(stranger.propose({})).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
  });

  test("a value date in a closed period is refused, also where it is closed meanwhile", async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const closing = await freshTenant();
    await closing.owe(closing.partnerUsd, 5_000n);
    const { settlementId, approvalId } = await closing.propose({ valueDate: day(1) });
    await closeDays(fixture.database.db, closing.tenantId, parseDay(day(1))!);
    await expect(closing.propose({ valueDate: day(1) })).rejects.toMatchObject({ code: "PERIOD_CLOSED" });
    await closing.decide(approvalId);
    expect(await closing.ended(settlementId, "REFUSED")).toMatchObject({ refusal: { code: "PERIOD_CLOSED" } });
    expect(await closing.balance(closing.partnerUsd)).toBe(5_000n);
  });
});
