import { approveShown } from "../support/approve-shown.js";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { assertDocumented } from "../support/answer-check.js";
import { atDepth } from "../support/depth.js";
import { createEdgeClient, demoUser, readDemo, services, type DemoUser } from "../support/edge-client.js";
import { fundedCustomer } from "../support/funded-customer.js";
import { waitFor } from "../support/index.js";
import { askAgain } from "../support/insist.js";
import { oneAtATime } from "../support/one-at-a-time.js";
import { sentCode } from "../support/sent-code.js";

const demo = readDemo();
const dataDir = process.env["E2E_DATA_DIR"] ?? "";
const pm = `${services}/paymentmanagement`;
const run = promisify(execFile);
oneAtATime();

/** Calls of one demo user; a key of its own for each. */
async function userOf(role: DemoUser["role"], email: string) {
  const user = demoUser(demo, role, { email });
  const client = createEdgeClient(demo.baseUrl);
  expect(await client.login(user)).toMatchObject({ status: 200 });
  const { token } = client;
  async function send(method: string, path: string, body?: object) {
    const response = await fetch(`${demo.baseUrl}${path}`, {
      method,
      headers: {
        "X-Auth-Token": token() ?? "",
        "x-idempotency-key": randomUUID(),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const contentType = response.headers.get("content-type") ?? "";
    assertDocumented({ method, path, status: response.status, contentType, text });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as any };
  }
  async function ok(method: string, path: string, body?: object, status = 200) {
    const answer = await send(method, path, body);
    expect([path, answer.status, answer.status === status ? "" : answer.text]).toEqual([path, status, ""]);
    return answer.body.data ?? answer.body;
  }
  const walletIn = (currency: string) => user.wallets?.find((one) => one.currency === currency)?.accountId ?? "";
  const balance = async (accountId: string) => {
    const account = await ok("GET", `${pm}/wallet-accounts/${accountId}`);
    return [account.availableBalance, account.heldBalance] as const;
  };
  const pay = (payableType: string, payAbleId: string, accountId: string, totalCheckOutAmount: number) =>
    ok("POST", `${pm}/makepaymentfromwalletaccount`, {
      payableType,
      payAbleId,
      accountId,
      totalCheckOutAmount,
      password: user.password,
      paymentGatewayRef: randomUUID(),
    });
  return { user, client, send, ok, walletIn, balance, pay };
}

/** A confirmed customer with a wallet of so much, and a wallet to pay. */
async function payerWith(minor: bigint) {
  const { person, customerId, accountId } = await fundedCustomer(demo, minor);
  const client = createEdgeClient(demo.baseUrl);
  await client.login(person);
  async function become(status: "CONFIRMED" | "BLOCKED"): Promise<void> {
    const { addresses, keys } = readClusterFile(dataDir);
    const call = () => outgoing({ tenantId: demo.tenants[0]?.id ?? "", interactionId: randomUUID() });
    const by = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
    const request = { customerId, status: `CUSTOMER_STATUS_${status}` as const, reason: `now ${status}` };
    await by.compliance.setCustomerStatus(request, call());
    by.close();
  }
  const payment = { payableType: "WALLET_CUSTOMER", payAbleId: kofi.walletIn("USD"), accountId };
  /** As a client that waits where it is told to, and asks again where a busy machine was late. */
  async function pay(total: string): Promise<string> {
    const requested = { ...payment, total, paymentGatewayRef: randomUUID() };
    const isDecided = async () => {
      const answer = await client.pay({ ...amina.user, ...person }, requested);
      return answer.status === 429 || askAgain.includes(answer.body?.code) ? undefined : answer;
    };
    const { status, body } = await waitFor(isDecided, { timeoutMs: 120_000, everyMs: 500, what: "an answer" });
    return status === 200 ? "PAID" : String(body.code);
  }
  return { client, pay, balance: () => client.balanceOf(accountId), accountId, become };
}

const counted = (all: readonly string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(all, (one) => one)).map(([one, of]) => [one, of?.length]));

test("5,000 in a wallet and six payments of 1,000 at once: five pass", async () => {
  const { pay, balance } = await payerWith(5_000_00n);
  const answers = await Promise.all(Array.from({ length: 6 }, () => pay("1000.00")));
  expect(counted(answers)).toEqual({ PAID: 5, INSUFFICIENT_FUNDS: 1 });
  expect(await balance()).toBe("0.00");
});

const crowd = atDepth({ quick: 30, ci: 200, long: 200 });
test(`${crowd} clients on one wallet take what is in it and no more`, async () => {
  const { pay, balance } = await payerWith(10_00n);
  const answers = await Promise.all(Array.from({ length: crowd }, () => pay("1.00")));
  expect(counted(answers)).toEqual({ PAID: 10, INSUFFICIENT_FUNDS: crowd - 10 });
  expect(await balance()).toBe("0.00");
}, 180_000);

async function atTheBank(path: string, body: object): Promise<void> {
  const { addresses } = readClusterFile(dataDir);
  const response = await fetch(`http://${addresses["partner"]}/control/bank${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
}

const minor = (text: string) => BigInt(text.replace(".", ""));
let amina: Awaited<ReturnType<typeof userOf>>;
let kofi: typeof amina;
let manager: typeof amina;
let second: typeof amina;
let cashier: typeof amina;
beforeAll(async () => {
  amina = await userOf("CUSTOMER", "amina");
  kofi = await userOf("CUSTOMER", "kofi");
  manager = await userOf("MANAGER", "manager@");
  second = await userOf("MANAGER", "manager2@");
  cashier = await userOf("CASHIER", "cashier");
});

afterAll(async () => {
  // Wallet, remittance and ledger agree after all of it, and the books balance.
  const reconcile = () =>
    run(process.execPath, ["dist/deploy/cli/ops.js", "reconcile", "wallet", "--tenant", demo.tenants[0]?.id ?? ""], {
      env: { ...process.env, DATA_DIR: dataDir },
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ""}${error.stderr ?? ""}`,
    );
  const printed = await reconcile();
  expect(printed).toMatch(/ 0 differences/);
}, 60_000);

