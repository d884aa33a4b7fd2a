import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { readDemo } from "../support/edge-client.js";

const executablePath = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
const withBrowser = executablePath === undefined ? describe.skip : describe;

// Chromium draws some hundred and fifty operations.
jest.setTimeout(120_000);

withBrowser("the documentation page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  test("shows every operation under its strict policy, and sends one from the page", async () => {
    const { baseUrl } = readDemo();
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    const response = await page.goto(`${baseUrl}/docs`);
    expect(response?.headers()["content-security-policy"]).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    await page.locator(".opblock-summary").first().waitFor({ timeout: 20_000 });
    const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
    // The page draws them one after the other.
    await page
      .locator(".opblock")
      .nth(operations.length - 1)
      .waitFor({ timeout: 30_000 });
    expect(await page.locator(".opblock").count()).toBe(operations.length);

    await page.locator("#operations-Security-login .opblock-summary").click();
    await page.locator("#operations-Security-login .try-out__btn").click();
    await page.locator("#operations-Security-login .execute").click();
    const status = page.locator("#operations-Security-login .live-responses-table .response-col_status").last();
    await status.waitFor({ timeout: 20_000 });
    expect((await status.textContent())?.trim()).toMatch(/^200/);
    if (process.env["SCREENSHOT"]) await page.screenshot({ path: process.env["SCREENSHOT"] });
    expect(complaints).toEqual([]);
    expect([...asked].filter((origin) => origin !== new URL(baseUrl).origin && origin !== "null")).toEqual([]);
  });
});
