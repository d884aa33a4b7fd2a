import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { waitFor } from "../support/index.js";
import {
  axeFaults,
  cashier,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  sidewaysPixels,
  signIn,
  type Desk,
} from "./browser.js";
import { completedTransaction } from "./orders.js";
import { approveAs, asUser } from "./parties.js";

jest.setTimeout(180_000);

describe("home and the books", () => {
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

  test("home shows a manager what waits and today's volume, and a cashier the tills", async () => {
    await completedTransaction();
    await signIn(desk, manager(), "/");
    await desk.page.getByRole("table", { name: "Today by corridor" }).getByText("USA → NGA").waitFor();
    await desk.page.getByRole("region", { name: "Screening lists" }).waitFor();
    expect(await axeFaults(desk.page)).toEqual([]);
    await desk.close();
    desk = await openDesk(browser, { width: 390 });
    await signIn(desk, cashier(), "/");
    await desk.page.getByRole("region", { name: "Your open tills" }).waitFor();
    expect(await axeFaults(desk.page)).toEqual([]);
    expect(await sidewaysPixels(desk.page)).toBe(0);
  });

  test("an account leads to its entries and a transfer, the trial balance is even, and the books are verified", async () => {
    const { page } = desk;
    await completedTransaction();
    await signIn(desk, manager(), "/ledger?code=customer_wallet&currency=USD");
    await page.getByRole("table", { name: "Accounts" }).locator("[data-row]").first().click();
    await page.getByRole("region", { name: "Balance at a day" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("table", { name: "Entries" }).locator("[data-row]").first().click();
    const sides = page.getByRole("table", { name: "Entries" }).locator("tbody tr");
    await sides.nth(1).waitFor();
    await page.goto(`${desk.baseUrl}/console/ledger?show=balance`);
    await page.getByRole("region", { name: "USD" }).getByText("Even").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("tab", { name: "Verifications" }).click();
    await page.getByRole("button", { name: "Verify the ledger" }).click();
    await page.getByRole("table", { name: "Verifications" }).locator("[data-row]").first().click();
    await page.getByRole("heading", { name: "Verification", level: 1 }).locator("..").getByText("Passed").waitFor();
    await page.getByText("No fault was found").waitFor();
  });

  test("a settlement is proposed at the desk, approved by another and leads to its transfers", async () => {
    const { page } = desk;
    const [first, second] = [asUser(manager()), asUser(otherManager())];
    const { accountId: bank } = await first.books.openAccount({ code: "own_bank", currency: "USD", name: "Operating" });
    await completedTransaction();
    await signIn(desk, manager(), "/settlements");
    await page.getByRole("button", { name: "Propose a settlement" }).click();
    const dialog = page.getByRole("dialog");
    const type = (label: string, text: string) => dialog.getByLabel(new RegExp(`^${label}`)).fill(text);
    const reference = `WIRE-${Date.now()}`;
    await type("Account", "partner_settlement:operator:NGN");
    await type("Amount", "100.00");
    await dialog.getByLabel(/^Currency/).selectOption("NGN");
    await type("Moved at the bank", "0.07");
    await dialog.getByLabel(/^In currency/).selectOption("USD");
    await type("Bank account", bank);
    await type("Reference", reference);
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Propose a settlement" }).click();
    await page.getByText("It waits for a second person.").waitFor();
    const { items } = await first.books.listSettlements({ status: "PROPOSED" }).page();
    const proposed = items.find((one) => one.reference === reference);
    expect(proposed).toMatchObject({ amount: "100.00", cost: { amount: "0.07", currency: "USD" } });
    const { settlementId = "", approvalId = "" } = proposed ?? {};
    await approveAs(second, approvalId, "The statement says so");
    const isPosted = async () => (await first.books.readSettlement(settlementId)).status === "POSTED";
    await waitFor(isPosted, { timeoutMs: 30_000, what: "the posting" });
    await page.goto(`${desk.baseUrl}/console/settlements?status=POSTED`);
    await page.getByRole("table", { name: "Settlements" }).getByText(reference).click();
    await page.getByRole("heading", { name: reference, level: 1 }).locator("..").getByText("Posted").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/settlement.png`, fullPage: true });
    await page.getByRole("region", { name: "Transfers" }).getByRole("link").first().click();
    await page.getByRole("table", { name: "Entries" }).waitFor();
  });

  test("Previous goes back a page also on a link that was shared, which has no history", async () => {
    const { page } = desk;
    await signIn(desk, manager(), "/ledger");
    const accounts = page.getByRole("table", { name: "Accounts" }).locator("[data-row]");
    const firstOf = async (number: number) => {
      await page.getByText(`Page ${number} ·`).waitFor();
      await page.locator("table[aria-busy=false]").waitFor();
      return accounts.first().textContent();
    };
    const first = await firstOf(1);
    await page.getByRole("button", { name: "Next" }).click();
    const second = await firstOf(2);
    expect(second).not.toBe(first);

    const shared = page.url();
    await page.goto("about:blank");
    await page.goto(shared);
    expect(await firstOf(2)).toBe(second);
    await page.getByRole("button", { name: "Previous" }).click();
    expect(await firstOf(1)).toBe(first);
  });

  test("the transfers of a day are exported as a file", async () => {
    const { page } = desk;
    await signIn(desk, manager(), "/ledger");
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("dialog").getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^ledger-.*\.csv$/);
    expect(readFileSync(await download.path(), "utf8").split("\n")[0]).toContain("transferId");
  });

  test.each(["light", "dark"] as const)(
    "money that waits is clean to axe and fits 390 pixels, %s",
    async (colorScheme) => {
      await desk.close();
      desk = await openDesk(browser, { colorScheme, width: 390 });
      await signIn(desk, manager(), "/money");
      for (const tab of ["Held arrivals", "Payables", "Wallet limits", "Holds"]) {
        await desk.page.getByRole("tab", { name: tab }).click();
        await desk.page.locator(".skeleton").first().waitFor({ state: "detached" });
        expect(await axeFaults(desk.page)).toEqual([]);
        expect(await sidewaysPixels(desk.page)).toBe(0);
      }
    },
  );
});
