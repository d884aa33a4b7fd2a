import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
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
import { orderedAbove, orderedTransaction } from "./orders.js";
import { approveAs, asUser } from "./parties.js";

jest.setTimeout(60_000);

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
];

/** A desk that is worked by keys alone: it counts those that decide something. */
function keysOf(page: Page) {
  let decided = 0;
  return {
    type: (text: string) => page.keyboard.type(text),
    async enter() {
      decided += 1;
      await page.keyboard.press("Enter");
    },
    decided: () => decided,
  };
}

const isFocused = (page: Page, label: RegExp) =>
  waitFor(() => page.getByLabel(label).evaluate((field) => field === field.ownerDocument.activeElement), {
    what: `the focus on ${label}`,
  });

describe("the counter", () => {
  let browser: Browser;
  let desk: Desk;
  beforeAll(async () => {
    browser = await openBrowser();
    await asUser(cashier()).cash.openTill({ currency: "USD", float: "200.00" });
  });
  beforeEach(async () => {
    desk = await openDesk(browser, sizes[0]);
  });
  afterEach(async () => {
    await desk.close();
    expect({ complaints: desk.complaints, foreign: [...desk.foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(async () => {
    await browser?.close();
    const { userId } = (await asUser(cashier()).people.readProfile()).user;
    // As the books have it: a cashier who counts right leaves nothing to decide.
    const open = await asUser(manager()).cash.listTills({ open: "true" }).toArray({ max: 50 });
    const till = open.find(({ currency, cashierId }) => currency === "USD" && cashierId === userId);
    await asUser(cashier()).cash.closeTill(till!.tillId, { counted: till!.expected! });
  });

  test("a transfer of a known customer is sold by six keys that decide, over a reload, and comes back in cash", async () => {
    const { page } = desk;
    const keys = keysOf(page);
    desk.expectRefusals(422);
    await signIn(desk, cashier(), "/counter");
    await isFocused(page, /^Name, phone, document or code/);
    await keys.type("amena belo");
    await keys.enter();
    await page
      .getByRole("list", { name: "Who is it" })
      .getByRole("button", { name: /Amina Bello.*C-AMINA/ })
      .waitFor();
    await keys.enter();
    const recipients = page.getByRole("list", { name: "Recipients" });
    await recipients.getByRole("button", { name: /Chidi Okafor/ }).waitFor();
    // Nothing can be sent to Great Britain from where the sender is.
    expect(await recipients.getByRole("button", { name: /Grace Hughes/ }).count()).toBe(0);
    await keys.type("w");
    await keys.type("c");
    await keys.enter();
    await isFocused(page, /^Amount \*/);
    await keys.type("100");
    await keys.enter();
    const price = page.getByRole("region", { name: "Price" });
    for (const part of ["100.00USD", "2.50USD", "0.19USD", "102.69USD", "1,525.75", "152,575.00NGN"]) {
      await price.getByText(part, { exact: true }).waitFor();
    }
    await keys.enter();
    await isFocused(page, /^Cash received/);
    expect(await axeFaults(page)).toEqual([]);

    // What the customer has not paid waits at this desk, and the address has ids alone.
    await page.reload();
    await isFocused(page, /^Cash received/);
    expect([...new URL(page.url()).searchParams.keys()]).toEqual(["transaction"]);
    await page.getByRole("list", { name: "Not paid yet" }).getByText("Amina Bello").first().waitFor();
    const payment = page.getByRole("region", { name: "Payment" });
    await keys.type("100");
    await payment.getByText("Still missing").waitFor();
    await page.keyboard.press("Enter");
    await payment.getByText("Nothing was taken. Ask for what is missing").waitFor();
    await page.getByLabel(/^Cash received/).press("ControlOrMeta+A");
    await keys.type("110");
    await payment.getByText("7.31").waitFor();
    await keys.enter();
    const sold = page.getByRole("region", { name: /^Sold: / });
    await sold.getByText("Change to give").waitFor();
    await sold.getByText("7.31USD", { exact: true }).waitFor();
    expect(keys.decided()).toBe(6);

    // Once more after a reload: the same answer, and nothing is sold twice.
    await page.reload();
    await sold.getByText("7.31USD", { exact: true }).waitFor();
    const receipt = page.getByRole("article", { name: "Receipt" });
    await receipt.getByText("110.00 USD").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await expectPrinted(page);
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect({ size, sideways: await sidewaysPixels(page) }).toEqual({ size, sideways: 0 });
    }
    const id = new URL(page.url()).searchParams.get("transaction") ?? "";
    await comesBack(id);
    await payBack(page, (await asUser(cashier()).transactions.read(id)).transactionCode);
  });

  /** What comes of the page on the paper of a receipt printer: the receipt, and nothing else. */
  async function expectPrinted(page: Page): Promise<void> {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const [, width] = /\/MediaBox ?\[0 0 ([\d.]+) [\d.]+\]/.exec(pdf) ?? [];
    expect({
      millimetres: Math.round((Number(width) * 25.4) / 72),
      pages: pdf.match(/\/Type ?\/Page\b/g)?.length,
    }).toEqual({ millimetres: 80, pages: 1 });
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("article", { name: "Receipt" }).isVisible()).toBe(true);
    expect(await page.getByRole("article", { name: "Before the payment" }).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Next customer" }).isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
  }

  /** Paid out or not, two managers give it back. */
  async function comesBack(transactionId: string): Promise<void> {
    const api = asUser(cashier());
    const isDone = async () => (await api.transactions.read(transactionId)).status === "COMPLETED";
    await waitFor(isDone, { timeoutMs: 30_000, what: "the payout" });
    const { refund } = await asUser(manager()).transactions.requestRefund(transactionId, { reason: "sent in error" });
    await approveAs(asUser(otherManager()), refund.approvalId ?? "", "agreed");
    const isOwed = async () => {
      const owed = await api.cash.listCounterPayables({ status: "OPEN" }).toArray({ max: 20 });
      return owed.some((one) => one.transactionId === transactionId);
    };
    await waitFor(isOwed, { timeoutMs: 30_000, what: "what is owed in cash" });
  }

  /** A manager makes the code, a cashier gives the cash: nobody does both. */
  async function payBack(page: Page, code: string): Promise<void> {
    const path = `/give-back?transactionCode=${code}`;
    const office = await openDesk(browser, sizes[0]);
    await signIn(office, manager(), path);
    await office.page.getByRole("button", { name: "Code for the sender" }).click();
    const shown = office.page.getByRole("dialog");
    await shown.getByRole("button", { name: "Make the code" }).click();
    const secret = (await shown.getByTestId("code").textContent()) ?? "";
    await shown.getByRole("button", { name: "Finished" }).click();
    expect(await office.page.getByRole("button", { name: "Give back" }).count()).toBe(0);
    expect(office.complaints).toEqual([]);
    await office.close();

    desk.expectRefusals(403);
    await page.goto(`${desk.baseUrl}/console${path}`);
    const row = page.getByRole("row").filter({ hasText: code });
    await row.getByRole("button", { name: "Give back" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Code/).fill(secret);
    await dialog.getByLabel(/^Number of the document/).fill("X9999999");
    await dialog.getByRole("button", { name: "Give back" }).click();
    await dialog.getByText("A try is used up. Ask for the document that is on file.").waitFor();
    await dialog.getByLabel(/^Number of the document/).fill("A 012-34567");
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Give back" }).click();
    await dialog.getByText("Hand this out").waitFor();
    await dialog.getByText("102.69USD", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Finished" }).click();
    await row.getByText("Paid").waitFor();
  }

  test("what the customer made themselves is sold by its code, in French on a tablet", async () => {
    await desk.close();
    desk = await openDesk(browser, { ...sizes[1], locale: "fr-FR" });
    const { page } = desk;
    const { code, id } = await orderedTransaction();
    await page.goto(`${desk.baseUrl}/console/counter`);
    await page.getByLabel("E-mail").fill(cashier().email);
    await page.getByLabel("Mot de passe").fill(cashier().password);
    await page.getByRole("button", { name: "Se connecter", exact: true }).click();
    await page.getByLabel(/^Code de transaction/).fill(code);
    await page.getByRole("button", { name: "Ouvrir" }).click();
    await isFocused(page, /^Espèces reçues/);
    await page.keyboard.type("20");
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
    await page.keyboard.press("Enter");
    await page
      .getByRole("region", { name: /^Vendu/ })
      .getByText("Monnaie à rendre")
      .waitFor();
    // The paper is the sender's: all of it is in the language that is chosen for it.
    const receipt = page.getByRole("article", { name: "Reçu" });
    await receipt.getByText("Cash received", { exact: true }).waitFor();
    const languages = page.getByRole("combobox", { name: "Langue" });
    expect(await languages.getByRole("option").allTextContents()).toEqual(["Anglais", "Allemand", "Français"]);
    await languages.selectOption("Allemand");
    await receipt.getByText("Bar erhalten", { exact: true }).waitFor();
    await receipt.getByText("20,00 USD", { exact: true }).waitFor();
    await languages.selectOption("Français");
    await receipt.getByText("Espèces reçues", { exact: true }).waitFor();
    await receipt.getByText("Total pour le bénéficiaire", { exact: true }).waitFor();
    expect(await sidewaysPixels(page)).toBe(0);
    expect((await asUser(manager()).transactions.read(id)).status).not.toBe("AWAITING_PAYMENT");
  });

  test("what compliance asks for before a transfer can be paid is said in words", async () => {
    const { page } = desk;
    const { code, status } = await orderedAbove("12000.00");
    expect(status).toBe("AWAITING_COMPLIANCE");
    await signIn(desk, cashier(), "/counter");
    await page.getByLabel(/^Transaction code/).fill(code);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByText("It waits. Compliance still asks for:").waitFor();
    await page.getByRole("listitem").getByText("Source of funds", { exact: true }).waitFor();
    // No document of identity shows where money comes from.
    expect(await page.getByRole("button", { name: "Enter a document that you see" }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });

  test("whoever is not known is registered, looked at as somebody else's double, and not sold to before they are confirmed", async () => {
    const { page } = desk;
    desk.expectRefusals(409);
    const name = randomUUID().replaceAll(/[^a-f]/g, "");
    await signIn(desk, cashier(), "/counter");
    await page.getByLabel(/^Name, phone/).fill(`Zuri ${name}`);
    await page.keyboard.press("Enter");
    await page.getByText("Nobody was found.").waitFor();
    const register = async () => {
      await page.getByRole("button", { name: "Register", exact: true }).click();
      await page.getByLabel(/^First name/).fill("Zuri");
      await page.getByLabel(/^Last name/).fill(name);
      await page.getByLabel(/^Country \*/).fill("USA");
      await page.getByRole("button", { name: "Register", exact: true }).click();
    };
    await register();
    await page.getByText("Not confirmed yet: nothing can be sold").waitFor();
    await page.getByText("Compliance still asks them for:").waitFor();
    await page.getByRole("alert").getByRole("listitem").filter({ hasText: "Email" }).waitFor();
    const { customer: first } = Object.fromEntries(new URL(page.url()).searchParams);
    await page.getByRole("button", { name: "Begin anew" }).click();
    await page.getByLabel(/^Name, phone/).fill("nobody of this name at all");
    await page.keyboard.press("Enter");
    await register();
    await page.getByRole("button", { name: `It is ${first}` }).click();
    await page.getByText("Not confirmed yet: nothing can be sold").waitFor();
    await page.getByRole("region", { name: "New recipient" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
  });
});
