import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { axeFaults, cashier, manager, openBrowser, openDesk, sidewaysPixels, signIn } from "./browser.js";
import { demoUser, readDemo } from "../support/edge-client.js";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const amina = () => demoUser(readDemo(), "CUSTOMER", { email: "amina@" });

it("registers a customer: a fault stands beside its field, what was typed stays, and the customer is shown", async () => {
  const desk = await openDesk(browser);
  const { page } = desk;
  desk.expectRefusals(400);
  await signIn(desk, manager(), "/customers/register");
  const email = `desk-${randomUUID().slice(0, 8)}@example.com`;
  await page.getByLabel("First name").fill("Zainab");
  await page.getByLabel("Last name").fill("Musa");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("First password").fill("Zainab-Musa-2026");
  // No country has this code.
  await page.getByLabel("Country").first().fill("QQQ");
  await page.getByRole("button", { name: "Register a customer" }).click();
  const country = page.getByLabel("Country").first();
  await page.locator("[aria-invalid=true]").waitFor();
  expect(await country.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("First name").inputValue()).toBe("Zainab");

  await country.fill("NGA");
  await page.getByRole("button", { name: "Register a customer" }).click();
  await page.getByRole("heading", { name: "Zainab Musa" }).waitFor();
  expect(await page.getByRole("main").textContent()).toContain(email);

  await page.getByRole("button", { name: "Change details" }).click();
  await page.getByLabel("Last name").fill("Musa-Bello");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Zainab Musa-Bello" }).waitFor();
  expect(desk.complaints).toEqual([]);
  expect([...desk.foreign]).toEqual([]);
  await desk.close();
});

it("leads a cashier to a customer by code, with the parts alone that the role may read", async () => {
  const desk = await openDesk(browser);
  const { page } = desk;
  desk.expectRefusals(404);
  await signIn(desk, cashier(), "/customers");
  await page.getByLabel("Code or phone number").fill("C-NOBODY");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText("Nobody has this code or number").waitFor();

  await page.getByLabel("Code or phone number").fill(amina().customerCode ?? "");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("heading", { name: "Amina Bello" }).waitFor();
  const tabs = await page.getByRole("tab").allTextContents();
  expect(tabs).toEqual(["Profile", "Transactions"]);
  // Document numbers are masked but for their end.
  expect(await page.getByRole("table", { name: "Identity documents" }).textContent()).not.toContain("A01234567");
  expect(desk.complaints).toEqual([]);
  await desk.close();
});

it("shows every part of a customer without a fault that axe calls serious, and fits 390 pixels", async () => {
  const desk = await openDesk(browser, { width: 390, height: 844 });
  const { page } = desk;
  // What she invested in other journeys may be in a currency without a rate: its total is refused.
  desk.expectRefusals(422);
  await signIn(desk, manager(), `/customers/${amina().customerId}`);
  await page.getByRole("heading", { name: "Amina Bello" }).waitFor();
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await page.getByRole("tabpanel").locator("[aria-label=Loading]").first().waitFor({ state: "detached" });
    expect([await tab.textContent(), await axeFaults(page)]).toEqual([await tab.textContent(), []]);
    expect([await tab.textContent(), await sidewaysPixels(page)]).toEqual([await tab.textContent(), 0]);
  }
  expect(desk.complaints).toEqual([]);
  await desk.close();
}, 60_000);
