import { randomUUID } from "node:crypto";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { oneAtATime } from "../support/one-at-a-time.js";

jest.setTimeout(120_000);
oneAtATime();

const demo = readDemo();
const pm = `${services}/paymentmanagement`;
const tm = `${services}/transactionmanagement`;
const suffix = randomUUID().slice(0, 8).toUpperCase();
const branchCode = `CTR-${suffix}`;
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const sender = amina.customerCode ?? "";

let [manager, cashier, customer]: EdgeClient[] = [];
beforeAll(async () => {
  [manager, customer] = await Promise.all([signedIn(demoUser(demo, "MANAGER")), signedIn(amina)]);
  await ok(manager!, "PUT", `${services}/branches`, {
    code: branchCode,
    name: "Counter",
    country: "NGA",
    city: "Lagos",
  });
  const email = `counter-${suffix.toLowerCase()}@example.com`;
  const [given, password] = [`Given-${suffix}-2026`, `Own-${suffix}-2026`];
  const draft = { email, password: given, name: "Tola Bright", role: "CASHIER" };
  const { userId } = await ok(manager!, "POST", `${services}/usermanagement/create-staff-user`, draft);
  await createEdgeClient(demo.baseUrl).loginFirst({ email, password: given, ownPassword: password });
  cashier = await signedIn({ email, password });
  await ok(manager!, "PUT", `${pm}/branch-assignments/${userId}`, { branchCode });
});

async function signedIn(user: { email: string; password: string }): Promise<EdgeClient> {
  const client = createEdgeClient(demo.baseUrl);
  expect(await client.login(user)).toMatchObject({ status: 200 });
  return client;
}
const send = (by: EdgeClient, method: string, path: string, body?: object) =>
  by.send(method, path, { headers: { "x-idempotency-key": randomUUID() }, ...(body !== undefined && { body }) });
