import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { approveShown } from "../support/approve-shown.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeClient,
} from "../support/edge-client.js";
import { fundedCustomer } from "../support/funded-customer.js";
import { waitFor } from "../support/index.js";
import {
  axeFaults,
  manager,
  openBrowser,
  openDesk,
  otherManager,
  sidewaysPixels,
  signIn,
  type Desk,
} from "./browser.js";

jest.setTimeout(120_000);

const compliance = `${services}/compliance`;
const demo = readDemo();
const sender = demoUser(demo, "CUSTOMER", { email: "amina@" });
const keyed = () => ({ "x-idempotency-key": randomUUID() });

let browser: Browser;
let desk: Desk;
let page: Page;
let second: EdgeClient;

async function signedIn(user: { email: string; password: string }): Promise<EdgeClient> {
  const client = createEdgeClient(demo.baseUrl, demo.tenants[0]!.host);
  expect((await client.login(user)).status).toBe(200);
  return client;
}

beforeAll(async () => {
  browser = await openBrowser();
  second = await signedIn(otherManager());
});
afterAll(() => browser?.close());

beforeEach(async () => {
  desk = await openDesk(browser);
  page = desk.page;
});
afterEach(() => desk.close());

const shown = (text: string) => page.getByText(text, { exact: false }).first().waitFor();
const dialog = () => page.getByRole("dialog");

/** A transaction to somebody whom the made-up lists have. */
async function payListed(sender: DemoUser): Promise<string> {
  const client = await signedIn(sender);
  const creditParty = [
    { key: "mobileoperator", value: "SAFARICOM" },
    { key: "mobilenumber", value: "+254733000333" },
    { key: "accountholdername", value: "Yaromil Vorskutin" },
  ];
  const recipient = { country: "KEN", currency: "KES", deliveryMethods: ["MOBILE_MONEY"], creditParty };
  const body = { firstName: "Yaromil", lastName: "Vorskutin", ...recipient };
  const saved = await client.send("POST", `${services}/usermanagement/beneficiaries`, { headers: keyed(), body });
  const { code } = saved.body.data;
  const asSender = { ...sender, beneficiaries: [{ ...recipient, code, name: "" }] };
  const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "KEN" };
  const made = await client.createTransaction(asSender, order, { password: sender.password });
  expect([made.status, made.body.data?.status]).toEqual([200, "AWAITING_COMPLIANCE"]);
  return made.body.data.id;
}

test("a case is opened, worked, changed by two people at once, exported and closed", async () => {
  await signIn(desk, manager(), "/cases");
  await page.getByRole("button", { name: "Open a case" }).click();
  await dialog()
    .getByLabel("Customer’s id")
    .fill(sender.customerId ?? "");
  await dialog().getByLabel("Note").fill("Asked twice for a higher limit");
  await dialog().getByRole("button", { name: "Open a case" }).click();
  await page.getByRole("heading", { name: /^Case #\d+$/ }).waitFor();
  await shown("Asked twice for a higher limit");
  const caseId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  // Somebody else tags the case while the dialog is open: nothing of theirs is
  // lost, and the change goes onto it.
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await dialog().getByLabel("Priority").selectOption("URGENT");
  const { version } = (await second.send("GET", `${compliance}/cases/${caseId}`)).body.data;
  const tagged = { headers: keyed(), body: { version, tags: ["FRAUD"] } };
  expect((await second.send("POST", `${compliance}/cases/${caseId}/change`, tagged)).status).toBe(200);
  desk.expectRefusals(409);
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().getByText("Somebody was faster").waitFor();
  await dialog().getByText("As it is now", { exact: true }).waitFor();
  await dialog().getByLabel("Identity").check();
  await dialog().getByRole("button", { name: "Save" }).click();
  await shown("The case is changed.");
  const changed = (await second.send("GET", `${compliance}/cases/${caseId}`)).body.data;
  expect(changed).toMatchObject({ priority: "URGENT", tags: ["FRAUD", "IDENTITY"] });

  await page.getByLabel("Attach").setInputFiles({ name: "letter.pdf", mimeType: "application/pdf", buffer: letter });
  await page.getByRole("button", { name: "Save letter.pdf" }).waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save letter.pdf" }).click();
  expect((await saving).suggestedFilename()).toBe("letter.pdf");

  const exporting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "As PDF" }).click();
  expect((await exporting).suggestedFilename()).toMatch(/^case-\d+\.pdf$/);

  await page.getByRole("button", { name: "Close", exact: true }).click();
  await dialog().getByLabel("Outcome").selectOption("USEFUL");
  await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
  await dialog().getByText("Is required").waitFor();
  await dialog().getByLabel("Reason").fill("The letter explains it");
  await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
  await shown("The case is closed.");
  await page.getByRole("button", { name: "Reopen" }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await sidewaysPixels(page)).toBe(0);
  expect([desk.complaints, [...desk.foreign]]).toEqual([[], []]);
});