test("nothing leaves who is blocked; what is paid to them is held until they may have it", async () => {
  const { pay, balance, accountId, become } = await payerWith(50_00n);
  await become("BLOCKED");
  expect(await pay("1.00")).toBe("COMPLIANCE_REJECTED");
  expect(await amina.pay("WALLET_CUSTOMER", accountId, amina.walletIn("USD"), 5)).toMatchObject({ status: "SUCCESS" });
  expect(await balance()).toBe("50.00");
  const mine = async (all = "false") => {
    const { arrivals } = await manager.ok("GET", `${pm}/held-arrivals?all=${all}&size=100`);
    return (arrivals as { accountId: string }[]).filter((one) => one.accountId === accountId);
  };
  expect(await mine()).toMatchObject([{ amount: "5.00", kind: "PAYMENT_RECEIVED", status: "HELD" }]);
  await become("CONFIRMED");
  await waitFor(async () => (await balance()) === "55.00", { timeoutMs: 60_000, what: "the money to be free" });
  await waitFor(async () => (await mine()).length === 0, { timeoutMs: 20_000, what: "it to be noted" });
  expect(await mine("true")).toMatchObject([{ status: "RELEASED" }]);
}, 120_000);

test("a bill, a request and a withdrawal are paid from a wallet, each once", async () => {
  const usd = amina.walletIn("USD");
  const [before] = await amina.balance(usd);
  const bill = await manager.ok("POST", `${pm}/payables`, {
    type: "BILL",
    payeeName: "City Power",
    currency: "USD",
    principal: "8.00",
    fee: "1.00",
    tax: "0.08",
  });
  expect(await amina.pay("BILL", bill.payAbleId, usd, 9.08)).toMatchObject({
    status: "SUCCESS",
    payableStatus: "PAID",
  });
  const request = await kofi.ok("POST", `${pm}/payment-requests`, {
    payeeAccountId: kofi.walletIn("USD"),
    amount: "2.50",
  });
  await amina.pay("WALLET", request.payAbleId, usd, 2.5);
  const again = await amina.send("POST", `${pm}/makepaymentfromwalletaccount`, {
    payableType: "WALLET",
    payAbleId: request.payAbleId,
    accountId: usd,
    totalCheckOutAmount: 2.5,
    password: amina.user.password,
    paymentGatewayRef: randomUUID(),
  });
  expect([again.status, again.body.code]).toEqual([409, "PAYABLE_ALREADY_PAID"]);
  const [after] = await amina.balance(usd);
  expect(minor(before) - minor(after)).toBe(11_58n);

  const [account] = await amina.ok("GET", `${pm}/bank-accounts`);
  const requested = { bankAccountId: account.bankAccountId, amount: "100.00" };
  const withdrawal = await amina.ok("POST", `${pm}/withdrawals`, requested);
  await amina.pay("WITHDRAWAL", withdrawal.payAbleId, amina.walletIn("NGN"), 100);
  await waitFor(async () => (await amina.ok("GET", `${pm}/payables/${withdrawal.payAbleId}`)).status === "SENT", {
    timeoutMs: 20_000,
    everyMs: 200,
    what: "the withdrawal to be sent",
  });
});

