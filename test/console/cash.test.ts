import { readFileSync } from "node:fs";
import type { Browser, Locator } from "playwright-core";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import type { Manilla } from "../../sdk/src/index.js";
import { demoUser, readDemo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import {
  agent,
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
import { approveAs, asUser } from "./parties.js";

jest.setTimeout(180_000);

/** The sandbox has its payees checked where they are paid, by the sandbox partner. */
async function payeesAreChecked(): Promise<void> {
  const [first, second] = [manager(), otherManager()].map((one) => asUser(one, true)) as [Manilla, Manilla];
  const { addresses, keys } = readClusterFile(process.env["E2E_DATA_DIR"] ?? "");
  const { apiKey } = JSON.parse(readFileSync(keys.partnerFile, "utf8")) as { apiKey: string };
  const { installationId: id } = await first.plugins.create({
    type: "payee-http",
    name: "Whose account",
    configuration: { url: `http://${addresses["partner"]}` },
    secrets: { apiKey },
  });
  await first.plugins.test(id);
  await waitFor(async () => (await first.plugins.read(id)).lastTest?.hasPassed === true, { what: "the plugin's test" });
  const enabling = await first.plugins.enable(id, { reason: "as agreed" });
  await approveAs(second, enabling.pendingApprovalId ?? "", "agreed");
  const [corridor] = (await first.corridors.list()).filter(
    ({ receivingCountry, sendCurrency }) => receivingCountry === "NGA" && sendCurrency === "USD",
  );
  const { deliveries, ...rest } = corridor!;
  const checked = { type: "ACCOUNTPAYMENT" as const, estimateMinutes: 60, payeeCheck: "AT_TRANSACTION" as const };
  const others = deliveries.filter(({ type }) => type !== "ACCOUNTPAYMENT");
  const body = { ...rest, deliveries: [...others, checked], reason: "names are read" };
  const changed = await first.corridors.put(body as Parameters<typeof first.corridors.put>[0]);
  await approveAs(second, changed.approval?.approvalId ?? "", "agreed");
}

const amina = () => demoUser(readDemo(), "CUSTOMER", { email: "amina" });

async function customerIs(dialog: Locator, sought: string): Promise<void> {
  await dialog.getByLabel(/^Name, phone, document or code/).fill(sought);
  await dialog.getByRole("button", { name: "Find" }).click();
}

/** Before cash moves, the desk reads whose wallet it is. */
async function ownerIs(dialog: Locator, ...texts: readonly string[]): Promise<void> {
  const owner = dialog.getByRole("status");
  for (const text of texts) await owner.getByText(text).waitFor();
}

describe("the cashier's desk", () => {
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

  test("a till is opened, takes cash for a wallet, is counted and closed without a difference", async () => {
    const { page } = desk;
    const { accountId } = amina().wallets!.find(({ currency }) => currency === "KES")!;
    await signIn(desk, cashier(), "/till");
    await page.getByRole("button", { name: "Open a till" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Currency").selectOption("KES");
    await dialog.getByRole("button", { name: "Open a till" }).click();
    const till = page.getByRole("region", { name: "Your till KES" });
    await till.getByRole("button", { name: "Cash in" }).click();
    await customerIs(dialog, "amina belo");
    await dialog.getByRole("button", { name: /^Amina Bello/ }).click();
    await ownerIs(dialog, "Amina Bello", "C-AMINA", "KES");
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByLabel("Amount").fill("150.00");
    await dialog.getByRole("button", { name: "Cash in" }).click();
    await dialog.getByText("It is booked.").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Finished" }).click();
    await till.getByText("150.00").first().waitFor();

    // Above the limit a manager allows it first; the cash is taken by the number afterwards.
    await till.getByRole("button", { name: "Cash in" }).click();
    await customerIs(dialog, "C-AMINA");
    await ownerIs(dialog, "Amina Bello", "C-AMINA", "KES");
    await dialog.getByLabel("Amount").fill("10000.01");
    await dialog.getByRole("button", { name: "Cash in" }).click();
    await dialog.getByText("It waits for a manager.").waitFor();
    const cashInId = (await dialog.locator("span[title]").last().getAttribute("title")) ?? "";
    await dialog.getByRole("button", { name: "Finished" }).click();
    const office = asUser(manager());
    const asked = await office.approvals.list({ kind: "CASH_IN", status: "PENDING" }).toArray({ max: 20 });
    const own = asked.find(({ subject }) => subject === `wallet:${accountId}`);
    await approveAs(office, own?.id ?? "", "agreed");
    await till.getByRole("button", { name: "Approved cash-in" }).click();
    await dialog.getByLabel("Number").fill(cashInId);
    await dialog.getByRole("button", { name: "Cash in" }).click();
    await dialog.getByText("It is booked.").waitFor();
    await dialog.getByRole("button", { name: "Finished" }).click();
    await till.getByText("10,150.01").first().waitFor();

    await till.getByRole("button", { name: "Close" }).click();
    await dialog.getByLabel("Counted").fill("10150.01");
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await till.waitFor({ state: "detached" });
    await page.getByRole("table", { name: "Tills" }).getByText("10,150.01").first().waitFor();
  });

  test("an agent's float takes cash of a managed customer, of nobody else, and goes back counted", async () => {
    const { page } = desk;
    // Nothing is set of how they sell.
    desk.expectRefusals(403, 404);
    await signIn(desk, agent());
    const menu = page.getByRole("navigation", { name: "Main navigation" });
    await menu.getByRole("link", { name: "My float" }).click();
    expect(await page.getByRole("link", { name: "Send money" }).count()).toBe(0);
    await page.getByRole("button", { name: "Open a till" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Currency").selectOption("USD");
    await dialog.getByLabel("Float").fill("100.00");
    await dialog.getByRole("button", { name: "Open a till" }).click();
    const float = page.getByRole("region", { name: "My float USD" });
    await float.getByRole("button", { name: "Cash in" }).click();
    await customerIs(dialog, "C-KOFI");
    await dialog.getByText("Nobody was found.").waitFor();
    await customerIs(dialog, "C-AMINA");
    await ownerIs(dialog, "Amina Bello", "C-AMINA", "USD");
    await dialog.getByLabel("Amount").fill("25.00");
    await dialog.getByRole("button", { name: "Cash in" }).click();
    await dialog.getByText("It is booked.").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Finished" }).click();
    await float.getByText("125.00").first().waitFor();
    await float.getByRole("button", { name: "Close" }).click();
    await dialog.getByLabel("Counted").fill("125.00");
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await float.waitFor({ state: "detached" });
  });

  test("money is sent for a customer at the desk, at the price of the quote", async () => {
    const { page } = desk;
    await signIn(desk, cashier(), "/send");
    await page.getByLabel("Customer code or phone number").fill("C-AMINA");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("combobox", { name: "To", exact: true }).selectOption({ label: "NGA · USD → NGN" });
    await page.getByRole("combobox", { name: "Delivery" }).selectOption("ACCOUNTPAYMENT");
    await page
      .getByLabel(/^Amount/)
      .last()
      .fill("20.00");
    await page.getByRole("button", { name: "Get a quote" }).click();
    await page.getByText("The price holds for").waitFor();
    await page.getByLabel("Recipient’s code").fill("B-AMINA-NG");
    await page.getByLabel("Bank code").fill("011");
    await page.getByLabel("Account number or IBAN").fill("3001234560");
    await page.getByLabel("Account holder").fill("Chidi Okafor");
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Create the transaction" }).click();
    await page.getByRole("region", { name: "Payment" }).waitFor();
    await page
      .getByRole("region", { name: /^Transaction / })
      .getByText("Awaiting payment")
      .waitFor();
  });

  test("an account in another name is used once its name was read and the desk says so", async () => {
    const { page } = desk;
    await payeesAreChecked();
    desk.expectRefusals(409);
    await page.addInitScript(() => sessionStorage.setItem("manilla.sandbox", "1"));
    await signIn(desk, cashier(), "/send");
    await page.getByLabel("Customer code or phone number").fill("C-AMINA");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("combobox", { name: "To", exact: true }).selectOption({ label: "NGA · USD → NGN" });
    await page.getByRole("combobox", { name: "Delivery" }).selectOption("ACCOUNTPAYMENT");
    await page
      .getByLabel(/^Amount/)
      .last()
      .fill("20.00");
    await page.getByRole("button", { name: "Get a quote" }).click();
    await page.getByLabel("Recipient’s code").fill("B-AMINA-NG");
    await page.getByLabel("Bank code").fill("011");
    await page.getByLabel("Account number or IBAN").fill("3001234560");
    // The sandbox partner's account is in the name without its last word.
    await page.getByLabel("Account holder").fill("Chidi Differs");
    await page.getByRole("button", { name: "Create the transaction" }).click();
    await page.getByText("The account is in the name of Chidi.").waitFor();
    await page.getByText("The account is in another name, but a close one.").waitFor();
    // How a program goes on is nothing for a desk.
    expect(await page.getByText(/idempotency|payeeCheckId/).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Use anyway" }).click();
    await page
      .getByRole("region", { name: /^Transaction / })
      .getByText("Awaiting payment")
      .waitFor();
  });

  test.each([1280, 1024])("nothing of the tills is cut off at %i pixels, of which one is short", async (width) => {
    const api = asUser(cashier());
    const short = await api.cash.openTill({ currency: "KES", float: "1000.00" });
    await api.cash.closeTill(short.tillId, { counted: "900.00", reason: "miscounted" });
    await desk.close();
    desk = await openDesk(browser, { width, height: 800 });
    await signIn(desk, manager(), "/cash");
    await desk.page.getByRole("table", { name: "Tills" }).getByText("Difference").first().waitFor();
    const cutOff = `[...document.querySelectorAll(".table")].map(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth - clientWidth)`;
    expect(await desk.page.evaluate(cutOff)).toEqual([0]);
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("a manager's view of cash is clean to axe and fits, %s at %i pixels", async (colorScheme, width) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width });
    await signIn(desk, manager(), "/cash");
    await desk.page.getByRole("tab", { name: "Limits" }).click();
    await desk.page.getByRole("button", { name: "New limit" }).click();
    await desk.page.getByRole("dialog").waitFor();
    expect(await axeFaults(desk.page)).toEqual([]);
    expect(await sidewaysPixels(desk.page)).toBe(0);
  });
});
