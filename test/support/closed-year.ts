import { randomUUID } from "node:crypto";
import { EntrySide, TransferMode, type GroupResult } from "../../proto/gen/ledger/v1/ledger.js";
import { ManualJournalKind, ManualJournalServiceDefinition } from "../../proto/gen/ledger/v1/manual_journals.js";
import { PositionServiceDefinition } from "../../proto/gen/ledger/v1/positions.js";
import { SettlementServiceDefinition } from "../../proto/gen/ledger/v1/settlements.js";
import type { createClosedBooks } from "./closed-books.js";
import { transfer, type WireTransfer } from "./ledger-fixture.js";
import { settlingTenant } from "./settling-fixture.js";
import { waitFor } from "./index.js";

type Books = Awaited<ReturnType<typeof createClosedBooks>>;
type Tenant = ReturnType<typeof settlingTenant>;

const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);
const most = 2n ** 63n - 1n;

// Names that are no names of accounts elsewhere, and pairs that read alike once they are made so.
const oddIds = [
  "w.1",
  "w_1",
  "w-1",
  "-w",
  ":w",
  "w:",
  "w::1",
  "customer_wallet:w",
  "W",
  "w",
  "9",
  `l${"o".repeat(100)}ng`,
];
const oddTexts = [
  'Rent, "May" \\ and more\\',
  "two\nlines\r\n\tand a tab\u0000\u001b[31m",
  "; a comment | a pipe # a tag:value",
  '2026-12-31 * "another entry"\n  Assets:Own  1.00 USD',
  "Loyer de l’été – ३ महीने 🏠\u2028\u202Eback",
  "  ",
];

/**
 * A tenant that has, on the last days of 2026, nearly all that books can hold: payments with odd
 * names and texts, reservations, settlements, journals, exchanges and what they realised.
 */
export async function createFullYear(books: Books): Promise<Tenant> {
  const { ledger, outcomes, identity, clock } = books;
  const settlements = books.client(SettlementServiceDefinition);
  const tenant = settlingTenant(
    () => ({ ...ledger, settlements, outcomes }),
    () => identity,
  );
  clock.at = noonOf("2026-12-28").getTime();
  await tenant.openAll();
  await payInOddWays(books, tenant);
  await reserve(books, tenant);
  clock.at = noonOf("2026-12-30").getTime();
  await settle(books, tenant);
  await writeJournals(books, tenant);
  await books.client(PositionServiceDefinition).getPositions({}, books.as(tenant));
  return tenant;
}

async function payInOddWays({ ledger }: Books, tenant: Tenant): Promise<void> {
  for (const currency of ["USD", "JPY", "KWD"]) {
    const ids = oddIds.map((id) => `${id}${currency === "USD" ? "" : `-${currency}`}`);
    await tenant.open(ledger, ids, currency);
    const bank = `bank_settlement:${currency}`;
    const amount = (amountMinor: bigint) => ({ amount: { amountMinor, currency } });
    const paid = ids.map((id, index) =>
      transfer(`in:${currency}:${index}`, bank, id, 0n, {
        ...amount(BigInt(index + 1) * 1_001n),
        description: oddTexts[index % oddTexts.length]!,
      }),
    );
    await posted(tenant.post(ledger, ...paid));
    await posted(tenant.post(ledger, transfer(`pay:${currency}`, ids[0]!, ids[1]!, 0n, amount(1n))));
    // An account's sums pass what int64 holds, and what was long ago stays in its place.
    const all = amount(most - 1_000_000n);
    const back = { ...all, kind: "back", effectiveAt: noonOf("1950-06-01") };
    for (const round of [1, 2]) {
      await posted(tenant.post(ledger, transfer(`all:${currency}:${round}`, bank, ids[9]!, 0n, all)));
      await posted(tenant.post(ledger, transfer(`back:${currency}:${round}`, ids[9]!, bank, 0n, back)));
    }
    const later = { ...amount(77n), effectiveAt: noonOf("2027-01-20") };
    await posted(tenant.post(ledger, transfer(`later:${currency}`, bank, ids[2]!, 0n, later)));
  }
}

