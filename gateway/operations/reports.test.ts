import { invalidInput } from "../../services/kernel/refusal.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

async function read(name: string, query: string, role: Role = "MANAGER") {
  const { request } = operationNamed(name);
  const path = `${request.path}${request.path!.includes("?") ? "&" : "?"}${query}`;
  return edge.send({ ...request, path, headers: { "X-Auth-Token": await edge.token({ role }) } });
}

test("a call-over as CSV has a header line, and no cell that a spreadsheet would run", async () => {
  const answer = await read("callOverReport", "format=csv");
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="call-over-2026-11-21.csv"');
  expect(answer.text).toBe(
    "\ufeffagentId,createdBy,createdByRole,currency,status,count,principalAmount,fees,taxes,totalAmount\r\n" +
      "'=cmd,user-1,CASHIER,USD,COMPLETED,2,200.00,3.00,0.22,203.22\r\n",
  );
});

test("analytics as CSV", async () => {
  const answer = await read("analyticsReport", "format=csv");
  expect(answer.text.split("\r\n")[1]).toBe(
    "2026-11-21,USA,NGA,ACCOUNTPAYMENT,COMPLETED,2,USD,200.00,3.00,0.22,NGN,320000.00,0,0",
  );
});

test("a report as JSON and as CSV, its faults by what was asked for", async () => {
  const { json } = await read("readReport", "");
  const row = { month: "2026-11", agentId: "=cmd", sendCurrency: "USD", receivingCurrency: "NGN" };
  expect(json.data.rows).toEqual([{ ...row, paid: 2, paidAmount: "200.00" }]);
  const csv = await read("readReport", "format=csv");
  expect(csv.headers["content-disposition"]).toBe('attachment; filename="volume-2026-11-01-2026-11-30.csv"');
  expect(csv.text.split("\r\n")[1]).toBe("2026-11,'=cmd,USD,NGN,2,200.00,");
  edge.fakes.reports.getReport = async () => {
    throw invalidInput("columns", "must be of created");
  };
  const refused = await read("readReport", "");
  expect([refused.status, JSON.stringify(refused.json)]).toEqual([400, expect.stringContaining("query.columns")]);
  answerSamples(edge);
});

test("what one service knows alone is asked of it, and suspense of both that have some", async () => {
  const asked: string[] = [];
  edge.fakes.reports.getReport = async ({ report, by }) => {
    asked.push(`${report} by ${by.join("+")}`);
    return { columns: ["age", "currency", "count", "amount"], rows: [{ cells: ["0-7", "USD", "1", "5.00"] }] };
  };
  const of = async (report: string) => {
    const path = `/api/v6/services/admin/reports/${report}?from=2026-11-01&to=2026-11-30&by=month`;
    const headers = { "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
    return (await edge.send({ method: "GET", path, headers })).json.data;
  };
  const row = { age: "0-7", currency: "USD", count: 1, amount: "5.00" };
  expect((await of("partner-costs")).rows).toEqual([row]);
  expect((await of("suspense")).rows).toEqual([row, row]);
  expect(asked).toEqual(["partner-costs by month", "suspense by month", "suspense by month"]);
  answerSamples(edge);
});

test.each([
  ["callOverReport", "date=2026-02-29", "query.date"],
  ["callOverReport", "date=21-11-2026", "query.date"],
  ["analyticsReport", "from=2026-11-31", "query.from"],
  ["readReport", "to=tomorrow", "query.to"],
])("%s: %s is refused by its name", async (name, query, path) => {
  const { request } = operationNamed(name);
  const url = new URL(request.path!, "http://edge");
  const [field = "", value = ""] = query.split("=");
  url.searchParams.set(field, value);
  const headers = { "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
  const answer = await edge.send({ ...request, path: url.pathname + url.search, headers });
  expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringContaining(`"${path}"`)]);
  expect(JSON.stringify(answer.json)).toContain("must be a date such as 2026-11-30");
});

test("a receipt as a PDF", async () => {
  const answer = await read("readReceipt", "format=pdf", "CUSTOMER");
  expect(answer.headers["content-type"]).toBe("application/pdf");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="receipt-MN-1.pdf"');
  expect(answer.text).toBe("%PDF-1.3");
});

test("a refund that waits for a second person is 202", async () => {
  edge.fakes.remittance.requestRefund = async () => ({
    refund: { refundId: "r-1", amount: { amountMinor: 500n, currency: "USD" }, askedAt: new Date() },
    approvalStatus: "PENDING",
  });
  const { request } = operationNamed("requestRefund");
  const token = { "X-Auth-Token": await edge.token({ role: "MANAGER" }) };
  expect((await edge.send({ ...request, headers: { ...request.headers, ...token } })).status).toBe(202);
  answerSamples(edge);
});

test("payment methods say whether the wallet has enough in the transaction's currency", async () => {
  const accounts = (availableBalanceMinor: bigint) => async () => ({
    accounts: [
      { accountId: "acc-1", currency: "USD", availableBalanceMinor, status: "OPEN" },
      { accountId: "acc-2", currency: "NGN", availableBalanceMinor: 10_000_000_000n, status: "OPEN" },
      { accountId: "acc-3", currency: "USD", availableBalanceMinor: 99_999_999n, status: "FROZEN" },
    ],
  });
  const metadata = async (available: bigint) => {
    edge.fakes.wallet.listWalletAccounts = accounts(available);
    return (await read("listPaymentMethods", "", "CUSTOMER")).json.data;
  };
  expect(await metadata(10_350n)).toEqual([
    {
      method: "E_WALLET",
      metadata: {
        sufficient: true,
        totalAmount: "103.50",
        currency: "USD",
        accountId: "acc-1",
        availableBalance: "103.50",
      },
    },
  ]);
  expect((await metadata(10_349n))[0].metadata.sufficient).toBe(false);
  const requested: string[] = [];
  edge.fakes.wallet.listWalletAccounts = async ({ customerId }) => {
    requested.push(customerId);
    return accounts(10_350n)();
  };
  const shownTo = async (role: "MANAGER" | "CASHIER") =>
    (await read("listPaymentMethods", "", role)).json.data[0].metadata;
  expect(await shownTo("MANAGER")).toMatchObject({ sufficient: true, availableBalance: "103.50" });
  const toCashier = await shownTo("CASHIER");
  expect(toCashier).toMatchObject({ sufficient: true, accountId: "acc-1" });
  expect(toCashier).not.toHaveProperty("availableBalance");
  expect(requested).toEqual(["customer-1", "customer-1"]);
  edge.fakes.wallet.listWalletAccounts = async () => ({ accounts: [] });
  const none = (await read("listPaymentMethods", "", "CUSTOMER")).json.data[0].metadata;
  expect(none).toEqual({ sufficient: false, totalAmount: "103.50", currency: "USD" });
});
