import { randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import type { Call } from "../../kernel/grpc/context.js";
import { money } from "../../kernel/money.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { Refusal } from "../../kernel/refusal.js";
import { StatementFault, type PayoutCall, type PayoutConnector } from "../clients/payout-connector.js";
import type { PartnerStatementLine } from "../domain/reconcile.js";
import { reconciliationHandlers } from "../handlers/reconciliation.js";
import { migrations } from "../store/migrations.js";
import type { Payout } from "../domain/payout.js";
import { createRemittanceStore, type RemittanceStore } from "../store/index.js";
import type { Transaction } from "../domain/transaction.js";

const receive = money(160_000_00n, "NGN");
const day = new Date("2026-11-02T00:00:00Z");
const minute = 60_000;
const hour = 60 * minute;
const at = (hours: number) => new Date(day.getTime() + hours * hour);
const week = 7 * 24;

let database: TestDatabase;
let store: RemittanceStore;
let tenantId: string;
let lines: PartnerStatementLine[];
let ledger: Map<string, bigint>;
let requested: { from: Date; to: Date }[];
/** Whose statements are read; that of "faulty" breaks off. */
let own: (string | undefined)[];

beforeAll(async () => {
  database = await testDatabase("reconciliation");
  await runMigrations(database.db, migrations, silentLog);
  store = createRemittanceStore(database.db);
});
beforeEach(() => {
  [tenantId, lines, ledger, requested, own] = [testTenant(), [], new Map(), [], [undefined]];
});
afterAll(() => database.close());

/** A transaction with its lines at the partner and its transfers, as they should be. */
async function booked(payout: Partial<Payout>, status: Transaction["status"] = "COMPLETED"): Promise<string> {
  const transactionId = randomUUID();
  const price = { principal: money(100_00n, "USD"), total: money(102_69n, "USD"), receive, rate: "1600" };
  const stored = { interactionId: "i", ...payout };
  const transaction = {
    transactionId,
    transactionCode: transactionId,
    status,
    price,
    payout: stored,
    timeline: [],
    paidAt: day,
  };
  await database.db.collection("transactions").insertOne({ tenantId, ...transaction } as never);
  if (payout.settledAt !== undefined) ledger.set(`settlement:${transactionId}:receive`, receive.minor);
  if (payout.outcome === "RETURNED") ledger.set(`return:${transactionId}:receive`, receive.minor);
  return transactionId;
}

function line(reference: string, kind: PartnerStatementLine["kind"], when: Date): void {
  lines.push({ reference, kind, amount: receive, at: when });
  lines.sort((a, b) => a.at.getTime() - b.at.getTime());
}

const connector = {
  async *statement({ from = new Date(0), to = new Date(8e15) }: { from?: Date; to?: Date }, call: PayoutCall) {
    requested.push({ from, to });
    if (call.installationId === "faulty") {
      yield* lines.filter((one) => one.at >= from && one.at < to).slice(0, 1);
      throw new StatementFault("its cursor does not move on");
    }
    yield* lines.filter((one) => one.at >= from && one.at < to);
  },
} as unknown as PayoutConnector;

const partners = { ofTenant: async () => own };

async function getTransfer({ key = "" }: { key?: string }) {
  const amountMinor = ledger.get(key);
  if (amountMinor === undefined) throw new Refusal("TRANSFER_NOT_FOUND", "no such transfer");
  const side = key.startsWith("return:") ? "debitAccountId" : "creditAccountId";
  return {
    transfer: { transfer: { amount: { amountMinor, currency: "NGN" }, [side]: "partner_settlement:operator:NGN" } },
  };
}

/** Kinds of what differs in a range, by reference; follows cursors. */
async function differences(from: Date, to: Date) {
  const deps = {
    store,
    connector,
    partners,
    clock: { now: () => to },
    ledger: { getTransfer, createAccounts: undefined },
  };
  const { reconcilePayouts } = reconciliationHandlers(deps as never);
  const found: [string, string][] = [];
  const unread = new Set<string>();
  let [cursor, calls, transactions, statementLines] = ["", 0, 0, 0];
  do {
    const answer = await reconcilePayouts({ from, to, cursor }, { tenantId } as Call);
    found.push(...answer.differences.map(({ kind, reference }): [string, string] => [kind, reference]));
    transactions += answer.transactions;
    statementLines += answer.statementLines!;
    for (const { installationId = "", reason = "" } of answer.unread ?? []) unread.add(`${installationId}: ${reason}`);
    calls += 1;
    cursor = answer.nextCursor!;
  } while (cursor !== "");
  return { found, calls, transactions, statementLines, unread: [...unread] };
}

test("what was paid in one range and came back in another agrees in both, and in one over both", async () => {
  const payout = { sentAt: at(1), settledAt: at(1.1), outcome: "RETURNED", kept: money(0n, "NGN") } as const;
  const id = await booked({ ...payout, refundedAt: at(week + 3) }, "REFUNDED");
  line(id, "PAYOUT", at(1.05));
  line(id, "RETURN", at(week + 2.9));
  for (const [from, to] of [
    [at(0), at(24)],
    [at(week), at(week + 24)],
    [at(0), at(2 * week)],
  ] as const) {
    expect((await differences(from, to)).found).toEqual([]);
  }
});

test("what was settled, or refunded, long after the partner's line agrees", async () => {
  const late = await booked({ sentAt: at(1), settledAt: at(9), outcome: "PAID" });
  line(late, "PAYOUT", at(1.01));
  const back = { sentAt: at(1), settledAt: at(1.1), outcome: "RETURNED", kept: money(0n, "NGN") } as const;
  const returned = await booked({ ...back, refundedAt: at(80) }, "REFUNDED");
  line(returned, "PAYOUT", at(1.05));
  line(returned, "RETURN", at(30));
  expect((await differences(at(0), at(week))).found).toEqual([]);
});

test("names each kind of difference, wherever its line stands", async () => {
  const missing = await booked({ sentAt: at(1), settledAt: at(1.1), outcome: "PAID" });
  const twice = await booked({ sentAt: at(2), settledAt: at(2.1), outcome: "PAID" });
  line(twice, "PAYOUT", at(2.05));
  line(twice, "PAYOUT", at(7));
  const refunded = await booked({ sentAt: at(3), outcome: "REFUSED", refundedAt: at(3.5) }, "REFUNDED");
  line(refunded, "PAYOUT", at(3.2));
  const cameBack = await booked({ sentAt: at(4), settledAt: at(4.1), outcome: "PAID" });
  line(cameBack, "PAYOUT", at(4.05));
  line(cameBack, "RETURN", at(50));
  const payout = { sentAt: at(5), settledAt: at(5.1), outcome: "RETURNED", kept: money(0n, "NGN") } as const;
  const notBack = await booked({ ...payout, refundedAt: at(60) }, "REFUNDED");
  line(notBack, "PAYOUT", at(5.05));
  line("a stranger", "PAYOUT", at(90));
  const { found } = await differences(at(0), at(week));
  expect(found.toSorted()).toEqual(
    [
      ["COMPLETED_NOT_AT_PARTNER", missing],
      ["PAID_TWICE", twice],
      ["REFUNDED_BUT_PAID", refunded],
      ["RETURN_NOT_BOOKED", cameBack],
      ["RETURN_NOT_AT_PARTNER", notBack],
      ["UNKNOWN_REFERENCE", "a stranger"],
    ].toSorted(),
  );
});

test("compares those that can be read, and names the one that cannot", async () => {
  own = [undefined, "faulty"];
  const fine = await booked({ sentAt: at(1), settledAt: at(1.1), outcome: "PAID" });
  line(fine, "PAYOUT", at(1.05));
  const missing = await booked({ sentAt: at(2), settledAt: at(2.1), outcome: "PAID" });
  await booked({ sentAt: at(3), settledAt: at(3.1), outcome: "PAID", installationId: "faulty" });
  const back = { sentAt: at(4), settledAt: at(4.1), outcome: "RETURNED", kept: money(0n, "NGN") } as const;
  await booked({ ...back, refundedAt: at(5), installationId: "faulty" }, "REFUNDED");
  const { found, statementLines, unread } = await differences(at(0), at(week));
  expect(found).toEqual([["COMPLETED_NOT_AT_PARTNER", missing]]);
  expect(statementLines).toBe(1);
  expect(unread).toEqual([expect.stringMatching(/^faulty: .*cursor does not move on/)]);
});

test("goes through a month by pages and cursors, and never asks for more than a few hours of lines", async () => {
  const settledAt = at(5);
  // More than a page in one millisecond.
  const many = await Promise.all(
    Array.from({ length: 1_100 }, () => booked({ sentAt: at(4.9), settledAt, outcome: "PAID" })),
  );
  const later = await Promise.all(
    Array.from({ length: 1_100 }, (_, n) => {
      const when = at(200 + n / 600);
      return booked({ sentAt: when, settledAt: when, outcome: "PAID" });
    }),
  );
  for (const id of many) lines.push({ reference: id, kind: "PAYOUT", amount: receive, at: at(4.99) });
  for (const [n, id] of later.entries())
    lines.push({ reference: id, kind: "PAYOUT", amount: receive, at: at(200 + n / 600) });
  const last = await booked({ sentAt: at(600), settledAt: at(600), outcome: "PAID" });
  line(last, "PAYOUT", at(600));
  const { found, calls, transactions, statementLines } = await differences(at(0), at(720));
  expect({ found, transactions, statementLines }).toEqual({ found: [], transactions: 2_201, statementLines: 2_201 });
  expect(calls).toBe(2);
  // But for finding the next line, of which no more than a page is read.
  const spans = requested
    .filter(({ to }) => to.getTime() !== at(720).getTime())
    .map(({ from, to }) => to.getTime() - from.getTime());
  expect(Math.max(...spans)).toBeLessThanOrEqual(3 * hour);
});

test("what a plugin's checks paid out in the sandbox is nobody's; in live it is named as all else", async () => {
  const live = tenantId;
  tenantId = `${live}--sandbox`;
  const id = await booked({ sentAt: at(1), settledAt: at(1.1), outcome: "PAID" });
  const reference = `certification-${randomUUID()}`;
  line(reference, "PAYOUT", at(0.5));
  line(id, "PAYOUT", at(1.05));
  expect(await differences(at(0), at(24))).toMatchObject({ found: [], transactions: 1, statementLines: 1 });
  tenantId = live;
  const { found } = await differences(at(0), at(24));
  expect(found).toContainEqual(["UNKNOWN_REFERENCE", reference]);
});

test("refuses a range that ends before it begins, and a cursor of another one", async () => {
  const deps = { store, connector, partners, clock: { now: () => day }, ledger: { getTransfer } };
  const { reconcilePayouts } = reconciliationHandlers(deps as never);
  const call = { tenantId } as Call;
  await expect(reconcilePayouts({ from: at(1), to: at(1), cursor: "" }, call)).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  for (const cursor of ["yesterday", at(9).toISOString()]) {
    await expect(reconcilePayouts({ from: at(1), to: at(2), cursor }, call)).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  }
});
