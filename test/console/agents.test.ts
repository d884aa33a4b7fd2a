import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import type { Manilla } from "../../sdk/src/index.js";
import {
  agent,
  axeFaults,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  sidewaysPixels,
  signIn,
  type Desk,
} from "./browser.js";
import { waitFor } from "../support/index.js";
import { amina, approveAs, asUser } from "./parties.js";

jest.setTimeout(60_000);

const shoot = async (page: Page, name: string) => {
  if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/${name}.png`, fullPage: true });
};

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
];
type Ordered = Awaited<ReturnType<Manilla["transactions"]["create"]>>;
type Recipient = Awaited<ReturnType<Manilla["beneficiaries"]["findAll"]>>[number];

const planId = `P-${randomUUID().slice(0, 8).toUpperCase()}`;

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/**
 * In the sandbox: what is set of the live agent stays as it is. books.test.ts, which lives its
 * month in an empty one, takes longest and is begun before.
 */
describe("agents", () => {
  let browser: Browser;
  let desk: Desk;
  let office: Manilla;
  let second: Manilla;
  let agentId: string;
  let collected: Ordered;
  let other: { email: string; password: string };
  /** Business days around the first sale: other files move the date of the sandbox. */
  let sold: { from: string; until: string };
  beforeAll(async () => {
    browser = await openBrowser();
    [office, second] = [asUser(manager(), true), asUser(otherManager(), true)];
    agentId = (await asUser(agent(), true).people.readProfile()).user.userId;
    const asked = await office.organisation.changePreference({ agentCounterSales: true, reason: "agents sell" });
    await approveLatest("SETTING_CHANGE", asked.approval?.approvalId);
    const { customerId } = await office.people.findCustomer({ customerCode: "C-AMINA" });
    await office.people.assignCustomer(customerId, { agentId });
  });
  beforeEach(async () => {
    desk = await deskOfSandbox();
  });
  afterEach(async () => {
    await desk.close();
    expect({ complaints: desk.complaints, foreign: [...desk.foreign] }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(() => browser?.close());

  async function deskOfSandbox(): Promise<Desk> {
    const opened = await openDesk(browser, sizes[0]);
    await opened.page.addInitScript(() => sessionStorage.setItem("manilla.sandbox", "1"));
    return opened;
  }

  /** By its id, or the only one of its kind that waits. */
  async function approveLatest(kind: "AGENT_CHANGE" | "SETTING_CHANGE", approvalId?: string): Promise<void> {
    const [latest] = await second.approvals.list({ kind, status: "PENDING" }).toArray({ max: 1 });
    const id = approvalId ?? latest?.id;
    if (id !== undefined) await approveAs(second, id, "agreed");
  }

  async function expectClean(): Promise<void> {
    expect(await axeFaults(desk.page)).toEqual([]);
    for (const size of sizes) {
      await desk.page.setViewportSize(size);
      expect({ size, sideways: await sidewaysPixels(desk.page) }).toEqual({ size, sideways: 0 });
    }
    await desk.page.setViewportSize(sizes[0]!);
  }

  test("a plan and how an agent sells are asked for by one manager and hold once another has approved", async () => {
    const { page } = desk;
    // Of somebody of whom nothing is set.
    desk.expectRefusals(404);
    await signIn(desk, manager(), "/agents?show=plans");
    await page.getByRole("button", { name: "New plan" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Code of the plan/).fill(planId);
    await dialog.getByLabel(/^Name/).fill("Standard agents");
    await dialog.getByLabel("Currency").selectOption("USD");
    await dialog.getByLabel(/^Basis points/).fill("4000");
    await dialog.getByRole("button", { name: "Another rule" }).click();
    const tiered = dialog.getByRole("group", { name: "Rule 2" });
    await tiered.getByLabel("Counts on").selectOption("PRINCIPAL");
    await tiered.getByLabel("Tiers", { exact: true }).fill("100.00 100\n500.00 75\n50");
    await dialog.getByLabel(/^Reason/).fill("What agents have signed");
    await expectClean();
    await dialog.getByRole("button", { name: "Ask for it" }).click();
    await page.getByText("It waits for another manager.").waitFor();
    await approveLatest("AGENT_CHANGE");
    await page.reload();
    const row = page.getByRole("row").filter({ hasText: planId });
    await row.getByText("4000 bps").waitFor();
    await row.getByText("100.00: 100 · 500.00: 75 · …: 50 bps, each part by its own tier").waitFor();

    await page.goto(`${desk.baseUrl}/console/agents/${agentId}`);
    await page.getByText("Nothing is set").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByLabel("Whose cash").selectOption("ACCOUNT");
    const terms = dialog.getByRole("group", { name: "Terms 1" });
    await terms.getByLabel("Currency").selectOption("USD");
    await terms.getByLabel("At once at most").fill("1000.00");
    await terms.getByLabel("A day at most").fill("5000.00");
    await terms.getByLabel("Commission plan").selectOption(planId);
    await terms.getByLabel("Credit line").fill("3000.00");
    await terms.getByLabel(/^Alarm when/).fill("80");
    // One that was added by mistake is none of what is asked for.
    await dialog.getByRole("button", { name: "Another currency" }).click();
    await dialog.getByRole("group", { name: "Terms 2" }).getByRole("button", { name: "Not in this currency" }).click();
    await terms.getByRole("button", { name: "Not in this currency" }).waitFor({ state: "detached" });
    await dialog.getByLabel(/^Reason/).fill("Signed today");
    await expectClean();
    await dialog.getByRole("button", { name: "Ask for it" }).click();
    await dialog.waitFor({ state: "detached" });
    const staff = await office.people.listStaffUsers({}).toArray({ max: 500 });
    const { name } = staff.find(({ userId }) => userId === agentId)!;
    await page.goto(`${desk.baseUrl}/console/approvals`);
    await page.getByRole("article", { name: `How the agent ${name} (${agentId}) sells` }).waitFor();
    await approveLatest("AGENT_CHANGE");
    await page.goto(`${desk.baseUrl}/console/agents/${agentId}`);
    await page.getByRole("table", { name: "Terms" }).getByText("3,000.00USD").waitFor();
    await expectClean();
    // What holds stands in the form, its plan too, whose name is read after it.
    await page.getByRole("button", { name: "Change", exact: true }).click();
    expect(await terms.getByLabel("Commission plan").inputValue()).toBe(planId);
  });

  test("an agent sees what may be sold for, sells out of their account by the transaction's code, and not while suspended", async () => {
    const { page } = desk;
    desk.expectRefusals(403);
    const top = { direction: "TOP_UP", currency: "USD", amount: "500.00", reference: "Transfer 4711" } as const;
    const asked = await office.agents.moveAgentFloat(agentId, top);
    await approveAs(second, asked.approvalId ?? "", "agreed");
    collected = await ordered({
      type: "CASH_PICKUP",
      creditParty: [
        { key: "payoutpointid", value: "NG-LAGOS-ISLAND" },
        { key: "recipientname", value: "Chidi Okafor" },
      ],
    });
    const { transactionCode: next } = await ordered();
    const from = await businessDay();
    await signIn(desk, agent());
    const gauge = page.getByRole("region", { name: "What you may sell for" });
    await gauge.getByText("3,500.00USD").first().waitFor();
    const limits = page.getByRole("region", { name: "Your limits" });
    await limits.getByText("5,000.00USD").nth(1).waitFor();
    await page.getByRole("region", { name: "Transfers between agents" }).waitFor();
    await expectClean();

    await page.getByRole("link", { name: "Counter" }).first().click();
    const sell = async (code: string) => {
      await page.getByLabel(/^Transaction code/).fill(code);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByLabel(/^Cash received/).fill("110");
      await page.getByLabel(/^Cash received/).press("Enter");
    };
    await sell(collected.transactionCode);
    await page.getByText("Change to give").waitFor();
    await page.getByText("7.31USD", { exact: true }).waitFor();
    await expectClean();
    await page.goto(`${desk.baseUrl}/console/`);
    await gauge.getByText("3,397.31USD").first().waitFor();
    await limits.getByText("4,897.31USD").waitFor();
    sold = { from, until: await businessDay() };

    // Chosen by name, once there is somebody who has an account in the currency.
    const dialog = page.getByRole("dialog");
    const give = page.getByRole("button", { name: "Give another agent" });
    await give.click();
    await dialog.getByText("No other agent has an account in USD.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await hire("Bisi Agent");
    await give.click();
    await dialog.getByLabel(/^Agent/).selectOption({ label: "Bisi Agent" });
    await dialog.getByLabel(/^Amount/).fill("20.00");
    await shoot(page, "agent-give");
    await dialog.getByRole("button", { name: "Give another agent" }).click();
    await page.getByText("is set aside for Bisi Agent").waitFor();
    await shoot(page, "agent-home");
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("It is over: the money is the giver’s.").waitFor();

    const theirs = await deskOfSandbox();
    await signIn(theirs, manager(), `/agents/${agentId}`);
    await theirs.page.getByRole("button", { name: "Suspend" }).click();
    await theirs.page
      .getByRole("dialog")
      .getByLabel(/^Reason/)
      .fill("The float is unclear");
    await theirs.page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await theirs.page.getByText("The agent is suspended.").waitFor();
    expect(theirs.complaints).toEqual([]);
    await theirs.close();
    await page.goto(`${desk.baseUrl}/console/counter`);
    await sell(next);
    await page.getByText("Nothing was taken. Ask a manager.").waitFor();
    await page.goto(`${desk.baseUrl}/console/`);
    await page.getByText("You are suspended").waitFor();
  });

  test("an agent hands out a pickup of their own notes against the code, and is owed it", async () => {
    const { page } = desk;
    const { id, transactionCode } = collected;
    const customer = asUser(amina(), true);
    const isReady = async () => (await customer.transactions.read(id)).status === "READY_FOR_PICKUP";
    await waitFor(isReady, { what: "the pickup to be ready" });
    const { pickupCode } = await customer.cashPickup.issuePickupCode(id);
    desk.expectRefusals(403);
    await signIn(desk, other, "/agent-pickup");
    const handOut = async (code: string) => {
      await page.getByLabel(/^Transaction code/).fill(transactionCode);
      await page.getByLabel(/^Pickup code/).fill(code);
      await page.getByRole("button", { name: "Pay out" }).click();
    };
    await handOut("00000-00000");
    await page.getByRole("alert").getByText("The pickup code is wrong.").waitFor();
    // The server says no more.
    expect(await page.getByText("pickup code is wrong").count()).toBe(1);
    await handOut(pickupCode);
    const done = page.getByRole("region", { name: "Hand this out" });
    await done.getByText("152,575.00NGN").waitFor();
    await done.getByText("Chidi Okafor").waitFor();
    await shoot(page, "pickup");
    await expectClean();
    const mine = asUser(other, true);
    const { userId } = (await mine.people.readProfile()).user;
    const unsettled = async () => {
      const { accounts } = await mine.agents.readAgentAccounts(userId);
      return accounts.find(({ currency }) => currency === "NGN")?.unsettled;
    };
    await waitFor(async () => (await unsettled()) === "152575.00", { what: "the hand-out to be booked" });
    await page.goto(`${desk.baseUrl}/console/`);
    await page.getByRole("region", { name: "What you may sell for" }).getByText("152,575.00NGN").waitFor();
    await shoot(page, "agent-unsettled");
  });

  test("a settlement is opened and closed by a manager, disputed by the agent, and once that has ended two managers approve and pay it", async () => {
    const { page } = desk;
    const dialog = page.getByRole("dialog");
    await signIn(desk, manager(), "/agents?show=settlements");
    // One that was a mistake has no number.
    await openSettlement(page, dayAfter(sold.from, -1), sold.from);
    await page.getByRole("link", { name: "Settlement 1 USD" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("heading", { name: "Cancelled settlement", level: 1 }).waitFor();
    await page.getByText("It was cancelled before it was closed").waitFor();
    await page.goto(`${desk.baseUrl}/console/agents?show=settlements`);
    await page.getByRole("link", { name: "Cancelled settlement USD" }).waitFor();
    expect(await page.getByText("Settlement 0").count()).toBe(0);
    await openSettlement(page, dayAfter(sold.from, -1), sold.from);
    await page.getByRole("link", { name: "Settlement 1 USD" }).click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByText("sha256 of the statement").waitFor();
    await expectClean();

    const theirs = await deskOfSandbox();
    await signIn(theirs, agent(), new URL(page.url()).pathname.replace("/console", ""));
    await theirs.page.getByRole("button", { name: "Dispute" }).click();
    await theirs.page
      .getByRole("dialog")
      .getByLabel(/^Reason/)
      .fill("One sale is not mine");
    await theirs.page.getByRole("dialog").getByRole("button", { name: "Dispute" }).click();
    await theirs.page.getByText("One sale is not mine").waitFor();
    expect(theirs.complaints).toEqual([]);
    await theirs.close();
    await page.reload();
    await page.getByRole("button", { name: "End the dispute" }).click();
    await dialog.getByLabel(/^Reason/).fill("It has no sale at all");
    await dialog.getByRole("button", { name: "End the dispute" }).click();
    await page.getByRole("button", { name: "Ask for approval" }).click();
    await dialog.getByLabel(/^Reason/).fill("As the statement");
    await dialog.getByRole("button", { name: "Ask for approval" }).click();
    await dialog.waitFor({ state: "detached" });

    const decider = await deskOfSandbox();
    await signIn(decider, otherManager());
    const approve = async (name: RegExp) => {
      // What concerns one of the staff is told by no event: the queue that is opened has it.
      await decider.page.goto(`${decider.baseUrl}/console/approvals`);
      const card = decider.page.getByRole("article", { name });
      await card.waitFor();
      await card.getByRole("link", { name: "Agent settlement" }).waitFor();
      await card.getByRole("button", { name: "Approve" }).click();
      const deciding = decider.page.getByRole("dialog");
      await deciding.getByLabel(/^Reason/).fill("It is the bank's");
      await deciding.getByRole("button", { name: "Approve" }).click();
      await card.waitFor({ state: "detached" });
    };
    await approve(/^Settlement of the agent .* from /);
    await page.getByRole("button", { name: "Enter the payment" }).click();
    await dialog.getByLabel(/^Amount at the bank/).fill("0");
    await dialog.getByLabel(/^Reference/).fill("Transfer 4712");
    await dialog.getByLabel(/^Reason/).fill("Nothing is owed");
    await shoot(page, "settlement-pay");
    await expectClean();
    await dialog.getByRole("button", { name: "Ask for approval" }).click();
    await dialog.waitFor({ state: "detached" });
    await approve(/reference Transfer 4712/);
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Paid").waitFor();
    await page.getByText("Transfer 4712").waitFor();
    await shoot(page, "settlement-paid");
    await expectClean();
    expect(decider.complaints).toEqual([]);
    await decider.close();
  });

  test("lines that a manager chooses as a dispute ends are the next settlement's", async () => {
    const { page } = desk;
    const dialog = page.getByRole("dialog");
    const today = await businessDay();
    if (today <= sold.until) await office.organisation.advanceBusinessDate({ days: 1 });
    const end = dayAfter(today, today <= sold.until ? 1 : 0);
    await signIn(desk, manager(), "/agents?show=settlements");
    await openSettlement(page, sold.from, end);
    await page.getByRole("link", { name: "Settlement 2 USD" }).click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const dues = page.getByRole("region", { name: "What it comes to" });
    await dues.getByText("sha256 of the statement").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1)!;
    const { statement } = await office.agents.readAgentSettlement(id);
    expect(statement?.dues.collected).toBe("102.69");

    await asUser(agent(), true).agents.disputeAgentSettlement(id, { reason: "One sale is not mine" });
    await page.reload();
    const lines = page.getByRole("table", { name: "Lines" });
    // A top-up is settled by nobody.
    const rows = lines.getByRole("row");
    expect(
      await rows
        .filter({ hasText: /top.up/i })
        .getByRole("checkbox")
        .count(),
    ).toBe(0);
    await lines.getByRole("checkbox", { name: /^Move Sale -102\.69 USD/ }).check();
    await shoot(page, "settlement-choosing");
    await expectClean();
    await page.getByRole("button", { name: "End the dispute" }).click();
    await dialog.getByText("Lines chosen to be moved to the next settlement: 1.").waitFor();
    await dialog.getByLabel(/^Reason/).fill("It is looked into");
    await dialog.getByRole("button", { name: "End the dispute" }).click();
    const moved = page.getByRole("table", { name: "Moved to the next settlement" });
    await moved
      .getByRole("row")
      .filter({ hasText: "Sale" })
      .getByText(/102\.69USD/)
      .waitFor();
    await rows.filter({ hasText: "Sale" }).getByText("moved to the next settlement").waitFor();
    await dues.getByText("By its own lines alone").waitFor();
    await dues.getByText(/^What is owed counts/).waitFor();
    const after = await office.agents.readAgentSettlement(id);
    expect({ collected: after.dues?.collected, moved: after.movedOn.map(({ kind }) => kind) }).toEqual({
      collected: "0.00",
      moved: ["SALE"],
    });
    await shoot(page, "settlement-moved");
    await expectClean();

    await office.organisation.advanceBusinessDate({ days: 1 });
    await page.goto(`${desk.baseUrl}/console/agents?show=settlements`);
    await openSettlement(page, end, dayAfter(end, 1));
    await page.getByRole("link", { name: "Settlement 3 USD" }).click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const carried = page.getByRole("table", { name: "Carried over from before" });
    await carried
      .getByRole("row")
      .filter({ hasText: "Sale" })
      .getByText(/102\.69USD/)
      .waitFor();
    await shoot(page, "settlement-carried");
    await expectClean();
  });

  test("an agent who sells from their account is offered no till", async () => {
    const { page } = desk;
    await signIn(desk, agent(), "/till");
    await page.getByText("You sell from your account").waitFor();
    expect(await page.getByRole("button", { name: "Open a till" }).count()).toBe(0);
    await expectClean();
  });

  async function businessDay(): Promise<string> {
    return (await office.organisation.readBusinessClock()).businessDate;
  }

  async function openSettlement(page: Page, from: string, to: string): Promise<void> {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Open a settlement" }).click();
    await dialog.getByLabel(/^Agent/).selectOption({ label: "Halima Agent" });
    await dialog.getByLabel("Currency").selectOption("USD");
    await dialog.getByLabel(/^First day \*/).fill(from);
    await dialog.getByLabel(/^First day that/).fill(to);
    await dialog.getByRole("button", { name: "Open a settlement" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** Another agent who has chosen a password, and has accounts in USD and NGN. */
  async function hire(name: string): Promise<void> {
    const suffix = randomUUID().slice(0, 8);
    const [email, first] = [`agent-${suffix}@example.com`, `First-${suffix}-2026`];
    const { userId } = await office.people.createStaffUser({ email, password: first, name, role: "AGENT" });
    const own = `Own-${suffix}-2026`;
    await asUser({ email, password: first }, true).security.changePassword({
      currentPassword: first,
      newPassword: own,
    });
    other = { email, password: own };
    const configuration = {
      mode: "ACCOUNT",
      corridors: [],
      methods: [],
      terms: [{ currency: "USD" }, { currency: "NGN" }],
      reason: "Signed today",
    } as Parameters<typeof office.agents.putAgentConfiguration>[1];
    await approveLatest("AGENT_CHANGE", (await office.agents.putAgentConfiguration(userId, configuration)).approvalId);
    const isSet = () => office.agents.readAgentConfiguration(userId).then(Boolean, () => false);
    await waitFor(isSet, { what: "how the other agent sells" });
  }

  /** What a customer of the agent's has made, and not paid. */
  async function ordered(way?: Pick<Recipient, "creditParty"> & { type: string }): Promise<Ordered> {
    const customer = asUser(amina(), true);
    const [recipient] = (await customer.beneficiaries.findAll()).filter(({ code }) => code === "B-AMINA-NG");
    const order = {
      sendAmount: "100.00",
      sendCurrency: "USD",
      receivingCurrency: "NGN",
      type: "ACCOUNTPAYMENT",
      preExistingSenderCustomerCode: "C-AMINA",
      preExistingRecipientCustomerCode: "B-AMINA-NG",
      creditParty: recipient!.creditParty,
      internationalTransferInformation: {
        originCountry: "USA",
        receivingCountry: "NGA",
        remittancePurpose: "GIFT",
        sourceOfFunds: "SALARY",
      },
      transactionProcessingMode: "REAL_TIME",
      transactionModule: "REMITTANCE",
      ...way,
    } as Parameters<typeof customer.transactions.create>[0];
    return customer.transactions.create(order, { ipAddress: "203.0.113.7" });
  }
});
