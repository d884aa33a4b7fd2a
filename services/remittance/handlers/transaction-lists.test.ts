import { testTenant } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { beneficiary, openTenant, order } from "../../../test/support/remittance-samples.js";
import type { ListTransactionsRequest } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { testCall } from "../../../test/support/calls.js";
import { businessTime } from "../../platform/preferences/business-clock.js";
import { systemClock } from "../../kernel/time/clock.js";
import { createReportTurns } from "./report-turns.js";
import { reportHandlers } from "./reports.js";
import { asksIdentityAnew } from "../../../test/support/time.js";
import { waitFor } from "../../../test/support/index.js";

let world: World;
beforeAll(async () => void (world = await createWorld("lists")));
afterEach(() => world.reset());
afterAll(() => world.close());

type User = typeof ada | typeof ben | typeof agent | typeof manager | typeof cashier;
const create = async (tenantId: string, part: object = {}, user: User = ada) =>
  (await world.gateway.createTransaction(order(part), on(tenantId, user))).transaction!;
const list = (tenantId: string, part: WirePartial<ListTransactionsRequest> = {}, user: User = manager) =>
  world.gateway.listTransactions(part, on(tenantId, user));
const ids = async (tenantId: string, part: WirePartial<ListTransactionsRequest> = {}, user: User = manager) =>
  (await list(tenantId, part, user)).transactions.map(({ transactionId }) => transactionId);

