import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { axeFaults, manager, openBrowser, openDesk, sidewaysPixels, signIn, type Desk } from "./browser.js";

jest.setTimeout(180_000);

/** The sandbox partner takes whatever is sent to it below /webhooks. */
function receiver(): string {
  const { addresses } = JSON.parse(readFileSync(`${process.env["E2E_DATA_DIR"]}/cluster.json`, "utf8")) as {
    addresses: { partner: string };
  };
  return `http://${addresses.partner}/webhooks/desk-${randomUUID()}`;
}

describe("webhooks and messages", () => {
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

  test("an endpoint is made, its secret shown once, a test event arrives, and it is removed", async () => {
    const { page } = desk;
    await page.addInitScript(() => sessionStorage.setItem("manilla.sandbox", "1"));
    const url = receiver();
    await signIn(desk, manager(), "/webhooks");
    await page.getByRole("button", { name: "New endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(url);
    await dialog.getByRole("button", { name: "New endpoint" }).click();
    await dialog.getByText("Choose an event").waitFor();
    await dialog.getByLabel("payment.* (all)").check();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "New endpoint" }).click();
    expect(await page.getByTestId("secret").innerText()).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("link", { name: url }).click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByRole("link", { name: "webhook_endpoint.test" }).first().click();
    await page.getByRole("heading", { name: "webhook_endpoint.test", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Show the event" }).click();
    await page.getByText('"type": "webhook_endpoint.test"').waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByRole("link", { name: url }).waitFor({ state: "detached" });
  });

  test("the words of a message are tried before they are saved", async () => {
    const { page } = desk;
    await signIn(desk, manager(), "/notifications/transaction.completed/EMAIL/en");
    await page.getByLabel("Subject").fill("{{nobody}}");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("{{nobody}} is no placeholder of this message").waitFor();
    await page.getByLabel("Subject").fill("Hello {{firstName}}");
    await page.getByRole("button", { name: "Preview" }).click();
    await page
      .getByRole("region", { name: "Preview" })
      .getByText(/^Hello /)
      .first()
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test("what senders are told waits for another manager when it is changed, and is seen as PDF before", async () => {
    const { page } = desk;
    await signIn(desk, manager(), "/disclosures/UK_FTR");
    const operator = page.getByRole("group", { name: "The organisation" });
    await operator.getByLabel("Telephone").fill("+44 20 7946 0000");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Preview as PDF" }).click();
    expect((await saved).suggestedFilename()).toBe("UK_FTR-en.pdf");
    await page.getByRole("button", { name: "Ask for the change" }).click();
    await page.getByText("The change waits for another manager.").first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test.each([
    ["/webhooks", "light"],
    ["/events", "dark"],
    ["/notifications", "light"],
    ["/disclosures", "light"],
    ["/disclosures/US_BSA", "dark"],
  ] as const)("%s is clean to axe and fits 390 pixels", async (path, colorScheme) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width: 390 });
    await signIn(desk, manager(), path);
    await desk.page.getByRole("heading", { level: 1 }).waitFor();
    await desk.page.locator(".skeleton").first().waitFor({ state: "detached" });
    expect(await axeFaults(desk.page)).toEqual([]);
    expect(await sidewaysPixels(desk.page)).toBe(0);
  });
});
