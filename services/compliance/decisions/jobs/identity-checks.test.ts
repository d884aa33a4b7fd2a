import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createComplianceWorld, manager, on } from "../../../../test/support/compliance-fixture.js";
import type { ComplianceWorld } from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import { startSandboxPartner } from "../../../../test/support/sandbox-partner.js";

jest.setTimeout(60_000);

interface Requested {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

let world: ComplianceWorld;
let partner: Awaited<ReturnType<typeof startSandboxPartner>>;
/** What the own partner of this test's tenants was asked, and how it answers. */
let requested: Requested[] = [];
/** Tenants of this test: jobs may still ask for those of the tests before it. */
const opened = new Set<string>();
let answer: (one: Requested, response: ServerResponse) => unknown;
const own = createServer((request, response) => void take(request, response));

beforeAll(async () => {
  [world, partner] = await Promise.all([createComplianceWorld("identity_checks"), startSandboxPartner()]);
  await new Promise<void>((listening) => own.listen(0, "127.0.0.1", listening));
});
beforeEach(() => {
  world.reset();
  requested = [];
  opened.clear();
});
afterAll(async () => {
  await Promise.all([world.close(), partner.stop()]);
  own.closeAllConnections();
  await new Promise((closed) => own.close(closed));
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "" } = request;
  const [, tenantId = "", path = ""] = /^\/([^/]+)(.*)$/.exec(url) ?? [];
  const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Requested["body"]);
  const one = { method, path, body };
  if (opened.has(tenantId)) requested.push(one);
  answer(one, response);
}

const says =
  (status: string, reason?: string) =>
  (one: Requested, response: ServerResponse): unknown =>
    response.end(JSON.stringify({ reference: referenceOf(one), status, reason }));
const referenceOf = ({ body, path }: Requested) =>
  body["reference"] ?? decodeURIComponent(path.split("/").at(-1) ?? "");
const policy = { knowYourCustomerRules: [{ name: "Passport", requirement: "IDENTITY_DOCUMENT", mandatory: true }] };
async function open(asSandbox = true): Promise<string> {
  const tenantId = await world.openTenant(policy, { confirm: false, asSandbox });
  opened.add(tenantId);
  return tenantId;
}
const ownUrl = (tenantId: string) => `http://127.0.0.1:${(own.address() as AddressInfo).port}/${tenantId}`;

function install(
  tenantId: string,
  { url = ownUrl(tenantId), apiKey = "the-key-that-they-gave-us", status = "ENABLED", timeoutMs = 400 } = {},
) {
  const plugin = {
    installationId: `identity-${tenantId}`,
    type: "identity-http",
    kind: "IDENTITY_CHECK",
    status,
    configurationJson: JSON.stringify({ url, timeoutMs }),
    secrets: { apiKey },
    name: "Ours",
    missingSecrets: [],
    routes: [],
    revision: 1n,
  };
  world.state.plugins.set(tenantId, [plugin]);
  return plugin.installationId;
}

/** Without a short time: what it answers is all that counts. */
const sandboxPartner = () => ({ url: partner.url, apiKey: partner.apiKey, timeoutMs: 10_000 });

const document = { type: "PASSPORT", number: "A01234567", country: "NGA", expiresAt: "2031-01-01" };
let revision = 0;
/** What identity does after the customer gave their details. */
async function give(tenantId: string, details: object, changed = "DETAILS") {
  revision += 1;
  world.state.names.set("c1", "Ngozi Adaeze Okafor");
  world.state.details.set("c1", { dateOfBirth: "1990-12-10", nationality: "NGA", ...details });
  await world.identity.notePersonChange({ customerId: "c1", revision, changed: [changed], proven: [] }, on(tenantId));
}
const requirementOf = async (tenantId: string) =>
  (await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager))).customer!.requirements[0]!;
const stateOf = async (tenantId: string) => (await requirementOf(tenantId)).state;
const fulfilled = "REQUIREMENT_STATE_FULFILLED";
const outstanding = "REQUIREMENT_STATE_OUTSTANDING";

/** Lets time go by until it is so. */
const passing = (holds: () => unknown) =>
  waitFor(() => {
    world.state.now = new Date(world.state.now.getTime() + 60_000);
    return holds();
  });
const openRows = (tenantId: string) =>
  world.db.collection("outbox").countDocuments({ tenantId, kind: "customer.check-identity", state: { $ne: "DONE" } });
const settled = (tenantId: string) => passing(async () => (await openRows(tenantId)) === 0);
const casesOf = async (tenantId: string) =>
  (await world.cases[0]!.listCases({ queue: "ALL" }, on(tenantId, manager))).cases;
