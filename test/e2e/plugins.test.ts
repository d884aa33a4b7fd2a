import { approveShown } from "../support/approve-shown.js";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(180_000);

const demo = readDemo();
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const base = `${services}/admin/plugin-management`;
const { addresses, keys } = readClusterFile(process.env["E2E_DATA_DIR"] ?? "");
const partner = JSON.parse(readFileSync(keys.partnerFile, "utf8")) as { apiKey: string; callbackSecret: string };

let first: EdgeClient;
let second: EdgeClient;
let customer: EdgeClient;
beforeAll(async () => {
  const inSandbox = () => createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
  [first, second, customer] = [inSandbox(), inSandbox(), inSandbox()];
  await first.login(demoUser(demo, "MANAGER"));
  await second.login(demoUser(demo, "MANAGER", { email: "manager2" }));
  await customer.login(amina);
});

const post = (path: string, body: object, by = first) =>
  by.send("POST", `${base}/${path}`, { headers: { "x-idempotency-key": randomUUID() }, body });
const read = async (id: string) => (await first.send("GET", `${base}/plugins/${id}`)).body.data;

async function paid(): Promise<string> {
  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  const made = await customer.createTransaction(amina, order);
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  const { id, totalAmount } = made.body.data;
  const wallets = (await customer.send("GET", `${services}/paymentmanagement/wallet-accounts`)).body.data;
  const { accountId } = wallets.find((one: { currency: string }) => one.currency === "USD");
  const answer = await customer.pay(amina, { payAbleId: id, accountId, total: totalAmount });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return id;
}

const until = (id: string, status: string) =>
  waitFor(async () => (await customer.readTransaction(id)).body.data.status === status, {
    timeoutMs: 60_000,
    everyMs: 100,
    what: `${id} to be ${status}`,
  });

test("a partner of one's own: installed, tested, enabled by two managers, paid by, seen, and removed", async () => {
  const draft = {
    type: "manilla-http",
    name: `Partner ${randomUUID().slice(0, 8)}`,
    configuration: { url: `http://${addresses["partner"]}` },
    secrets: partner,
    routes: [{ receivingCountry: "NGA", priority: 1 }],
  };
  const made = await post("plugins", draft);
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  expect(made.text).not.toContain(partner.apiKey);
  const { installationId: id } = made.body.data;

  const early = await post(`plugins/${id}/enable`, { reason: "as agreed" });
  expect([early.status, early.body.code]).toEqual([409, "PLUGIN_NOT_READY"]);
  await post(`plugins/${id}/test`, {});
  const { lastTest, status } = await waitFor(async () => {
    const plugin = await read(id);
    return plugin.lastTest && plugin;
  });
  expect(lastTest.checks.filter(({ result }: { result: string }) => result !== "PASSED")).toEqual([]);
  expect([lastTest.hasPassed, status]).toEqual([true, "TESTED"]);

  const requested = await post(`plugins/${id}/enable`, { reason: "as agreed" });
  expect(requested.status).toBe(202);
  const { pendingApprovalId } = requested.body.data;
  const approved = await approveShown(second, pendingApprovalId, { reason: "looked at it" });
  expect([approved.status, approved.text]).toEqual([200, expect.any(String)]);
  await waitFor(async () => (await read(id)).status === "ENABLED");

  // What was answered by another replica holds a second later.
  const calls = async () => (await first.send("GET", `${base}/plugins/${id}/calls`)).body.data;
  const seen = await waitFor(
    async () => {
      const transaction = await paid();
      await until(transaction, "COMPLETED");
      const listed = JSON.stringify(await calls());
      return listed.includes(transaction) && listed;
    },
    { timeoutMs: 120_000, everyMs: 1_100 },
  );
  expect(seen).toContain("submit");

  const removed = await post(`plugins/${id}/remove`, { reason: "was a try" });
  expect([removed.status, removed.text]).toEqual([200, expect.any(String)]);
  expect(["REMOVING", "REMOVED"]).toContain(removed.body.data.status);
  await until(await paid(), "COMPLETED");
  await waitFor(async () => (await read(id)).status === "REMOVED", { timeoutMs: 90_000, everyMs: 500 });
});