test("hits of one comparison are told apart with one word, and what waited goes on by itself", async () => {
  const transactionId = await payListed(sender);
  const { screenings } = (await second.send("GET", `${compliance}/screenings?transactionId=${transactionId}`)).body
    .data;
  const [screening] = screenings as { screeningId: string; hits: unknown[] }[];
  await signIn(desk, manager(), "/reviews");
  await shown("Screening hit");
  expect(await axeFaults(page)).toEqual([]);

  // Whose desk it is on: taken and given back where it is found, and at the case.
  const review = page.getByRole("row").filter({ has: page.locator(`a[href$="/transactions/${transactionId}"]`) });
  await review.getByText("nobody’s").waitFor();
  await review.getByRole("button", { name: /^Take it/ }).click();
  await review.getByText("you", { exact: true }).waitFor();
  await review.getByRole("link", { name: "Case", exact: true }).click();
  await page.getByRole("heading", { name: /^Case #\d+$/ }).waitFor();
  await page.getByRole("button", { name: "Give it back" }).click();
  await page.getByRole("button", { name: "Take it" }).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  // The transaction says why it waits, and leads to the hit and to the case.
  await page.goto(`${desk.baseUrl}/console/transactions/${transactionId}`);
  const why = page.getByRole("region", { name: "What it is held for" });
  await why.getByText("Yaromil Vorskutin").first().waitFor();
  await why.getByRole("link", { name: "The case" }).waitFor();
  await why.getByRole("link", { name: "The hit, to be decided" }).click();
  await page.waitForURL(`**/screenings/${screening?.screeningId}`);

  // Its entry is on its list: whoever looks for what is gone from lists does not find it.
  await page.goto(`${desk.baseUrl}/console/screenings?transactionId=${transactionId}`);
  await page.getByRole("link", { name: "Yaromil Vorskutin" }).waitFor();
  await page.getByLabel("List’s entry").selectOption("true");
  await page.waitForURL(/offList=true/);
  await shown("Nothing matches");
  expect(await axeFaults(page)).toEqual([]);

  await page.goto(`${desk.baseUrl}/console/screenings/${screening?.screeningId}`);
  await page.getByRole("heading", { name: "Yaromil Vorskutin", level: 1 }).waitFor();
  await page
    .getByRole("table", { name: /^Explanation of the score/ })
    .first()
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel(/open hits chosen/).check();
  await page.getByRole("button", { name: "Another person" }).first().click();
  await dialog().getByLabel("Reason").fill("Born in another year, by the passport");
  await dialog().getByRole("button", { name: "Another person" }).click();
  await shown("Told apart.");
  await waitFor(
    async () => {
      const { status } = (await second.readTransaction(transactionId)).body.data;
      return status !== "AWAITING_COMPLIANCE";
    },
    { timeoutMs: 30_000, everyMs: 300, what: "the transaction to go on" },
  );
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await sidewaysPixels(page)).toBe(0);
  expect([desk.complaints, [...desk.foreign]]).toEqual([[], []]);
});

test("who is blocked, and what is blocked with them, says why and leads to hit, release and case, and is in no queue", async () => {
  // A customer of this test's own: blocking one of the demo would be in the way of others.
  const { person, customerId, customerCode } = await fundedCustomer(demo, 100_00n);
  const own = { ...person, role: "CUSTOMER", userId: "", customerId, customerCode } as unknown as DemoUser;
  const transactionId = await payListed(own);
  const first = await signedIn(manager());
  const found = (await second.send("GET", `${compliance}/screenings?transactionId=${transactionId}`)).body.data;
  const [{ screeningId, hits }] = found.screenings;
  const reviewOf = () =>
    page.getByRole("row").filter({ has: page.locator(`a[href$="/transactions/${transactionId}"]`) });
  await signIn(desk, manager(), "/reviews");
  await reviewOf().waitFor();

  const decide = { headers: keyed(), body: { decision: "CONFIRMED", reason: "the same passport" } };
  const requested = await first.send(
    "POST",
    `${compliance}/screenings/${screeningId}/hits/${hits[0].hitId}/decide`,
    decide,
  );
  expect(requested.status).toBe(202);
  const { approvalId } = requested.body.data.hits[0];
  expect((await approveShown(second, approvalId, { reason: "seen, too" })).status).toBe(200);
  await waitFor(async () => (await second.readTransaction(transactionId)).body.data.status === "BLOCKED", {
    timeoutMs: 30_000,
    everyMs: 300,
    what: "the transaction to be blocked",
  });
  await page.goto(`${desk.baseUrl}/console/reviews`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await reviewOf().waitFor({ state: "detached" });

  for (const path of [`transactions/${transactionId}`, `customers/${customerId}`]) {
    await page.goto(`${desk.baseUrl}/console/${path}`);
    const why = page.getByRole("region", { name: "What it is held for" });
    await why.getByText("Confirmed hit").waitFor();
    await why.getByText("Yaromil Vorskutin").first().waitFor();
    await why.getByRole("link", { name: "The case" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await why.getByRole("link", { name: "The hit and its release" }).click();
    await page.waitForURL(`**/screenings/${screeningId}`);
    await page.getByRole("button", { name: "Release" }).waitFor();
  }
  await page.goto(`${desk.baseUrl}/console/transactions/${transactionId}`);
  await page.getByRole("region", { name: "What it is held for" }).getByRole("link", { name: "The case" }).click();
  await page.getByRole("heading", { name: /^Case #\d+$/ }).waitFor();
  expect([desk.complaints, [...desk.foreign]]).toEqual([[], []]);
});

test("an address of the sandbox that is opened in live says so, and is one click away", async () => {
  desk.expectRefusals(404);
  await signIn(desk, manager(), `/transactions/${randomUUID()}`);
  await shown("A link that was shared from the sandbox has the same address.");
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Look in the sandbox" }).click();
  await page.getByText("Sandbox: nothing here moves real money").waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/transactions\//);
});

const letter = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);
