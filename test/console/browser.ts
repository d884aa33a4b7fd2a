import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import bundledChromium from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { demoUser, readDemo, type DemoUser } from "../support/edge-client.js";

/** Slow machines start a page late; nothing is asserted by it. */
export const patienceMs = 30_000;

/** One browser of this file: call `openBrowser` in beforeAll, and `close` of it in afterAll. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? (await bundledChromium.executablePath());
  // Containers lend root no namespaces for the sandbox, and have no GPU.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--no-zygote", "--disable-gpu"] });
}

export interface Desk {
  page: Page;
  context: BrowserContext;
  baseUrl: string;
  /**
   * Console errors and broken pages; a refusal that a test expects is
   * taken out by `expectRefusals`.
   */
  complaints: string[];
  /** Origins other than the gateway's that anything was asked of. */
  foreign: Set<string>;
  /**
   * The browser says each refused request in its console: statuses that this test causes are none.
   */
  expectRefusals: (...statuses: number[]) => void;
  close: () => Promise<void>;
}

export interface DeskOptions {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  locale?: string;
}

/** A person at a desk of their own: no cookie and no storage is shared with another one. */
export async function openDesk(browser: Browser, options: DeskOptions = {}): Promise<Desk> {
  const { width = 1280, height = 900, colorScheme = "light", locale = "en-GB" } = options;
  const { baseUrl } = readDemo();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  const foreign = new Set<string>();
  const expected = new Set<number>();
  page.on("console", (message) => {
    const [, status] = /the server responded with a status of (\d+)/.exec(message.text()) ?? [];
    if (message.type() === "error" && !expected.has(Number(status))) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(baseUrl).origin && protocol !== "blob:" && protocol !== "data:") foreign.add(origin);
  });
  const expectRefusals = (...statuses: number[]) => statuses.forEach((status) => expected.add(status));
  return { page, context, baseUrl, complaints, foreign, expectRefusals, close: () => context.close() };
}

/** Signs in at the page that `path` leads to, which is then shown. */
export async function signIn(desk: Desk, user: Pick<DemoUser, "email" | "password">, path = "/"): Promise<void> {
  await desk.page.goto(`${desk.baseUrl}/console${path}`);
  await desk.page.getByLabel("E-mail").fill(user.email);
  await desk.page.getByLabel("Password").fill(user.password);
  await desk.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await desk.page.getByRole("banner").waitFor();
}

export const manager = (): DemoUser => demoUser(readDemo(), "MANAGER", { email: "manager@" });
export const otherManager = (): DemoUser => demoUser(readDemo(), "MANAGER", { email: "manager2@" });
export const agent = (): DemoUser => demoUser(readDemo(), "AGENT");
export const cashier = (): DemoUser => demoUser(readDemo(), "CASHIER");

const axeSource = readFileSync(createRequire(__filename).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds that is serious or critical, a line each; none is what a page must have. */
export async function axeFaults(page: Page): Promise<string[]> {
  // A script that the page itself would load is refused by its policy; the debugger's is not.
  await page.evaluate(axeSource);
  const found = (await page.evaluate("axe.run(document).then(({ violations }) => violations)")) as Violation[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}

/** How far the page can be scrolled sideways: 0 where it fits. */
export async function sidewaysPixels(page: Page): Promise<number> {
  return (await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) as number;
}
