import { approveShown } from "../support/approve-shown.js";
import { createHash, randomUUID } from "node:crypto";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeClient,
} from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const base = `${services}/compliance`;
const demo = readDemo();
// Another tenant than the examples of the documentation are sent to: they write its policy, too.
const { id: tenantId, host } = demo.tenants[1]!;
const dataDir = process.env["E2E_DATA_DIR"] ?? "";
const password = "A-Long-Pass-1";
/** The same in every run: the same file again is the same version. */
const listed = { firstName: "Quintavius", lastName: "Brandelmoor" };
const ownList =
  "id,name,kind,dates_of_birth,countries\nOWN-1,Quintavius Brandelmoor,PERSON,1961-02-14,KEN\nOWN-2,Ottokarina Wesselbrand,PERSON,,DEU\n";
const unlisted = { firstName: "Wanjiku", lastName: "Otienowera" };
/** Tells that a list is why; with names and ids of it. */
const tellTales = /screen|sanction|watch.?list|black.?list|\blisted\b|\bhits?\b|match|resembl|CUSTOM\b|OWN-1|block /i;

type Answer = Awaited<ReturnType<EdgeClient["send"]>>;
const soon = { timeoutMs: 30_000, everyMs: 200 };
let manager: EdgeClient;
let second: EdgeClient;
let agent: EdgeClient;

async function signedIn(user: { email: string; password: string }): Promise<EdgeClient> {
  const client = createEdgeClient(demo.baseUrl, host);
  expect((await client.login(user)).status).toBe(200);
  return client;
}

const keyed = () => ({ headers: { "x-idempotency-key": randomUUID() } });
function data(answer: Answer, status = 200) {
  expect([answer.status, answer.status === status ? "" : answer.text]).toEqual([status, ""]);
  return answer.body.data;
}
const post = async (who: EdgeClient, path: string, body: object, status = 200) =>
  data(await who.send("POST", path.startsWith("/api") ? path : `${base}${path}`, { ...keyed(), body }), status);
const get = async (who: EdgeClient, path: string) =>
  data(await who.send("GET", path.startsWith("/api") ? path : `${base}${path}`));

/** The organisation's own list, in use: its first version waits for the second manager. */
async function loadOwnList(): Promise<void> {
  const file = Buffer.from(ownList);
  const uploadKey = "own-list";
  const sha256 = createHash("sha256").update(file).digest("hex");
  await post(manager, "/screening-lists/parts", { uploadKey, offset: 0, content: file.toString("base64") });
  const { listId } = await post(manager, "/screening-lists/load", { source: "CUSTOM", files: [{ uploadKey, sha256 }] });
  const read = () => get(second, `/screening-lists/${listId}`);
  const list = await waitFor(
    async () => {
      const found = await read();
      return found.status === "LOADING" ? undefined : found;
    },
    { ...soon, what: "the list to be read" },
  );
  if (list.status === "WAITING") await post(second, `/screening-lists/${listId}/approve`, {});
  expect(await read()).toMatchObject({ status: "ACTIVE", entries: 2, isOperators: false });
  // Not until the policy has its source on, which an earlier run may have done.
  const { lists } = await get(second, "/screening-policy");
  expect((await read()).isUsed).toBe(lists.includes("CUSTOM"));
}

/** CUSTOM beside the published lists, by two managers. */
async function turnOwnListOn(): Promise<void> {
  const now = await get(manager, "/screening-policy");
  if (now.lists.includes("CUSTOM")) return;
  const { version: _v, publishedAt: _at, publishedBy: _by, draftedBy: _drafted, ...content } = now;
  const draft = await manager.send("GET", `${base}/screening-policy-draft`);
  const revision = draft.status === 404 ? 0 : draft.body.data.revision;
  const body = { ...content, lists: [...now.lists, "CUSTOM"], revision };
  const saved = data(await manager.send("PUT", `${base}/screening-policy-draft/save`, { body }));
  await post(manager, "/screening-policy-draft/publish", { revision: saved.revision }, 403);
  await post(second, "/screening-policy-draft/publish", { revision: saved.revision });
}

beforeAll(async () => {
  manager = await signedIn(demoUser(demo, "MANAGER", { tenant: 1 }));
  second = await signedIn(demoUser(demo, "MANAGER", { tenant: 1, email: "manager2" }));
  agent = await signedIn(demoUser(demo, "AGENT", { tenant: 1 }));
  await loadOwnList();
  await turnOwnListOn();
  // Every process has the list and the policy within about two seconds.
  const names = [`${listed.firstName} ${listed.lastName}`];
  await waitFor(
    async () => {
      const { hits } = await post(manager, "/screenings/search", { names });
      return hits.some(({ entry }: { entry: { entryId: string } }) => entry.entryId === "OWN-1");
    },
    { ...soon, what: "the list to be searched" },
  );
});

