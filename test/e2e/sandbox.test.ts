import { randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const demo = readDemo();
const manager = demoUser(demo, "MANAGER");
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const base = `${services}/sandbox`;

let staff: EdgeClient;
let customer: EdgeClient;
beforeAll(async () => {
  [staff, customer] = [
    createEdgeClient(demo.baseUrl, "localhost", "/sandbox"),
    createEdgeClient(demo.baseUrl, "localhost", "/sandbox"),
  ];
  await staff.login(manager);
  await customer.login(amina);
});
afterAll(async () => {
  await staff.send("DELETE", `${base}/outcomes`);
});

const keyed = () => ({ "x-idempotency-key": randomUUID() });
const force = async (body: object, headers = keyed()) => {
  const answer = await staff.send("POST", `${base}/outcomes`, { headers, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer;
};

async function created(): Promise<{ id: string; totalAmount: string; status: string }> {
  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  const answer = await customer.createTransaction(amina, order);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body.data;
}

const paid = async () => payFor(await created());

/** Pays from the sandbox's own wallet; the demo's file names the live one. */
async function payFor({ id, totalAmount }: { id: string; totalAmount: string }): Promise<string> {
  const wallets = (await customer.send("GET", `${services}/paymentmanagement/wallet-accounts`)).body.data;
  const { accountId } = wallets.find((one: { currency: string }) => one.currency === "USD");
  const answer = await customer.pay(amina, { payAbleId: id, accountId, total: totalAmount });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return id;
}

const until = (id: string, status: string) =>
  waitFor(async () => (await customer.readTransaction(id)).body.data.status === status, {
    timeoutMs: 40_000,
    everyMs: 100,
    what: `${id} to be ${status}`,
  });

test("the root says where the documentation is, for any host", async () => {
  for (const host of ["localhost", "nobody.example"]) {
    const answer = await createEdgeClient(demo.baseUrl, host).send("GET", "/");
    expect([answer.status, answer.body.data]).toEqual([200, { documentation: "/docs", openApi: "/openapi.json" }]);
  }
});

test("a live tenant has none of it, and nobody but a manager forces outcomes", async () => {
  const live = createEdgeClient(demo.baseUrl);
  await live.login(manager);
  for (const path of ["/outcomes", "/messages"]) {
    const answer = await live.send("GET", `${base}${path}`);
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
  }
  const refused = await customer.send("POST", `${base}/outcomes`, {
    headers: keyed(),
    body: { of: "PAYOUT", outcome: "REFUSE" },
  });
  expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
});

test("its customers are managed by the agent who manages them live", async () => {
  for (const below of ["", "/sandbox"]) {
    const agent = createEdgeClient(demo.baseUrl, "localhost", below);
    await agent.login(demoUser(demo, "AGENT"));
    const managed = await agent.send("GET", `${services}/usermanagement/customers?size=100`);
    expect([below, managed.status]).toEqual([below, 200]);
    const emails = managed.body.data.customers.map(({ email }: { email: string }) => email);
    expect([below, emails]).toEqual([below, expect.arrayContaining([amina.email])]);
  }
});

test("it comes with the demo's offers, and the next payout ends as it is told: refused, then paid, then sent back", async () => {
  const headers = keyed();
  const forced = { of: "PAYOUT", outcome: "REFUSE", reason: "account closed" };
  const first = await force(forced, headers);
  const again = await force(forced, headers);
  expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
  const other = await staff.send("POST", `${base}/outcomes`, { headers, body: { ...forced, outcome: "HANG" } });
  expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  await until(await paid(), "REFUNDED");

  const id = await paid();
  await until(id, "COMPLETED");
  const back = () => staff.send("POST", `${base}/payouts/${id}/return`, { body: { kept: "1.005" } });
  expect([(await back()).status, (await back()).status]).toEqual([200, 200]);
  await until(id, "REFUNDED");
});

test.each([
  ["PAID", "COMPLETED"],
  ["REFUSED", "REFUNDED"],
])("a payout that stalls is pending until it is said to be %s", async (outcome, status) => {
  const transaction = await created();
  await force({ of: "PAYOUT", outcome: "STALL", subject: transaction.id });
  const id = await payFor(transaction);
  const settle = () => staff.send("POST", `${base}/payouts/${id}/settle`, { body: { outcome } });
  await waitFor(async () => (await settle()).status === 200, {
    timeoutMs: 40_000,
    everyMs: 100,
    what: `the partner to have ${id}`,
  });
  expect((await settle()).status).toBe(200);
  await until(id, status);
  const late = outcome === "PAID" ? "REFUSED" : "PAID";
  const refused = await staff.send("POST", `${base}/payouts/${id}/settle`, { body: { outcome: late } });
  expect([refused.status, refused.body.code]).toEqual([409, "STATE_CONFLICT"]);
});

test("a partner that loses an answer or hangs for one transaction pays all the same once it is asked again", async () => {
  const lost = await created();
  await force({ of: "PAYOUT", outcome: "LOSE_ANSWER", subject: lost.id, times: 0 });
  const { data } = (await staff.send("GET", `${base}/outcomes`)).body;
  expect(data).toMatchObject([{ of: "PAYOUT", outcome: "LOSE_ANSWER", subject: lost.id }]);
  expect(data[0]).not.toHaveProperty("times");
  const { outcomeId } = data[0];
  expect((await staff.send("DELETE", `${base}/outcomes/${outcomeId}`)).body.data).toEqual({ cleared: 1 });
  expect((await staff.send("DELETE", `${base}/outcomes/${outcomeId}`)).body.data).toEqual({ cleared: 0 });
  await force({ of: "PAYOUT", outcome: "LOSE_ANSWER" });
  await until(await paid(), "COMPLETED");
});

test("compliance decides as it is told, for the next transaction or a customer's", async () => {
  await force({ of: "COMPLIANCE_DECISION", outcome: "REVIEW" });
  expect((await created()).status).toBe("AWAITING_COMPLIANCE");
  expect((await created()).status).toBe("AWAITING_PAYMENT");
  const wrong = { of: "COMPLIANCE_DECISION", outcome: "HANG" };
  const refused = await staff.send("POST", `${base}/outcomes`, { headers: keyed(), body: wrong });
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: "outcome", message: "of COMPLIANCE_DECISION must be one of REVIEW, REJECT, SCREENING_UNAVAILABLE" }],
  ]);
});

