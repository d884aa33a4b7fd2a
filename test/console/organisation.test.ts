import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { waitFor } from "../support/index.js";
import { axeFaults, manager, openBrowser, openDesk, otherManager, sidewaysPixels, signIn } from "./browser.js";

jest.setTimeout(180_000);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

it("shows what a change of the preference makes of it before it is saved; what weakens a guard waits for a second manager, who sees what it does", async () => {
  const [desk, decider] = await Promise.all([openDesk(browser), openDesk(browser)]);
  const { page } = desk;
  const origin = `https://desk-${randomUUID().slice(0, 8)}.example`;
  const reason = `for ${origin}`;
  await signIn(desk, manager(), "/organisation");
  const origins = page.getByRole("textbox", { name: "Origins of browsers" });
  const before = await origins.inputValue();
  await origins.fill(`${before}\n${origin}`);
  await page.getByRole("button", { name: "Review the changes" }).click();
  const dialog = page.getByRole("dialog");
  const rows = dialog.getByRole("row");
  // Its head, and the one member that differs.
  expect(await rows.count()).toBe(2);
  expect(await rows.nth(1).textContent()).toContain(origin);
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("a second manager is asked").waitFor();
  const waiting = page.getByRole("region", { name: "Waiting for a second manager" });
  await waiting.locator("ins").getByText(origin).waitFor();

  await signIn(decider, otherManager(), "/approvals");
  const card = decider.page.getByRole("article").filter({ hasText: reason });
  await card.locator("ins").getByText(origin).waitFor();
  await card.getByRole("button", { name: "Approve" }).click();
  const approving = decider.page.getByRole("dialog");
  await approving.getByText("1 setting is set").waitFor();
  await approving.locator("ins").getByText(origin).waitFor();
  expect(await axeFaults(decider.page)).toEqual([]);
  await approving.getByLabel("Reason").fill("their own shop");
  await approving.getByRole("button", { name: "Approve" }).click();
  await approving.waitFor({ state: "detached" });
  await waiting.locator("ins").getByText(origin).waitFor({ state: "detached" });

  const change = page.getByRole("row").filter({ hasText: reason });
  await expect(
    waitFor(async () => {
      await page.goto(`${desk.baseUrl}/console/organisation`);
      await page.getByRole("tab", { name: "Changes" }).click();
      await page.getByRole("table", { name: "Changes" }).waitFor();
      return (await change.count()) === 1;
    }),
  ).resolves.toBe(true);
  expect(await change.textContent()).toContain("you");

  await page.getByRole("tab", { name: "Preference" }).click();
  await origins.fill(before);
  await page.getByRole("button", { name: "Review the changes" }).click();
  await dialog.getByLabel("Reason").fill("as it was");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The preference is saved.").waitFor();
  expect([desk.complaints, decider.complaints]).toEqual([[], []]);
  await Promise.all([desk.close(), decider.close()]);
});

it.each([
  "/staff",
  "/markups",
  "/reports",
  "/reports?tab=analytics",
  "/account",
  "/account?tab=factors",
  "/organisation",
])("%s has no fault that axe calls serious, and fits 390 pixels", async (path) => {
  const desk = await openDesk(browser, { width: 390, height: 844, colorScheme: "dark" });
  await signIn(desk, manager(), path);
  await desk.page.getByRole("main").getByRole("heading").first().waitFor();
  await desk.page.locator("[aria-label=Loading]").first().waitFor({ state: "detached" });
  expect(await axeFaults(desk.page)).toEqual([]);
  expect(await sidewaysPixels(desk.page)).toBe(0);
  expect(desk.complaints).toEqual([]);
  await desk.close();
});
