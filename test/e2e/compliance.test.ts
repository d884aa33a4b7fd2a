import { approveShown } from "../support/approve-shown.js";
import { readFileSync } from "node:fs";
import { createHash, randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo, services, type Demo, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const base = `${services}/compliance`;
const password = "Correct-horse-42";
// What staff choose for somebody.
const given = "Given-horse-42";
let demo: Demo;
let tenantId: string;
let partnerUrl: string;
let manager: EdgeClient;
let second: EdgeClient;
let agent: EdgeClient;

/** Everything is about customers of its own, whom nobody else counts on. */
const newClient = () => createEdgeClient(demo.baseUrl);

beforeAll(async () => {
  demo = readDemo();
  tenantId = demo.tenants[0]!.id;
  const { addresses } = JSON.parse(readFileSync(`${process.env["E2E_DATA_DIR"]}/cluster.json`, "utf8"));
  partnerUrl = addresses.partner.startsWith("http") ? addresses.partner : `http://${addresses.partner}`;
  [manager, second, agent] = [newClient(), newClient(), newClient()];
  await manager.login(demoUser(demo, "MANAGER"));
  await second.login(demoUser(demo, "MANAGER", { email: "manager2" }));
  await agent.login(demoUser(demo, "AGENT"));
});

/** A customer who is registered by the agent and logged in. */
async function newCustomer(phoneNumber = "+2348012345678") {
  const email = `zola-${randomUUID().slice(0, 8)}@demo.example`;
  const registered = await agent.send("POST", `${services}/usermanagement/register-customer`, {
    headers: { "x-idempotency-key": randomUUID() },
    body: { email, password: given, firstName: "Zola", lastName: "Bello", country: "NGA", phoneNumber },
  });
  expect([registered.status, registered.body.code]).toEqual([200, undefined]);
  const { customerId, userId } = registered.body.data;
  const client = newClient();
  await client.loginFirst({ email, password: given, ownPassword: password });
  return { email, phoneNumber, customerId: customerId as string, userId: userId as string, client };
}

/** What the connector was given for somebody. */
async function inbox(to: string): Promise<{ text: string }[]> {
  const query = new URLSearchParams({ account: tenantId, to });
  const answer = await fetch(`${partnerUrl}/control/inbox?${query.toString()}`);
  return ((await answer.json()) as { messages: { text: string }[] }).messages;
}

const stateOf = async (client: EdgeClient, customerId: string) =>
  (await client.send("GET", `${base}/customers/${customerId}`)).body.data;

test("a customer confirms e-mail and phone by link and code, is confirmed by the score, and identity hears of it", async () => {
  const phoneNumber = `+23480${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
  const zola = await newCustomer(phoneNumber);
  const before = await stateOf(zola.client, zola.customerId);
  expect(before).toMatchObject({ status: "PENDING" });
  const initiated = await zola.client.send("POST", `${base}/initiate-compliance-action`, { body: {} });
  expect([initiated.status, initiated.body.code]).toEqual([200, undefined]);
  const mail = await waitFor(async () => (await inbox(zola.email)).find(({ text }) => text.includes("token=")), {
    timeoutMs: 20_000,
  });
  const token = /token=(\S+)/.exec(mail.text)![1]!;
  const confirmed = await newClient().send("GET", `${base}/confirm-email?token=${encodeURIComponent(token)}`);
  expect([confirmed.status, confirmed.body.data?.status]).toEqual([200, "FULFILLED"]);
  const sms = await waitFor(async () => (await inbox(phoneNumber)).find(({ text }) => /^\d{6} /.test(text)), {
    timeoutMs: 20_000,
  });
  const wrong = await zola.client.send("POST", `${base}/confirm-phone`, { body: { code: "000000" } });
  expect([422, 200]).toContain(wrong.status);
  const phone = await zola.client.send("POST", `${base}/confirm-phone`, { body: { code: sms.text.slice(0, 6) } });
  expect([phone.status, phone.body.data?.status]).toEqual([200, "FULFILLED"]);
  expect(await stateOf(zola.client, zola.customerId)).toMatchObject({ status: "CONFIRMED" });
  await waitFor(
    async () => {
      const { body } = await manager.send("GET", `${services}/usermanagement/customers/${zola.customerId}`);
      return body.data.status === "CONFIRMED";
    },
    { timeoutMs: 20_000, what: "identity to hear of it" },
  );
});

test("an override is asked for by one manager, agreed to by another among the approvals, and carried out", async () => {
  const zola = await newCustomer();
  const requested = await manager.send("POST", `${base}/overrides/request`, {
    headers: { "x-idempotency-key": randomUUID() },
    body: { customerId: zola.customerId, customerStatus: "BLOCKED", reason: "court order 17" },
  });
  expect([requested.status, requested.body.data?.status]).toEqual([200, "REQUESTED"]);
  const { overrideId } = requested.body.data;
  const decide = (who: EdgeClient) => approveShown(who, overrideId, { reason: "seen the order" });
  expect((await decide(manager)).body.code).toBe("FORBIDDEN");
  const approved = await decide(second);
  expect([approved.status, approved.body.data?.kind]).toEqual([200, "DECISION_OVERRIDE"]);
  await waitFor(async () => (await stateOf(manager, zola.customerId)).status === "BLOCKED", { timeoutMs: 20_000 });
  const audit = await manager.send("GET", `${base}/audit?subject=customer:${zola.customerId}`);
  const actions = (audit.body.data.entries as { action: string }[]).map(({ action }) => action);
  expect(actions).toEqual(["override.approve", "override.request"]);
});

test("a customer's compliance is theirs, their agent's and the managers'", async () => {
  const [zola, other] = [await newCustomer(), await newCustomer()];
  for (const client of [zola.client, agent, manager]) {
    expect(await stateOf(client, zola.customerId)).toMatchObject({ customerId: zola.customerId, status: "PENDING" });
  }
  const foreign = await other.client.send("GET", `${base}/customers/${zola.customerId}`);
  expect([foreign.status, foreign.body.code]).toEqual([403, "FORBIDDEN"]);
  const elsewhere = createEdgeClient(demo.baseUrl, demo.tenants[1]!.host);
  await elsewhere.login(demoUser(demo, "MANAGER", { tenant: 1 }));
  expect((await elsewhere.send("GET", `${base}/customers/${zola.customerId}`)).status).toBe(404);
});

test("a case is opened, given a file, closed and exported by managers, and nobody else sees one", async () => {
  const { customerId, client } = await newCustomer();
  const keyed = (path: string, body: object, who = manager) =>
    who.send("POST", `${base}/cases${path}`, { headers: { "x-idempotency-key": randomUUID() }, body });
  const opened = await keyed("", { customerId, note: "asked about limits", priority: "HIGH" });
  expect([opened.status, opened.body.data?.kind]).toEqual([200, "MANUAL"]);
  const { caseId, version } = opened.body.data;
  const me = demoUser(demo, "MANAGER").userId;
  const changed = await keyed(`/${caseId}/change`, { version, assignee: me, tags: ["STRUCTURING"] });
  expect([changed.status, changed.body.data?.status]).toEqual([200, "INVESTIGATING"]);
  const mine = await manager.send("GET", `${base}/cases?queue=MINE&customerId=${customerId}`);
  expect(mine.body.data.cases.map((one: { caseId: string }) => one.caseId)).toEqual([caseId]);
  const pdf = Buffer.from("%PDF-1.7\nletter\n%%EOF\n");
  const part = { uploadKey: "letter", offset: 0, content: pdf.toString("base64") };
  expect((await manager.send("POST", `${base}/cases/${caseId}/files/parts`, { body: part })).status).toBe(200);
  const sha256 = createHash("sha256").update(pdf).digest("hex");
  const attachment = { uploadKey: "letter", name: "letter.pdf", sha256 };
  const attached = await manager.send("POST", `${base}/cases/${caseId}/files`, { body: attachment });
  expect([attached.status, attached.body.code]).toEqual([200, undefined]);
  const { fileId } = attached.body.data.files[0];
  const read = await second.send("GET", `${base}/cases/${caseId}/files/${fileId}/content`);
  expect(Buffer.from(read.body.data.content, "base64")).toEqual(pdf);
  const close = { outcome: "FALSE_POSITIVE", reason: "a question, no more" };
  const stale = await keyed(`/${caseId}/close`, { version, ...close });
  expect([stale.status, stale.body.code]).toEqual([409, "STATE_CONFLICT"]);
  const closed = await keyed(`/${caseId}/close`, { version: attached.body.data.version, ...close }, second);
  expect([closed.status, closed.body.data?.status]).toEqual([200, "CLOSED"]);
  const exported = await keyed(`/${caseId}/export`, { form: "PDF" });
  expect([exported.status, exported.text.slice(0, 5)]).toEqual([200, "%PDF-"]);
  const whole = await manager.send("GET", `${base}/cases/${caseId}`);
  const kinds = whole.body.data.timeline.map((event: { kind: string }) => event.kind);
  expect(kinds).toEqual(["OPENED", "NOTED", "ASSIGNED", "CHANGED", "FILE_ATTACHED", "CLOSED", "EXPORTED"]);
  for (const who of [agent, client]) expect((await who.send("GET", `${base}/cases/${caseId}`)).status).toBe(403);
  const elsewhere = createEdgeClient(demo.baseUrl, demo.tenants[1]!.host);
  await elsewhere.login(demoUser(demo, "MANAGER", { tenant: 1 }));
  expect((await elsewhere.send("GET", `${base}/cases/${caseId}`)).status).toBe(404);
});

test("a sandbox has the policy of its tenant, and customers with the status that they have there", async () => {
  const { host } = demo.tenants[1]!;
  const sandbox = createEdgeClient(demo.baseUrl, host, "/sandbox");
  expect((await sandbox.login(demoUser(demo, "CUSTOMER", { tenant: 1, email: "hanna" }))).status).toBe(200);
  const live = createEdgeClient(demo.baseUrl, host);
  await live.login(demoUser(demo, "CUSTOMER", { tenant: 1, email: "hanna" }));
  const policyOf = async (client: EdgeClient) => {
    const { body } = await client.send("GET", `${base}/list-organisation-compliance-policy`);
    return body.data.knowYourCustomerRules as { name: string }[];
  };
  expect((await policyOf(sandbox)).map(({ name }) => name)).toEqual(["Identity document"]);
  expect(await policyOf(sandbox)).toEqual(await policyOf(live));
  const asManager = createEdgeClient(demo.baseUrl, host, "/sandbox");
  await asManager.login(demoUser(demo, "MANAGER", { tenant: 1 }));
  const { body } = await asManager.send("GET", `${services}/usermanagement/customers`);
  const hanna = (body.data.customers as { customerId: string; email: string }[]).find(({ email }) =>
    email.startsWith("hanna@"),
  );
  expect(await stateOf(asManager, hanna!.customerId)).toMatchObject({ status: "CONFIRMED" });
});