test("money comes in by card and by a bank transfer that names the wallet", async () => {
  // Nobody else pays from it meanwhile.
  const { accountId: usd, balance, client } = await payerWith(1_00n);
  const { accountNumber } = (await client.send("GET", `${pm}/wallet-accounts/${usd}`)).body.data;
  const topUp = { accountId: usd, amount: "20.00", cardToken: "tok_ok" };
  const headers = { "x-idempotency-key": randomUUID() };
  expect(await client.send("POST", `${pm}/card-top-ups`, { headers, body: topUp })).toMatchObject({ status: 200 });
  const credit = { account: demo.tenants[0]?.id, collection: "wallet", currency: "USD", senderName: "Chidi Okafor" };
  await atTheBank("/credits", { ...credit, reference: `for ${accountNumber}`, amount: "30.00" });
  await waitFor(async () => (await balance()) === "51.00", {
    timeoutMs: 60_000,
    everyMs: 200,
    what: "the transfer to arrive",
  });
  const creditId = `cr-${randomUUID()}`;
  await atTheBank("/credits", { ...credit, creditId, reference: "thank you", amount: "1.00" });
  await waitFor(
    async () => {
      const { credits } = await manager.ok("GET", `${pm}/unmatched-credits?size=100`);
      return credits.some((one: { creditId: string }) => one.creditId === creditId);
    },
    { timeoutMs: 20_000, everyMs: 200, what: "the credit to be listed" },
  );
  const reason = "The sender called";
  await manager.ok("POST", `${pm}/unmatched-credits/${creditId}/assign`, { accountId: usd, reason });
});