test("whose account it is: a payee's name that differs is warned of, and whoever has read it goes on", async () => {
  const { body: made } = await post("plugins", {
    type: "payee-http",
    name: `Payees ${randomUUID().slice(0, 8)}`,
    configuration: { url: `http://${addresses["partner"]}` },
    secrets: { apiKey: partner.apiKey },
  });
  const { installationId: id } = made.data;
  await post(`plugins/${id}/test`, {});
  await waitFor(async () => (await read(id)).status === "TESTED");
  const requested = await post(`plugins/${id}/enable`, { reason: "as agreed" });
  await approveShown(second, requested.body.data.pendingApprovalId, { reason: "looked at it" });
  await waitFor(async () => (await read(id)).status === "ENABLED");

  const corridors = `${services}/transactionmanagement/corridors`;
  const all = (await first.send("GET", corridors)).body.data as Record<string, string>[];
  const { version: _, ...corridor } = all.find(
    (one) => one["originCountry"] === "USA" && one["receivingCountry"] === "NGA",
  )!;
  const deliveries = [{ type: "ACCOUNTPAYMENT", estimateMinutes: 60, payeeCheck: "AT_TRANSACTION" }];
  const put = await first.send("PUT", corridors, { body: { ...corridor, deliveries } });
  expect(put.status).toBe(202);
  const approved = await approveShown(second, put.body.data.approval.approvalId, { reason: "as the law asks" });
  expect([approved.status, approved.text]).toEqual([200, expect.any(String)]);

  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  /** To an account of First Bank (011) by its NUBAN, in a name. */
  const send = (account: string, name: string, payeeCheckId?: string) => {
    const party = {
      bankname: "First Bank of Nigeria",
      bankcode: "011",
      bankaccountno: account,
      accountholdername: name,
    };
    const creditParty = Object.entries(party).map(([key, value]) => ({ key, value }));
    const body = { creditParty, ...(payeeCheckId !== undefined && { dynamicFields: { payeeCheckId } }) };
    return customer.createTransaction(amina, { ...order, body });
  };
  // The corridor counts at the next read of prices.
  const differs = await waitFor(async () => {
    const answer = await send("3001234560", "Chidi Differs");
    return answer.status === 200 ? undefined : answer;
  });
  expect([differs.status, differs.body]).toMatchObject([
    409,
    { code: "PAYEE_NAME_DIFFERS", figures: { accountName: "Chidi", payeeCheckId: expect.any(String) } },
  ]);
  const { payeeCheckId } = differs.body.figures;
  const other = await send("0123456784", "Chidi Differs", payeeCheckId);
  expect([other.status, other.body]).toMatchObject([
    422,
    { code: "PAYEE_CHECK_MISMATCH", errors: [{ path: "dynamicFields.payeeCheckId" }] },
  ]);
  const accepted = await send("3001234560", "Chidi Differs", payeeCheckId);
  expect([accepted.status, accepted.text]).toEqual([200, expect.any(String)]);
  const { payeeCheck } = (await customer.readTransaction(accepted.body.data.id)).body.data;
  expect(payeeCheck).toMatchObject({ result: "CMTC", accountName: "Chidi", acceptedBy: expect.any(String) });
  const titled = await send("3001234560", " Dr. CHIDI okafor");
  expect([titled.status, titled.text]).toEqual([200, expect.any(String)]);
  expect((await customer.readTransaction(titled.body.data.id)).body.data.payeeCheck).toMatchObject({ result: "MTCH" });
  const nobody = await send("3001234560", "Chidi Nobody");
  expect([nobody.status, nobody.body.code]).toEqual([422, "PAYEE_NOT_MATCHED"]);
  await post(`plugins/${id}/remove`, { reason: "was a try" });
});

test("a key that is kept is not sent to where one manager points the plugin", async () => {
  const seen: (string | undefined)[] = [];
  const own = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((listening) => own.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  const made = await post("plugins", {
    type: "identity-http",
    name: `Partner ${randomUUID().slice(0, 8)}`,
    configuration: { url: `http://${addresses["partner"]}` },
    secrets: { apiKey: partner.apiKey },
  });
  const { installationId: id } = made.body.data;
  const reason = "they have moved";
  const moved = await post(`plugins/${id}/change`, { configuration: { url }, reason });
  expect(moved.body.data).toMatchObject({ configuration: { url }, secrets: [], missingSecrets: ["apiKey"] });
  const tested = await post(`plugins/${id}/test`, {});
  expect([tested.status, tested.body]).toMatchObject([
    409,
    { code: "PLUGIN_NOT_READY", errors: [{ path: "secrets.apiKey" }] },
  ]);
  expect(seen).toEqual([]);
  const apiKey = "the-key-of-the-new-partner";
  await post(`plugins/${id}/rotate-secret`, { secrets: { apiKey }, reason });
  await post(`plugins/${id}/test`, {});
  await waitFor(async () => (await read(id)).lastTest !== undefined);
  // Its checks try another key on purpose, and never the one before.
  expect(seen).toContain(`Bearer ${apiKey}`);
  expect(seen).not.toContain(`Bearer ${partner.apiKey}`);
  await post(`plugins/${id}/remove`, { reason: "was a try" });
  own.closeAllConnections();
  await new Promise((closed) => own.close(closed));
});
