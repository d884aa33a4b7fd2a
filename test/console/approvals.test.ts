import { randomInt, randomUUID } from "node:crypto";
import type { Browser, Page, Request } from "playwright-core";
import { decimal } from "../../sdk/src/index.js";
import {
  axeFaults,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  signIn,
  sidewaysPixels,
  type Desk,
} from "./browser.js";
import { waitFor } from "../support/index.js";
import { completedTransaction } from "./orders.js";
import { amina, asUser, customerIdOf } from "./parties.js";

jest.setTimeout(180_000);

/** What the stream brings is there so soon after it was done. */
const liveMs = 2_000;

describe("approvals at two desks", () => {
  let browser: Browser;
  let asker: Desk;
  let decider: Desk;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    [asker, decider] = await Promise.all([openDesk(browser), openDesk(browser)]);
  });
  afterEach(async () => {
    for (const { close, complaints, foreign } of [asker, decider]) {
      await close();
      expect({ complaints, foreign: [...foreign] }).toEqual({ complaints: [], foreign: [] });
    }
  });
  afterAll(() => browser?.close());

  async function askRefund(page: Page, reason: string): Promise<void> {
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Reason").fill(reason);
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByText("The refund waits for a second person.").waitFor();
  }

  const cardOf = (page: Page, code: string) => page.getByRole("article", { name: new RegExp(code) });

  test("one asks a refund, the other's queue shows it at once, approves, and the first sees it refunded", async () => {
    const { id, code, totalAmount } = await completedTransaction();
    await signIn(decider, otherManager(), "/approvals");
    await decider.page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
    await decider.page.getByRole("status").getByText("Live").waitFor();
    await signIn(asker, manager(), `/transactions/${id}`);
    await askRefund(asker.page, "arrived twice");

    const card = cardOf(decider.page, code);
    await card.waitFor({ timeout: liveMs });
    await card.getByText("arrived twice").waitFor();
    // What changes, as a difference.
    await card.locator("del").getByText("0").first().waitFor();
    await card.locator("ins").getByText(totalAmount).first().waitFor();

    // The asker may not decide, and is told so.
    const requested = await asker.context.newPage();
    await requested.goto(`${asker.baseUrl}/console/approvals`);
    await cardOf(requested, code).getByText("You asked for this yourself").waitFor();
    expect(await cardOf(requested, code).getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);

    await card.getByRole("button", { name: "Approve" }).click();
    await decider.page.getByLabel("Reason").fill("seen in the statement");
    await decider.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await decider.page.getByRole("dialog").waitFor({ state: "detached" });
    await Promise.all([
      card.waitFor({ state: "detached", timeout: liveMs }),
      cardOf(requested, code).waitFor({ state: "detached", timeout: liveMs }),
    ]);

    await asker.page.getByRole("heading", { name: code }).locator("..").getByText("Refunded").waitFor();
    await asker.page.getByRole("region", { name: "Refunds" }).getByText("Done").waitFor();
    const entries = asker.page.getByRole("table", { name: "Ledger entries" });
    await entries
      .getByText(/refund/i)
      .first()
      .waitFor();
    await decider.page.goto(`${decider.baseUrl}/console/approvals?show=approved`);
    await decider.page.getByText("seen in the statement").first().waitFor();
  });

  test("a limit, a corridor and an override show what they change, before beside after", async () => {
    const { page } = decider;
    const api = asUser(manager());
    const reason = `shown ${randomUUID().slice(0, 8)}`;
    await api.payments.setWalletLimit({ currency: "USD", perDay: decimal("7654321.00"), reason });
    const [corridor] = await api.corridors.list();
    if (corridor === undefined) throw new Error("the demo has no corridor");
    const { version: _version, ...content } = corridor;
    // What was asked for before is no other question by its reason.
    const maximumAmount = `${randomInt(10, 100)}${corridor.maximumAmount}`;
    await api.corridors.put({ ...content, maximumAmount, reason } as CorridorBody);
    await api.compliance.requestOverride({ customerId: customerIdOf(amina()), customerStatus: "BLOCKED", reason });
    await signIn(decider, otherManager(), "/approvals");
    const cards = page.getByRole("article").filter({ hasText: reason });
    const changesOf = (summary: string | RegExp) => cards.filter({ hasText: summary }).getByRole("table");
    const limit = changesOf("Payments from all USD wallets").getByRole("row", { name: /^A day/ });
    await limit.locator("ins").getByText("7,654,321.00").waitFor();
    const most = changesOf(corridor.originCountry).getByRole("row", { name: /^Largest amount/ });
    await most.locator("del").getByText(groupedText(corridor.maximumAmount)).waitFor();
    await most.locator("ins").getByText(groupedText(maximumAmount)).waitFor();
    const status = changesOf("Block customer").getByRole("row", { name: /^Status of the customer/ });
    await status.locator("ins").getByText("Blocked").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const other = asUser(otherManager());
    const requested = await other.approvals.list({ status: "PENDING" }).toArray({ max: 200 });
    const own = requested.filter(({ askedBecause }) => askedBecause === reason);
    expect(own).toHaveLength(3);
    for (const { id } of own) await other.approvals.refuse(id, { reason: "only looked at" });
    await cards.first().waitFor({ state: "detached" });
  });

  /**
   * Its ceilings in one currency, which nothing else here is about; raising
   * it waits for the second manager.
   */
  function ceilings() {
    const [first, second] = [asUser(manager()), asUser(otherManager())];
    const put = async (amount: string, reason = "as agreed") => {
      const amountCeilings = [{ currency: "KES" as const, amount: decimal(amount) }];
      return (await first.organisation.changePreference({ amountCeilings, reason })).approval?.approvalId;
    };
    return { second, put };
  }

  test("what does something else by now is shown anew before it may be approved, by the same person", async () => {
    decider.expectRefusals(409);
    const { page } = decider;
    const { put } = ceilings();
    const reason = `raised ${randomUUID().slice(0, 8)}`;
    await put("20000000000.00");
    await put("30000000000.00", reason);
    await signIn(decider, otherManager(), "/approvals");
    await page.getByRole("article").filter({ hasText: reason }).getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    const done = dialog.getByRole("region", { name: "What is done" });
    await done.locator("del").getByText("20,000,000,000.00").waitFor();
    // The stream that would bring it before it is approved is no part of this.
    await put("10000000000.00");
    await dialog.getByLabel("Reason").fill("as they need it");
    const approve = dialog.getByRole("button", { name: "Approve" });
    if (await approve.isEnabled()) await approve.click();
    await dialog.getByRole("alert").getByText("It does something else by now.").waitFor();
    await done.locator("del").getByText("10,000,000,000.00").waitFor();
    await done.getByText("New", { exact: true }).waitFor();
    await dialog.getByRole("region", { name: "Not any more" }).locator("del").getByText("20,000,000,000.00").waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "I have seen what it does now" }).click();
    await approve.click();
    await dialog.waitFor({ state: "detached" });
    await page.goto(`${decider.baseUrl}/console/approvals?show=approved`);
    await page.getByRole("row").filter({ hasText: reason }).getByRole("button", { name: "Show" }).click();
    const approved = dialog.getByRole("region", { name: "What was approved" });
    await approved.locator("del").getByText("10,000,000,000.00").waitFor();
    expect(await dialog.getByRole("region", { name: "Joined since, and went along" }).count()).toBe(0);
  });

  test("what joined between approving and carrying out is listed beside what was approved", async () => {
    const { second, put } = ceilings();
    // Two that are approved at the same moment: whichever is carried out last
    // finds what the first has left.
    const raisedTogether = async () => {
      // Below all that it may be: a lower one waits for nobody.
      await put("5000000000.00");
      const reasons = ["one", "other"].map((which) => `${which} ${randomUUID().slice(0, 8)}`);
      const ids = [await put("50000000000.00", reasons[0]), await put("60000000000.00", reasons[1])] as string[];
      const shown = await Promise.all(ids.map((id) => second.approvals.read(id)));
      const consents = shown.map(({ id, digest = "" }) => second.approvals.approve(id, { reason: "seen", digest }));
      const consented = await Promise.allSettled(consents);
      const left = ids.filter((_id, index) => consented[index]!.status === "rejected");
      for (const id of left) await second.approvals.refuse(id, { reason: "overtaken" });
      if (left.length > 0) return undefined;
      return waitFor(async () => {
        const after = await Promise.all(ids.map((id) => second.approvals.read(id)));
        const index = after.findIndex(({ joined = [] }) => joined.length > 0);
        return index < 0 ? undefined : reasons[index];
      });
    };
    let reason: string | undefined;
    for (let round = 0; reason === undefined && round < 20; round += 1) reason = await raisedTogether();
    const { page } = decider;
    await signIn(decider, otherManager(), "/approvals?show=approved");
    await page.getByRole("row").filter({ hasText: reason! }).getByRole("button", { name: "Show" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("region", { name: "What was approved" })
      .locator("del")
      .getByText(/(?<!\d)5,000,000,000\.00/)
      .waitFor();
    const joined = dialog.getByRole("region", { name: "Joined since, and went along" });
    await joined
      .locator("del")
      .getByText(/[56]0,000,000,000\.00/)
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test("a refusal needs its reason, and the transaction shows it", async () => {
    const { id, code } = await completedTransaction();
    await signIn(asker, manager(), `/transactions/${id}`);
    await askRefund(asker.page, "changed my mind");
    await signIn(decider, otherManager(), "/approvals");
    await cardOf(decider.page, code).getByRole("button", { name: "Refuse" }).click();
    const dialog = decider.page.getByRole("dialog", { name: "Refuse" });
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await dialog.getByText("Is required").waitFor();
    await dialog.getByLabel("Reason").fill("the recipient has used it");
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await cardOf(decider.page, code).waitFor({ state: "detached" });
    await asker.page.getByRole("region", { name: "Refunds" }).getByText("Refused").waitFor();
  });

  test("a double click sends one request, and one that got no answer is sent again under its key", async () => {
    asker.expectRefusals(422);
    const { id } = await completedTransaction();
    const { page } = asker;
    const keys: (string | undefined)[] = [];
    const note = (request: Request) => void keys.push(request.headers()["x-idempotency-key"]);
    page.on("request", (request) => request.method() === "POST" && request.url().endsWith("/refunds") && note(request));
    await signIn(asker, manager(), `/transactions/${id}`);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Reason").fill("twice clicked");
    await page.getByRole("button", { name: "Ask for the refund" }).dblclick();
    await page.getByText("The refund waits for a second person.").waitFor();
    expect(keys).toHaveLength(1);

    const { id: other } = await completedTransaction();
    keys.length = 0;
    await page.goto(`${asker.baseUrl}/console/transactions/${other}`);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Reason").fill("no answer");
    // The request arrives, its answer does not.
    await page.route("**/refunds", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByText("No answer came.").waitFor();
    await page.unroute("**/refunds");
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    await page.getByText("The refund waits for a second person.").waitFor();
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys).size).toBe(1);
    const refunds = page.getByRole("table", { name: "Refunds" }).locator("tbody tr");
    await refunds.first().waitFor();
    expect(await refunds.count()).toBe(1);
    asker.complaints.splice(
      0,
      asker.complaints.length,
      ...asker.complaints.filter((text) => !text.includes("ERR_FAILED")),
    );
  });

  test("a session that ends in the middle of a form: signed in again, the form stays and goes on", async () => {
    asker.expectRefusals(401);
    const { id } = await completedTransaction();
    const { page, context } = asker;
    await signIn(asker, manager(), `/transactions/${id}`);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Reason").fill("typed before it ended");
    const keys: (string | undefined)[] = [];
    await page.route("**/refunds", async (route) => {
      // Ended elsewhere, right before it is asked for, with the cookie left behind.
      if (keys.length === 0) await endSessionOf(asker);
      keys.push(route.request().headers()["x-idempotency-key"]);
      await route.continue();
    });
    await page.getByRole("button", { name: "Ask for the refund" }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await again.getByLabel("Password").fill(manager().password);
    await again.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("The refund waits for a second person.").waitFor();
    await page.getByRole("region", { name: "Refunds" }).getByText("typed before it ended").waitFor();
    expect(await context.cookies()).toHaveLength(1);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("the queue is clean to axe and fits, %s at %i pixels", async (colorScheme, width) => {
    await decider.close();
    decider = await openDesk(browser, { colorScheme, width });
    await signIn(decider, otherManager(), "/approvals");
    await decider.page.getByRole("list", { name: "Waiting" }).waitFor();
    expect(await axeFaults(decider.page)).toEqual([]);
    expect(await sidewaysPixels(decider.page)).toBe(0);
    await decider.page.getByRole("tab", { name: "Refused" }).click();
    await decider.page.getByRole("table", { name: "Refused" }).waitFor();
    expect(await axeFaults(decider.page)).toEqual([]);
    expect(await sidewaysPixels(decider.page)).toBe(0);
  });
});

type CorridorBody = Parameters<ReturnType<typeof asUser>["corridors"]["put"]>[0];

const groupedText = (amount: string) => amount.replaceAll(/\B(?=(\d{3})+(\.|$))/g, ",");

/** Ends the session of a desk at identity, as the page's own cookie does it, unseen by the page. */
async function endSessionOf({ context, baseUrl }: Desk): Promise<void> {
  const [cookie] = await context.cookies(`${baseUrl}/console/session`);
  const answer = await fetch(`${baseUrl}/console/session`, {
    method: "DELETE",
    headers: { Origin: baseUrl, Cookie: `${cookie!.name}=${cookie!.value}` },
  });
  expect(answer.status).toBe(200);
}
