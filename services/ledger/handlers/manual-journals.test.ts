import { randomUUID } from "node:crypto";
import { EntrySide } from "../../../proto/gen/ledger/v1/ledger.js";
import { ManualJournalKind, ManualJournalServiceDefinition } from "../../../proto/gen/ledger/v1/manual_journals.js";
import { createBooksFixture, type BooksFixture } from "../../../test/support/books-fixture.js";
import { insist } from "../../../test/support/insist.js";
import { waitFor } from "../../../test/support/index.js";

let fixture: BooksFixture;
let journals: ReturnType<typeof clientOf>;
const clientOf = (of: BooksFixture) => of.client(ManualJournalServiceDefinition);

beforeAll(async () => {
  fixture = await createBooksFixture("ledger_journals");
  journals = clientOf(fixture);
});
afterAll(() => fixture.close());

const refusal = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });

const line = (accountId: string, side: "DEBIT" | "CREDIT", amount: string, currency = "USD") => ({
  accountId,
  side: EntrySide[`ENTRY_SIDE_${side}`],
  amount,
  currency,
});
const capital = (amount = "12.00", other = amount) => [
  line("bank_fees:USD", "DEBIT", amount),
  line("own_funds:USD", "CREDIT", other),
];

function books() {
  const tenant = fixture.tenant();
  const write = (more: object = {}, key: string = randomUUID(), as = tenant.as()) =>
    insist(() =>
      journals.writeManualJournal({ idempotencyKey: key, lines: capital(), reason: "paid by cheque", ...more }, as),
    ).then(({ journal }) => journal!);
  const read = async (journalId: string) => (await journals.getManualJournal({ journalId }, tenant.as())).journal!;
  const ended = async (journalId: string) => {
    await waitFor(async () => /POSTED|REFUSED/.test((await read(journalId)).status));
    return read(journalId);
  };
  const posted = async (more: object = {}) => {
    const { journalId, approvalId } = await write(more);
    await tenant.decide(approvalId);
    return ended(journalId);
  };
  const reverse = (journalId: string, key: string = randomUUID()) =>
    insist(() =>
      journals.reverseManualJournal({ idempotencyKey: key, journalId, reason: "was wrong" }, tenant.as()),
    ).then(({ journal }) => journal!);
  return { ...tenant, write, read, ended, posted, reverse };
}