async function ok(by: EdgeClient, method: string, path: string, body?: object) {
  const answer = await send(by, method, path, body);
  expect([path, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([path, 200, ""]);
  return answer.body.data ?? answer.body;
}
const refusal = async (by: EdgeClient, path: string, body: object) => {
  const { status, body: answer } = await send(by, "POST", path, body);
  return [status, answer.code];
};
const openTill = (currency: string, float: string) => ok(cashier!, "POST", `${pm}/tills`, { currency, float });
const readDay = () => ok(manager!, "GET", `${pm}/branch-day?branchCode=${branchCode}`);

/** 100.00 USD of the sender to Nigeria. */
async function ordered(by: EdgeClient, body: object = {}) {
  const order = { sendAmount: "100.00", sendCurrency: "USD", originCountry: "USA", to: "NGA", body: { ...body } };
  const answer = await by.createTransaction(amina, order);
  expect([answer.status, answer.body.data?.totalAmount]).toEqual([200, "102.69"]);
  return answer.body.data;
}

test("a cashier finds the sender, sells for cash, and it comes back in cash once; nobody does that alone", async () => {
  const sought = { name: "Ammina Belo", dateOfBirth: "1990-05-17" };
  const { customers } = await ok(cashier!, "POST", `${services}/usermanagement/customers/find`, sought);
  expect(customers[0]).toMatchObject({ customerCode: sender, status: "CONFIRMED" });
  const recipients = await ok(cashier!, "GET", `${tm}/counter/customers/${sender}/recipients`);
  expect(recipients.map(({ name }: { name: string }) => name)).toContain("Chidi Okafor");
  const { id, transactionCode } = await ordered(cashier!);
  // What it has no answer to yet can be taken back.
  const rule = JSON.stringify({ reference: id, behaviour: "STALL" });
  const partner = readClusterFile(process.env["E2E_DATA_DIR"] ?? "").addresses["partner"];
  expect((await fetch(`http://${partner}/control/rules`, { method: "POST", body: rule })).ok).toBe(true);
  const { tillId } = await openTill("USD", "0.00");
  const sales = `${pm}/tills/${tillId}/sales`;
  expect(await refusal(cashier!, sales, { transactionId: id, received: "100.00" })).toEqual([
    422,
    "RECEIVED_TOO_LITTLE",
  ]);
  const sold = await ok(cashier!, "POST", sales, { transactionId: id, received: "110.00" });
  expect(sold).toMatchObject({ totalAmount: "102.69", change: "7.31", payableStatus: "PAID" });
  await ok(cashier!, "POST", `${tm}/transactions/${id}/cancel`, { reason: "Changed their mind" });
  const payables = `${pm}/counter-payables`;
  const payable = await waitFor(
    async () => (await ok(cashier!, "GET", `${payables}?transactionCode=${transactionCode}`)).payables[0],
    { timeoutMs: 30_000, what: "the way back" },
  );
  expect(payable).toMatchObject({ amount: "102.69", currency: "USD", status: "OPEN" });
  const pay = `${pm}/tills/${tillId}/counter-payables/${payable.payableId}/pay`;
  const document = { type: "PASSPORT", number: "A01234567" };
  const own = await ok(cashier!, "POST", `${payables}/${payable.payableId}/code`);
  expect(await refusal(cashier!, pay, { code: own.code, document })).toEqual([403, "FORBIDDEN"]);
  const { code } = await ok(customer!, "POST", `${payables}/${payable.payableId}/code`);
  expect(await refusal(cashier!, pay, { code, document: { ...document, number: "A01234568" } })).toEqual([
    403,
    "DOCUMENT_MISMATCH",
  ]);
  expect(await ok(cashier!, "POST", pay, { code, document })).toMatchObject({ status: "PAID", documentOnFile: true });
  expect(await refusal(cashier!, pay, { code, document })).toEqual([409, "STATE_CONFLICT"]);
  expect(await ok(cashier!, "POST", `${pm}/tills/${tillId}/close`, { counted: "0.00" })).toMatchObject({
    expected: "0.00",
    difference: "0.00",
  });
});

test("152,575.00 handed out of a float of 200,000.00 leaves 47,425.00, and the branch's day is the ledger's", async () => {
  const orders = `${pm}/cash-orders`;
  const brought = { toBranchCode: branchCode, currency: "NGN", amount: "300000.00" };
  const { orderId } = await ok(manager!, "POST", orders, brought);
  await ok(manager!, "POST", `${orders}/${orderId}/send`);
  await ok(cashier!, "POST", `${orders}/${orderId}/receive`, { counted: "300000.00" });
  const point = { code: `PT-${suffix}`, name: "Counter", type: "CASH", country: "NGA", currency: "NGN" };
  const bounds = { minimumAmount: "1000.00", maximumAmount: "1000000.00" };
  await ok(manager!, "PUT", `${services}/branches/payout-points`, { ...point, ...bounds });
  const { tillId } = await openTill("NGN", "200000.00");
  const collected = [
    { key: "payoutpointid", value: point.code },
    { key: "recipientname", value: "Chidi Okafor" },
  ];
  const { id, transactionCode } = await ordered(customer!, { type: "CASH_PICKUP", creditParty: collected });
  const accountId = amina.wallets?.find(({ currency }) => currency === "USD")?.accountId ?? "";
  expect(await customer!.pay(amina, { payAbleId: id, accountId, total: "102.69" })).toMatchObject({ status: 200 });
  const status = async () => (await ok(customer!, "GET", `${tm}/transactions/${id}`)).status === "READY_FOR_PICKUP";
  await waitFor(status, { timeoutMs: 30_000, what: "the pickup to be ready" });
  const { pickupCode } = await ok(customer!, "POST", `${tm}/transactions/${id}/pickup-code`);
  expect(await ok(cashier!, "POST", `${tm}/cash-pickups`, { transactionCode, pickupCode })).toMatchObject({
    amount: "152575.00",
  });
  await waitFor(
    async () => {
      const [now] = (await readDay()).totals;
      return now?.ledger === now?.closing ? now : undefined;
    },
    { timeoutMs: 30_000, what: "the hand-out to be booked" },
  );
  expect(await ok(cashier!, "POST", `${pm}/tills/${tillId}/close`, { counted: "47425.00" })).toMatchObject({
    expected: "47425.00",
    difference: "0.00",
  });
  const day = await readDay();
  expect(day.allClosed).toBe(true);
  const [vault] = day.vaults.filter(({ currency }: { currency: string }) => currency === "NGN");
  expect(vault).toMatchObject({ opening: "0.00", closing: "147425.00", ledger: "147425.00" });
  for (const { closing, ledger, inTills, inTransit } of day.totals) {
    expect([closing, inTills, inTransit]).toEqual([ledger, "0.00", "0.00"]);
  }
  const file = await send(manager!, "GET", `${pm}/branch-day.csv?branchCode=${branchCode}`);
  expect(file.text).toContain("152575.00");
});
