import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { axeFaults, manager, openBrowser, openDesk, signIn } from "./browser.js";
import { services } from "../support/edge-client.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

it("shows a token once, and the token works until it is invalidated", async () => {
  const desk = await openDesk(browser);
  const { page } = desk;
  const name = `desk ${randomUUID().slice(0, 8)}`;
  await signIn(desk, manager(), "/tokens");
  await page.getByRole("button", { name: "Make a token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Ends after").selectOption("24_HOURS");
  expect(await dialog.getByRole("button", { name: "Make a token" }).isDisabled()).toBe(true);
  await dialog.getByLabel("organisation:read").check();
  await dialog.getByLabel("Your password").fill(manager().password);
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Make a token" }).click();
  const token = (await page.getByTestId("secret").textContent()) ?? "";
  const ask = () =>
    fetch(`${desk.baseUrl}${services}/admin/business-clock`, { headers: { "X-Auth-Token": token } }).then(
      ({ status }) => status,
    );
  expect(await ask()).toBe(200);

  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("button", { name: `What can be done with ${name}` }).click();
  await page.getByRole("menuitem", { name: "Invalidate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Invalidate" }).click();
  await page.getByText("The token is invalid.").waitFor();
  expect(await ask()).toBe(401);
  expect(await page.content()).not.toContain(token);

  await page.getByRole("button", { name: `What can be done with ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("table").getByText(name).waitFor({ state: "detached" });
  expect(desk.complaints).toEqual([]);
  await desk.close();
});