describe("ListTransactions", () => {
  test("shows customers their own, cashiers what they created, agents and managers all", async () => {
    const tenantId = await openTenant(world);
    const one = (await create(tenantId)).transactionId;
    const two = (await create(tenantId, {}, cashier)).transactionId;
    expect(await ids(tenantId)).toEqual([two, one]);
    expect(await ids(tenantId, {}, ada)).toEqual([two, one]);
    expect(await ids(tenantId, {}, ben)).toEqual([]);
    expect(await ids(tenantId, {}, cashier)).toEqual([two]);
    expect(await ids(tenantId, {}, agent)).toEqual([two, one]);
    const other = { ...agent, userId: "AG2" as "AG1" };
    expect(await ids(tenantId, {}, other)).toEqual([two, one]);
    const narrow = await openTenant(world);
    world.neighbours.preference.agentScope = "MANAGED";
    const narrowed = (await create(narrow)).transactionId;
    expect(await ids(narrow, {}, agent)).toEqual([narrowed]);
    expect(await ids(narrow, {}, other)).toEqual([]);
    expect(await ids(await openTenant(world))).toEqual([]);
  });

  test("goes on by cursor, the newest first, without gap or repetition, also within one moment", async () => {
    const tenantId = await openTenant(world);
    const made = await Promise.all(Array.from({ length: 7 }, () => create(tenantId)));
    await world.db.collection("transactions").updateMany({ tenantId }, { $set: { createdAt: new Date(0) } });
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await list(tenantId, { pageSize: 3, cursor }, ada);
      seen.push(...page.transactions.map(({ transactionId }) => transactionId));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual(
      made
        .map(({ transactionId }) => transactionId)
        .toSorted()
        .toReversed(),
    );
  });

  test("filters by each of its fields and finds by words of names and codes", async () => {
    const tenantId = await openTenant(world);
    const one = await create(tenantId);
    world.pass(3_600_000);
    const two = await create(tenantId, { sendAmount: "50.00" }, cashier);
    await world.gateway.cancelTransaction(
      { idempotencyKey: "c", transactionId: one.transactionId, reason: "" },
      on(tenantId, ada),
    );
    const hits = async (part: WirePartial<ListTransactionsRequest>) => (await ids(tenantId, part)).length;
    expect(await ids(tenantId, { statuses: ["CANCELLED"] })).toEqual([one.transactionId]);
    expect(await hits({ statuses: ["CANCELLED", "AWAITING_PAYMENT"] })).toBe(2);
    expect(await ids(tenantId, { from: new Date(world.now().getTime() - 60_000) })).toEqual([two.transactionId]);
    expect(await ids(tenantId, { to: new Date(world.now().getTime() - 60_000) })).toEqual([one.transactionId]);
    expect(await hits({ type: "DELIVERY_METHOD_WALLET" })).toBe(0);
    expect(await hits({ sendCurrency: "USD", receivingCountry: "NG" })).toBe(2);
    expect(await hits({ sendCurrency: "GBP" })).toBe(0);
    expect(await hits({ senderCustomerCode: "C-1", recipientCode: "B-NGOZI" })).toBe(2);
    expect(await hits({ senderCustomerCode: "C-2" })).toBe(0);
    expect(await ids(tenantId, { search: two.transactionCode.toLowerCase() })).toEqual([two.transactionId]);
    expect(await hits({ search: "okafor NGOZI" })).toBe(2);
    expect(await hits({ search: "okafor nobody" })).toBe(0);
  });

  test("finds names whatever their letters", async () => {
    const tenantId = await openTenant(world);
    const named = { idempotencyKey: "b-lukasz", code: "B-LUKASZ", firstName: "Łukasz", lastName: "Groß-Müller" };
    await world.operator.createBeneficiary({ ...beneficiary, ...named }, on(tenantId));
    const { transactionId } = await create(tenantId, { recipientCustomerCode: "B-LUKASZ" });
    for (const search of ["lukasz", "GROSS-MULLER", "ŁUKASZ groß", "gross-mueller"]) {
      expect([search, await ids(tenantId, { search })]).toEqual([search, [transactionId]]);
    }
  });

  test("held=true finds payouts that wait for a hit, and tells nobody of them who may not know of hits", async () => {
    const tenantId = await openTenant(world);
    const [held, out] = [await create(tenantId), await create(tenantId)].map(({ transactionId }) => transactionId);
    await create(tenantId);
    const rows = world.db.collection("transactions");
    const set = (transactionId: string | undefined, status: string) =>
      rows.updateOne({ tenantId, transactionId }, { $set: { status, payout: { heldAt: new Date(0) } } });
    await set(held, "PAID");
    await set(out, "COMPLETED");
    expect(await ids(tenantId, { held: true })).toEqual([held]);
    expect(await ids(tenantId, { held: true, statuses: ["PROCESSING"] })).toEqual([]);
    for (const other of [ada, cashier, agent]) {
      expect((await refused(list(tenantId, { held: true }, other))).code).toBe("FORBIDDEN");
    }
  });

  test("400 names each field that is wrong", async () => {
    const tenantId = await openTenant(world);
    const faults: [WirePartial<ListTransactionsRequest>, string][] = [
      [{ statuses: ["paid!"] }, "statuses[0]"],
      [{ statuses: Array(21).fill("PAID") as string[] }, "statuses"],
      [{ from: new Date(5), to: new Date(5) }, "to"],
      [{ sendCurrency: "QQQ" }, "sendCurrency"],
      [{ receivingCountry: "Narnia" }, "receivingCountry"],
      [{ senderCustomerCode: "x".repeat(129) }, "senderCustomerCode"],
      [{ recipientCode: "x".repeat(129) }, "recipientCode"],
      [{ search: "a b c d e f" }, "search"],
      [{ pageSize: 101 }, "pageSize"],
      [{ cursor: "nonsense" }, "cursor"],
    ];
    for (const [part, path] of faults) expect(await faultOf(list(tenantId, part))).toEqual(["INVALID_INPUT", path]);
  });
});