test("messages are read by who got them, and all of them by a manager", async () => {
  const reset = { headers: keyed(), body: { email: amina.email } };
  await customer.send("POST", `${services}/securitymanagement/request-password-reset`, reset);
  const arrived = () => customer.send("GET", `${base}/messages?to=${amina.email}&size=5`);
  const message = await waitFor(
    async () =>
      (await arrived()).body.data.messages.find(({ text }: { text: string }) => text.includes("Your reset token: ")),
    { timeoutMs: 20_000, everyMs: 100, what: "the mail" },
  );
  expect(message).toMatchObject({ channel: "EMAIL", to: amina.email, sentAt: expect.stringMatching(/Z$/) });
  const { messages } = (await staff.send("GET", `${base}/messages?size=1`)).body.data;
  expect(messages).toHaveLength(1);
  const others = await customer.send("GET", `${base}/messages?to=kofi@demo.example`);
  expect([others.status, others.body.code]).toEqual([403, "FORBIDDEN"]);
});

test("domiciliary accounts: the demo's people are in the register, live and in the sandbox; what is missing is named", async () => {
  const item = {
    bvnCountry: "NGA",
    existingAccountBankCode: 58,
    existingAccountBvn: "22123456789",
    existingAccountCurrencyCode: "NGN",
    newAccountCurrencyCode: "USD",
  };
  const { newAccountCurrencyCode: _, ...lacking } = item;
  const live = createEdgeClient(demo.baseUrl);
  await live.login(amina);
  for (const client of [live, customer]) {
    const answer = await client.send("POST", "/gateway/create-domiciliary-bank-account-with-bvn", {
      body: { dormAccountRequestDTO: [lacking, item] },
    });
    expect(answer.body.dormAccountResponseDTO).toMatchObject([
      {
        status: "FAILED",
        msg_code: "DOM_FIELD_MISSING",
        msg_note: "dormAccountRequestDTO[0].newAccountCurrencyCode is missing",
      },
      { status: "SUCCESS", createdAccountNumber: expect.stringMatching(/^\d{10}$/) },
    ]);
  }
});
