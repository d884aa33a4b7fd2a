import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { axeFaults, manager, openBrowser, openDesk, sidewaysPixels, signIn, type Desk } from "./browser.js";
import { amina, asUser, customerIdOf, walletOf } from "./parties.js";

jest.setTimeout(180_000);

const eurProduct = { currency: "EUR", unitPrice: "1.00" } as const;

/** A holding of a product that this test alone sells. */
async function boughtHolding(): Promise<{ holdingId: string; productId: string }> {
  const productId = randomUUID();
  await asUser(manager()).investments.putProduct(productId, {
    ...eurProduct,
    name: `Note ${productId.slice(0, 8)}`,
    unitsOffered: 1_000,
    tiers: [{ from: "0", ratePercent: "5" }],
    compounding: "NONE",
    dayCount: "ACT_365",
    termMonths: 12,
    payout: "AT_MATURITY",
  });
  const bought = await asUser(amina()).investments.apply({
    investmentProductId: productId,
    numberOfUnitsToPurchase: 7,
    userWalletId: walletOf(amina(), "EUR"),
    customerId: customerIdOf(amina()),
    customerName: amina().name ?? "",
  });
  if (bought.holdingId === undefined) throw new Error(`the application is ${bought.status}`);
  return { holdingId: bought.holdingId, productId };
}

describe("investments at the desk", () => {
  let browser: Browser;
  let desk: Desk;
  let held: Awaited<ReturnType<typeof boughtHolding>>;
  beforeAll(async () => {
    [browser, held] = await Promise.all([openBrowser(), boughtHolding()]);
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

  test("a product is made once and changed, and shows the units that are left", async () => {
    desk.expectRefusals(400);
    const { page } = desk;
    const name = `Desk note ${randomUUID().slice(0, 8)}`;
    await signIn(desk, manager(), "/investment-products");
    await page.getByRole("button", { name: "New product" }).click();
    const dialog = page.getByRole("dialog", { name: "New product" });
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Unit price").fill("12.50");
    await dialog.getByLabel("Units offered").fill("2000");
    await dialog.getByLabel("Percent a year, rate 1").fill("4.125");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("AT_MATURITY needs a term").waitFor();
    await dialog.getByLabel("Months").fill("12");
    await dialog.getByRole("button", { name: "Save" }).dblclick();
    await page.getByText("The product is there.").waitFor();
    expect(
      (await asUser(manager()).investments.listProducts().toArray({ max: 500 })).filter((each) => each.name === name),
    ).toHaveLength(1);

    await page.goto(`${desk.baseUrl}/console/investment-products/${held.productId}`);
    await page.getByRole("region", { name: "Units" }).getByText("993").waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByRole("dialog").getByLabel("Status").selectOption("CLOSED");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The product has a new version.").waitFor();
    const after = await asUser(manager()).investments.readProduct(held.productId);
    expect(after).toMatchObject({ status: "CLOSED", version: 2, unitPrice: "1.00", tiers: [{ ratePercent: "5" }] });
  });

  test("a customer's holdings lead to their statement", async () => {
    const { page } = desk;
    await signIn(desk, manager(), `/investments?show=holdings&customerId=${customerIdOf(amina())}`);
    await page.locator(`[href$="${held.holdingId}"]`).click();
    const statement = page.getByRole("table", { name: "Statement" });
    await statement.getByText("Purchase").waitFor();
    await statement.getByText("7.00").first().waitFor();
  });

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("every page is clean to axe and fits, %s at %i pixels", async (colorScheme, width) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width });
    const { page, baseUrl } = desk;
    await signIn(desk, manager(), "/investments");
    const pages = [
      ["/investments", "Investments"],
      [`/investments/${held.holdingId}`, /^Holding: /],
      ["/investment-products", "Investment products"],
      [`/investment-products/${held.productId}`, /^Product: /],
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