/** A confirmed customer with money in a wallet. */
async function newSender() {
  const { addresses, keys } = readClusterFile(dataDir);
  const operator = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const email = `${randomUUID()}@acme.example`;
  const person = { email, password, firstName: "Theresia", lastName: "Oberlindner", country: "DEU" };
  const { customer } = await operator.identity.registerCustomer({ idempotencyKey: email, ...person }, call());
  const { customerId = "", customerCode = "" } = customer ?? {};
  const status = "CUSTOMER_STATUS_CONFIRMED" as const;
  await operator.compliance.setCustomerStatus({ customerId, status, reason: "test" }, call());
  const wallet = { idempotencyKey: randomUUID(), customerId, currency: "EUR" };
  const { account } = await operator.wallet.openWalletAccount(wallet, call());
  const accountId = account?.accountId ?? "";
  const amount = { amountMinor: 500_00n, currency: "EUR" };
  await operator.wallet.recordDeposit({ idempotencyKey: randomUUID(), accountId, amount, reference: "t" }, call());
  operator.close();
  const client = await signedIn(person);
  return { client, customerId, customerCode, accountId, email };
}

type Sender = Awaited<ReturnType<typeof newSender>>;

/** Saves a recipient and creates a transaction to them. */
async function send(sender: Sender, name: { firstName: string; lastName: string }): Promise<Answer> {
  const creditParty = [
    { key: "mobileoperator", value: "SAFARICOM" },
    { key: "mobilenumber", value: "+254733000222" },
    { key: "accountholdername", value: `${name.firstName} ${name.lastName}` },
  ];
  const recipient = { country: "KEN", currency: "KES", deliveryMethods: ["MOBILE_MONEY"], creditParty };
  const saved = await post(sender.client, `${services}/usermanagement/beneficiaries`, { ...name, ...recipient });
  const asUser: DemoUser = {
    email: sender.email,
    password,
    role: "CUSTOMER",
    userId: "",
    customerCode: sender.customerCode,
    beneficiaries: [{ ...recipient, code: saved.code, name: "" }],
  };
  const order = { sendAmount: "20.00", sendCurrency: "EUR", originCountry: "DEU", to: "KEN" };
  return sender.client.createTransaction(asUser, order, { password });
}

const statusOf = async (who: EdgeClient, id: string): Promise<string> => data(await who.readTransaction(id)).status;
const isIn = (status: string, who: EdgeClient, id: string) =>
  waitFor(async () => (await statusOf(who, id)) === status, { ...soon, what: `${id} to be ${status}` });

/** What the officer finds of a transaction that waits. */
async function hitOf(transactionId: string) {
  const { screenings } = await get(manager, `/screenings?transactionId=${transactionId}`);
  expect(screenings).toHaveLength(1);
  const screening = await waitFor(
    async () => {
      const found = await get(manager, `/screenings/${screenings[0].screeningId}`);
      return found.caseId === undefined ? undefined : found;
    },
    { ...soon, what: "the case of the hit" },
  );
  return { screening, path: `/screenings/${screening.screeningId}/hits/${screening.hits[0].hitId}` };
}

/** All that customer and agent are answered about a transaction and about the customer. */
async function decisionOf({ client, customerId }: Sender, transactionId: string): Promise<string> {
  const transactions = await Promise.all([client, agent].map((who) => who.readTransaction(transactionId)));
  const people = await Promise.all([client, agent].map((who) => who.send("GET", `${base}/customers/${customerId}`)));
  const wallets = await client.send("GET", `${services}/paymentmanagement/wallet-accounts`);
  return [...transactions, ...people, wallets].map(({ text }) => text).join("\n");
}

test("who pays somebody whom no list has waits for nobody", async () => {
  const sender = await newSender();
  const clean = data(await send(sender, { firstName: "Achieng", lastName: "Njeri" }));
  expect(clean.status).toBe("AWAITING_PAYMENT");
  expect((await get(manager, `/screenings?customerId=${sender.customerId}`)).screenings).toEqual([]);
});