describe("UpdateTransactionStatus", () => {
  const set = (tenantId: string, transactionId: string, part: object = {}, user: User = manager) =>
    world.gateway.updateTransactionStatus(
      { idempotencyKey: "s", transactionId, status: "CANCELLED", reason: "by phone", ...part },
      on(tenantId, user),
    );

  test("cancels or ends it with the reason on its timeline, once for a key", async () => {
    const tenantId = await openTenant(world);
    const { transactionId } = await create(tenantId);
    const { transaction } = await set(tenantId, transactionId);
    expect(transaction!.timeline.at(-1)).toMatchObject({ status: "CANCELLED", actor: "MA1", reason: "by phone" });
    expect((await set(tenantId, transactionId)).transaction).toEqual(transaction);
    const other = await create(tenantId);
    const ended = await set(tenantId, other.transactionId, { idempotencyKey: "t", status: "EXPIRED" }, agent);
    expect(ended.transaction!.status).toBe("EXPIRED");
    const late = set(tenantId, transactionId, { idempotencyKey: "u", status: "EXPIRED" });
    expect((await refused(late)).code).toBe("STATE_CONFLICT");
  });

  test("only by staff who may see it, to what people may set, with a reason", async () => {
    const tenantId = await openTenant(world);
    const { transactionId } = await create(tenantId);
    for (const user of [ada, cashier, { ...agent, userId: "AG2" as "AG1" }]) {
      expect((await refused(set(tenantId, transactionId, {}, user))).code).toBe("FORBIDDEN");
    }
    expect(await faultOf(set(tenantId, transactionId, { status: "COMPLETED" }))).toEqual(["INVALID_INPUT", "status"]);
    expect(await faultOf(set(tenantId, transactionId, { reason: "" }))).toEqual(["INVALID_INPUT", "reason"]);
    expect((await refused(set(tenantId, "nothing"))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(set(await openTenant(world), transactionId))).code).toBe("TRANSACTION_NOT_FOUND");
  });
});

