import type { Browser } from "playwright-core";
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
import { amina, approveAs, asUser, walletOf } from "./parties.js";

jest.setTimeout(180_000);

/** An application that staff have to decide: the product is not approved at once. */
async function appliedFor(purpose: string): Promise<string> {
  const applied = await asUser(amina()).loans.apply({
    productId: "salary-advance",
    amount: "60.00",
    instalments: 3,
    purpose,
  });
  return applied.loanApplicationId;
}

describe("loans at the desk", () => {
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

  test("are approved with a reason, paid out by two persons, paused and resumed", async () => {
    desk.expectRefusals(400, 422);
    const { page } = desk;
    const id = await appliedFor("a journey of the desk");
    await signIn(desk, manager(), "/loans?status=SUBMITTED");
    await page
      .getByRole("row", { name: /a journey of the desk/ })
      .first()
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve the application" });
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.getByText("Is required").waitFor();
    await dialog.getByLabel("Reason").fill("income is proven");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await page.getByText("The application is approved.").waitFor();

    await asUser(amina()).loans.acceptOffer(id, { walletAccountId: walletOf(amina(), "USD") });
    await page.reload();
    await page.getByRole("button", { name: "Pay out" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("accepted");
    await page.getByRole("dialog").getByRole("button", { name: "Pay out" }).click();
    await page.getByText("The payout waits for a second person.").waitFor();
    const other = asUser(otherManager());
    const waiting = await other.approvals.list({ status: "PENDING" }).toArray({ max: 200 });
    const approval = waiting.find(({ subject }) => subject === `loan-application:${id}`);
    await approveAs(other, approval?.id ?? "", "checked");
    await page.getByRole("heading", { name: "Loan: Salary advance" }).waitFor();
    await page.getByRole("region", { name: "Delinquency" }).getByText("Running").waitFor();
    expect(await page.getByRole("table", { name: "Schedule" }).locator("tbody tr").count()).toBe(3);

    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    const pause = page.getByRole("dialog", { name: "Pause the delinquency" });
    await pause.getByLabel("From").fill("2099-01-01");
    await pause.getByLabel("Reason").fill("illness");
    await pause.getByRole("button", { name: "Pause" }).click();
    await pause.getByText("must not be in the future").waitFor();
    expect(await pause.getByLabel("From").getAttribute("aria-invalid")).toBe("true");
    await pause.getByLabel("From").fill("");
    await pause.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("region", { name: "Delinquency" }).getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByRole("region", { name: "Delinquency" }).getByText("Running").waitFor();
  });

  test("applications are rejected with a reason, which is then shown", async () => {
    const { page } = desk;
    const id = await appliedFor("to be rejected");
    await signIn(desk, manager(), `/loans/${id}`);
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("too many loans");
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByRole("region", { name: "Application" }).getByText("too many loans").waitFor();
    await page.getByRole("button", { name: "Reject" }).waitFor({ state: "detached" });
  });

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("every page is clean to axe and fits, %s at %i pixels", async (colorScheme, width) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width });
    const { page, baseUrl } = desk;
    await signIn(desk, manager(), "/loans");
    await page.locator("[data-row]").first().waitFor();
    const loan = await page.locator("[data-row]").first().getAttribute("href");
    const pages = [
      ["/loans", "Loans"],
      [(loan ?? "").replace(/^\/console/, ""), /^Loan: /],
      ["/loan-repayments", "Loan repayments"],
      ["/loan-products", "Loan products"],
      ["/loan-products?show=calendar", "Loan products"],
      ["/loan-products?show=accrual", "Loan products"],
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
