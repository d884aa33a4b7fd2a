import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { byCode, findBookCheckers, minorOf, trialBalanceOf } from "../../../test/support/book-checkers.js";
import { createClosedBooks, verified } from "../../../test/support/closed-books.js";
import { createFullYear } from "../../../test/support/closed-year.js";

const checkers = findBookCheckers();
const withCheckers = checkers === undefined ? describe.skip : describe;

jest.setTimeout(120_000);

const withoutZeros = (sums: Map<string, bigint>) => new Map([...sums].filter(([, minor]) => minor !== 0n));

withCheckers("books of a year with all that they can hold", () => {
  let books: Awaited<ReturnType<typeof createClosedBooks>>;
  let tenant: Awaited<ReturnType<typeof createFullYear>>;
  let [year, day, month] = ["", "", ""];

  beforeAll(async () => {
    books = await createClosedBooks("ledger_checkers", "2026-12-28T12:00:00Z");
    tenant = await createFullYear(books);
    books.clock.at = Date.parse("2027-01-01T12:00:00Z");
    const { number } = await books.close(tenant, "2026");
    year = await books.download(tenant, number);
    await books.move(tenant, "new-year");
    books.clock.at = Date.parse("2027-02-01T12:00:00Z");
    await books.putMapping(tenant);
    day = await books.download(tenant, (await books.close(tenant, "2027-01-01")).number);
    month = await books.download(tenant, (await books.close(tenant, "2027-01")).number);
  });
  afterAll(() => books.stop());

  test.each([
    ["a year with its end", () => year, "2026-12-31"],
    ["the day after it, which opens with its balances", () => day, "2027-01-01"],
    ["the month of that day, by the tenant's own chart", () => month, "2027-01-31"],
  ])("%s pass bean-check and hledger check, and come to the trial balance", async (_what, folderOf, last) => {
    const folder = folderOf();
    const { beancount, hledger } = checkers!;
    const [inBeancount, inHledger] = [join(folder, "books.beancount"), join(folder, "books.journal")];
    const said = [await verified(folder), await beancount.faults(inBeancount), await hledger.faults(inHledger)];
    expect(said).toEqual([{ isOk: true, said: expect.stringMatching(/^OK: /) }, "", ""]);
    const expected = await trialBalanceOf(folder);
    expect(expected.size).toBeGreaterThan(10);
    const balances = await beancount.balances(inBeancount, last);
    expect(await byCode(folder, balances)).toEqual(expected);
    expect(minorOf(await hledger.balances(inHledger, last))).toEqual(minorOf(balances));
    // Accounts that never moved are in the ledger's, and not in the package's.
    expect(withoutZeros(await books.trialBalance(tenant, last))).toEqual(withoutZeros(expected));
  });

  test("at a year's end fees and results are earnings that its owners keep", async () => {
    const found = await trialBalanceOf(year);
    const of = ["retained_earnings", "fee_income", "card_fees", "fx_result"].map((code) => found.get(`${code} USD`));
    // Fees of 2.50 and 0.60 won on naira, less 3.20 of an acquirer and 12.00 of a bank.
    expect(of).toEqual([12_10n, 0n, 0n, 0n]);
    expect(found.get("retained_earnings KWD")).toBe(1_005n);
  });

  test("a minor unit more in one posting is found by both", async () => {
    const { beancount, hledger } = checkers!;
    for (const [file, faults] of [
      ["books.beancount", beancount.faults],
      ["books.journal", hledger.faults],
    ] as const) {
      const whole = await readFile(join(day, file), "utf8");
      const edited = join(day, `edited.${file}`);
      await writeFile(edited, whole.replaceAll(/(\s-?)1\.50 USD/g, "$11.51 USD"));
      expect(await faults(edited)).toMatch(/[Bb]alance/);
    }
  });
});
