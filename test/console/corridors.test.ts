import { randomUUID } from "node:crypto";
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
import { approveAs, asUser } from "./parties.js";

jest.setTimeout(180_000);

/** From and to, for a corridor in euros that is not there yet. */
async function freePair(): Promise<[from: string, to: string]> {
  const api = asUser(manager());
  const [{ countries }, corridors] = await Promise.all([api.organisation.fetchPreference(), api.corridors.list()]);
  const isFree = (from: string, to: string) =>
    !corridors.some(
      (each) => each.originCountry === from && each.receivingCountry === to && each.sendCurrency === "EUR",
    );
  const pairs = countries.flatMap((from) => countries.map((to) => [from, to] as [string, string]));
  const free = pairs.find(([from, to]) => from !== to && isFree(from, to));
  if (!free) throw new Error("every pair of countries has a corridor in euros");
  return free;
}

describe("corridors, rates and payout points at the desk", () => {
  let browser: Browser;
  let desk: Desk;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    desk = await openDesk(browser);
  });
  afterEach(async () => {
    const { complaints, foreign } = desk;
    await desk.close();
    expect({ complaints, foreign: [...foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(() => browser?.close());

  test("a corridor takes two persons, and its history tells what a change of a fee changed", async () => {
    const { page, baseUrl } = desk;
    // Faulty terms are refused.
    desk.expectRefusals(400);
    const [from, to] = await freePair();
    await signIn(desk, manager(), "/corridors");
    await page.getByRole("button", { name: "New corridor" }).click();
    const dialog = page.getByRole("dialog", { name: "New corridor" });
    await dialog.getByLabel("From country").fill(from);
    await dialog.getByLabel("Sends").selectOption("EUR");
    await dialog.getByLabel("To country").fill(to);
    await dialog.getByLabel("Receives").selectOption("NGN");
    await dialog.getByRole("group", { name: "Delivery" }).getByLabel("Bank account").check();
    const limits = dialog.getByRole("group", { name: "Limits" });
    await limits.getByLabel("Least amount").fill("1.00");
    await limits.getByLabel("Largest amount").fill("1,000.00");
    await dialog.getByLabel("Name").fill("Transfer fee");
    await dialog.getByLabel("Fixed").fill("2.00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The change waits for a second person.").waitFor();
    const other = asUser(otherManager());
    const waiting = await other.approvals.list({ status: "PENDING" }).toArray({ max: 200 });
    const approval = waiting.find(({ summary }) => summary.startsWith(`${from}-EUR-${to}-NGN`));
    await approveAs(other, approval?.id ?? "", "agreed");

    await page.goto(`${baseUrl}/console/corridors/${from}-EUR-${to}-NGN`);
    await page.getByRole("button", { name: "Change" }).click();
    await changeTerms(page);
    await page
      .getByRole("region", { name: "Delivery" })
      .getByRole("row", { name: /Bank account.*45/ })
      .waitFor();
    await page.getByRole("region", { name: "Fees" }).getByText("from 500.00: 1.00 + 25 bps").waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByRole("dialog").getByLabel("Fixed").first().fill("1.50");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The corridor is changed.").waitFor();
    const change = page.getByRole("region", { name: "History" }).getByRole("row", { name: /fees 1 fixed/ });
    await change.getByText("2.00", { exact: true }).waitFor();
    await change.getByText("1.50", { exact: true }).waitFor();
  });

  /**
   * In the open form: a time of the delivery and a second tier, whose
   * faults stand beside their fields.
   */
  async function changeTerms(page: Page): Promise<void> {
    const dialog = page.getByRole("dialog");
    const delivery = dialog.getByRole("group", { name: "Bank account" });
    await delivery.getByLabel("Minutes").fill("99999");
    for (const [tier, from] of [
      ["Tier 1", "500.00"],
      ["Tier 2", "400.00"],
    ] as const) {
      await dialog.getByRole("button", { name: "Add a tier" }).click();
      const fields = dialog.getByRole("group", { name: tier });
      await fields.getByLabel(`${tier}, from`).fill(from);
      await fields.getByLabel("Fixed").fill("1.00");
      await fields.getByLabel("Basis points").fill("25");
    }
    await dialog.getByRole("button", { name: "Save" }).click();
    await delivery.getByText("must be").waitFor();
    await delivery.getByLabel("Minutes").fill("45");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("group", { name: "Tier 2" }).getByText("must be above that of the tier before").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove tier 2" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The corridor is changed.").waitFor();
    await page.getByText("The corridor is changed.").waitFor({ state: "detached" });
  }

  test("a CSV file is tried first: faults stand by line, and nothing is changed until it is loaded", async () => {
    const { page } = desk;
    const code = `T-${randomUUID().slice(0, 8)}`.toUpperCase();
    const csv = [
      "code,name,type,country,currency,maximumAmount",
      `${code},Bank of the test,BANK,NGA,NGN,5000000.00`,
      `${code}-2,Bad bank,BANK,NGA,NGN,much`,
    ].join("\n");
    await signIn(desk, manager(), "/payout-points?tradeOriginatingCountry=USA&destinationCountry=NGA");
    await page.getByRole("table", { name: "Payout points" }).waitFor();
    await page.getByRole("button", { name: "Load CSV" }).click();
    const dialog = page.getByRole("dialog", { name: "Load CSV" });
    await dialog.getByLabel("Content").fill(csv);
    await dialog.getByRole("button", { name: "Try it" }).click();
    await dialog.getByRole("heading", { name: "Tried: nothing is changed" }).waitFor();
    const fault = dialog.getByRole("table", { name: "Faulty lines" }).locator("tbody tr");
    expect(await fault.count()).toBe(1);
    expect(await fault.textContent()).toMatch(/^3maximumAmount/);
    await dialog.getByRole("button", { name: "Load", exact: true }).click();
    await dialog.getByRole("heading", { name: "Loaded" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await page.getByText(code, { exact: true }).waitFor();
    expect(await page.getByText(`${code}-2`).count()).toBe(0);
  });

  test("a rate is put with all its digits, and the pair has a chart", async () => {
    const { page } = desk;
    await signIn(desk, manager(), "/rates?sendCurrency=KES&receivingCurrency=EUR");
    for (const rate of ["0.00712345678901", "0.00698765432109"]) {
      await page.getByRole("button", { name: "Put a rate" }).click();
      const dialog = page.getByRole("dialog", { name: "Put a rate" });
      await dialog.getByLabel("Rate").fill(rate);
      await dialog.getByLabel("Source").fill("desk");
      await dialog.getByRole("button", { name: "Put", exact: true }).click();
      await page.getByRole("region", { name: "Holds now" }).getByText(rate).waitFor();
    }
    await page.getByRole("img", { name: /rates, between/ }).waitFor();
  });

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("every page is clean to axe and fits, %s at %i pixels", async (colorScheme, width) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width });
    const { page, baseUrl } = desk;
    await signIn(desk, manager(), "/corridors");
    const pages = [
      ["/corridors", "Corridors"],
      ["/corridors/USA-USD-NGA-NGN", "USA USD → NGA NGN"],
      ["/rates?sendCurrency=KES&receivingCurrency=EUR", "Rates"],
      ["/promotions", "Promotions"],
      ["/payout-points?tradeOriginatingCountry=USA&destinationCountry=NGA", "Payout points"],
      ["/payout-points?show=branches", "Payout points"],
    ] as const;
    for (const [path, name] of pages) {
      await page.goto(`${baseUrl}/console${path}`);
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      expect(await axeFaults(page)).toEqual([]);
      expect(await sidewaysPixels(page)).toBe(0);
    }
  });
});