const auditOf = async (tenantId: string) =>
  (await world.gateway.listAuditEntries({ subject: "customer:c1" }, on(tenantId, manager))).entries.filter(
    ({ action }) => action === "identity.verify",
  );

test("without a plugin, or while it is paused, nobody is asked and nothing is fulfilled", async () => {
  const [none, paused] = [await open(), await open()];
  install(paused, { status: "PAUSED" });
  for (const tenant of [none, paused]) {
    await give(tenant, { identityDocuments: [document] });
    await settled(tenant);
    expect(await stateOf(tenant)).toBe(outstanding);
    expect(await casesOf(tenant)).toEqual([]);
  }
  expect(requested).toEqual([]);
});

test("who is VERIFIED has the requirement fulfilled and audited, and nothing personal is noted", async () => {
  answer = says("VERIFIED");
  const tenant = await open();
  const installationId = install(tenant);
  await give(tenant, { identityDocuments: [{ ...document, number: "OLD-1", expiresAt: "2020-01-01" }, document] });
  await passing(async () => (await stateOf(tenant)) === fulfilled);
  const reference = `c1:identity-document:1:${revision}`;
  const person = {
    firstName: "Ngozi",
    lastName: "Adaeze Okafor",
    dateOfBirth: "1990-12-10",
    nationality: "NGA",
    country: "USA",
  };
  const sent = { reference, person, document: { type: "PASSPORT", number: "A01234567", issuingCountry: "NGA" } };
  expect(requested).toEqual([{ method: "POST", path: "/v1/identity-checks", body: sent }]);
  expect(await requirementOf(tenant)).toMatchObject({ reason: "verified by the external provider" });
  expect(await auditOf(tenant)).toMatchObject([
    { actor: "compliance", content: JSON.stringify({ status: "VERIFIED", reference, installationId }) },
  ]);
  const noted = await waitFor(() =>
    world.told(tenant).pluginCalls.find((one) => one.installationId === installationId),
  );
  expect(noted.calls).toMatchObject([{ operation: "check", reference, status: 200, outcome: "OK" }]);
  expect(JSON.stringify(noted) + world.logged.join("")).not.toMatch(/A01234567|Okafor|1990-12-10|the-key-that/);
});

test("who is not verified stays outstanding with a case, until another document is given", async () => {
  answer = says("NOT_VERIFIED", "the number is of somebody else");
  const tenant = await open();
  install(tenant);
  await give(tenant, { identityDocuments: [document] });
  const opened = await waitFor(async () => (await casesOf(tenant))[0]);
  await settled(tenant);
  expect(await stateOf(tenant)).toBe(outstanding);
  expect(await auditOf(tenant)).toEqual([]);
  const { timeline } = (await world.cases[0]!.getCase({ caseId: opened.caseId }, on(tenant, manager))).case!;
  expect(timeline.map(({ kind, text }) => [kind, text])).toEqual([
    ["OPENED", ""],
    ["IDENTITY_CHECKED", "The check of their identity was answered NOT_VERIFIED: the number is of somebody else."],
  ]);
  const rows = await world.db.collection("outbox").find({ tenantId: tenant }).toArray();
  expect(JSON.stringify(rows)).not.toMatch(/somebody else/);
  // A new address is no reason to ask again.
  await give(tenant, { identityDocuments: [document] }, "ADDRESS");
  await settled(tenant);
  expect(requested).toHaveLength(1);
  answer = says("VERIFIED");
  await give(tenant, { identityDocuments: [{ ...document, number: "B7654321" }] });
  await passing(async () => (await stateOf(tenant)) === fulfilled);
  expect(new Set(requested.map(({ body }) => body["reference"])).size).toBe(2);
});

test("without a document nothing is asked; with one it is", async () => {
  answer = says("REFER");
  const tenant = await open();
  install(tenant);
  await give(tenant, {});
  await settled(tenant);
  expect(requested).toEqual([]);
  await give(tenant, { identityDocuments: [document] });
  await waitFor(async () => (await casesOf(tenant)).length === 1);
  expect(requested).toHaveLength(1);
});

