// `npm run console:screenshots -- FOLDER`: every page of the menu, and the first row of each list,
// of the cluster at BASE_URL as a demo manager: light, dark and 390 pixels wide.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import bundledChromium from "@sparticuz/chromium";
import { chromium, type Page } from "playwright-core";

const folder = resolve(process.argv[2] ?? ".cache/console");
const baseUrl = process.env["BASE_URL"] ?? "http://localhost:8080";
const email = process.env["EMAIL"] ?? "manager@demo.example";
const password = process.env["PASSWORD"] ?? "Demo-Manager-1";
const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  narrow: { viewport: { width: 390, height: 844 }, colorScheme: "light" },
} as const;

mkdirSync(folder, { recursive: true });
const executablePath = process.env["CHROMIUM"] ?? (await bundledChromium.executablePath());
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-zygote", "--disable-gpu"] });
for (const [look, options] of Object.entries(looks)) {
  const context = await browser.newContext({ ...options, locale: "en-GB" });
  const page = await context.newPage();
  const take = (name: string) => page.screenshot({ path: join(folder, `${name}.${look}.png`) });
  await page.goto(`${baseUrl}/console/`);
  await page.locator("[name=email]").fill(email);
  await take("sign-in");
  await page.locator("[name=password]").fill(password);
  await page.locator("[type=submit]").click();
  await page.getByRole("banner").waitFor();
  for (const path of await pathsOf(page)) {
    await visit(page, path);
    await take(nameOf(path));
    const row = page.locator("[data-row]").first();
    if ((await row.count()) === 0) continue;
    await visit(page, (await row.getAttribute("href")) ?? path);
    await take(`${nameOf(path)}-one`);
  }
  await context.close();
}
await browser.close();
process.stdout.write(`${folder}\n`);

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(baseUrl + path);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  // What is on its way is no picture of the page.
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

/** Of the menu, which on a phone is in its drawer. */
async function pathsOf(page: Page): Promise<string[]> {
  const drawer = page.getByRole("button", { name: "Menu" });
  if (await drawer.isVisible()) await drawer.click();
  const links = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link");
  await links.first().waitFor();
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

function nameOf(path: string): string {
  return path.replace(/^\/console\/?/, "").replaceAll("/", "-") || "home";
}
