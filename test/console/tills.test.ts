import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import type { Manilla } from "../../sdk/src/index.js";
import { waitFor } from "../support/index.js";
import {
  axeFaults,
  cashier,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  sidewaysPixels,
  signIn,
  type Desk,
} from "./browser.js";
import { approveAs, asUser } from "./parties.js";

jest.setTimeout(60_000);

const shoot = async (page: Page, name: string) => {
  if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/${name}.png`, fullPage: true });
};

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
];
const branch = `B-${randomUUID().slice(0, 8).toUpperCase()}`;

/** In the sandbox, whose tills nobody else opens: a second cashier who has chosen a password. */
async function colleague(): Promise<Manilla> {
  const suffix = randomUUID().slice(0, 8);
  const [email, first] = [`till-${suffix}@example.com`, `First-${suffix}-2026`];
  const office = asUser(manager(), true);
  await office.people.createStaffUser({ email, password: first, name: "Bisi Till", role: "CASHIER" });
  const own = `Own-${suffix}-2026`;
  await asUser({ email, password: first }, true).security.changePassword({ currentPassword: first, newPassword: own });
  return asUser({ email, password: own }, true);
}

describe("tills, vaults and branches", () => {
  let browser: Browser;
  let desk: Desk;
  let office: Manilla;
  beforeAll(async () => {
    browser = await openBrowser();
    office = asUser(manager(), true);
    await office.organisation.changePreference({ blindTillCounts: true, reason: "who counts does not know" });
    await office.branches.put({ code: branch, name: "Marina", country: "NGA", enabled: true });
  });
  beforeEach(async () => {
    desk = await openDesk(browser, sizes[0]);
    await desk.page.addInitScript(() => sessionStorage.setItem("manilla.sandbox", "1"));
  });
  afterEach(async () => {
    await desk.close();
    expect({ complaints: desk.complaints, foreign: [...desk.foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(() => browser?.close());

  async function expectClean(): Promise<void> {
    expect(await axeFaults(desk.page)).toEqual([]);
    for (const size of sizes) {
      await desk.page.setViewportSize(size);
      expect({ size, sideways: await sidewaysPixels(desk.page) }).toEqual({ size, sideways: 0 });
    }
    await desk.page.setViewportSize(sizes[0]!);
  }

  test("a till is counted blind by its notes, takes a colleague's cash, and is closed short with a reason that a manager reads", async () => {
    const { page } = desk;
    desk.expectRefusals(422);
    await signIn(desk, cashier(), "/till");
    await page.getByRole("button", { name: "Open a till" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Currency").selectOption("USD");
    await dialog.getByLabel("Float").fill("200.00");
    await dialog.getByRole("button", { name: "Open a till" }).click();
    const till = page.getByRole("region", { name: "Your till USD" });
    await till.getByText("Hidden until it is counted").waitFor();

    await till.getByRole("button", { name: "Hand over" }).click();
    await dialog.getByText("Nobody else where you work has a till open in USD.").waitFor();
    expect(await dialog.getByRole("button", { name: "Hand over" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const giver = await colleague();
    const theirs = await giver.cash.openTill({ currency: "USD", float: "50.00" });
    const mine = asUser(cashier(), true);
    const receiverId = (await mine.people.readProfile()).user.userId;
    const offer = { receiverId, denominations: [{ value: "10.00", count: 1 }] };
    await giver.cash.offerCash(theirs.tillId, offer as Parameters<typeof giver.cash.offerCash>[1]);
    await page.reload();
    await page.getByText("is offered to you by Bisi Till").waitFor();
    await shoot(page, "till-offered");
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("The cash is in your till.").waitFor();

    // The other way round, chosen by name, and taken back.
    await till.getByRole("button", { name: "Hand over" }).click();
    await dialog.getByLabel(/^Colleague/).selectOption({ label: "Bisi Till · Cashier" });
    await dialog.getByLabel("100.00 ×").fill("1");
    await shoot(page, "till-hand-over");
    await expectClean();
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await page.getByText("is set aside for Bisi Till").waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("It is over: the cash is the giver’s.").waitFor();

    await till.getByRole("button", { name: "Count", exact: true }).click();
    await dialog.getByLabel("100.00 ×").fill("2");
    await dialog.getByLabel("10.00 ×", { exact: true }).fill("1");
    await dialog.getByText("They come to").getByText("210.00").waitFor();
    await expectClean();
    await dialog.getByRole("button", { name: "Count", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    // Whoever has counted is told what should be there, until cash moves again.
    await till.getByText("210.00USD").first().waitFor();

    await till.getByRole("button", { name: "Close" }).click();
    await dialog.getByLabel(/^Counted/).fill("209.00");
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await dialog.getByText("is required where there is a difference").waitFor();
    await dialog.getByLabel(/^Why there is a difference/).fill("A coin fell behind the counter");
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await till.waitFor({ state: "detached" });
    const tills = page.getByRole("table", { name: "Tills" });
    await tills.getByText("−1.00").waitFor();
    await tills.getByRole("link").first().click();
    const lines = page.getByRole("table", { name: "Lines of a till" });
    for (const kind of ["Float", "Hand over", "Difference", "Closing"])
      await lines.getByText(kind, { exact: true }).waitFor();
    await expectClean();

    const tillId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const counts = await office.cash.listTillCounts(tillId);
    const reader = await openDesk(browser, sizes[0]);
    await reader.page.addInitScript(() => sessionStorage.setItem("manilla.sandbox", "1"));
    await signIn(reader, manager(), `/till/${tillId}`);
    const shown = reader.page.getByRole("table", { name: "Counts" });
    await shown.getByText("2 × 100.00, 1 × 10.00").waitFor();
    await shown.getByText("A coin fell behind the counter").waitFor();
    expect(await shown.getByRole("row").count()).toBe(counts.length + 1);
    expect(reader.complaints).toEqual([]);
    await reader.close();
    await giver.cash.closeTill(theirs.tillId, { counted: "40.00" });
  });

  test("a till whose holder does not come back is closed by a manager once another one agrees, after what was offered is given back", async () => {
    const { page } = desk;
    const [receiver, holder] = [await colleague(), await colleague()];
    const theirs = await receiver.cash.openTill({ currency: "USD", float: "1.00" });
    const { tillId } = await holder.cash.openTill({ currency: "USD", float: "50.00" });
    const idOf = async (one: Manilla) => (await one.people.readProfile()).user.userId;
    const offer = { receiverId: await idOf(receiver), counted: "10.00" };
    await holder.cash.offerCash(tillId, offer as Parameters<typeof holder.cash.offerCash>[1]);
    await office.people.disableUser(await idOf(holder), { reason: "Left" });

    await signIn(desk, manager(), "/cash");
    const row = page.getByRole("table", { name: "Tills" }).getByRole("row").nth(1);
    const offered = page.getByRole("region", { name: "Hand-overs" });
    await expectClean();
    await offered.getByRole("button", { name: "Give back" }).click();
    await offered.waitFor({ state: "detached" });
    await row.getByRole("button", { name: "Close" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Counted/).fill("50.00");
    await dialog.getByLabel(/^Why you close it/).fill("They do not come back");
    await expectClean();
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByText("A second manager decides about it.").waitFor();
    await row.getByText("Waiting").waitFor();
    const other = asUser(otherManager(), true);
    const asked = await other.approvals.list({ kind: "TILL_CLOSING", status: "PENDING" }).toArray({ max: 100 });
    const question = asked.find(({ subject }) => subject === `till:${tillId}`);
    await approveAs(other, question?.id ?? "", "Counted with them");
    await waitFor(async () => {
      const tills = await office.cash.listTills({}).toArray({ max: 20 });
      return tills.find((one) => one.tillId === tillId)?.status === "CLOSED";
    });
    await page.reload();
    await row.getByText("Closed").waitFor();
    await receiver.cash.closeTill(theirs.tillId, { counted: "1.00" });
  });

  test("a manager sends cash to a branch, another counts it in, and the end of the day is as the ledger has it", async () => {
    const { page } = desk;
    await signIn(desk, manager(), "/cash-orders");
    await page.getByRole("button", { name: "Ask for cash" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("To the vault of").selectOption(branch);
    await dialog.getByLabel("Currency").selectOption("USD");
    await dialog.getByLabel(/^Amount/).fill("500.00");
    await dialog.getByRole("button", { name: "Ask for cash" }).click();
    const row = page.getByRole("row").filter({ hasText: branch });
    await row.getByRole("button", { name: "Send" }).click();
    await row.getByRole("button", { name: "Receive" }).waitFor();
    await expectClean();

    await page.goto(`${desk.baseUrl}/console/cash?show=day`);
    await page.getByRole("region", { name: "In transit" }).getByText(branch).waitFor();
    const other = asUser(otherManager(), true);
    const sent = await other.cash.listCashOrders({ branchCode: branch, open: "true" }).toArray({ max: 5 });
    await other.cash.receiveCashOrder(sent[0]!.orderId, { counted: "500.00" });
    await page.getByRole("combobox", { name: "Branch" }).selectOption(branch);
    const totals = page.getByRole("region", { name: "In all" });
    await totals.getByText("as the ledger").waitFor();
    await totals.getByText("500.00USD").first().waitFor();
    expect(await page.getByText("not as the ledger").count()).toBe(0);
    await expectClean();

    await page.getByRole("tab", { name: "Branches" }).click();
    await page.getByRole("button", { name: "Assign somebody" }).click();
    await dialog.getByLabel(/^Cashier or agent/).selectOption({ label: "Halima Agent · Agent" });
    await dialog.getByLabel("Branch").selectOption(branch);
    await expectClean();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row").filter({ hasText: "Halima Agent" }).getByText(branch).waitFor();
    const staff = await office.people.listStaffUsers({}).toArray({ max: 100 });
    const agentId = staff.find(({ name }) => name === "Halima Agent")?.userId ?? "";
    await office.cash.putBranchAssignment(agentId, {});
  });
});
