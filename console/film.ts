// `npm run console:film -- FOLDER`: FOLDER/counter-sale.webm, in which a cashier sells a transfer
// to a known customer for cash, by keys alone; prints how many keys decided and the seconds that it
// took. Of the cluster at BASE_URL, as its demo cashier, who opens a till first and closes it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import bundledChromium from "@sparticuz/chromium";
import { chromium, type Browser, type Page } from "playwright-core";
import { Manilla } from "../sdk/src/index.js";

const folder = resolve(process.argv[2] ?? ".cache/console");
const baseUrl = process.env["BASE_URL"] ?? "http://localhost:8080";
const email = process.env["EMAIL"] ?? "cashier@demo.example";
const password = process.env["PASSWORD"] ?? "Demo-Cashier-1";
const size = { width: 1280, height: 800 };
/** As somebody types who looks at the screen. */
const delay = 90;

/** Of the page that cuts the film: the browser itself encodes what is drawn on the canvas. */
const cuttingRoom = `(({ width, height }) => {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm;codecs=vp9" });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  window.draw = async (jpeg) => {
    const image = new Image();
    image.src = "data:image/jpeg;base64," + jpeg;
    await image.decode();
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  };
  window.end = async () => {
    const ended = new Promise((stopped) => (recorder.onstop = stopped));
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  };
  recorder.start();
})(${JSON.stringify(size)})`;

const executablePath = process.env["CHROMIUM"] ?? (await bundledChromium.executablePath());
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-zygote", "--disable-gpu"] });
const { cash } = new Manilla({ baseUrl, credentials: { email, password } });
const { tillId } = await cash.openTill({ currency: "USD", float: "200.00" });
try {
  const page = await (await browser.newContext({ viewport: size, locale: "en-GB" })).newPage();
  await page.goto(`${baseUrl}/console/counter`);
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(password);
  await page.locator("[type=submit]").click();
  await page.getByLabel(/^Name, phone, document or code/).waitFor();
  const film = await filming(browser, page);
  const begun = performance.now();
  const decided = await sell(page);
  const seconds = (performance.now() - begun) / 1_000;
  // So that the change is read.
  await page.waitForTimeout(2_000);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "counter-sale.webm");
  writeFileSync(file, await film.end());
  process.stdout.write(`${file}\n${decided} keys decided, ${seconds.toFixed(1)} s\n`);
} finally {
  const { expected } = (await cash.listTills({ open: "true" }).toArray({ max: 50 })).find(
    (one) => one.tillId === tillId,
  )!;
  await cash.closeTill(tillId, { counted: expected! });
  await browser.close();
}

/** How many keys decided something. */
async function sell(page: Page): Promise<number> {
  let decided = 0;
  const type = async (text: string) => page.keyboard.type(text, { delay });
  const enter = async () => {
    decided += 1;
    await page.waitForTimeout(4 * delay);
    await page.keyboard.press("Enter");
  };
  await type("amena belo");
  await enter();
  await page.getByRole("list", { name: "Who is it" }).getByRole("button").first().waitFor();
  await enter();
  await page
    .getByRole("list", { name: "Recipients" })
    .getByRole("button", { name: /Chidi Okafor/ })
    .waitFor();
  await type("wc");
  await enter();
  await page.getByLabel(/^Amount \*/).waitFor();
  await type("100");
  await enter();
  await page.getByRole("region", { name: "Price" }).waitFor();
  await enter();
  await page.getByLabel(/^Cash received/).waitFor();
  await type("110");
  await page.getByRole("region", { name: "Payment" }).getByText("7.31").waitFor();
  await enter();
  await page
    .getByRole("region", { name: /^Sold: / })
    .getByText("Change to give")
    .waitFor();
  return decided;
}

/** Films a page as it is painted. */
async function filming(of: Browser, page: Page): Promise<{ end: () => Promise<Buffer> }> {
  const cutter = await of.newPage();
  await cutter.evaluate(cuttingRoom);
  const screen = await page.context().newCDPSession(page);
  screen.on("Page.screencastFrame", ({ data, sessionId }) => {
    void cutter.evaluate(`draw("${data}")`);
    void screen.send("Page.screencastFrameAck", { sessionId });
  });
  await screen.send("Page.startScreencast", { format: "jpeg", quality: 85 });
  return {
    async end() {
      await screen.send("Page.stopScreencast");
      return Buffer.from(await cutter.evaluate<string>("end()"), "latin1");
    },
  };
}
