import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { createEdgeClient, readDemo } from "../support/edge-client.js";
import { axeFaults, manager, openBrowser, openDesk, otherManager, signIn, type Desk } from "./browser.js";
import { completedTransaction } from "./orders.js";
import { asUser } from "./parties.js";

jest.setTimeout(180_000);

const lists = /\/transactionmanagement\/transactions(\?|$)/;

describe("what a desk shows when something stands in its way", () => {
  let browser: Browser;
  let desk: Desk;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    desk = await openDesk(browser);
  });
  afterEach(async () => {
    const { complaints, foreign } = desk;
    await desk.close();
    expect({ complaints, foreign: [...foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(() => browser?.close());

  /** Answers the next reads of the list as the gateway answers a refusal, and none after them. */
  async function refuseReads(page: Page, times: number, status: number, refusal: object, headers = {}): Promise<void> {
    await page.route(
      lists,
      (route) =>
        route.fulfill({
          status,
          headers: { "x-fapi-interaction-id": randomUUID(), ...headers },
          contentType: "application/json",
          body: JSON.stringify({ error: "", role: null, status: "FAILED", ...refusal }),
        }),
      { times },
    );
  }

  const rows = (page: Page) => page.getByRole("table", { name: "Transactions" }).locator("tbody tr");

  test("429: counts down, and then goes on by itself", async () => {
    desk.expectRefusals(429);
    const { page } = desk;
    await completedTransaction();
    // The limiter's own window is a minute long, so that this one answer stands for it.
    const refusal = {
      code: "RATE_LIMITED",
      message: "there are too many requests by this user: at most 1200 a minute",
    };
    // What is told live has the page read again: it is refused until all of it was seen.
    await refuseReads(page, 1_000, 429, refusal, { "Retry-After": "4" });
    await signIn(desk, manager(), "/transactions");
    const alert = page.getByRole("alert");
    await alert.getByText("Too many requests.").waitFor();
    const wait = alert.getByRole("button", { name: /^Try again in [1-4] s$/ });
    await wait.waitFor();
    expect(await wait.isDisabled()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await page.unroute(lists);
    await rows(page).first().waitFor();
    expect(await alert.count()).toBe(0);
  });

  test("503: says that a part is away, and reads again where that is asked for", async () => {
    desk.expectRefusals(503);
    const { page } = desk;
    await completedTransaction();
    // No service of the cluster can be taken away from the tests beside this one.
    await refuseReads(page, 1_000, 503, { code: "UNAVAILABLE", message: "remittance is away" });
    await signIn(desk, manager(), "/transactions");
    const alert = page.getByRole("alert");
    await alert.getByText("A part of the system is away").waitFor();
    // What is told live has the page read again too: it is refused until somebody has clicked.
    await page.evaluate(`document.addEventListener("click", () => (window.isAsked = true), { capture: true })`);
    await page.route(lists, async (route) => {
      const isRequested = await page.evaluate("window.isAsked === true");
      return isRequested ? route.continue() : route.fallback();
    });
    await alert.getByRole("button", { name: "Try again" }).click();
    await rows(page).first().waitFor();
  });

  test("no network: a banner says so, what was typed stays, and it goes out once when the network is back", async () => {
    const { page, context } = desk;
    const { id } = await completedTransaction();
    await signIn(desk, manager(), `/transactions/${id}`);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Reason").fill("typed before the cable was out");
    await context.setOffline(true);
    const banner = page.getByText("No connection to the network.");
    await banner.waitFor();
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByRole("alert").getByText("No answer came.").waitFor();
    await context.setOffline(false);
    await banner.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByText("The refund waits for a second person.").waitFor();
    const refunds = page.getByRole("table", { name: "Refunds" }).locator("tbody tr");
    await refunds.getByText("typed before the cable was out").waitFor();
    expect(await refunds.count()).toBe(1);
    // What the browser itself says of each request that did not go out.
    const others = desk.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"));
    desk.complaints.splice(0, desk.complaints.length, ...others);
  });

  test("409: whoever was slower is told so over the fresh state", async () => {
    desk.expectRefusals(409);
    const { page } = desk;
    const { id, code } = await completedTransaction();
    await asUser(manager()).transactions.requestRefund(id, { reason: "sent twice" });
    await signIn(desk, otherManager(), "/approvals");
    const card = page.getByRole("article", { name: new RegExp(code) });
    await card.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve" });
    await dialog.getByLabel("Reason").fill("seen in the statement");
    // What it does is shown by now, so that it could be approved.
    await dialog.getByRole("region", { name: "What is done" }).waitFor();
    const other = asUser(otherManager());
    const waiting = await other.approvals
      .list({ status: "PENDING", subject: `transaction:${id}` })
      .toArray({ max: 10 });
    await other.approvals.refuse(waiting[0]?.id ?? "", { reason: "the recipient has used it" });
    await card.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.getByRole("alert").getByText("Somebody was faster").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  test("a refusal is told in French by its code, with the server's own sentence below", async () => {
    await desk.close();
    desk = await openDesk(browser, { locale: "fr-FR" });
    desk.expectRefusals(422);
    const { page, baseUrl } = desk;
    const { id } = await completedTransaction();
    await page.goto(`${baseUrl}/console/transactions/${id}`);
    await page.getByLabel("E-mail").fill(manager().email);
    await page.getByLabel("Mot de passe").fill(manager().password);
    await page.getByRole("button", { name: "Se connecter", exact: true }).click();
    await page.getByRole("button", { name: "Rembourser", exact: true }).click();
    await page.getByRole("textbox", { name: "Montant" }).fill("99 999,00");
    await page.getByLabel("Motif").fill("trop");
    await page.getByRole("button", { name: "Demander le remboursement" }).click();
    const alert = page.getByRole("dialog").getByRole("alert");
    await alert.getByText("C’est plus que ce qui reste du montant payé.").waitFor();
    await alert.getByText("of what was paid can be given back").waitFor();
  });

  test("an authenticator's code is asked for after the password; a wrong one is told, the right one lets in", async () => {
    desk.expectRefusals(403, 401);
    const { page, baseUrl } = desk;
    const { secret, ...person } = await staffWithAuthenticator();
    await page.goto(`${baseUrl}/console/`);
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const code = page.getByLabel(/^Authenticator code/);
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    // The code of this moment confirmed it, and each is good once: the
    // next one is taken a step early.
    await code.fill(secret.generate({ timestamp: Date.now() + 30_000 }));
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  });
});

/** A cashier of this test alone, with a password of their own and an authenticator that counts. */
async function staffWithAuthenticator() {
  const suffix = randomUUID().slice(0, 8);
  const email = `totp-${suffix}@example.com`;
  const [given, password] = [`Given-${suffix}-2026`, `Own-${suffix}-2026`];
  await asUser(manager()).people.createStaffUser({ email, password: given, name: `Tola ${suffix}`, role: "CASHIER" });
  await createEdgeClient(readDemo().baseUrl).loginFirst({ email, password: given, ownPassword: password });
  const own = asUser({ email, password });
  const { secret: base32 } = await own.secondFactors.enrolTotp({ password });
  const secret = new TOTP({ secret: Secret.fromBase32(base32) });
  await own.secondFactors.confirmTotp({ otp: secret.generate() });
  return { email, password, secret };
}
