import { approveAs } from "./parties.js";
import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { startMailServer, type MailServer } from "../support/mail-server.js";
import { Manilla } from "../../sdk/src/index.js";
import {
  axeFaults,
  manager,
  otherManager,
  openBrowser,
  openDesk,
  sidewaysPixels,
  signIn,
  type Desk,
} from "./browser.js";

jest.setTimeout(180_000);

describe("plugins", () => {
  let browser: Browser;
  let desk: Desk;
  let mail: MailServer;
  beforeAll(async () => {
    browser = await openBrowser();
    mail = await startMailServer({ security: "NONE" });
  });
  beforeEach(async () => {
    desk = await openDesk(browser);
    await desk.page.addInitScript(() => sessionStorage.setItem("manilla.sandbox", "1"));
  });
  afterEach(async () => {
    await desk.close();
    expect({ complaints: desk.complaints, foreign: [...desk.foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(async () => {
    await mail.close();
    await browser?.close();
  });

  /**
   * As the second manager: approves what waits for the plugin of this
   * name, which the page then shows.
   */
  async function approved(name: string): Promise<void> {
    await desk.page.getByText("A second manager is asked. Until then nothing changes.").first().waitFor();
    const { email, password } = otherManager();
    const second = new Manilla({ baseUrl: desk.baseUrl, credentials: { email, password }, sandbox: true });
    const waiting = await second.approvals.list({ status: "PENDING" }).toArray({ max: 200 });
    const requested = waiting.find(({ summary }) => summary.includes(name));
    await approveAs(second, requested?.id ?? "", "agreed");
    await desk.page.reload();
  }

  test("a mail server is installed, tested, enabled, given a new password, moved without it, and removed", async () => {
    const { page } = desk;
    const name = `Mail ${randomUUID().slice(0, 8)}`;
    const from = `${randomUUID()}@bank.example`;
    desk.expectRefusals(400, 409);
    await signIn(desk, manager(), "/plugins");
    await page.getByRole("button", { name: "Install a plugin" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type").selectOption("smtp");
    await dialog.getByLabel("Name", { exact: false }).first().fill(name);
    await dialog.getByLabel("Host").fill("127.0.0.1");
    await dialog.getByLabel("Port").fill("99999");
    await dialog.getByLabel("Encryption").selectOption("NONE");
    await dialog.getByLabel("Sender's address").fill(from);
    expect(await dialog.getByLabel("Password").getAttribute("type")).toBe("password");
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Install a plugin" }).click();
    // The service's own fault, beside its field.
    await dialog.getByText("must be <= 65535").waitFor();
    expect(await dialog.getByLabel("Port").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("Port").fill(String(mail.port));
    await dialog.getByRole("button", { name: "Install a plugin" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();

    await page.getByRole("button", { name: "Enable" }).click();
    await dialog.getByLabel("Reason").fill("our own server");
    await dialog.getByRole("button", { name: "Enable" }).click();
    await dialog.getByText("there is none: the plugin must pass one first").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Test" }).click();
    const report = page.getByRole("region", { name: "Last test" });
    await report.getByRole("row", { name: /^message Passed/ }).waitFor();
    await report.getByRole("row", { name: /^encryption Left out/ }).waitFor();
    expect(mail.mails.filter((one) => one.from === from)).toMatchObject([{ to: [from] }]);
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole("button", { name: "Enable" }).click();
    await dialog.getByLabel("Reason").fill("our own server");
    await dialog.getByRole("button", { name: "Enable" }).click();
    await approved(name);
    await page.getByRole("button", { name: "Pause" }).click();
    await dialog.getByLabel("Reason").fill("only a try");
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "New secrets" }).click();
    await dialog.getByLabel("Password").fill("a-secret-of-the-desk");
    await dialog.getByLabel("Reason").fill("yearly");
    await dialog.getByRole("button", { name: "New secrets" }).click();
    await approved(name);
    expect(await page.content()).not.toContain("a-secret-of-the-desk");

    // The password was for the address that it had.
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Change", exact: true }).click();
    await dialog.getByLabel("Port").fill("2525");
    await dialog.getByLabel("Reason").fill("they have moved");
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await approved(name);
    await page.getByRole("region", { name: "Secrets" }).getByText("missing").waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByRole("cell", { name: "plugin.rotate-secret", exact: true }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await dialog.getByLabel("Reason").fill("was a try");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Plugins" }).first().click();
    await page.getByRole("link", { name }).waitFor({ state: "detached" });
  });

  test("what moves money has routes, and its form says that a second manager is asked", async () => {
    const { page } = desk;
    const name = `Payouts ${randomUUID().slice(0, 8)}`;
    await signIn(desk, manager(), "/plugins");
    await page.getByRole("button", { name: "Install a plugin" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type").selectOption("manilla-http");
    await dialog.getByText("takes a second manager").waitFor();
    await dialog.getByLabel("Name", { exact: false }).first().fill(name);
    await dialog.getByLabel("Base URL", { exact: false }).first().fill("http://localhost:4000");
    await dialog.getByLabel("Key that the partner knows us by").fill("a-key-of-sixteen-letters");
    await dialog.getByLabel("Secret that callbacks", { exact: false }).fill("whsec_bWFuaWxsYSBjYWxsYmFjayBzZWNyZXQ=");
    await dialog.getByRole("button", { name: "Install a plugin" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByText("No route: nothing goes to it.").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Routes" }).click();
    await dialog.getByRole("button", { name: "Add a route" }).click();
    await dialog.getByLabel("To country").fill("NGA");
    await dialog.getByLabel("Received in").fill("NGN");
    await dialog.getByLabel("Reason").fill("they pay out in Lagos");
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Routes" }).getByRole("cell", { name: "NGA" }).waitFor();
  });

  test.each(["light", "dark"] as const)("the list is clean to axe and fits 390 pixels, %s", async (colorScheme) => {
    await desk.close();
    desk = await openDesk(browser, { colorScheme, width: 390 });
    await signIn(desk, manager(), "/plugins");
    await desk.page.getByRole("heading", { level: 1 }).waitFor();
    await desk.page.locator(".skeleton").first().waitFor({ state: "detached" });
    expect(await axeFaults(desk.page)).toEqual([]);
    expect(await sidewaysPixels(desk.page)).toBe(0);
  });
});
