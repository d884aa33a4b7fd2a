import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import {
  axeFaults,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  sidewaysPixels,
  signIn,
  type Desk,
} from "./browser.js";
import { liveAMonth } from "../../deploy/demo/month/month.js";
import { month } from "../../deploy/demo/month/plan.js";
import { decimal } from "../../sdk/src/index.js";
import { waitFor } from "../support/index.js";
import { amina, approveAs, asUser } from "./parties.js";

jest.setTimeout(180_000);

const shoot = async (page: Page, name: string) => {
  if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/${name}.png`, fullPage: true });
};

// In this order: the month is lived in a sandbox that nobody has used.
describe("the books", () => {
  let browser: Browser;
  let desk: Desk;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    desk = await openDesk(browser);
  });
  afterEach(async () => {
    await desk.close();
    expect({ complaints: desk.complaints, foreign: [...desk.foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(() => browser?.close());

  const inSandbox = async (path: string, user = manager()) => {
    await desk.page.addInitScript("sessionStorage.setItem('manilla.sandbox', '1')");
    await signIn(desk, user, path);
  };
  const sandboxed = { asker: asUser(manager(), true), other: asUser(otherManager(), true) };

  test("the sandbox's month has positions, partners that are paid, and a day that is closed; it is made once", async () => {
    const said: string[] = [];
    const { email: _email, password, customerCode = "" } = amina();
    const people = {
      manager: sandboxed.asker,
      other: sandboxed.other,
      customer: asUser(amina(), true),
      customerCode,
      password,
    };
    const plan = { ...month, stretches: 1, settledIn: new Set([0]), rentIn: 0, closedDays: 1 };
    await liveAMonth(people, (line) => said.push(line), plan);
    expect(said).toEqual(["3 days", expect.stringMatching(/^\d{4}-\d{2}-\d{2} is closed$/)]);
    await liveAMonth(people, (line) => said.push(line), plan);
    expect(said.slice(2)).toEqual(["the sandbox has its month, or somebody uses it"]);
    const { page } = desk;
    await inSandbox("/positions");
    const naira = page.getByRole("table", { name: "Positions" }).getByRole("row").filter({ hasText: "NGN" });
    // 40.00 USD came in for what cost 39.76 at the bank.
    await naira.getByText("0.24").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "positions");
    await naira.getByRole("link").click();
    await page.getByRole("table", { name: "Accounts" }).locator("[data-row]").first().click();
    await page.getByRole("table", { name: "Entries" }).locator("[data-row]").first().waitFor();
    const payout = page.getByRole("table", { name: "Entries" }).getByRole("row").filter({ hasText: "Payout of" });
    await payout.first().getByRole("link").click();
    await page.getByRole("link", { name: /^Transaction MN/ }).click();
    await page.getByRole("table", { name: "Transactions" }).locator("[data-row]").first().waitFor();
    await page.goto(`${desk.baseUrl}/console/positions`);
    await page.getByRole("table", { name: "Positions" }).locator("[data-row]").first().waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    await page.goto(`${desk.baseUrl}/console/ledger?show=mapping`);
    await page.getByRole("button", { name: "Change the own chart" }).click();
    await page.getByLabel("Own account of fee_income").fill("4000");
    await page.getByRole("button", { name: "Put a new version" }).click();
    const own = page.getByRole("region", { name: "Own chart, version 1" });
    // What has moved money and has no account is named.
    await own.getByRole("alert").getByText("exchange_position").waitFor();
    expect(await own.getByRole("alert").getByText("fee_income").count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "mapping");
    await page.getByRole("button", { name: "Change the own chart" }).click();
    const accounts = page.getByLabel(/^Own account of /);
    for (let index = 0; index < (await accounts.count()); index += 1)
      await accounts.nth(index).fill(String(4_000 + index));
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "mapping-change");
    await page.getByRole("button", { name: "Put a new version" }).click();
    await page.getByRole("region", { name: "Own chart, version 2" }).getByText("4001").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("combobox", { name: "Version" }).selectOption("1");
    await own.getByRole("alert").waitFor();
    await page.goto(`${desk.baseUrl}/console/ledger?show=chart`);
    await page.getByRole("button", { name: "Open an account" }).click();
    await page.getByRole("dialog").getByLabel(/^Name/).fill("Citi reserve");
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Open an account" }).click();
    await page.getByRole("heading", { name: "own_bank:citi-reserve:USD", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Now" }).getByText("Debit", { exact: true }).waitFor();
  });

  test("a day is closed once nothing is missing, its files are the bytes of their hashes, and it is opened again", async () => {
    const { page } = desk;
    const { asker, other } = sandboxed;
    await asker.organisation.advanceBusinessDate({ days: 2 });
    const { closable } = await asker.books.readPeriods();
    const day = closable[0] ?? "";
    const { unrevaluedDays } = await asker.books.readPositions();
    if (unrevaluedDays.includes(day)) await asker.books.revaluePositions({ day });
    const [bank, funds] = ["bank_fees:USD", "own_funds:USD"];
    const { approvalId = "" } = await asker.books.writeJournal({
      lines: [
        { accountId: bank, side: "DEBIT", amount: decimal("12.00"), currency: "USD" },
        { accountId: funds, side: "CREDIT", amount: decimal("12.00"), currency: "USD" },
      ],
      reason: "Paid in cash",
      valueDate: day,
    });

    await inSandbox("/close");
    const missing = page.getByRole("table", { name: "What is missing" });
    await missing
      .getByRole("row")
      .filter({ hasText: "Journals that are not posted" })
      .getByText("1", { exact: true })
      .waitFor();
    expect(await page.getByRole("button", { name: /^Close / }).isDisabled()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "close");
    await approveAs(other, approvalId, "seen");
    const isComplete = async () => {
      await page.getByRole("button", { name: "Look again" }).click();
      return page.getByText("Nothing is missing.").isVisible();
    };
    await waitFor(isComplete, { timeoutMs: 30_000, what: "the end of what is missing" });
    await page.getByRole("button", { name: /^Close / }).click();
    expect(await axeFaults(page)).toEqual([]);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Close \d/ })
      .click();

    const files = page.getByRole("table", { name: "Files of the package" });
    for (const name of ["trial-balance.csv", "manifest.json"]) {
      const row = files.getByRole("row").filter({ hasText: name });
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        row.getByRole("button", { name: "Save" }).click(),
      ]);
      const hash = createHash("sha256")
        .update(readFileSync(await download.path()))
        .digest("hex");
      await row.getByText(hash).waitFor();
    }
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "closing");
    await page.getByRole("button", { name: "Ask to open again" }).click();
    await page.getByLabel("Reason").fill("A cost came late");
    await page.getByRole("dialog").getByRole("button", { name: "Ask to open again" }).click();
    await page.getByText("Another manager was asked.").waitFor();
    const { items } = await other.approvals.list({ status: "PENDING" }).page();
    await approveAs(other, items.find(({ kind }) => kind === "PERIOD_REOPENING")?.id ?? "", "seen");
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Superseded").waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await sidewaysPixels(page)).toBe(0);
  });

  test("a journal shows both sides before it is sent, is posted by a second person, and taken back", async () => {
    const { page } = desk;
    const [asker, other] = [asUser(manager()), asUser(otherManager())];
    const reason = `Rent of ${Date.now()}`;
    await signIn(desk, manager(), "/journals");
    await page.getByRole("button", { name: "Write a journal" }).click();
    const line = (number: number) => page.getByRole("group", { name: `Line ${number}` });
    await page.getByLabel(/^Reason/).fill(reason);
    await line(1)
      .getByLabel(/^Account/)
      .fill("bank_fees");
    await line(1).locator("datalist option[value='bank_fees:USD']").waitFor({ state: "attached" });
    await line(1)
      .getByLabel(/^Account/)
      .fill("bank_fees:USD");
    await line(1)
      .getByLabel(/^Debit/)
      .fill("12.00");
    await line(2)
      .getByLabel(/^Account/)
      .fill("own_funds:USD");
    await line(2)
      .getByLabel(/^Credit/)
      .fill("11.99");
    const sides = page.getByRole("table", { name: "Both sides" });
    await sides.getByText("0.01 more debits").waitFor();
    const send = page.getByRole("button", { name: "Write a journal" });
    expect(await send.isDisabled()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "journal-write");
    await page.getByRole("button", { name: "Add a line of 0.01 USD" }).click();
    await line(3)
      .getByLabel(/^Account/)
      .fill("own_funds:USD");
    await sides.getByText("Even").waitFor();
    await page
      .getByLabel(/^Attachment/)
      .setInputFiles({ name: "rent.txt", mimeType: "text/plain", buffer: Buffer.from("12.00") });
    await send.click();
    await page.getByText("It waits for a second person.").waitFor();
    await page.getByRole("heading", { name: reason, level: 1 }).waitFor();
    const { items } = await asker.books.listJournals({ status: "PROPOSED" }).page();
    await approveAs(other, items.find((one) => one.reason === reason)?.approvalId ?? "", "seen");
    await page.getByRole("heading", { name: reason }).locator("..").getByText("Posted").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "journal");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save rent.txt" }).click(),
    ]);
    expect(readFileSync(await download.path(), "utf8")).toBe("12.00");
    await page.getByRole("button", { name: "Reverse" }).click();
    await page.getByLabel("Reason").fill("The wrong month");
    await page.getByRole("dialog").getByRole("button", { name: "Reverse" }).click();
    await page.getByText("Takes back").waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await sidewaysPixels(page)).toBe(0);
  });

  test("the month is drawn over time, a file of it is made and saved, and partners say what they hold", async () => {
    const { page } = desk;
    await inSandbox("/reports?tab=figures");
    await page.getByRole("combobox", { name: "Currencies" }).selectOption({ label: "USD \u2192 NGN" });
    await page.getByRole("figure", { name: "Transactions" }).locator("svg").first().waitFor();
    const figures = page.getByRole("table", { name: "Figures" });
    await figures.getByRole("row").filter({ hasText: "40.00" }).first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, "figures");
    await page.getByRole("combobox", { name: "Report" }).selectOption("success");
    await page.getByRole("figure", { name: "From paid to available (s)" }).locator("svg").first().waitFor();

    const { asker, other } = sandboxed;
    const { settlement } = await asker.books.proposeSettlement({
      kind: "PARTNER",
      accountId: "partner_settlement:operator:NGN",
      amount: decimal("100.00"),
      currency: "NGN",
      cost: { amount: decimal("0.10"), currency: "USD" },
      fee: decimal("0.02"),
      bankAccountId: "own_bank:citi-reserve:USD",
      valueDate: (await asker.books.readPeriods()).today,
      reference: "WIRE-FEE",
      prefund: true,
    });
    await approveAs(other, settlement.approvalId ?? "", "seen");
    const isPosted = async () => (await asker.books.readSettlement(settlement.settlementId)).status === "POSTED";
    await waitFor(isPosted, { timeoutMs: 30_000, what: "the settlement" });
    for (const [report, chart] of [
      ["result", "Earned and spent (USD)"],
      ["partner-costs", "Kept of settlements, by partner (USD)"],
    ]) {
      await page.getByRole("combobox", { name: "Report" }).selectOption(report!);
      await page.getByRole("figure", { name: chart! }).locator("svg").first().waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await shoot(page, `figures-${report}`);
    }

    await page.getByRole("tab", { name: "Files" }).click();
    await page.getByRole("button", { name: "Ask for a file" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Ask for a file" }).click();
    const file = page.getByRole("table", { name: "Files" }).getByRole("row").filter({ hasText: "CSV" }).first();
    await file.getByText("Done").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      file.getByRole("button", { name: "Save the file" }).click(),
    ]);
    const hash = createHash("sha256")
      .update(readFileSync(await download.path()))
      .digest("hex");
    await file.getByTitle(hash).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.goto(`${desk.baseUrl}/console/positions?show=partners&code=partner_settlement`);
    const row = page.getByRole("table", { name: "Partners" }).getByRole("row").filter({ hasText: "NGN" });
    await row.getByRole("button", { name: /^Alarm of/ }).click();
    await page
      .getByRole("dialog")
      .getByLabel(/^Alarm below/)
      .fill("-20,000.00");
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Set the alarm" }).click();
    await row.getByText("\u221220,000.00").waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await sidewaysPixels(page)).toBe(0);
  });
});
