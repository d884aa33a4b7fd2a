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
  await page.getByText("The draft is saved.", { exact: true }).waitFor();
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

test("a transparency profile is written with the law's rows beside it, one for a country, tried, and published by another", async () => {
  const [writer, publisher] = [await openDesk(browser), await openDesk(browser)];
  writer.expectRefusals(409);
  await signIn(writer, manager(), "/policy?show=draft");
  const { page } = writer;
  await page
    .getByRole("button", { name: /Begin a draft|As JSON/ })
    .first()
    .waitFor();
  const begin = page.getByRole("button", { name: "Begin a draft" });
  if (await begin.isVisible()) await begin.click();
  const profiles = page.getByRole("region", { name: "Transparency profiles" });
  const add = profiles.getByRole("button", { name: "Add: Transparency profiles" });
  await add.waitFor();
  const countries = profiles.getByLabel("From countries");
  const taken = await Promise.all((await countries.all()).map((field) => field.inputValue()));
  // A cluster that this ran on before has a profile for the first of them.
  const free = ["ISL", "LIE", "NOR", "MLT", "LUX", "EST"].find((country) => !taken.includes(country))!;
  for (const _one of [1, 2]) {
    await add.click();
    await profiles.getByLabel("Profile", { exact: true }).last().selectOption("EU_TFR");
    await countries.last().fill(free);
    await countries.last().blur();
  }
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Each country has one transparency profile.").waitFor();
  await profiles
    .getByRole("button", { name: /^Remove: EU: Regulation/ })
    .last()
    .click();
  await profiles.getByRole("button", { name: "Add: Rows of your own" }).last().click();
  const own = profiles.getByRole("group").filter({ hasText: "Rows of your own 1" }).last();
  await own.getByLabel("Amount", { exact: true }).fill("250.00");
  await own.getByLabel("Amount: Currency").fill("EUR");
  await own.getByLabel("Nationality").check();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("The draft is saved.", { exact: true }).waitFor();
  const law = "Regulation (EU) 2023/1113, Art. 6(2)";
  await page
    .getByRole("region", { name: "Rows that come with the profiles" })
    .getByText(law, { exact: true })
    .last()
    .waitFor();
  await page.getByRole("button", { name: "Try on the past" }).click();
  await page.getByText(/transactions, by version/).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await signIn(publisher, otherManager(), "/policy?show=draft");
  await publisher.page.getByRole("button", { name: "Publish" }).click();
  await publisher.page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await publisher.page.getByText("The policy is published.").waitFor();
  await publisher.page.goto(`${publisher.baseUrl}/console/policy?show=transparency`);
  const rows = publisher.page.getByRole("table", { name: `EU: Regulation 2023/1113 · ${free}` });
  await rows.getByText(law, { exact: true }).waitFor();
  await rows.getByText("your own row").waitFor();
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
