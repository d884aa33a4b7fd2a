import bundledChromium from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";
import { readDemo } from "../support/edge-client.js";

jest.setTimeout(120_000);

describe("the documentation page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = process.env["CHROMIUM"] ?? (await bundledChromium.executablePath());
    // Containers lend root no namespaces for the sandbox, and have no GPU.
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--no-zygote", "--disable-gpu"],
    });
  });
  afterAll(() => browser?.close());

  test("shows every operation under its strict policy, and sends one from the page", async () => {
    const { baseUrl } = readDemo();
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    const requested = new Set<string>();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => requested.add(new URL(request.url()).origin));
    const response = await page.goto(`${baseUrl}/docs`);
    expect(response?.headers()["content-security-policy"]).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    await page.locator(".opblock-tag").first().waitFor({ timeout: 60_000 });
    // Closed, nothing of a section is drawn: the page is there at once.
    expect(await page.locator(".opblock").count()).toBe(0);
    type Paths = Record<string, Record<string, { operationId: string }>>;
    const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Paths };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const drawn = new Set<string>();
    for (const section of await page.locator(".opblock-tag-section").all()) {
      const tag = section.locator(".opblock-tag");
      await tag.click();
      await section.locator(".opblock").first().waitFor();
      const ids = await section.locator(".opblock").evaluateAll((blocks) => blocks.map((block) => block.id));
      for (const id of ids) drawn.add(id.split("-").at(-1) ?? "");
      await tag.click();
    }
    expect([...drawn].toSorted()).toEqual(operations.toSorted());
    await page.locator(".webhooks-section summary").click();
    await page.locator(".webhooks-section .opblock").first().waitFor();
    await page.locator(".webhooks-section > summary").click();
    await page.locator(".webhooks-section .opblock").first().waitFor({ state: "detached" });

    await page.locator(".operation-filter-input").fill("Loan");
    await page.locator("#operations-tag-Security").waitFor({ state: "detached" });
    expect(await page.locator(".opblock-tag").count()).toBe(2);
    await page.locator(".operation-filter-input").fill("");
    await page.locator("#operations-tag-Security").click();
    await page.locator("#operations-Security-login .opblock-summary").click();
    const sample = page.locator("#operations-Security-login .code-sample");
    expect(await sample.textContent()).toContain("await manilla.security.login({");
    await page.locator("#operations-Security-login .try-out__btn").click();
    await page.locator("#operations-Security-login .execute").click();
    const status = page.locator("#operations-Security-login .live-responses-table .response-col_status").last();
    await status.waitFor({ timeout: 60_000 });
    expect((await status.textContent())?.trim()).toMatch(/^200/);
    if (process.env["SCREENSHOT"]) await page.screenshot({ path: process.env["SCREENSHOT"] });
    expect(complaints).toEqual([]);
    expect([...requested].filter((origin) => origin !== new URL(baseUrl).origin && origin !== "null")).toEqual([]);
  });
});
