import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Browser } from "playwright-core";
import { manager, openBrowser, openDesk, signIn } from "./browser.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

it("adds a cashier, who chooses a password of their own, sets up an authenticator, and ends what they have when they are disabled", async () => {
  const desk = await openDesk(browser);
  const { page } = desk;
  const suffix = randomUUID().slice(0, 8);
  const newcomer = { name: `Bola ${suffix}`, email: `bola-${suffix}@example.com`, password: `Bola-${suffix}-2026` };
  await signIn(desk, manager(), "/staff");
  await page.getByRole("button", { name: "Add somebody" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(newcomer.name);
  await dialog.getByLabel("E-mail").fill(newcomer.email);
  await dialog.getByLabel("First password").fill(newcomer.password);
  await dialog.getByRole("button", { name: "Add somebody" }).click();
  const row = page.getByRole("row").filter({ hasText: newcomer.email });
  await row.waitFor();

  const theirs = await openDesk(browser);
  theirs.expectRefusals(403);
  await signIn(theirs, newcomer, "/account?tab=factors");
  const own = `Own-${suffix}-2026`;
  await theirs.page.getByRole("heading", { name: "Choose a password of your own" }).waitFor();
  await theirs.page.getByLabel("Current password").fill(newcomer.password);
  await theirs.page.getByLabel(/^New password \*?$/).fill(own);
  await theirs.page.getByLabel("New password again").fill(own);
  await theirs.page.getByRole("button", { name: "Change the password" }).click();
  await theirs.page.getByRole("button", { name: "Set it up" }).click();
  await theirs.page.getByLabel("Current password").fill(own);
  await theirs.page.getByRole("button", { name: "Next" }).click();
  await theirs.page.getByRole("img", { name: /QR code/ }).waitFor();
  const secret = (await theirs.page.getByRole("dialog").locator("span[title]").first().textContent()) ?? "";
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await theirs.page.getByLabel("Authenticator code").fill(code);
  await theirs.page.getByRole("button", { name: "Confirm" }).click();
  await theirs.page.getByText("The authenticator is set up.").waitFor();

  await row.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("left");
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await row.getByText("Disabled").waitFor();
  theirs.expectRefusals(401);
  await theirs.page.getByRole("tab", { name: "Sessions" }).click();
  await theirs.page.getByText("Your session has ended").waitFor();
  expect([desk.complaints, theirs.complaints]).toEqual([[], []]);
  await theirs.close();
  await desk.close();
}, 60_000);
