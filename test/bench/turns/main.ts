// `npm run bench:turns`: the longest turn of the event loop, in ms, of each kind of
// work whose size a caller decides.
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { csvFile } from "../../../gateway/csv-file.js";
import { plainWeek } from "../../../services/lending/domain/calendar.js";
import { scheduleOf } from "../../../services/lending/domain/schedule.js";
import { createPdf } from "../../../services/kernel/pdf/printer.js";
import { buildListIndex } from "../../../services/compliance/lists/loading/build-index.js";
import { madeList } from "../../support/made-list.js";
import { createPublishedLists } from "../../../deploy/partner/lists.js";
import { casePdf } from "../../../services/compliance/cases/handlers/case-pdf.js";
import type { CaseEvent } from "../../../services/compliance/cases/domain/case.js";
import { parseList } from "../../../services/compliance/lists/loading/parse-list.js";
import { readBankStatement } from "../../../services/remittance/clients/bank-files/bank-statement.js";
import { assertWithinBounds } from "../../../services/remittance/clients/bank-files/xml.js";
import { ratesFromCsv } from "../../../services/remittance/csv/rates.js";
import { exampleTransaction } from "../../../services/remittance/domain/disclosure-example.js";
import { disclosureOf } from "../../../services/remittance/domain/disclosure-lines.js";
import { shippedTemplate } from "../../../services/remittance/domain/disclosure-template.js";
import { disclosurePdf } from "../../../services/remittance/handlers/disclosure-pdf.js";
import { writtenIn } from "../../../services/remittance/handlers/disclosures.js";
import { parseJson, printJson } from "../../../services/kernel/json.js";
import { statement } from "../../support/file-bank.js";

const goalMs = 50;
const at = new Date("2026-05-01T12:00:00Z");

/**
 * The processor time of the longest turn of this thread while it is done, whatever else the
 * machine does, and of all of it.
 */
async function measured(work: () => Promise<unknown>): Promise<{ longestMs: number; cpuMs: number }> {
  let longestMs = 0;
  let last = threadMs();
  let isDone = false;
  const round = () => {
    longestMs = Math.max(longestMs, threadMs() - last);
    last = threadMs();
    if (!isDone) setImmediate(round);
  };
  setImmediate(round);
  const before = process.cpuUsage();
  await work();
  isDone = true;
  round();
  const { user, system } = process.cpuUsage(before);
  return { longestMs, cpuMs: (user + system) / 1_000 };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const words = "The customer was asked by telephone why money came from Lagos in May and said a brother pays for school";
const note = (index: number): CaseEvent => ({
  caseId: "case",
  sequence: index + 1,
  customerId: "c1",
  at,
  actor: "MA1",
  kind: "NOTED",
  text: `${index} ${words} ${index * 7} ${words} ${words} ${words} ${words}`,
  details: {},
});

/** Each is measured for itself: nothing of it is known from another. */
const distinctWords = (index: number): string =>
  Array.from({ length: 500 }, (_, at) => (index * 500 + at).toString(26).padStart(7, "k")).join(" ");

async function drawCase(notes: number, times = 1, textOf = (index: number) => note(index).text): Promise<unknown> {
  const one = {
    caseId: "case",
    number: 1,
    kind: "MANUAL" as const,
    subjectKind: "CUSTOMER" as const,
    subjectId: "c1",
    customerId: "c1",
    transactionIds: [],
    screeningIds: [],
    waitingScreeningIds: [],
    status: "OPEN" as const,
    priority: "LOW" as const,
    rank: 0,
    dueAt: at,
    tags: [],
    files: [],
    openedAt: at,
    isOpen: true as const,
    version: notes,
  };
  const subject = { state: "KNOWN" as const, name: "Ada Obi" };
  const content = { subject, screenings: [], hitCount: 0, transactions: [], transactionCount: 0 };
  return casePdf(
    one,
    content,
    Array.from({ length: notes }, (_, index) => ({
      ...note(index),
      text: `${textOf(index)} `.repeat(times).trim(),
    })),
  );
}

function drawReceipt(): Promise<unknown> {
  const [organisation, language] = ["Example Bank", "en"];
  const written = writtenIn(language, "Africa/Lagos");
  const issuer = { organisation, template: shippedTemplate("GENERIC"), written, availableOn: "2026-12-02" };
  const disclosure = disclosureOf("RECEIPT", { transaction: exampleTransaction(at) }, issuer);
  return disclosurePdf({ disclosure, organisation, language });
}

async function readList(source: "CUSTOM" | "UN", content: Buffer): Promise<void> {
  const entries = parseList(source, [{ part: "", stream: pieces(content) }]).entries;
  for await (const _entry of entries);
}

/** As they come from MongoDB. */
async function* pieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += 1_048_576) yield content.subarray(start, start + 1_048_576);
}