test("a listed recipient waits neutrally, is told apart by one manager, and the transaction goes on by itself", async () => {
  const sender = await newSender();
  const answer = await send(sender, { ...listed, lastName: "Brandelmor" });
  const waiting = data(answer);
  expect(waiting.status).toBe("AWAITING_COMPLIANCE");
  expect([answer.text, await decisionOf(sender, waiting.id)].filter((text) => tellTales.test(text))).toEqual([]);

  const { screening, path } = await hitOf(waiting.id);
  expect(screening).toMatchObject({
    trigger: "TRANSACTION",
    status: "IN_REVIEW",
    subject: { kind: "RECIPIENT", customerId: sender.customerId },
    hits: [{ state: "OPEN", matchedName: "Quintavius Brandelmoor", entry: { source: "CUSTOM", entryId: "OWN-1" } }],
  });
  const [{ parts, score }] = screening.hits;
  expect(parts.reduce((sum: number, { effect }: { effect: number }) => sum + effect, 0)).toBe(score);
  expect(await get(manager, `/cases/${screening.caseId}`)).toMatchObject({ kind: "SCREENING", status: "OPEN" });
  const approve = { approve: true, reason: "known" };
  expect((await manager.send("POST", `${base}/reviews/${waiting.id}/decision`, { body: approve })).status).toBe(409);
  for (const who of [agent, sender.client]) {
    expect((await who.send("GET", `${base}/screenings/${screening.screeningId}`)).status).toBe(403);
  }
  const elsewhere = createEdgeClient(demo.baseUrl);
  await elsewhere.login(demoUser(demo, "MANAGER"));
  expect((await elsewhere.send("GET", `${base}/screenings/${screening.screeningId}`)).status).toBe(404);

  const word = { decision: "FALSE_POSITIVE", reason: "born in 1992, and another passport" };
  expect(await post(manager, `${path}/decide`, word)).toMatchObject({ status: "NO_HIT" });
  await post(second, `${path}/decide`, { decision: "CONFIRMED", reason: "no" }, 409);
  await isIn("AWAITING_PAYMENT", sender.client, waiting.id);
});

test("a hit confirmed by two blocks transaction, customer and wallets, and their release refunds", async () => {
  const sender = await newSender();
  const { id } = data(await send(sender, listed));
  const { path } = await hitOf(id);
  const decide = { decision: "CONFIRMED", reason: "the same passport" };
  const requested = await post(manager, `${path}/decide`, decide, 202);
  const approve = async (who: EdgeClient, approvalId: string, status: number) =>
    expect((await approveShown(who, approvalId, { reason: "seen, too" })).status).toBe(status);
  const { approvalId } = requested.hits[0];
  await approve(manager, approvalId, 403);
  const read = () => get(second, `${services}/admin/approvals/${approvalId}`);
  const blocked = (...ids: string[]) => ids.map((one) => `TRANSACTION_BLOCKED transaction:${one}`).toSorted();
  const published = ({ effects }: { effects: { kind: string; subject: string }[] }, kind: string) =>
    effects.filter((one) => one.kind === kind).map(({ subject }) => `${kind} ${subject}`);
  const shown = await read();
  expect(published(shown, "TRANSACTION_BLOCKED")).toEqual(blocked(id));
  expect(published(shown, "CUSTOMER_BLOCKED")).toEqual([`CUSTOMER_BLOCKED customer:${sender.customerId}`]);
  expect(published(shown, "WALLET_FROZEN")).toEqual([`WALLET_FROZEN wallet:${sender.accountId}`]);

  // More joins: it is not what was shown any more, and the same manager approves what it does now.
  const joining = [data(await send(sender, unlisted)).id, data(await send(sender, unlisted)).id];
  const consent = (digest: string) =>
    second.send("POST", `${services}/admin/approvals/${approvalId}/approve`, { body: { reason: "seen, too", digest } });
  const { status, body } = await consent(shown.digest);
  expect([status, body.code]).toEqual([409, "APPROVAL_CHANGED"]);
  const now = await read();
  expect(published(now, "TRANSACTION_BLOCKED")).toEqual(blocked(id, ...joining));
  expect(body.figures).toEqual({ digest: now.digest, effects: String(now.effectCount) });
  expect(body.errors.map(({ message }: { message: string }) => message)).toEqual(
    expect.arrayContaining([expect.stringMatching(`^TRANSACTION_BLOCKED transaction:${joining[0]} `)]),
  );
  expect((await consent("")).body.errors[0].path).toBe("digest");
  expect((await consent(now.digest)).status).toBe(200);

  for (const each of [id, ...joining]) await isIn("BLOCKED", manager, each);
  expect(await read()).toMatchObject({ status: "APPROVED", effects: now.effects, digest: now.digest });
  const customer = () => get(manager, `/customers/${sender.customerId}`);
  expect(await customer()).toMatchObject({ status: "BLOCKED" });
  const wallet = () => get(manager, `${services}/paymentmanagement/wallet-accounts/${sender.accountId}`);
  await waitFor(async () => (await wallet()).status === "FROZEN", { ...soon, what: "the wallet to be frozen" });
  expect(await statusOf(sender.client, id)).toBe("AWAITING_COMPLIANCE");
  expect(await decisionOf(sender, id)).not.toMatch(tellTales);

  const release = { transactions: "REFUND", reason: "the authority has let it go back" };
  const { hits } = await post(second, `${path}/release`, release, 202);
  await approve(second, hits[0].approvalId, 403);
  await approve(manager, hits[0].approvalId, 200);
  await isIn("CANCELLED", manager, id);
  await waitFor(async () => (await customer()).status === "CONFIRMED", { ...soon, what: "the customer to be free" });
  await waitFor(async () => (await wallet()).status === "OPEN", { ...soon, what: "the wallet to be free" });
  expect((await wallet()).availableBalance).toBe("500.00");
  expect(await decisionOf(sender, id)).not.toMatch(tellTales);
});
