import { Role } from "../../proto/gen/identity/v1/identity.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { paymentBody, samplePayment } from "../../test/gateway/samples.js";
import type { MakePaymentRequest } from "../../proto/gen/wallet/v1/wallet.js";

let edge: Edge;
let seen: MakePaymentRequest[];
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => {
  answerSamples(edge);
  seen = [];
  edge.fakes.wallet.makePayment = async (request) => {
    seen.push(request);
    return { payment: samplePayment };
  };
});
afterAll(() => edge.stop());

const payment = operationNamed("payFromWallet").request;

async function pay(body: unknown, headers: Record<string, string> = {}) {
  return edge.send({ ...payment, body, headers: { ...headers, "X-Auth-Token": await edge.token() } });
}

test("a payment reaches the wallet whole, and its answer has the contract's names and exact numbers", async () => {
  const answer = await pay(
    { ...paymentBody, accountNumber: "1002003004", paymentAccountNumbeCurrencyCode: "USD", otp: "123456", pin: "1234" },
    { "x-idempotency-key": "key-1" },
  );
  expect(seen).toEqual([
    {
      idempotencyKey: "key-1",
      payableType: "PAYABLE_TYPE_TRANSACTION",
      payableId: "tx-1",
      accountId: "acc-1",
      totalCheckoutAmount: "103.5",
      paymentGatewayRef: "ref-1",
      accountNumber: "1002003004",
      currency: "USD",
      password: "Correct-horse-1",
      otp: "123456",
      pin: "1234",
    },
  ]);
  expect(answer.text).toBe(
    '{"status":"SUCCESS","data":{"paymentId":"pay-1","status":"SUCCESS","payableType":"TRANSACTION","payAbleId":"tx-1",' +
      '"accountId":"acc-1","accountNumber":"1002003004","totalCheckOutAmount":103.50,"currency":"USD",' +
      '"paymentGatewayRef":"ref-1","newBalance":9007199254740993.01,"payableStatus":"PAID",' +
      '"paidAt":"2026-11-21T10:15:00.000Z","interactionId":"i-1"},"message":"Payment made"}',
  );
});

test.each([
  ["25", "25"],
  ["25.0", "25"],
  ["25.00", "25"],
  ["25.10", "25.1"],
  ["100", "100"],
  ["0", "0"],
  ["0.00", "0"],
  ["25.001", "25.001"],
  ["9007199254740993.01", "9007199254740993.01"],
  ["92233720368547758.07", "92233720368547758.07"],
  ["92233720368547758.08", "92233720368547758.08"],
  ["0.1", "0.1"],
])("the amount %s goes on as %s: nothing is rounded, zeros at the end make no other request", async (sent, passed) => {
  const body = JSON.stringify(paymentBody).replace("103.5", sent);
  expect((await pay(body)).status).toBe(200);
  expect(seen[0]?.totalCheckoutAmount).toBe(passed);
});

test("without header the key is left to the payment reference, and null is as good as absent", async () => {
  expect((await pay({ ...paymentBody, payableType: "WALLET_CUSTOMER", otp: null, pin: "" })).status).toBe(200);
  expect(seen[0]).toMatchObject({ idempotencyKey: "", payableType: "PAYABLE_TYPE_WALLET_CUSTOMER", otp: "", pin: "" });
});

test.each(["TRANSACTION", "WALLET", "WALLET_CUSTOMER", "BILL", "MERCHANT", "WITHDRAWAL"])(
  "payableType %s of the contract reaches the wallet",
  async (payableType) => {
    expect((await pay({ ...paymentBody, payableType })).status).toBe(200);
    expect(seen[0]?.payableType).toBe(`PAYABLE_TYPE_${payableType}`);
  },
);

test.each([undefined, "", null])(
  "a missing password (%j) is for the wallet to refuse, after replay",
  async (password) => {
    edge.fakes.wallet.makePayment = async (request) => {
      expect(request.password).toBe("");
      throw new Refusal("PASSWORD_REQUIRED", "the password is required");
    };
    const answer = await pay({ ...paymentBody, password });
    expect([answer.status, answer.json.code, answer.json.role]).toEqual([403, "PASSWORD_REQUIRED", "CUSTOMER"]);
  },
);

test("wallet accounts have balances with their currency's decimals, beyond what doubles hold", async () => {
  const { request } = operationNamed("listWalletAccounts");
  const answer = await edge.send({ ...request, headers: { "X-Auth-Token": await edge.token() } });
  expect(answer.json.data).toEqual([
    {
      accountId: "acc-1",
      accountNumber: "1002003004",
      currency: "JPY",
      availableBalance: "9223372036854775807",
      heldBalance: "0",
      status: "OPEN",
      createdAt: "2026-11-21T10:15:00.000Z",
    },
  ]);
});

test("a limit of cash is asked for of who has a till: of nobody's it is 404, and nobody is asked", async () => {
  const requested: string[] = [];
  edge.fakes.wallet.setCashLimit = async ({ limit }) => {
    requested.push(limit!.cashierId);
    return { approvalId: "ap-1", approvalStatus: "PENDING" };
  };
  const staff = { tenantId: "demo", email: "x@x.example", name: "X" };
  const pages: Record<string, { userId: string; role: Role }[]> = {
    "": [{ userId: "manager-1", role: Role.ROLE_MANAGER }],
    next: [{ userId: "cashier-1", role: Role.ROLE_CASHIER }],
  };
  edge.fakes.identity.listStaffUsers = async ({ pageToken }) => ({
    users: pages[pageToken]!.map((one) => ({ ...staff, ...one })),
    nextPageToken: pageToken === "" ? "next" : "",
  });
  const put = async (cashierId: string) => {
    const { status, json } = await edge.send({
      method: "PUT",
      path: "/api/v6/services/paymentmanagement/cash-limits",
      headers: { "X-Auth-Token": await edge.token({ role: "MANAGER" }), "x-idempotency-key": `k-${cashierId}` },
      body: { cashierId, currency: "USD", perDay: "100.00", reason: "limits" },
    });
    return [status, json.code];
  };
  expect(await put("nobody")).toEqual([404, "NOT_FOUND"]);
  expect(await put("manager-1")).toEqual([404, "NOT_FOUND"]);
  expect((await put("cashier-1"))[0]).toBe(202);
  expect(requested).toEqual(["cashier-1"]);
});