describe("reports and receipts", () => {
  test("a day's call-over adds up by agent and creator, in the tenant's day", async () => {
    const tenantId = await openTenant(world);
    await create(tenantId);
    await create(tenantId, { sendAmount: "50.00" });
    await create(tenantId, {}, cashier);
    const report = await world.gateway.getCallOverReport({}, on(tenantId, manager));
    expect(
      report.rows.map(({ agentId, createdBy, createdByRole, count, principal, totalMinor }) => [
        agentId,
        createdBy,
        createdByRole,
        count,
        principal!.amountMinor,
        totalMinor,
      ]),
    ).toEqual([
      ["AG1", "CA1", "CASHIER", 1n, 100_00n, 102_69n],
      ["AG1", "u1", "CUSTOMER", 2n, 150_00n, 150_00n + 2_50n + 19n + 2_25n + 17n],
    ]);
    const other = { ...agent, userId: "AG2" as "AG1" };
    expect((await world.gateway.getCallOverReport({}, on(tenantId, other))).rows).toEqual([]);
    expect((await world.gateway.getCallOverReport({ date: "2020-02-29" }, on(tenantId, manager))).rows).toEqual([]);
    for (const date of ["2021-02-29", "today", "2021-1-1"]) {
      expect(await faultOf(world.gateway.getCallOverReport({ date }, on(tenantId, manager)))).toEqual([
        "INVALID_INPUT",
        "date",
      ]);
    }
    for (const user of [ada, cashier]) {
      expect((await refused(world.gateway.getCallOverReport({}, on(tenantId, user)))).code).toBe("FORBIDDEN");
    }
  });

  test("analytics by day, corridor and status, over at most 366 days", async () => {
    const tenantId = await openTenant(world);
    await create(tenantId);
    const { transactionId } = await create(tenantId);
    const reason = "no";
    await world.gateway.cancelTransaction({ idempotencyKey: "c", transactionId, reason }, on(tenantId, ada));
    const today = world.now().toISOString().slice(0, 10);
    const read = (from: string, to: string, user: User = manager) =>
      world.gateway.getAnalytics({ from, to }, on(tenantId, user));
    const { rows } = await read(today, today);
    expect(rows.map(({ date, status, count, received }) => [date, status, count, received!.amountMinor])).toEqual([
      [today, "AWAITING_PAYMENT", 1n, 160_000_00n],
      [today, "CANCELLED", 1n, 160_000_00n],
    ]);
    expect(await faultOf(read("2026-01-02", "2026-01-01"))).toEqual(["INVALID_INPUT", "to"]);
    expect(await faultOf(read("2026-01-01", "2027-01-02"))).toEqual(["INVALID_INPUT", "to"]);
    expect(await faultOf(read("", "2026-04-03"))).toEqual(["INVALID_INPUT", "from"]);
    await read("2026-01-01", "2027-01-01");
  });

  test("a report is of the organisation, or of an agent's own, and what it does not know is refused by name", async () => {
    const tenantId = await openTenant(world);
    await create(tenantId);
    await create(tenantId, {}, cashier);
    const today = world.now().toISOString().slice(0, 10);
    const asked = { report: "volume", from: today, to: today, by: ["corridor"], columns: ["created", "createdAmount"] };
    const read = (part: Partial<typeof asked> = {}, user: User = manager) =>
      world.reports.getReport({ ...asked, ...part }, on(tenantId, user));
    expect(await read()).toEqual({
      columns: ["originCountry", "receivingCountry", "sendCurrency", "receivingCurrency", "created", "createdAmount"],
      rows: [{ cells: ["USA", "NGA", "USD", "NGN", "2", "200.00"] }],
    });
    const other = { ...agent, userId: "AG2" as "AG1" };
    expect((await read({}, agent)).rows).toHaveLength(1);
    expect((await read({}, other)).rows).toEqual([]);
    expect((await refused(read({ report: "margin", columns: [] }, agent))).code).toBe("FORBIDDEN");
    await read({ report: "margin", columns: [] });
    const faults = [
      [{ report: "profit" }, "report"],
      [{ report: "constructor" }, "report"],
      [{ columns: ["created", "toString"] }, "columns"],
      [{ by: ["weather"] }, "by"],
      [{ from: "2026-01-01", to: "2027-01-02" }, "to"],
      [{ from: "2026-02-30" }, "from"],
    ] as const;
    for (const [part, path] of faults) expect(await faultOf(read(part as object))).toEqual(["INVALID_INPUT", path]);
    for (const user of [ada, cashier]) expect((await refused(read({}, user))).code).toBe("FORBIDDEN");
  });

  test("an export is asked for once by its key, and is only of whoever asked", async () => {
    const tenantId = await openTenant(world);
    await create(tenantId);
    const today = world.now().toISOString().slice(0, 10);
    const asked = { idempotencyKey: "e-1", report: "transactions", from: today, to: today, columns: [], format: "CSV" };
    const ask = (part: Partial<typeof asked> = {}, user: User = manager) =>
      world.gateway.requestReportExport({ ...asked, ...part }, on(tenantId, user));
    const { exportId } = (await ask()).reportExport!;
    expect((await ask()).reportExport!.exportId).toBe(exportId);
    const read = (user: User = manager) => world.gateway.getReportExport({ exportId }, on(tenantId, user));
    await waitFor(async () => (await read()).reportExport!.status === "DONE");
    const piece = await world.gateway.readReportExport({ exportId, piece: 0 }, on(tenantId, manager));
    expect(piece.data.toString()).toMatch(/^\ufefftransactionId,.*\r\n.*,102\.69,.*\r\n$/);
    const other = { ...manager, userId: "MA9" as typeof manager.userId };
    expect((await refused(read(other))).code).toBe("NOT_FOUND");
    expect((await world.gateway.listReportExports({}, on(tenantId, other))).reportExports).toEqual([]);
    expect((await world.gateway.listReportExports({}, on(tenantId, manager))).reportExports).toHaveLength(1);
    const faults = [
      [{ report: "volume" }, "report"],
      [{ columns: ["name"] as never[] }, "columns"],
      [{ format: "XML" }, "format"],
      [{ to: "2020-01-01" }, "to"],
    ] as const;
    for (const [part, path] of faults) {
      expect(await faultOf(ask({ idempotencyKey: path, ...part }))).toEqual(["INVALID_INPUT", path]);
    }
    expect((await refused(ask({}, agent))).code).toBe("FORBIDDEN");
  });

  test("only some reports are made at a time", async () => {
    const { promise, resolve } = Promise.withResolvers<never[]>();
    const { getCallOverReport } = reportHandlers({
      store: { forTenant: () => ({ readCreatorSums: () => promise }) } as never,
      people: { countedTransactions: async () => ({}) } as never,
      times: { forTenant: async () => businessTime(systemClock, 0, "UTC") } as never,
      oneOfFew: createReportTurns(),
    });
    const ask = async () => getCallOverReport({ date: "" }, testCall());
    const running = Array.from({ length: 4 }, ask);
    await expect(ask()).rejects.toMatchObject({ code: "OVERLOADED", details: { retryAfterS: 2 } });
    resolve([]);
    expect((await Promise.all(running)).map(({ rows }) => rows)).toEqual([[], [], [], []]);
  });

  test("a receipt shows the parts and the end of the account, is one page of PDF, and is there once it was paid", async () => {
    const tenantId = await openTenant(world);
    const made = await create(tenantId);
    const read = (user: User, asPdf = true) =>
      world.gateway.getReceipt({ transactionId: made.transactionId, asPdf }, on(tenantId, user));
    expect((await refused(read(ada))).code).toBe("STATE_CONFLICT");
    await world.db
      .collection("transactions")
      .updateOne(
        { tenantId, transactionId: made.transactionId },
        { $set: { paidAt: new Date("2026-11-21T10:15:00Z") } },
      );
    const receipt = await read(ada);
    expect(receipt).toMatchObject({ organisation: "Test", transaction: { transactionCode: made.transactionCode } });
    expect(Buffer.from(receipt.pdf).subarray(0, 5).toString()).toBe("%PDF-");
    // Who wants figures is drawn nothing.
    expect(await read(ada, false)).toEqual({ ...receipt, pdf: Buffer.alloc(0) });
    expect((await refused(read(ben))).code).toBe("FORBIDDEN");
    const lines = Object.fromEntries(receipt.disclosure!.lines.map(({ label, value }) => [label, value]));
    expect(lines).toMatchObject({
      Account: "...5671",
      Total: "102.69 USD",
      "Tax on Transfer fee": "0.19 USD",
      "Total to recipient": "160,000.00 NGN",
      "Exchange rate": "1 USD = 1,600.00 NGN",
    });
    expect(lines["Paid"]).toContain("10:15:00");
    expect(receipt.disclosure).toMatchObject({ kind: "RECEIPT", profile: "GENERIC", language: "en" });
  });
});