describe("WriteManualJournal", () => {
  test("waits for a second person, and is posted whole once they approve", async () => {
    const tenant = books();
    const journal = await tenant.write({
      lines: [...capital("12.00", "10.00"), line("retained_earnings:USD", "CREDIT", "2.00")],
    });
    expect(journal).toMatchObject({
      status: "MANUAL_JOURNAL_STATUS_PROPOSED",
      kind: "MANUAL_JOURNAL_KIND_STANDARD",
      askedBy: "manager-1",
      transferKeys: [],
    });
    const asked = fixture.identity.state.approvals.find(({ tenantId }) => tenantId === tenant.tenantId)!;
    expect(asked.approval).toMatchObject({
      kind: "JOURNAL",
      approvalId: journal.approvalId,
      amount: { amountMinor: 1200n, currency: "USD" },
    });
    expect(await tenant.creditMinor("own_funds:USD")).toBe(0n);
    const { noted } = await tenant.decide(journal.approvalId);
    expect(noted.toSorted()).toEqual([
      "ACCOUNT_CREDITED account:own_funds:USD 10.00 USD",
      "ACCOUNT_CREDITED account:retained_earnings:USD 2.00 USD",
      "ACCOUNT_DEBITED account:bank_fees:USD 12.00 USD",
    ]);
    const end = await tenant.ended(journal.journalId);
    expect(end).toMatchObject({ status: "MANUAL_JOURNAL_STATUS_POSTED", decidedBy: "manager-2" });
    expect(end.transferKeys).toHaveLength(2);
    expect([
      await tenant.creditMinor("bank_fees:USD"),
      await tenant.creditMinor("own_funds:USD"),
      await tenant.creditMinor("retained_earnings:USD"),
    ]).toEqual([-1200n, 1000n, 200n]);
  });

  test("12.00 against 11.99 is UNBALANCED, with the currency and both sums", async () => {
    const figures = { currency: "USD", debits: "12.00", credits: "11.99" };
    await expect(books().write({ lines: capital("12.00", "11.99") })).rejects.toEqual(
      refusal("UNBALANCED", { details: expect.objectContaining({ figures }) }),
    );
    const twoCurrencies = [...capital(), line("bank_fees:EUR", "DEBIT", "1.00", "EUR")];
    await expect(books().write({ lines: twoCurrencies })).rejects.toEqual(refusal("UNBALANCED"));
  });

  test("never touches accounts of customers, and names the line of what it cannot take", async () => {
    const tenant = books();
    await tenant.open(fixture.ledger, ["w1"]);
    const to = (accountId: string, currency = "USD") => ({
      lines: [line("own_funds:USD", "DEBIT", "1.00"), line(accountId, "CREDIT", "1.00", currency)],
    });
    const at = (path: string) => ({
      details: expect.objectContaining({ errors: [expect.objectContaining({ path })] }),
    });
    await expect(tenant.write(to("w1"))).rejects.toEqual(refusal("ACCOUNT_NOT_FOR_JOURNALS", at("lines[1].accountId")));
    await expect(tenant.write(to("own_bank:nowhere:USD"))).rejects.toEqual(
      refusal("ACCOUNT_NOT_FOUND", at("lines[1].accountId")),
    );
    const mixed = [line("own_funds:USD", "DEBIT", "1.00"), line("own_funds:USD", "CREDIT", "1.00")];
    await expect(tenant.write({ lines: mixed })).rejects.toEqual(refusal("SAME_ACCOUNT", at("lines[1].accountId")));
    const wrong = [line("bank_fees:USD", "DEBIT", "1.00", "EUR"), line("own_funds:EUR", "CREDIT", "1.00", "EUR")];
    await expect(tenant.write({ lines: wrong })).rejects.toEqual(
      refusal("ACCOUNT_NOT_FOUND", at("lines[0].accountId")),
    );
    await expect(
      tenant.write({
        lines: [line("bank_settlement:USD", "DEBIT", "1.00", "EUR"), line("own_funds:EUR", "CREDIT", "1.00", "EUR")],
      }),
    ).rejects.toEqual(refusal("CURRENCY_MISMATCH", at("lines[0].accountId")));
  });

  test.each([
    ["lines", { lines: [line("own_funds:USD", "DEBIT", "1.00")] }],
    ["lines", { lines: Array.from({ length: 201 }, () => line("own_funds:USD", "DEBIT", "1.00")) }],
    ["lines[0].amount", { lines: capital("0.00") }],
    ["lines[0].amount", { lines: capital("1.001") }],
    ["lines[0].side", { lines: [{ ...capital()[0]!, side: EntrySide.ENTRY_SIDE_UNSPECIFIED }, capital()[1]!] }],
    ["lines[0].currency", { lines: [line("own_funds:USD", "DEBIT", "1.00", "XXX"), capital()[1]!] }],
    ["reason", { reason: " " }],
    ["valueDate", { valueDate: "2026-13-01" }],
    ["valueDate", { valueDate: "2199-12-31" }],
    ["kind", { kind: ManualJournalKind.MANUAL_JOURNAL_KIND_REVERSAL }],
    ["attachment.mediaType", { attachment: { fileName: "a", mediaType: "text/html", content: Buffer.from("a") } }],
    ["attachment.fileName", { attachment: { fileName: " ", mediaType: "text/csv", content: Buffer.from("a") } }],
    [
      "attachment.content",
      { attachment: { fileName: "a", mediaType: "text/csv", content: Buffer.alloc(128 * 1024 + 1) } },
    ],
  ])("bad input names the field %s", async (path, more) => {
    const tenant = books();
    const errors = [expect.objectContaining({ path })];
    await expect(tenant.write(more)).rejects.toEqual(
      refusal("INVALID_INPUT", { details: expect.objectContaining({ errors }) }),
    );
    expect((await journals.listManualJournals({}, tenant.as())).journals).toEqual([]);
  });

  test("in a closed day it is PERIOD_CLOSED, which is not kept under the key", async () => {
    const tenant = books();
    await tenant.closeThrough("2026-01-31");
    const key = randomUUID();
    await expect(tenant.write({ valueDate: "2026-01-31" }, key)).rejects.toEqual(refusal("PERIOD_CLOSED"));
    await expect(tenant.write({ valueDate: "2026-01-31" }, key)).rejects.toEqual(refusal("PERIOD_CLOSED"));
    expect((await tenant.write({ valueDate: "2026-02-01" })).valueDate).toBe("2026-02-01");
  });

  test("that was approved too late for its day is refused, and nothing of it is posted", async () => {
    const tenant = books();
    const { journalId, approvalId } = await tenant.write({ valueDate: "2026-01-31" });
    await tenant.closeThrough("2026-01-31");
    await tenant.decide(approvalId);
    const failure = "PERIOD_CLOSED";
    expect(await tenant.ended(journalId)).toMatchObject({ status: "MANUAL_JOURNAL_STATUS_REFUSED", failure });
    expect(await tenant.creditMinor("own_funds:USD")).toBe(0n);
  });

  test("repeated and at once it is one journal and one question", async () => {
    const tenant = books();
    const key = randomUUID();
    const all = await Promise.all(Array.from({ length: 5 }, () => tenant.write({}, key)));
    expect(new Set(all.map(({ journalId }) => journalId)).size).toBe(1);
    const asked = fixture.identity.state.approvals.filter(({ tenantId }) => tenantId === tenant.tenantId);
    expect(asked).toHaveLength(1);
  });

  test("50 approvals at once post it once", async () => {
    const tenant = books();
    const { journalId, approvalId } = await tenant.write();
    await tenant.decide(approvalId);
    await Promise.all(Array.from({ length: 50 }, () => insist(() => tenant.decide(approvalId))));
    await tenant.ended(journalId);
    expect(await tenant.creditMinor("own_funds:USD")).toBe(1200n);
  });

  test("that is refused stays with its reason and posts nothing", async () => {
    const tenant = books();
    const { journalId, approvalId } = await tenant.write();
    await tenant.decide(approvalId, "REFUSED", "wrong account");
    expect(await tenant.read(journalId)).toMatchObject({
      status: "MANUAL_JOURNAL_STATUS_REFUSED",
      failure: "wrong account",
    });
    expect(await tenant.creditMinor("own_funds:USD")).toBe(0n);
  });

  test("that nobody may be asked about is over, also for a repeat", async () => {
    const tenant = books();
    const key = randomUUID();
    fixture.identity.state.takesNoQuestion = "FORBIDDEN";
    try {
      await expect(tenant.write({}, key)).rejects.toEqual(refusal("FORBIDDEN"));
    } finally {
      fixture.identity.state.takesNoQuestion = undefined;
    }
    await expect(tenant.write({}, key)).rejects.toEqual(refusal("FORBIDDEN"));
  });

  test("of 200 lines is one linked group, and opening balances say that they are", async () => {
    const tenant = books();
    const many = Array.from({ length: 199 }, (_, n) =>
      line(n % 2 === 0 ? "bank_fees:USD" : "card_fees:USD", "DEBIT", "0.01"),
    );
    const lines = [...many, line("own_funds:USD", "CREDIT", "1.99")];
    const kind = ManualJournalKind.MANUAL_JOURNAL_KIND_OPENING;
    const { transferKeys, status } = await tenant.posted({ lines, kind });
    expect([status, transferKeys.length]).toEqual(["MANUAL_JOURNAL_STATUS_POSTED", 199]);
    expect(await tenant.creditMinor("own_funds:USD")).toBe(199n);
    const { transfer } = await fixture.ledger.as("gateway").getTransfer({ key: transferKeys[0]! }, tenant.as());
    expect(transfer!.transfer!.kind).toBe("opening_balance");
  });

  test("keeps what is attached to it", async () => {
    const tenant = books();
    const content = Buffer.from("a,b\n1,2\n");
    const attachment = { fileName: "invoice.csv", mediaType: "text/csv", content };
    const journal = await tenant.write({ attachment });
    expect(journal.attachment).toMatchObject({ fileName: "invoice.csv", sizeBytes: 8n });
    const { journalId } = journal;
    const read = await journals.getManualJournalAttachment({ journalId }, tenant.as());
    expect(Buffer.from(read.content)).toEqual(content);
    const bare = await tenant.write();
    await expect(journals.getManualJournalAttachment(bare, tenant.as())).rejects.toEqual(refusal("NOT_FOUND"));
    await expect(journals.getManualJournalAttachment({ journalId }, books().as())).rejects.toEqual(
      refusal("NOT_FOUND"),
    );
  });
});

