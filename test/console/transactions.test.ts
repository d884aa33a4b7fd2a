import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { axeFaults, manager, openBrowser, openDesk, signIn, sidewaysPixels, type Desk } from "./browser.js";
import { completedTransaction, orderedTransaction, type Ordered } from "./orders.js";

jest.setTimeout(180_000);

describe("transactions at the desk", () => {
  let browser: Browser;
  let desk: Desk;
  let done: Ordered;
  beforeAll(async () => {
    [browser, done] = await Promise.all([openBrowser(), completedTransaction()]);
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

  test("are found by code, and the address is the search", async () => {
    const { page, context, baseUrl } = desk;
    await signIn(desk, manager(), "/transactions");
    await page.getByLabel("Code, name or reference").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(done.code);
    await page.waitForURL(`**/transactions?search=${done.code}`);
    const rows = page.getByRole("table", { name: "Transactions" }).locator("tbody tr");
    await page.getByText("Page 1 · 1 row").waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel("Status").selectOption("COMPLETED");
    await page.waitForURL(/status=COMPLETED/);

    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByRole("link", { name: done.code }).waitFor();
    expect(await second.getByLabel("Code, name or reference").inputValue()).toBe(done.code);
    await second.close();

    await page.getByLabel("Status").selectOption("FAILED");
    await page.getByText("Nothing matches").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: done.code }).waitFor();
    await page.goto(`${baseUrl}/console/transactions?search=nobody-has-this-code`);
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByRole("link", { name: done.code }).waitFor();
  });

  test("are found by days of the organisation's zone, the last of them whole", async () => {
    const { page, baseUrl } = desk;
    await signIn(desk, manager(), "/transactions");
    const zone = (await page.getByText("Africa/Lagos").first().textContent()) ?? "";
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date());
    // Lagos is an hour ahead of UTC all year.
    const requested = page.waitForRequest(
      (request) => new URL(request.url()).searchParams.get("from")?.endsWith("T23:00:00.000Z") ?? false,
    );
    await page.goto(`${baseUrl}/console/transactions?from=${today}&to=${today}&search=${done.code}`);
    await page.getByRole("link", { name: done.code }).waitFor();
    const query = new URL((await requested).url()).searchParams;
    const hours = (Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? "")) / 3_600_000;
    expect(hours).toBe(24);
  });

  test("are gone through by the arrow keys, and opened by Enter", async () => {
    const { page } = desk;
    await orderedTransaction();
    await signIn(desk, manager(), "/transactions");
    const links = page.locator("[data-row]");
    await links.nth(1).waitFor();
    await links.first().focus();
    await page.keyboard.press("ArrowDown");
    const code = await links.nth(1).textContent();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Transaction ${code}` }).waitFor();
  });

  test("show timeline, exact amounts and ledger entries of payment and payout, and give their receipt", async () => {
    const { page } = desk;
    await signIn(desk, manager(), `/transactions/${done.id}`);
    await page.getByRole("heading", { name: `Transaction ${done.code}` }).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    for (const status of ["Awaiting payment", "Paid", "Processing", "Completed"]) {
      await timeline.getByText(status, { exact: true }).waitFor();
    }
    await page.getByRole("region", { name: "Amounts" }).getByText(done.totalAmount).waitFor();
    const entries = page.getByRole("table", { name: "Ledger entries" }).locator("tbody tr");
    // Payment and payout were caused by other requests than the one that made the transaction.
    for (const about of ["Payment of transaction", "Fee of transaction", "Payout of"]) {
      await entries
        .filter({ hasText: `${about} ${done.code}` })
        .first()
        .waitFor();
    }
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Receipt", exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${done.code}.pdf`);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("say what their partner was told of both sides, and has recorded", async () => {
    const { page } = desk;
    await signIn(desk, manager(), `/transactions/${done.id}`);
    const told = page.getByRole("region", { name: "What the partner was told" });
    for (const label of ["Of the sender", "It has recorded the sender"]) {
      await told.getByRole("term").filter({ hasText: label }).waitFor();
    }
    for (const name of [/Amina/, /Chidi Okafor/]) expect(await told.getByText(name).count()).toBe(2);
    await told.scrollIntoViewIfNeeded();
    expect(await axeFaults(page)).toEqual([]);
  });

  test("are cancelled with a reason, which the timeline then has", async () => {
    const { page } = desk;
    const waiting = await orderedTransaction();
    await signIn(desk, manager(), `/transactions/${waiting.id}`);
    await page.getByRole("button", { name: "Cancel" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel the transaction" });
    await dialog.getByRole("button", { name: "Cancel the transaction" }).click();
    await dialog.getByText("Is required").waitFor();
    await dialog.getByLabel("Reason").fill("the sender called");
    await dialog.getByRole("button", { name: "Cancel the transaction" }).click();
    await page.getByText("The transaction is cancelled.").waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("the sender called").waitFor();
  });

  test("get another name, which waits for a second person and is shown beside the one before", async () => {
    const { page } = desk;
    const waiting = await orderedTransaction();
    await signIn(desk, manager(), `/transactions/${waiting.id}`);
    await page.getByRole("button", { name: "Mend a name" }).click();
    const dialog = page.getByRole("dialog", { name: "Mend a name" });
    await dialog.getByLabel("First name of the recipient").fill("Ngozi");
    await dialog.getByLabel("Last name of the recipient").fill("Quibblesworth");
    await dialog.getByLabel("Reason").fill("she has married");
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Ask for it" }).click();
    await page.getByText("The names wait for a second person.").waitFor();
    const row = page.getByRole("table", { name: "Names put right" }).locator("tbody tr");
    await row.getByText("Ngozi Quibblesworth").waitFor();
    await row.getByText("she has married").waitFor();
  });

  test("one that somebody else has cancelled meanwhile is shown as it is now", async () => {
    desk.expectRefusals(409);
    const { page } = desk;
    const waiting = await orderedTransaction();
    await signIn(desk, manager(), `/transactions/${waiting.id}`);
    await page.getByRole("button", { name: "Refund" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Reason").fill("too late");
    // Whoever was faster does it by the API, while the dialog stands open.
    await waiting.pay();
    await page
      .getByRole("region", { name: "Timeline" })
      .getByText("Completed", { exact: true })
      .waitFor({ state: "attached" });
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the transaction" }).click();
    await page.getByRole("alert").getByText("Somebody was faster").waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("too late");
  });

  test("a fault of the server stands beside its field", async () => {
    desk.expectRefusals(400, 422);
    const { page } = desk;
    await signIn(desk, manager(), `/transactions/${done.id}`);
    await page.getByRole("button", { name: "Refund" }).click();
    const amount = page.getByRole("textbox", { name: "Amount" });
    await amount.fill("twelve");
    await page.getByLabel("Reason").fill("try");
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByText("Must be an amount, such as 25.00").waitFor();
    await amount.fill("1.123456");
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByRole("dialog").locator("[aria-invalid=true], [role=alert]").first().waitFor();
    expect(await amount.inputValue()).toBe("1.123456");
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("list and detail are clean to axe and fit, %s at %i pixels", async (colorScheme, width) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width });
    const { page, baseUrl } = desk;
    await signIn(desk, manager(), "/transactions");
    await page.locator("[data-row]").first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
    await page.goto(`${baseUrl}/console/transactions/${done.id}`);
    await page.getByRole("table", { name: "Ledger entries" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBe(0);
    await page.getByRole("button", { name: "Refund" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });
});
