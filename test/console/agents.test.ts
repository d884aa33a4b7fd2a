import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
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
import { amina, approveAs, asUser } from "./parties.js";

jest.setTimeout(60_000);

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
];
const planId = `P-${randomUUID().slice(0, 8).toUpperCase()}`;

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
    const [first, next] = [await ordered(), await ordered()];
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
    await sell(first);
    await page.getByText("Change to give").waitFor();
    await page.getByText("7.31USD", { exact: true }).waitFor();
    await expectClean();
    await page.goto(`${desk.baseUrl}/console/`);
    await gauge.getByText("3,397.31USD").first().waitFor();
    await limits.getByText("4,897.31USD").waitFor();

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

  test("a settlement is opened and closed by a manager, disputed by the agent, and goes on once that has ended", async () => {
    const { page } = desk;
    const { businessDate } = await office.organisation.readBusinessClock();
    const before = new Date(Date.parse(`${businessDate}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    await signIn(desk, manager(), "/agents?show=settlements");
    await page.getByRole("button", { name: "Open a settlement" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Agent/).selectOption({ label: "Halima Agent" });
    await dialog.getByLabel("Currency").selectOption("USD");
    await dialog.getByLabel(/^First day \*/).fill(before);
    await dialog.getByLabel(/^First day that/).fill(businessDate);
    await dialog.getByRole("button", { name: "Open a settlement" }).click();
    await page.getByRole("row").filter({ hasText: "Halima Agent" }).getByRole("link").click();
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
    await page.getByRole("button", { name: "Ask for approval" }).waitFor();
  });

  /** What a customer of the agent's has made, and not paid. */
  async function ordered(): Promise<string> {
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
    } as Parameters<typeof customer.transactions.create>[0];
    return (await customer.transactions.create(order, { ipAddress: "203.0.113.7" })).transactionCode;
  }
});
