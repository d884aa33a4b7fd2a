import type { Browser } from "playwright-core";
import { axeFaults, manager, openBrowser, openDesk, signIn } from "./browser.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

it("forces an outcome in the sandbox and takes it back; live has no such tools", async () => {
  const desk = await openDesk(browser);
  const { page } = desk;
  await signIn(desk, manager(), "/sandbox-tools");
  await page.getByText("This is the live organisation").waitFor();
  await page.getByRole("button", { name: "Go to the sandbox" }).click();
  await signIn(desk, manager(), "/sandbox-tools");
  await page.getByText("Sandbox: nothing here moves real money").waitFor();

  const subject = "no-such-transaction";
  await page.getByRole("button", { name: "Force an outcome" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Outcome").selectOption("RETURN");
  await dialog.getByLabel("Subject").fill(subject);
  await dialog.getByLabel("What the bank keeps").fill("1.50");
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Force an outcome" }).click();
  const row = page.getByRole("row").filter({ hasText: subject });
  await row.waitFor();
  await row.getByRole("button", { name: "Clear" }).click();
  await row.waitFor({ state: "detached" });
  expect(desk.complaints).toEqual([]);
  await desk.close();
});