describe("the tenant's time", () => {
  test("a sandbox that was moved on ends quotes and the time to pay, and picks the rate of its day", async () => {
    const tenantId = `${await openTenant(world)}--sandbox`;
    const open = await openTenant({ operator: world.operator }, tenantId);
    const made = await create(open);
    const question = { sendAmount: "1.00", receivingCountry: "NG", type: "DELIVERY_METHOD_ACCOUNTPAYMENT" as const };
    const { quote } = await world.gateway.createQuote(question, on(open, ada));
    world.neighbours.offsetMs = 86_400_000n;
    await asksIdentityAnew();
    expect((await world.gateway.getQuote({ quoteId: quote!.quoteId }, on(open, ada))).quote!.status).toBe("EXPIRED");
    const total = { amountMinor: 102_69n, currency: "USD" };
    const claim = { transactionId: made.transactionId, paymentId: "p", customerId: "c1", totalAmount: total };
    expect((await refused(world.wallet.claimTransaction(claim, on(open, ada)))).code).toBe("TRANSACTION_EXPIRED");
    const status = async () => (await world.store.forTenant(open).findTransaction(made.transactionId))!.status;
    await waitFor(async () => (await status()) === "EXPIRED");
    world.neighbours.offsetMs = 0n;
  });

  test("what is paid in a sandbox that was moved on is told by its time, and may be cancelled for 30 of its minutes", async () => {
    const dayMs = 86_400_000;
    world.neighbours.offsetMs = BigInt(dayMs);
    const tenantId = await openTenant(world, `${testTenant()}--sandbox`);
    const { transactionId } = await create(tenantId);
    const totalAmount = { amountMinor: 102_69n, currency: "USD" };
    const payment = { transactionId, paymentId: "p" };
    await world.wallet.claimTransaction({ ...payment, customerId: "c1", totalAmount }, on(tenantId, ada));
    // The wallet tells the ledger's time, which is real.
    await world.wallet.markTransactionPaid({ ...payment, paidAt: new Date() }, on(tenantId));
    const { timeline, paidAt } = (await world.store.forTenant(tenantId).findTransaction(transactionId))!;
    const aheadMs = [paidAt!, ...timeline.map(({ at }) => at)].map((at) => at.getTime() - Date.now());
    for (const ahead of aheadMs) expect(Math.abs(ahead - dayMs)).toBeLessThan(60_000);
    const cancelled = await world.gateway.cancelTransaction(
      { idempotencyKey: "c-1", transactionId, reason: "" },
      on(tenantId, ada),
    );
    expect(cancelled.transaction!.status).toBe("CANCELLING");
    world.neighbours.offsetMs = 0n;
  });
});