async function reserve({ ledger }: Books, tenant: Tenant): Promise<void> {
  const pending = { mode: TransferMode.TRANSFER_MODE_PENDING };
  for (const key of ["hold:part", "hold:void", "hold:open"]) {
    await posted(tenant.post(ledger, transfer(key, "w.1", "w_1", 50n, pending)));
  }
  const of = (pendingKey: string, mode: "POST" | "VOID", more: WireTransfer = {}): WireTransfer => {
    return { key: `${pendingKey}:end`, kind: "end", mode: `TRANSFER_MODE_${mode}_PENDING`, pendingKey, ...more };
  };
  await posted(tenant.post(ledger, of("hold:part", "POST", { amount: { amountMinor: 20n, currency: "USD" } })));
  await posted(tenant.post(ledger, of("hold:void", "VOID")));
}

/** A partner is paid in another currency, an acquirer keeps its fee, a settlement is taken back. */
async function settle({ ledger }: Books, tenant: Tenant): Promise<void> {
  const terms = { valueDate: "2026-12-30" };
  const key = `paid-${randomUUID()}`;
  const exchanged = [
    transfer(`${key}:base`, "remittance_clearing:USD", "exchange_position:USD", 100_00n),
    transfer(`${key}:foreign`, "exchange_position:NGN", tenant.partnerNgn, 0n, {
      amount: { amountMinor: 15_257_500n, currency: "NGN" },
    }),
    transfer(`${key}:fee`, "remittance_clearing:USD", "fee_income:USD", 2_50n),
  ];
  const request = { groups: [{ transfers: exchanged }], createdBy: "remittance" };
  const { results } = await ledger.remittance.postTransfers(request, tenant.call());
  await posted(results[0]!);
  const ngn = { accountId: tenant.partnerNgn, amount: "152575.00", currency: "NGN" };
  await tenant.settle({ ...terms, ...ngn, cost: { amount: "99.40", currency: "USD" } });
  await tenant.owe(tenant.card, 10_000n);
  const kept = { accountId: tenant.card, amount: "100.00", cost: { amount: "96.80", currency: "USD" }, fee: "3.20" };
  await tenant.settle({ ...terms, ...kept, kind: "SETTLEMENT_KIND_ACQUIRER" });
  await tenant.owe(tenant.partnerUsd, 1_000n);
  const { settlementId } = await tenant.settle(terms);
  const { approvalId } = await tenant.reverse(settlementId);
  await tenant.decide(approvalId);
  await tenant.ended(settlementId, "REVERSED");
}

async function writeJournals(books: Books, tenant: Tenant): Promise<void> {
  const journals = books.client(ManualJournalServiceDefinition);
  const line = (accountId: string, side: "DEBIT" | "CREDIT", amount: string, currency: string) => {
    return { accountId, side: EntrySide[`ENTRY_SIDE_${side}`], amount, currency, text: 'Share "A"; paid in' };
  };
  const lines = [
    line("bank_fees:USD", "DEBIT", "12.00", "USD"),
    line("own_funds:USD", "CREDIT", "12.00", "USD"),
    line("operating_expense:KWD", "DEBIT", "1.005", "KWD"),
    line("own_funds:KWD", "CREDIT", "1.005", "KWD"),
  ];
  const expense = { idempotencyKey: randomUUID(), code: "operating_expense", currency: "KWD", name: "Rent" };
  const { account } = await books.ledger.as("gateway").openBookAccount(expense, books.as(tenant));
  lines[2]!.accountId = account!.accountId;
  const written = { lines, reason: "Shares", valueDate: "2026-12-30", idempotencyKey: randomUUID() };
  const kind = ManualJournalKind.MANUAL_JOURNAL_KIND_OPENING;
  const { journal } = await journals.writeManualJournal({ ...written, kind }, books.as(tenant));
  const { journalId, approvalId } = journal!;
  await tenant.decide(approvalId);
  await waitFor(async () => {
    const read = await journals.getManualJournal({ journalId }, books.as(tenant));
    return read.journal!.status === "MANUAL_JOURNAL_STATUS_POSTED";
  });
}

async function posted(result: GroupResult | Promise<GroupResult>): Promise<void> {
  const { refused } = await result;
  if (refused !== undefined) throw new Error(`not posted: ${JSON.stringify(refused)}`);
}