test("what is above the ceiling is refused by every way, and nobody else notices", async () => {
  const usd = amina.walletIn("USD");
  const [before] = await amina.balance(usd);
  const amount = "92233720368547758.07";
  const password = amina.user.password;
  const payee = kofi.walletIn("USD");
  const payment = { payableType: "WALLET_CUSTOMER", payAbleId: payee, accountId: usd, password };
  const till = await cashier.ok("POST", `${pm}/tills`, { currency: "USD", float: "0" });
  const refusals = await Promise.all([
    amina.send("POST", `${pm}/card-top-ups`, { accountId: usd, amount, cardToken: "tok_ok" }),
    amina.send("POST", `${pm}/holds`, { accountId: usd, payeeAccountId: payee, amount, password }),
    amina.send("POST", `${pm}/exchange-quotes`, { fromAccountId: usd, toAccountId: amina.walletIn("NGN"), amount }),
    amina.send("POST", `${pm}/payment-requests`, { payeeAccountId: usd, amount }),
    manager.send("POST", `${pm}/payables`, { type: "BILL", payeeName: "City", currency: "USD", principal: amount }),
    manager.send("POST", `${pm}/vault-movements`, {
      direction: "FROM_BANK",
      currency: "USD",
      amount,
      reference: "Slip 1",
    }),
    cashier.send("POST", `${pm}/tills/${till.tillId}/cash-in`, { accountId: usd, amount }),
    amina.send("POST", `${pm}/makepaymentfromwalletaccount`, {
      ...payment,
      totalCheckOutAmount: 100_000_000_000.01,
      paymentGatewayRef: randomUUID(),
    }),
  ]);
  for (const { status, body } of refusals) {
    expect([status, body.code, body.message]).toEqual([
      422,
      "AMOUNT_ABOVE_CEILING",
      "an amount is at most 100000000000.00 USD",
    ]);
  }
  await cashier.ok("POST", `${pm}/tills/${till.tillId}/close`, { counted: "0" });
  await amina.ok("POST", `${pm}/card-top-ups`, { accountId: usd, amount: "1.00", cardToken: "tok_ok" });
  expect(minor((await amina.balance(usd))[0]) - minor(before)).toBe(1_00n);
});

test("a till is opened, takes cash, and its difference is booked when it is closed", async () => {
  const fetched = { direction: "FROM_BANK", currency: "GBP", amount: "200.00", reference: "Slip 4711" };
  const fetching = await manager.send("POST", `${pm}/vault-movements`, fetched);
  expect([fetching.status, fetching.body.data.approvalStatus]).toEqual([202, "PENDING"]);
  const till = await cashier.ok("POST", `${pm}/tills`, { currency: "GBP", float: "200.00" });
  const accountId = amina.walletIn("GBP");
  await cashier.ok("POST", `${pm}/tills/${till.tillId}/cash-in`, { accountId, amount: "50.00" });
  // No cashier makes any sum: above the organisation's amount a manager agrees first, and there is
  // a most.
  const large = await cashier.send("POST", `${pm}/tills/${till.tillId}/cash-in`, { accountId, amount: "10000.01" });
  expect([large.status, large.body.data.status]).toEqual([202, "WAITING"]);
  const waiting = await cashier.ok("GET", `${pm}/cash-ins/${large.body.data.cashInId}`);
  expect(waiting).toMatchObject({ status: "WAITING", amount: "10000.01", approvalId: large.body.data.approvalId });
  const most = await cashier.send("POST", `${pm}/tills/${till.tillId}/cash-in`, { accountId, amount: "100000.01" });
  expect([most.status, most.body.code]).toEqual([422, "AMOUNT_OUT_OF_LIMITS"]);
  const out = await cashier.send("POST", `${pm}/tills/${till.tillId}/cash-out`, {
    accountId,
    amount: "10.00",
    password: amina.user.password,
  });
  expect([out.status, out.body.code]).toEqual([403, "OTP_REQUIRED"]);
  const requested = { payableType: "CASH", payAbleId: accountId, totalCheckOutAmount: "10.00", currency: "GBP" };
  const { addresses } = readClusterFile(dataDir);
  const at = { partnerAddress: addresses["partner"] ?? "", tenantId: demo.tenants[0]?.id ?? "" };
  const otp = await sentCode(amina.client, amina.user.email, requested, at);
  const cash = { accountId, amount: "10.00", password: amina.user.password, otp };
  const other = await cashier.send("POST", `${pm}/tills/${till.tillId}/cash-out`, { ...cash, amount: "10.01" });
  expect([other.status, other.body.code]).toEqual([403, "OTP_WRONG"]);
  await cashier.ok("POST", `${pm}/tills/${till.tillId}/cash-out`, cash);
  const closed = await cashier.ok("POST", `${pm}/tills/${till.tillId}/close`, {
    counted: "239.00",
    reason: "A coin rolled away",
  });
  expect(closed).toMatchObject({ status: "CLOSED", expected: "240.00", difference: "-1.00" });
});

