import { randomUUID } from "node:crypto";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { createEdgeClient, demoUser, readDemo, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

const demo = readDemo();
const userPath = "/api/v1/services/user";
const days = (count: number) => ({ days: count });

let operator: OperatorClients;
let [manager, customer]: EdgeClient[] = [];
let [customerId, today] = ["", ""];
// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
let document: any;

const call = () => outgoing({ tenantId: demo.tenants[0]?.id ?? "", interactionId: randomUUID() });

beforeAll(async () => {
  const { addresses, keys } = readClusterFile(process.env["E2E_DATA_DIR"] ?? "");
  operator = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
  const email = `${randomUUID()}@demo.example`;
  const person = { email, password: "A-Long-Pass-1", firstName: "Efua", lastName: "Mensah", country: "USA" };
  const registered = await operator.identity.registerCustomer({ idempotencyKey: email, ...person }, call());
  customerId = registered.customer?.customerId ?? "";
  const confirmed = { customerId, status: "CUSTOMER_STATUS_CONFIRMED" as const, reason: "test" };
  await operator.compliance.setCustomerStatus(confirmed, call());
  const wallet = { idempotencyKey: randomUUID(), customerId, currency: "USD" };
  const accountId = (await operator.wallet.openWalletAccount(wallet, call())).account?.accountId ?? "";
  const amount = { amountMinor: 500_000n, currency: "USD" };
  await operator.wallet.recordDeposit({ idempotencyKey: randomUUID(), accountId, amount, reference: "t" }, call());
  [manager, customer] = [createEdgeClient(demo.baseUrl), createEdgeClient(demo.baseUrl)];
  await manager.login(demoUser(demo, "MANAGER"));
  await customer.login(person);
  const { clock } = await operator.identity.getTenantClock({}, call());
  today = clock?.businessDate ?? "";
  document = (await customer.send("GET", "/openapi.json")).body;
});
afterAll(() => operator?.close());

/** Sends it as the customer; whatever is answered stands in the document. */
async function send(method: string, operation: string, parameter = "", body?: object) {
  const headers = {
    "x-idempotency-key": randomUUID(),
    "x-fapi-interaction-id": randomUUID(),
    "x-fapi-auth-date": new Date().toISOString(),
    "x-fapi-customer-ip-address": "203.0.113.7",
  };
  const path = `${userPath}/${operation.replace(/\{\w+\}/, parameter)}`;
  const answer = await customer!.send(method, path, { headers, ...(body !== undefined && { body }) });
  const documented = Object.keys(document.paths[`${userPath}/${operation}`][method.toLowerCase()].responses);
  expect(documented).toContain(String(answer.status));
  return answer;
}

/** A product and a loan of 1,000 of it that began so many days ago. */
async function loan(product: object, disbursedDaysAgo: number): Promise<{ id: string; productId: string }> {
  const productId = `e2e-${randomUUID().slice(0, 8)}`;
  const body = {
    name: productId,
    currency: "USD",
    minimumAmount: "10",
    maximumAmount: "5000",
    minimumInstalments: 1,
    maximumInstalments: 52,
    frequency: "WEEK",
    annualRate: "36.5",
    interestMethod: "DECLINING",
    amortisation: "EQUAL_INSTALMENTS",
    dayCount: "ACTUAL_365",
    ...product,
  };
  const put = await manager!.send("PUT", `/api/v1/services/staff/loan-products/${productId}`, { body });
  expect([put.status, put.text]).toEqual([200, put.text]);
  const disbursedOn = Temporal.PlainDate.from(today).subtract(days(disbursedDaysAgo)).toString();
  const loanApplicationId = randomUUID();
  const given = { productId, amount: "1000", instalments: 10, disbursedOn, loanApplicationId, repayments: [] };
  await operator.lending.importLoan({ idempotencyKey: randomUUID(), customerId, ...given }, call());
  return { id: loanApplicationId, productId };
}
const payOff = (loanApplicationId: string, paymentMethod: string) =>
  send("POST", "payoff-loan", "", { loanApplicationId, paymentMethod });

test("on a due date a payoff has interest to that day; a loan that is closed has no quote and no instructions", async () => {
  const { id } = await loan({ payoffInterest: "TO_NEXT_DUE_DATE" }, 7);
  const quote = await send("GET", "payoff-quote/{loanApplicationId}", id);
  expect(quote.body.data).toMatchObject({ payoffAmount: 1007, interest: "7.00", interestThrough: today });
  expect(quote.body.data.paymentMethods).toEqual(["WALLET", "BANK_TRANSFER", "CARD"]);
  const paid = await payOff(id, "WALLET");
  expect([paid.status, paid.body.data]).toMatchObject([200, { payoffAmount: 1007, remainingBalance: 0 }]);
  expect((await send("GET", "payoff-quote/{loanApplicationId}", id)).status).toBe(409);
  expect((await send("GET", "repayment-instructions/{loanApplicationId}", id)).status).toBe(409);
});

test("the contract's own fields pay off by card; another method is refused with those there are", async () => {
  const { id } = await loan({ thirdPartyCollection: true }, 3);
  expect((await send("GET", "repayment-instructions/{loanApplicationId}", id)).status).toBe(422);
  const refused = await payOff(id, "CHEQUE");
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: "paymentMethod", message: "must be one of WALLET, BANK_TRANSFER, CARD" }],
  ]);
  const waiting = await payOff(id, "CARD");
  expect([waiting.status, waiting.body.data]).toMatchObject([202, { payoffAmount: 1003, loanStatus: "ACTIVE" }]);
  await waitFor(async () => (await send("GET", "schedule/{loanApplicationId}", id)).body.data.status === "PAID_OFF", {
    timeoutMs: 30_000,
    what: "the card to be charged",
  });
});

test("a first due date that is too far for a level instalment is refused with one that would do, and the APR of one payment has its term as unit-period", async () => {
  const { productId } = await loan({ disbursementFeePercent: "4", annualRate: "12" }, 0);
  const firstDueOn = Temporal.PlainDate.from(today).add(days(180)).toString();
  const requested = { productId, amount: "1000", firstDueOn };
  const single = await send("POST", "loan-quotes", "", { ...requested, instalments: 1 });
  expect(single.body.data.apr).toBe("20.95");
  const far = await send("POST", "loan-quotes", "", { ...requested, instalments: 52 });
  expect([far.status, far.body.errors]).toMatchObject([
    422,
    [{ path: "firstDueOn", message: expect.stringMatching(/^must be \d{4}-\d\d-\d\d or earlier/) }],
  ]);
});