describe("ReverseManualJournal", () => {
  test("takes a journal back once, and the two name each other", async () => {
    const tenant = books();
    const { journalId } = await tenant.posted();
    const reversal = await tenant.reverse(journalId);
    expect(reversal).toMatchObject({ kind: "MANUAL_JOURNAL_KIND_REVERSAL", reversesJournalId: journalId });
    expect((await tenant.read(journalId)).reversedByJournalId).toBe(reversal.journalId);
    await expect(tenant.reverse(journalId)).rejects.toEqual(refusal("ALREADY_REVERSED"));
    const { noted } = await tenant.decide(reversal.approvalId);
    expect(noted).toContain("ACCOUNT_DEBITED account:own_funds:USD 12.00 USD");
    await tenant.ended(reversal.journalId);
    expect(await tenant.creditMinor("own_funds:USD")).toBe(0n);
    await expect(tenant.reverse(journalId)).rejects.toEqual(refusal("ALREADY_REVERSED"));
    await expect(tenant.reverse(reversal.journalId)).rejects.toEqual(refusal("STATE_CONFLICT"));
  });

  test("that is refused leaves the journal to be taken back by another", async () => {
    const tenant = books();
    const { journalId } = await tenant.posted();
    const refused = await tenant.reverse(journalId);
    await tenant.decide(refused.approvalId, "REFUSED");
    const other = await tenant.reverse(journalId);
    expect((await tenant.read(journalId)).reversedByJournalId).toBe(other.journalId);
  });

  test("at once: one of five is to take it back", async () => {
    const tenant = books();
    const { journalId } = await tenant.posted();
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => tenant.reverse(journalId)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all) if (one.status === "rejected") expect(one.reason).toEqual(refusal("ALREADY_REVERSED"));
  });

  test("what is not posted, or is another tenant's, cannot be taken back", async () => {
    const tenant = books();
    const { journalId } = await tenant.write();
    await expect(tenant.reverse(journalId)).rejects.toEqual(refusal("STATE_CONFLICT"));
    await expect(books().reverse(journalId)).rejects.toEqual(refusal("NOT_FOUND"));
  });
});

test("journals are listed page by page, the newest first, also by status", async () => {
  const tenant = books();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift((await tenant.write()).journalId);
  const first = await journals.listManualJournals({ pageSize: 2 }, tenant.as());
  const second = await journals.listManualJournals({ pageSize: 2, cursor: first.nextCursor }, tenant.as());
  const listed = [...first.journals, ...second.journals].map(({ journalId }) => journalId);
  expect([listed, second.nextCursor]).toEqual([ids, ""]);
  const { journals: posted } = await journals.listManualJournals(
    { status: "MANUAL_JOURNAL_STATUS_POSTED" },
    tenant.as(),
  );
  expect(posted).toEqual([]);
});
