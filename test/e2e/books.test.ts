import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEdgeClient, demoUser, readDemo, services, type EdgeAnswer } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { verified } from "../support/closed-books.js";
import { openBooksDesk } from "../support/books-desk.js";

jest.setTimeout(120_000);

const demo = readDemo();
const currency = "EUR";
const outcome = ({ status, body }: EdgeAnswer) => [status, body.code];
const payments = `${services}/paymentmanagement`;
const monthOf = (day: string) => day.slice(0, 7);
const shift = (day: string, by: { days?: number; months?: number }) => Temporal.PlainDate.from(day).add(by).toString();

type Desk = Awaited<ReturnType<typeof openBooksDesk>>;
let desk: Desk;
let rent: string;
/** On the first day of the month before the last one, of the last month, and of the year before. */
let [monthBefore, lastMonth, lastYear]: string[] = [];
beforeAll(async () => {
  desk = await openBooksDesk(demo, 1, currency);
  rent = await desk.open("operating_expense", "Rent");
  const thisMonth = `${monthOf(desk.today)}-01`;
  [monthBefore, lastMonth] = [shift(thisMonth, { months: -2 }), shift(thisMonth, { months: -1 })];
  lastYear = String(Number(monthBefore.slice(0, 4)) - 1);
});

const rentOf = (debit: string, credit = debit) => [
  desk.line(rent, "DEBIT", debit),
  desk.line(desk.bank, "CREDIT", credit),
];

describe("settlements", () => {
  test("with an acquirer: 387.48 that arrive with a fee of 12.50 settle 399.98; a cent stays open and is named", async () => {
    const hanna = demoUser(demo, "CUSTOMER", { tenant: 1 });
    const customer = createEdgeClient(demo.baseUrl, demo.tenants[1]!.host);
    await customer.login(hanna);
    const { accountId } = hanna.wallets!.find((one) => one.currency === currency)!;
    for (const amount of ["100.00", "250.00", "49.99"]) {
      const headers = { "x-idempotency-key": randomUUID() };
      const topUp = { headers, body: { accountId, amount, cardToken: "tok_ok" } };
      expect(await customer.send("POST", `${payments}/card-top-ups`, topUp)).toMatchObject({ status: 200 });
    }
    const card = await desk.accountOf("card_settlement");
    await waitFor(async () => (await desk.balance(card)) === "399.99", { timeoutMs: 20_000, what: "three top-ups" });
    const terms = { kind: "ACQUIRER", accountId: card, fee: "12.50", reference: "PAYOUT-7" };
    const arrived = { ...terms, amount: "399.98", cost: { amount: "387.48", currency } };
    expect(outcome(await desk.propose({ ...arrived, amount: "399.99" }))).toEqual([422, "COST_MISMATCH"]);
    expect(await desk.settle(arrived)).toMatchObject({ status: "POSTED", amount: "399.98", fee: "12.50" });
    expect([await desk.balance(card), await desk.balance(desk.bank)]).toEqual(["0.01", "387.48"]);
    const rest = { ...terms, reference: "PAYOUT-8", fee: "0", amount: "0.02", cost: { amount: "0.02", currency } };
    expect(await desk.propose(rest)).toMatchObject({
      status: 422,
      body: { code: "ABOVE_OWED", figures: { owed: "0.01" } },
    });
    expect(
      outcome(
        await desk.propose({ ...rest, amount: "0.01", cost: { amount: "0.01", currency }, reference: "PAYOUT-7" }),
      ),
    ).toEqual([409, "SETTLEMENT_REFERENCE_TAKEN"]);
  });

  test("of tax: 100 times 0.19 are 19.00 and not a cent more", async () => {
    const other = await openBooksDesk(demo, 0, "NGN");
    const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const customer = createEdgeClient(demo.baseUrl);
    await customer.login(amina);
    // Nobody else pays in naira: its tax is this test's alone.
    const order = { sendAmount: "1000.00", sendCurrency: "NGN", originCountry: "NGA", to: "KEN" };
    const { id, totalAmount, totalTaxes } = (await customer.createTransaction(amina, order)).body.data;
    const { accountId } = amina.wallets!.find((one) => one.currency === "NGN")!;
    expect(await customer.pay(amina, { payAbleId: id, accountId, total: totalAmount })).toMatchObject({ status: 200 });
    const tax = await other.accountOf("tax_payable");
    const terms = { kind: "TAX", accountId: tax };
    expect(await other.settle({ ...terms, amount: totalTaxes })).toMatchObject({ status: "POSTED" });
    const collected = Array.from({ length: 100 }, () => other.line(tax, "CREDIT", "0.19"));
    await other.enter(other.journal([...collected, other.line("own_funds:NGN", "DEBIT", "19.00")]));
    expect(await other.propose({ ...terms, amount: "19.01" })).toMatchObject({
      status: 422,
      body: { code: "ABOVE_OWED", figures: { owed: "19.00", amount: "19.01" } },
    });
    expect(await other.settle({ ...terms, amount: "19.00" })).toMatchObject({ status: "POSTED" });
    expect(await other.balance(tax)).toBe("0.00");
    // Of one tenant, it is nothing in the other.
    expect(outcome(await desk.propose({ ...terms, amount: "1.00" }))).toEqual([404, "ACCOUNT_NOT_FOUND"]);
  });

  test.each<[string, object, number, string]>([
    ["a cost without a currency", { cost: { amount: "1.00" } }, 400, "INVALID_INPUT"],
    ["a cost of an unknown currency", { cost: { amount: "1.00", currency: "EURO" } }, 400, "INVALID_INPUT"],
    ["no cost", { cost: undefined }, 400, "INVALID_INPUT"],
    ["a value date to come", { valueDate: "2099-01-01" }, 400, "INVALID_INPUT"],
    ["a value date that no calendar has", { valueDate: "2026-02-30" }, 400, "INVALID_INPUT"],
    ["three decimals of a cent", { amount: "1.001" }, 400, "INVALID_INPUT"],
    ["an account that there is none of", { accountId: "card_settlement:nobody:EUR" }, 404, "ACCOUNT_NOT_FOUND"],
    ["another one's account at a bank", { bankAccountId: "own_bank:chase-operating:NGN" }, 404, "ACCOUNT_NOT_FOUND"],
  ])("with %s are refused", async (_what, wrong, status, code) => {
    const card = await desk.accountOf("card_settlement");
    const right = { kind: "ACQUIRER", accountId: card, amount: "0.01" };
    expect(outcome(await desk.propose({ ...right, ...wrong }))).toEqual([status, code]);
  });
});

