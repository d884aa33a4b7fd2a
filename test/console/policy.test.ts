import type { Browser } from "playwright-core";
import { axeFaults, manager, openBrowser, openDesk, otherManager, sidewaysPixels, signIn } from "./browser.js";

jest.setTimeout(120_000);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("a policy is drafted by one manager, its fault told beside the field, and published by another", async () => {
  const [writer, publisher] = [await openDesk(browser), await openDesk(browser)];
  writer.expectRefusals(400);
  await signIn(writer, manager(), "/policy?show=draft");
  const { page } = writer;
  await page
    .getByRole("button", { name: /Begin a draft|As JSON/ })
    .first()
    .waitFor();
  const begin = page.getByRole("button", { name: "Begin a draft" });
  if (await begin.isVisible()) await begin.click();

  const limits = page.getByRole("region", { name: "Daily limits" });
  await limits.getByRole("button", { name: "Add: Daily limits" }).waitFor();
  const fields = await limits.getByLabel(/^Daily limits \d+: Currency$/).all();
  const taken = await Promise.all(fields.map((field) => field.inputValue()));
  // A cluster that this ran on before has a limit in the first of them.
  const free = ["CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD", "AUD"].find((currency) => !taken.includes(currency));
  await limits.getByRole("button", { name: "Add: Daily limits" }).click();
  await limits
    .getByLabel(/^Daily limits \d+$/)
    .last()
    .fill("7000.00");
  await limits
    .getByLabel(/^Daily limits \d+: Currency$/)
    .last()
    .fill("QQQ");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("list", { name: "Faults" }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await limits
    .getByLabel(/Currency$/)
    .last()
    .fill(free ?? "");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("The draft is saved.").waitFor();
  expect(await page.getByRole("button", { name: "Publish" }).isDisabled()).toBe(true);

  await signIn(publisher, otherManager(), "/policy?show=draft");
  await publisher.page
    .getByRole("region", { name: /^What it changes/ })
    .getByText("7,000.00")
    .waitFor();
  await publisher.page.getByRole("button", { name: "Publish" }).click();
  await publisher.page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await publisher.page.getByText("The policy is published.").waitFor();
  await publisher.page.goto(`${publisher.baseUrl}/console/policy`);
  await publisher.page.getByText(new RegExp(`7,000\\.00\\s*${free}`)).waitFor();
  expect(await axeFaults(publisher.page)).toEqual([]);
  await publisher.page.setViewportSize({ width: 390, height: 844 });
  expect(await sidewaysPixels(publisher.page)).toBe(0);
  expect([writer.complaints, publisher.complaints]).toEqual([[], []]);
  await Promise.all([writer.close(), publisher.close()]);
});

test("what people decided is found by what it is about", async () => {
  const desk = await openDesk(browser);
  await signIn(desk, manager(), "/audit?subject=policy");
  await desk.page.getByRole("table", { name: "Audit trail" }).getByText("Policy publish").first().waitFor();
  await desk.page
    .getByRole("button", { name: /^Show Policy publish/ })
    .first()
    .click();
  await desk.page.getByRole("dialog").getByText("What was decided").waitFor();
  expect(await axeFaults(desk.page)).toEqual([]);
  expect([desk.complaints, [...desk.foreign]]).toEqual([[], []]);
  await desk.close();
});
