import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { axeFaults, cashier, manager, openBrowser, openDesk, sidewaysPixels, signIn, type Desk } from "./browser.js";
import { completedTransaction } from "./orders.js";

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