test("a journal of 12.00 against 11.99 is refused with both sums, and nobody agrees to their own", async () => {
  expect(await desk.post("journals", desk.journal(rentOf("12.00", "11.99")))).toMatchObject({
    status: 422,
    body: { code: "UNBALANCED", figures: { currency, debits: "12.00", credits: "11.99" } },
  });
  await desk.enter(desk.journal(rentOf("12.00")));
  expect(await desk.balance(rent)).toBe("12.00");
});

// In this order: books close day after day.
describe("closing", () => {
  const close = (period: string, key?: string) => desk.post(`periods/${period}/close`, {}, key);
  const blockersOf = async (period: string) => (await desk.read(`periods/${period}`)).blockers;
  const built = (number: number) =>
    waitFor(
      async () => {
        const closing = await desk.read(`closings/${number}`);
        return closing.packageStatus === "DONE" ? closing : undefined;
      },
      { timeoutMs: 30_000, everyMs: 100, what: `package ${number}` },
    );
  const manifest = async (number: number) =>
    (await desk.first.send("GET", `${services}/admin/books/closings/${number}/package/manifest.json`)).text;
  let lateKey = "";

  test("what is not posted for a period keeps it open, and is listed where the checklist says", async () => {
    const period = monthOf(monthBefore!);
    expect(await blockersOf(period)).toEqual([]);
    const late = desk.journal(rentOf("5.00"), `${lastYear}-12-15`);
    const { body } = await desk.post("journals", late);
    const { journalId, approvalId } = body.data;
    const card = await desk.accountOf("card_settlement");
    const terms = { kind: "ACQUIRER", accountId: card, amount: "0.01", valueDate: monthBefore };
    const { settlement } = (await desk.propose(terms)).body.data;
    const blockers = await blockersOf(period);
    expect(blockers.map(({ service, kind, count }: Record<string, unknown>) => [service, kind, count])).toEqual([
      ["ledger", "SETTLEMENTS_OPEN", 1],
      ["ledger", "JOURNALS_OPEN", 1],
    ]);
    const [open, written] = await Promise.all(blockers.map(({ path }: { path: string }) => desk.read(path)));
    expect(open.settlements).toMatchObject([{ settlementId: settlement.settlementId }]);
    expect(written.journals).toMatchObject([{ journalId }]);
    const key = randomUUID();
    expect(outcome(await close(period, key))).toEqual([409, "PERIOD_BLOCKED"]);
    await desk.agree(settlement.approvalId);
    await desk.agree(approvalId);
    await waitFor(async () => (await blockersOf(period)).length === 0, {
      timeoutMs: 20_000,
      what: "both to be posted",
    });
    // The same key goes through now: what stood in the way was not kept under it.
    const closed = await close(period, key);
    expect([closed.status, closed.body.data]).toMatchObject([200, { number: 1, period }]);
    expect((await close(period, key)).text).toBe(closed.text);
    expect(outcome(await close(period))).toEqual([409, "STATE_CONFLICT"]);
  });

  test("a year that ended has moved what it spent to what its owners keep", async () => {
    expect(await desk.balance(`retained_earnings:${currency}`)).toBe("-5.00");
    const { balance } = await desk.read(`${services}/ledger/accounts/${rent}/balance?at=${lastYear}-12-31`);
    expect(balance).toBe("0.00");
    expect(await close(lastYear!)).toMatchObject({ status: 200, body: { data: { number: 2, period: lastYear } } });
  });

  test("days close in their order, and a month those of its days that are open yet", async () => {
    const second = shift(lastMonth!, { days: 1 });
    expect(outcome(await close(second))).toEqual([409, "STATE_CONFLICT"]);
    expect(outcome(await close(desk.today))).toEqual([400, "INVALID_INPUT"]);
    expect(await close(lastMonth!)).toMatchObject({ status: 200, body: { data: { number: 3, period: lastMonth } } });
    expect(await close(monthOf(lastMonth!))).toMatchObject({ status: 200, body: { data: { number: 4 } } });
    const { closedThrough } = await desk.read("periods");
    expect(closedThrough).toBe(shift(`${monthOf(desk.today)}-01`, { days: -1 }));
  });

  test("what people enter for a closed day is refused, and nothing of that is kept under the key", async () => {
    lateKey = randomUUID();
    const late = desk.journal(rentOf("7.00"), lastMonth);
    for (const _again of [1, 2]) {
      expect(outcome(await desk.post("journals", late, lateKey))).toEqual([422, "PERIOD_CLOSED"]);
    }
    const card = await desk.accountOf("card_settlement");
    const terms = { kind: "ACQUIRER", accountId: card, amount: "0.01", valueDate: lastMonth, prefund: true };
    expect(outcome(await desk.propose(terms))).toEqual([422, "PERIOD_CLOSED"]);
  });

  test("two people open days again; what they were closed with stays to the byte, and is superseded", async () => {
    const [before] = [await built(4).then(() => manifest(4))];
    const asked = await desk.post(`periods/${lastMonth}/reopen`, { reason: "A bill came late" });
    expect([asked.status, asked.body.data.approvalStatus]).toEqual([202, "PENDING"]);
    await desk.agree(asked.body.data.approvalId);
    await waitFor(async () => (await desk.read("periods")).closedThrough < lastMonth!, {
      timeoutMs: 20_000,
      what: "the days to be open",
    });
    await desk.enter(desk.journal(rentOf("7.00"), lastMonth), lateKey);
    expect(await close(monthOf(lastMonth!))).toMatchObject({ status: 200, body: { data: { number: 5 } } });
    const { closings } = await desk.read("closings");
    expect(
      closings.map(({ number, supersededBy }: Record<string, unknown>) => [number, supersededBy !== undefined]),
    ).toEqual([
      [5, false],
      [4, true],
      [3, true],
      [2, false],
      [1, false],
    ]);
    await built(5);
    expect(await manifest(4)).toBe(before);
    expect(await manifest(5)).not.toBe(before);
  });

  test("a package as it comes over HTTP proves itself, is the same bytes each time, and nobody else's", async () => {
    const { files } = await built(5);
    const path = `${services}/admin/books/closings/5/package`;
    const download = async (name: string): Promise<Buffer> => {
      const { status, text } = await desk.first.send("GET", `${path}/${name}`);
      expect([name, status]).toEqual([name, 200]);
      return Buffer.from(text);
    };
    const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    const folder = await mkdtemp(join(tmpdir(), "package-"));
    try {
      const hashes: Record<string, string> = {};
      for (const { name, bytes, sha256: told } of files as { name: string; bytes: number; sha256: string }[]) {
        const content = await download(name);
        expect([name, content.length, sha256(content)]).toEqual([name, Number(bytes), told]);
        expect((await download(name)).equals(content)).toBe(true);
        await writeFile(join(folder, name), content);
        hashes[name] = told;
      }
      const { "manifest.json": _itself, ...others } = hashes;
      const named = JSON.parse((await download("manifest.json")).toString()).files as {
        name: string;
        sha256: string;
      }[];
      expect(Object.fromEntries(named.map((file) => [file.name, file.sha256]))).toEqual(others);
      expect(await verified(folder)).toEqual({
        isOk: true,
        said: expect.stringMatching(new RegExp(`^OK: ${monthOf(lastMonth!)}: `)),
      });
      // One digit of an amount is another one.
      const transfers = (await download("transfers.jsonl")).toString();
      const edited = transfers.replace(/("amount":"?\d*)(\d)(?=[".,])/, (_all, start, digit) => {
        return `${start}${(Number(digit) + 1) % 10}`;
      });
      expect(edited).not.toBe(transfers);
      await writeFile(join(folder, "transfers.jsonl"), edited);
      expect((await verified(folder)).isOk).toBe(false);
    } finally {
      await rm(folder, { recursive: true });
    }
    const customer = createEdgeClient(demo.baseUrl, demo.tenants[1]!.host);
    await customer.login(demoUser(demo, "CUSTOMER", { tenant: 1 }));
    const elsewhere = createEdgeClient(demo.baseUrl);
    await elsewhere.login(demoUser(demo, "MANAGER"));
    for (const name of ["manifest.json", "transfers.jsonl"]) {
      expect(outcome(await customer.send("GET", `${path}/${name}`))).toEqual([403, "FORBIDDEN"]);
      expect(outcome(await elsewhere.send("GET", `${path}/${name}`))).toEqual([404, "NOT_FOUND"]);
    }
  });
});