test("what is PENDING is asked for by its reference, and what began at a paused partner goes on afterwards", async () => {
  answer = says("PENDING");
  const tenant = await open();
  install(tenant);
  await give(tenant, { identityDocuments: [document] });
  await passing(() => requested.length > 1);
  install(tenant, { status: "PAUSED" });
  let seen = { requested: 0, polls: 0 };
  await passing(async () => {
    const polls = await world.db
      .collection("outbox")
      .countDocuments({ tenantId: tenant, kind: "customer.check-identity" });
    if (requested.length !== seen.requested) seen = { requested: requested.length, polls };
    return polls > seen.polls + 2;
  });
  answer = says("VERIFIED");
  expect(await stateOf(tenant)).toBe(outstanding);
  install(tenant);
  await passing(async () => (await stateOf(tenant)) === fulfilled);
  const path = `/v1/identity-checks/${encodeURIComponent(`c1:identity-document:1:${revision}`)}`;
  const [first, ...others] = requested;
  expect(first!.method).toBe("POST");
  expect(new Set(others.map((one) => `${one.method} ${one.path}`))).toEqual(new Set([`GET ${path}`]));
});

test("another name while it is PENDING is another question: the answer to the old one fulfils nothing", async () => {
  let isDecided = false;
  answer = (one, response) => {
    const { method, body } = one;
    const isNew = method === "POST" && body["reference"] === `c1:identity-document:1:${revision}`;
    const status = !isDecided ? "PENDING" : isNew ? "NOT_VERIFIED" : "VERIFIED";
    if (isDecided && method === "GET" && requested.at(-1)!.path.endsWith(`%3A${revision}`)) response.statusCode = 404;
    response.end(JSON.stringify({ reference: referenceOf(one), status }));
  };
  const tenant = await open();
  install(tenant);
  await give(tenant, { identityDocuments: [document] });
  await passing(() => requested.length > 0);
  isDecided = true;
  await give(tenant, { identityDocuments: [document] }, "NAME");
  await passing(async () => (await casesOf(tenant)).length === 1);
  await settled(tenant);
  expect(await stateOf(tenant)).toBe(outstanding);
});

test.each([
  ["5xx", (_one: Requested, response: ServerResponse) => response.writeHead(502).end()],
  ["nothing", () => undefined],
  ["half an answer", (_one: Requested, response: ServerResponse) => response.end('{"status":"VERI')],
  ["a key that is refused", (_one: Requested, response: ServerResponse) => response.writeHead(401).end("{}")],
])("%s is no answer: the same is asked again under the same reference", async (_name, answers) => {
  answer = answers;
  const tenant = await open();
  install(tenant);
  await give(tenant, { identityDocuments: [document] });
  await passing(() => requested.length > 1);
  expect(await stateOf(tenant)).toBe(outstanding);
  answer = says("VERIFIED");
  await passing(async () => (await stateOf(tenant)) === fulfilled);
  expect(new Set(requested.map(({ method, body }) => `${method} ${String(body["reference"])}`)).size).toBe(1);
  expect(await auditOf(tenant)).toHaveLength(1);
});

test("the sandbox partner passes every check; one that verifies everybody under every key does not", async () => {
  const tenant = await open();
  const checksOf = async (installationId: string, tenantId = tenant) => {
    await world.pluginOwner.testPlugin({ installationId }, on(tenantId, manager));
    return world
      .told(tenantId)
      .pluginTests.splice(0)
      .flatMap(({ checks }) => checks);
  };
  const passed = await checksOf(install(tenant, sandboxPartner()));
  expect(passed.map(({ name, result }) => `${result} ${name}`)).toEqual([
    "PASSED the address answers",
    "PASSED another key is refused",
    "PASSED the same reference twice is answered the same",
    "PASSED an unknown reference is 404",
    "PASSED one that is to be VERIFIED is",
    "PASSED one that is to be NOT_VERIFIED is",
  ]);
  answer = says("VERIFIED");
  const failed = await checksOf(install(tenant, { timeoutMs: 10_000 }));
  expect(failed.flatMap(({ result, detail }) => (result === "FAILED" ? detail : []))).toEqual([
    "a request with another key was answered 200 and not 401",
    "a look at a reference that nobody asked about was answered 200 and not 404",
    "it is VERIFIED and not NOT_VERIFIED",
  ]);
  const live = await open(false);
  requested = [];
  expect(await checksOf(install(live), live)).toMatchObject([{ name: "a test system is named", result: "FAILED" }]);
  expect(requested).toEqual([]);
});

test("the sandbox partner verifies people by their document's number", async () => {
  const [verified, not] = [await open(), await open()];
  install(verified, sandboxPartner());
  install(not, sandboxPartner());
  await give(verified, { identityDocuments: [document] });
  await passing(async () => (await stateOf(verified)) === fulfilled);
  await give(not, { identityDocuments: [{ ...document, number: "A0000" }] });
  await waitFor(async () => (await casesOf(not)).length === 1);
  expect(await stateOf(not)).toBe(outstanding);
});
