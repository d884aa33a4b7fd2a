import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { dayOf } from "../../services/kernel/time/calendar-day.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeClient,
} from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

const demo = readDemo();
const tenant = demo.tenants[0]!.id;
const password = "Correct-horse-42";
// What staff choose for somebody.
const given = "Given-horse-42";
const newClient = () => createEdgeClient(demo.baseUrl);

/** `npm run admin`, as an operator runs it against the cluster of this run. */
async function admin(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"], NODE_OPTIONS: "" };
  const file = resolve("dist/deploy/cli/admin.js");
  return (await promisify(execFile)(process.execPath, [file, ...args], { env })).stdout;
}

let manager: EdgeClient;
beforeAll(async () => {
  manager = newClient();
  await manager.login(demoUser(demo, "MANAGER"));
});

const post = async (client: EdgeClient, path: string, body: object) => {
  const answer = await client.send("POST", services + path, {
    headers: { "x-idempotency-key": randomUUID() },
    body,
  });
  expect([path, answer.status, answer.body.code]).toEqual([path, 200, undefined]);
  return answer.body.data;
};

/** A customer who has a saved recipient and a bank account, and was sent a link. */
async function newCustomer() {
  const email = `zola-${randomUUID().slice(0, 8)}@demo.example`;
  const names = { firstName: "Zola", lastName: "Bello", country: "NGA", phoneNumber: "+2348012345678" };
  const customerCode = `C-${randomUUID().slice(0, 8)}`;
  const { customerId, userId } = await post(manager, "/usermanagement/register-customer", {
    customerCode,
    email,
    password: given,
    ...names,
  });
  const client = newClient();
  await client.loginFirst({ email, password: given, ownPassword: password });
  const login = () => client.login({ email, password });
  expect((await login()).status).toBe(200);
  const recipient = {
    firstName: "Tolu",
    lastName: "Adeyemi",
    country: "NGA",
    currency: "NGN",
    deliveryMethods: ["ACCOUNTPAYMENT"],
    creditParty: [
      { key: "bankname", value: "First Bank of Nigeria" },
      { key: "bankaccountno", value: "0000014579" },
      { key: "accountholdername", value: "Tolu Adeyemi" },
      { key: "bankcode", value: "011" },
    ],
    relationship: "sister",
  };
  const { code } = await post(client, "/usermanagement/beneficiaries", recipient);
  const account = { country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0150009876" };
  await post(client, "/paymentmanagement/bank-accounts", account);
  await client.send("POST", `${services}/compliance/initiate-compliance-action`, { body: {} });
  const beneficiaries = [{ ...recipient, code: code as string, name: "Tolu Adeyemi" }];
  const user: DemoUser = { email, password, role: "CUSTOMER", userId: userId as string, customerCode, beneficiaries };
  return { customerId: customerId as string, code: code as string, client, user, login };
}

/** As compliance does once it knows who somebody is. */
async function confirm(customerId: string): Promise<void> {
  const { addresses, keys } = readClusterFile(process.env["E2E_DATA_DIR"]!);
  const operator = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
  const status = "CUSTOMER_STATUS_CONFIRMED" as const;
  const call = outgoing({ tenantId: tenant, interactionId: randomUUID() });
  await operator.compliance.setCustomerStatus({ customerId, status, reason: "test" }, call);
  operator.close();
}

test("an erased customer is erased in every service, and the operator sees what each of them did", async () => {
  const { customerId, code, login } = await newCustomer();
  const lists = async () => {
    const beneficiaries = await manager.send("GET", `${services}/usermanagement/find-all-beneficiery`);
    const accounts = await manager.send("GET", `${services}/paymentmanagement/bank-accounts?customerId=${customerId}`);
    const codes = JSON.stringify(beneficiaries.body).includes(code);
    return [beneficiaries.status, codes, accounts.status, accounts.body.data.length];
  };
  expect(await lists()).toEqual([200, true, 200, 1]);
  const at = ["--tenant", tenant];
  const printed = await admin("erase", customerId, ...at, "--why", "asked for it");
  expect(printed).toContain(`customer ${customerId} was erased at `);
  const shown = await waitFor(
    async () => {
      const text = await admin("erasure", "show", customerId, ...at);
      return text.includes("PENDING") ? undefined : text;
    },
    { timeoutMs: 30_000, everyMs: 500, what: "every service to answer" },
  );
  const year = new Date().getUTCFullYear() + 7;
  expect(shown).toContain(`records that the law wants kept are kept until ${year}-`);
  expect(shown).toMatch(/^identity +RETAINING/m);
  expect(shown).toMatch(/^compliance +RETAINING +erased: .*\d verifications/m);
  expect(shown).toMatch(/^remittance +RETAINING +erased: .*1 beneficiaries/m);
  expect(shown).toMatch(/^wallet +RETAINING +erased: .*1 unused-bank-accounts/m);
  expect(shown).toMatch(/^lending +RETAINING +erased: nothing; kept: nothing$/m);
  expect(await lists()).toEqual([200, false, 200, 0]);
  expect((await login()).status).toBe(401);
});

test("a file of transactions is whoever asked for it's alone, and is gone when a person in it is erased", async () => {
  const { customerId, client, user } = await newCustomer();
  await confirm(customerId);
  const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  const created = await client.createTransaction(user, order);
  expect([created.status, created.text]).toEqual([200, expect.any(String)]);
  // The tenant's day, which for some hours is another one than UTC's.
  const [from, to] = [-1, 1].map((days) =>
    dayOf(new Date(Date.parse(created.body.data.createdAt as string) + days * 86_400_000)),
  );
  const exports = "/admin/reports/exports";
  const asked = await manager.send("POST", services + exports, {
    headers: { "x-idempotency-key": randomUUID() },
    body: { report: "transactions", from, to, columns: ["transactionId", "senderId"], format: "CSV" },
  });
  expect([asked.status, asked.body.data?.status]).toEqual([200, "QUEUED"]);
  const path = `${services}${exports}/${asked.body.data.exportId}`;
  const ended = (status: string) =>
    waitFor(
      async () => {
        const { data } = (await manager.send("GET", path)).body;
        return data.status === status ? data : undefined;
      },
      { timeoutMs: 60_000, everyMs: 200, what: `the export to be ${status}` },
    );
  const done = await ended("DONE");
  const content = () => manager.send("GET", `${path}/content`);
  const { text } = await content();
  expect(createHash("sha256").update(text).digest("hex")).toBe(done.sha256);
  expect((await content()).text).toBe(text);
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(Number(done.rows) + 1);
  expect(lines).toContain(`${created.body.data.id},${customerId}`);

  const other = newClient();
  await other.login(demoUser(demo, "MANAGER", { email: "manager2" }));
  const elsewhere = createEdgeClient(demo.baseUrl, demo.tenants[1]!.host);
  await elsewhere.login(demoUser(demo, "MANAGER", { tenant: 1 }));
  for (const stranger of [other, elsewhere]) {
    for (const part of [path, `${path}/content`]) expect((await stranger.send("GET", part)).status).toBe(404);
  }
  expect((await client.send("GET", path)).status).toBe(403);

  await admin("erase", customerId, "--tenant", tenant, "--why", "asked for it");
  expect(await ended("FAILED")).toMatchObject({ fault: "PERSON_ERASED" });
  expect((await content()).status).toBe(409);
});

test("whoever has money here is not erased, and the operator reads what is open", async () => {
  const amina = demoUser(demo, "CUSTOMER");
  const erase = () => admin("erase", amina.customerId!, "--tenant", tenant, "--why", "asked for it");
  await expect(erase()).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /money is not settled with the customer: \d+ wallets \(wallet\), \d+ loans \(lending\)/,
    ),
  });
  const client = newClient();
  expect((await client.login(amina)).status).toBe(200);
});