test("a hold is confirmed in part, and an exchange uses its quote once", async () => {
  const [usd, ngn] = [amina.walletIn("USD"), amina.walletIn("NGN")];
  const hold = await amina.ok("POST", `${pm}/holds`, {
    accountId: usd,
    payeeAccountId: kofi.walletIn("USD"),
    amount: "40.00",
    password: amina.user.password,
  });
  expect((await amina.balance(usd))[1]).toBe("40.00");
  await kofi.ok("POST", `${pm}/holds/${hold.holdId}/confirm`, { amount: "25.00" });
  expect((await amina.balance(usd))[1]).toBe("0.00");
  expect((await kofi.send("POST", `${pm}/holds/${hold.holdId}/release`)).status).toBe(409);

  const quote = await amina.ok("POST", `${pm}/exchange-quotes`, {
    fromAccountId: usd,
    toAccountId: ngn,
    amount: "10.00",
  });
  expect(quote).toMatchObject({ rate: "1525.75", toAmount: "15257.50" });
  const path = `${pm}/exchange-quotes/${quote.quoteId}/execute`;
  await amina.ok("POST", path);
  expect((await amina.send("POST", path)).body.code).toBe("QUOTE_NOT_OPEN");
});

test("a refund is asked by one manager, approved by another, and back in the wallet", async () => {
  const usd = amina.walletIn("USD");
  const { paymentId } = await amina.pay("WALLET_CUSTOMER", kofi.walletIn("USD"), usd, 12.5);
  const refund = await manager.ok("POST", `${pm}/payments/${paymentId}/refund`, { reason: "Sent back" }, 202);
  const approved = await approveShown(second.client, refund.approvalId, { reason: "As agreed" });
  expect([approved.status, approved.body.code]).toEqual([200, undefined]);
  await waitFor(async () => (await manager.ok("GET", `${pm}/refunds/${refund.refundId}`)).status === "DONE", {
    timeoutMs: 20_000,
    everyMs: 200,
    what: "the refund",
  });
  expect(await amina.ok("GET", `${pm}/payments/${paymentId}`)).toMatchObject({
    status: "REFUNDED",
    refundedAmount: "12.50",
  });
});

test("the statement is the same as JSON and CSV, and a PDF", async () => {
  const path = `${pm}/wallet-accounts/${amina.walletIn("USD")}/statement`;
  const { entries } = await amina.ok("GET", `${path}?size=1`);
  const csv = await amina.send("GET", `${path}.csv`);
  const last = csv.text.trimEnd().split("\n").at(-1) ?? "";
  expect(last.startsWith(`${entries[0].executedAt},${entries[0].type}`)).toBe(true);
  expect((await amina.send("GET", `${path}.pdf`)).text.startsWith("%PDF-")).toBe(true);
  expect((await kofi.send("GET", `${path}.csv`)).status).toBe(403);
});

test("domiciliary accounts by a bank verification number, §4.5", async () => {
  const bvn = "22198765432";
  await atTheBank("/bvns", { bvn, firstName: "AMINA", lastName: "BELLO" });
  const item = {
    bvnCountry: "NGA",
    existingAccountBankCode: 58,
    existingAccountBvn: bvn,
    existingAccountCurrencyCode: "NGN",
    newAccountCurrencyCode: "USD",
  };
  const answer = await amina.send("POST", "/gateway/create-domiciliary-bank-account-with-bvn", {
    dormAccountRequestDTO: [item, { ...item, bvnCountry: "GHA" }],
  });
  expect(answer.status).toBe(200);
  expect(answer.body.dormAccountResponseDTO).toMatchObject([
    { status: "SUCCESS", msg_code: "DOM_EXISTS", accountBankCode: "058", createdAccountCurrencyCode: "USD" },
    { status: "FAILED", msg_code: "DOM_COUNTRY_NOT_SUPPORTED", createdAccountNumber: "" },
  ]);
});
