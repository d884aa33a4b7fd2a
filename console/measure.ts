// `npm run bench:console`: what the first page weighs as it is sent, and how long it takes until it
// can be used, of the cluster at BASE_URL as a demo manager. Figures of the machine that it runs
// on, with the browser on the same one. `-- --transactions 100000` measures the list of so many
// transactions too, in the cluster of DATA_DIR, which `npm run demo` has gone through.
import { loadavg } from "node:os";
import bundledChromium from "@sparticuz/chromium";
import { chromium, type Browser, type Page } from "playwright-core";
import { shownAfter, withTransactions, type Shown } from "./many-transactions.js";

const baseUrl = process.env["BASE_URL"] ?? "http://localhost:8080";
const email = process.env["EMAIL"] ?? "manager@demo.example";
const password = process.env["PASSWORD"] ?? "Demo-Manager-1";
const rounds = Number(process.env["ROUNDS"] ?? 15);
const answers: number[] = [];

const executablePath = process.env["CHROMIUM"] ?? (await bundledChromium.executablePath());
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-zygote", "--disable-gpu"] });
say("load average at the beginning", loadavg()[0]?.toFixed(1) ?? "");
const files = await firstLoad(browser);
for (const { name, bytes } of files) say(name, kilobytes(bytes));
say("first load", kilobytes(files.reduce((sum, { bytes }) => sum + bytes, 0)));
say("to the sign-in form, nothing kept (ms)", spread(await toSignIn(browser)));
say("to the rows of the list, session and files kept (ms)", spread(await toList(browser)));
say("of which until the list's answer was there (ms)", spread(answers));
const many = process.argv.indexOf("--transactions");
if (many !== -1) {
  const count = Number(process.argv[many + 1]);
  if (!Number.isSafeInteger(count) || count < 100) throw new Error("--transactions takes a number, at least 100");
  await withTransactions(count, (newestCode) => pageThrough(browser, count, newestCode));
}
say("load average at the end", loadavg()[0]?.toFixed(1) ?? "");
await browser.close();

/** Bodies as they come over the wire, until the form is there. */
async function firstLoad(from: Browser): Promise<{ name: string; bytes: number }[]> {
  const context = await from.newContext();
  const page = await context.newPage();
  const found: Promise<{ name: string; bytes: number }>[] = [];
  page.on("requestfinished", (request) => {
    const name = new URL(request.url()).pathname;
    found.push(request.sizes().then(({ responseBodySize }) => ({ name, bytes: responseBodySize })));
  });
  await page.goto(`${baseUrl}/console/`, { waitUntil: "networkidle" });
  await page.locator("[name=email]").waitFor();
  const all = await Promise.all(found);
  await context.close();
  return all.filter(({ name }) => !name.startsWith("/console/session"));
}

async function toSignIn(from: Browser): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await from.newContext();
    const page = await context.newPage();
    times.push(await timeTo(page, "/console/", "[name=email]"));
    await context.close();
  }
  return times;
}

/** A page with the list, and whoever may see all of it. */
async function signedIn(from: Browser) {
  const context = await from.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/console/transactions`);
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(password);
  await page.locator("[type=submit]").click();
  await page.locator("[data-row]").first().waitFor();
  return { context, page };
}

async function toList(from: Browser): Promise<number[]> {
  const { context, page } = await signedIn(from);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const answered = page
      .waitForResponse((response) => new URL(response.url()).pathname.endsWith("/transactionmanagement/transactions"))
      .then(() => performance.now() - began);
    times.push(await timeTo(page, "/console/transactions", "[data-row]"));
    answers.push(await answered);
  }
  await context.close();
  return times;
}

/**
 * The list of so many, from what somebody does until the rows are painted. Each round
 * begins with a page loaded anew.
 */
async function pageThrough(from: Browser, count: number, code: string): Promise<void> {
  const { context, page } = await signedIn(from);
  const search = page.locator("main [data-search]");
  const status = page.getByRole("combobox", { name: "Status" });
  const list = "/console/transactions";
  const searchFor = async (text: string) => {
    await search.fill(text);
    await search.press("Enter");
  };
  const acts: [string, string, () => Promise<unknown>][] = [
    ["first page, from the menu", "/console/account", () => page.locator("nav a[href$='/transactions']").click()],
    ["next page", list, () => page.getByRole("button", { name: "Next" }).click()],
    ["a status", list, () => status.selectOption("REFUNDED")],
    ["a name that a quarter has", list, () => searchFor("dayo")],
    ["a code that one has", list, () => searchFor(code)],
  ];
  for (const [what, begin, act] of acts) {
    const shown: Shown[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.goto(baseUrl + begin);
      await page
        .locator(begin === list ? "[data-row]" : "main h1")
        .first()
        .waitFor();
      // The event stream has everything asked for once more when it begins.
      await page.waitForTimeout(1_500);
      shown.push(await shownAfter(page, act));
    }
    say(`${count} transactions, ${what} (ms)`, spread(shown.map(({ total }) => total)));
    say("  of which the API's own", spread(shown.map(({ api }) => api)));
    say("  over it", spread(shown.map(({ total, api }) => total - api)));
  }
  await context.close();
}

async function timeTo(page: Page, path: string, selector: string): Promise<number> {
  const began = performance.now();
  await page.goto(baseUrl + path, { waitUntil: "commit" });
  await page.locator(selector).first().waitFor();
  return performance.now() - began;
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
  return `median ${at(0.5)}, fastest ${at(0)}, slowest ${at(1)} of ${sorted.length}`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function say(what: string, figure: string): void {
  process.stdout.write(`${what}: ${figure}\n`);
}