function customList(entries: number): Buffer {
  const lines = Array.from({ length: entries }, (_, index) => `X${index},Ada Obi ${index},PERSON,Adaeze Obi ${index}`);
  return Buffer.from(["id,name,kind,aliases", ...lines].join("\n"));
}

function unList(entries: number): Buffer {
  const text = createPublishedLists().find("UN", "LIST")!.content.toString("utf8");
  const [whole = "", id = ""] = /<INDIVIDUAL>[\s\S]*?<REFERENCE_NUMBER>([^<]*)[\s\S]*?<\/INDIVIDUAL>/.exec(text) ?? [];
  const others = Array.from({ length: entries }, (_, index) => whole.replace(id, `QDx.${index}`));
  return Buffer.from(text.replace(whole, [whole, ...others].join("\n")));
}

async function readBankFile(entries: number): Promise<void> {
  const line = { amount: "10.00", currency: "EUR", kind: "DEBIT" as const };
  const some = Array.from({ length: entries }, (_, index) => ({ ...line, endToEndId: `order-${index}` }));
  const text = statement(some, { id: "S" });
  await assertWithinBounds(Buffer.from(text));
  await readBankStatement(text, () => true);
}

async function drawStatement(entries: number): Promise<void> {
  const pdf = await createPdf({ title: "Statement", work: "statement pdf" });
  for (let entry = 0; entry < entries; entry++) {
    await pdf.row([
      { text: "2026-05-01 12:00", x: 56, width: 90 },
      { text: `Payment ${entry} to Adaeze Obi`, x: 150, width: 200 },
      { text: `${entry}.00`, x: 355, width: 85, align: "right" },
      { text: `${10 * entry}.00`, x: 445, width: 94, align: "right" },
    ]);
  }
  await pdf.finish();
}

async function writeCsv(entries: number): Promise<void> {
  const page = Array.from({ length: 1_000 }, (_, row) => ({
    date: at.toISOString(),
    amount: `${row}.00`,
    text: words,
  }));
  const pages = Array.from({ length: entries / page.length }, () => page);
  await buffer(csvFile("statement.csv", ["date", "amount", "text"], pages).content as Readable);
}

async function longSchedule(): Promise<void> {
  scheduleOf(
    {
      principalMinor: 100_000_000n,
      annualRate: "9.4822",
      interestMethod: "DECLINING",
      amortisation: "EQUAL_INSTALMENTS",
      dayCount: "ACT/365 FIXED",
      frequency: "MONTH",
      instalments: 600,
      principalGrace: 0,
      interestGrace: 0,
      instalmentFeeMinor: 0n,
      instalmentFeePercent: "0",
      businessDayRule: "FOLLOWING",
      startsOn: Temporal.PlainDate.from("2024-01-01"),
    },
    plainWeek,
  );
}

async function indexList(entries: number): Promise<void> {
  const made = madeList(entries);
  async function* all() {
    yield* made;
  }
  await buildListIndex("CUSTOM", all());
}

const rates = Array.from({ length: 4_900 }, (_, index) => {
  return `USD,NGN,${1_500 + index},CBN,${new Date(at.getTime() + index * 1_000).toISOString()},`;
});
const rows = Array.from({ length: 1_000 }, (_, index) => ({
  ...note(index),
  minor: BigInt(index),
  at: at.toISOString(),
}));

const kinds: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["case PDF, the fonts read first", () => drawCase(1)],
  ["case PDF of 500 notes of 530 letters", () => drawCase(500)],
  ["case PDF of 500 notes of 3,700 letters", () => drawCase(500, 7)],
  ["case PDF of 500 notes of 4,000 letters, each word another", () => drawCase(500, 1, distinctWords)],
  ["receipt PDF", drawReceipt],
  ["statement PDF of 2,000 entries", () => drawStatement(2_000)],
  ["statement CSV of 20,000 entries", () => writeCsv(20_000)],
  ["loan schedule of 600 instalments", longSchedule],
  ["index of a list of 20,000 entries", () => indexList(20_000)],
  ["list of 50,000 entries, CSV", () => readList("CUSTOM", customList(50_000))],
  ["list of 5,000 entries, XML", () => readList("UN", unList(5_000))],
  [
    "rates, CSV of 4,900 lines",
    () =>
      ratesFromCsv(
        ["sendCurrency,receivingCurrency,exchangeRate,source,validFrom,validUntil", ...rates].join("\n"),
        at,
      ),
  ],
  ["bank's statement of 10,000 entries", () => readBankFile(10_000)],
  ["JSON of 1,000 rows, printed and parsed", async () => parseJson(printJson(rows))],
];

for (const [kind, work] of kinds) {
  const { longestMs, cpuMs } = await measured(work);
  const verdict = longestMs > goalMs ? `  above ${goalMs}` : "";
  process.stdout.write(
    `${kind.padEnd(42)} longest turn ${longestMs.toFixed(0).padStart(5)} ms, processor ${cpuMs.toFixed(0).padStart(6)} ms${verdict}\n`,
  );
}
