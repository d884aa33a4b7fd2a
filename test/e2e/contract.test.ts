import { randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { approveShown } from "../support/approve-shown.js";
import { waitFor } from "../support/index.js";

const demo = readDemo();
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const hanna = demoUser(demo, "CUSTOMER", { tenant: 1 });
const acme = demo.tenants[1]?.host ?? "";
const order = { sendAmount: "25.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };

async function clientOf(
  user: { email: string; password: string },
  prefix = "",
  baseUrl = demo.baseUrl,
  host = "localhost",
) {
  const client = createEdgeClient(baseUrl, host, prefix);
  expect(await client.login(user)).toMatchObject({ status: 200 });
  return client;
}

const base = `${services}/admin/organisation-preference-management`;
const changeBy = (manager: EdgeClient, body: object) =>
  manager.send("PUT", `${base}/change-organisation-preference`, {
    headers: { "x-idempotency-key": randomUUID() },
    body: { reason: "test", ...body },
  });

/** What weakens a guard: nothing holds before a second manager has approved it. */
async function weaken(manager: EdgeClient, other: Parameters<typeof clientOf>[0], body: object, host = "localhost") {
  const requested = await changeBy(manager, body);
  expect([requested.status, requested.body.data.approval]).toEqual([
    202,
    expect.objectContaining({ status: "PENDING" }),
  ]);
  const second = await clientOf(other, "", demo.baseUrl, host);
  const { approvalId } = requested.body.data.approval;
  expect((await approveShown(second, approvalId, { reason: "as agreed" })).status).toBe(200);
}

describe("a changed preference", () => {
  test("counts for the very next request: web origins at the edge", async () => {
    const manager = await clientOf(demoUser(demo, "MANAGER"));

    const origin = `https://${randomUUID()}.example`;
    const allowed = async () => {
      const headers = { origin, "access-control-request-method": "GET" };
      const answer = await manager.send("OPTIONS", `${base}/fetch-organisaction-preference`, { headers });
      return answer.headers["access-control-allow-origin"];
    };
    expect(await allowed()).toBeUndefined();
    await weaken(manager, demoUser(demo, "MANAGER", { email: "manager2@" }), { corsOrigins: [origin] });
    await waitFor(async () => (await allowed()) === origin);
    expect((await changeBy(manager, { corsOrigins: [] })).status).toBe(200);
    expect(await allowed()).toBeUndefined();
  });

  test("asks for a password in remittance, and stops asking for one", async () => {
    // Where no other test creates transactions meanwhile.
    const [manager, customer] = await Promise.all(
      [demoUser(demo, "MANAGER", { tenant: 1 }), hanna].map((user) => clientOf(user, "", demo.baseUrl, acme)),
    );
    const euros = { sendAmount: "20.00", sendCurrency: "EUR", originCountry: "DEU", to: "KEN" };
    const create = async (headers?: Record<string, string>) => {
      const { status, body } = await customer!.createTransaction(hanna, euros, headers);
      return status === 200 ? "CREATED" : body.code;
    };
    expect(await create()).toBe("PASSWORD_REQUIRED");
    expect(await create({ password: "wrong-password" })).toBe("PASSWORD_WRONG");
    expect(await create({ password: hanna.password })).toBe("CREATED");
    const other = demoUser(demo, "MANAGER", { tenant: 1, email: "manager2@" });
    await weaken(manager!, other, { transactionPasswordRequired: false }, acme);
    await waitFor(async () => (await create()) === "CREATED");
    expect((await changeBy(manager!, { transactionPasswordRequired: true })).status).toBe(200);
    expect(await create()).toBe("PASSWORD_REQUIRED");
  });
});

describe("what the contract types", () => {
  test("a time without offset is UTC, in headers, queries and bodies", async () => {
    const client = await clientOf(amina);
    const { data } = (await client.createTransaction(amina, order)).body;
    const list = async (from: string, to: string) => {
      const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&size=50`;
      const answer = await client.send("GET", `${services}/transactionmanagement/transactions?${query}`);
      expect([from, answer.status]).toEqual([from, 200]);
      return (answer.body.data.transactions as { id: string }[]).map(({ id }) => id);
    };
    const at = (shiftMs: number) => new Date(Date.parse(data.createdAt) + shiftMs).toISOString();
    expect(await list(at(0).slice(0, -1), at(60_000).slice(0, -1))).toContain(data.id);
    expect(await list(at(1).slice(0, -1), at(60_000))).not.toContain(data.id);
    const wallets = await client.send("GET", `${services}/paymentmanagement/wallet-accounts`, {
      headers: { "x-fapi-auth-date": "2026-11-21T10:15:00" },
    });
    expect(wallets.status).toBe(200);
  });

  test("UUIDs compare without case: in paths, bodies and the interaction id that the ledger is asked by", async () => {
    const client = await clientOf(amina);
    const { data } = (await client.createTransaction(amina, order)).body;
    const [wallet] = amina.wallets!.filter(({ currency }) => currency === "USD");
    const interactionId = randomUUID().toUpperCase();
    const paid = await client.pay(
      amina,
      { payAbleId: data.id.toUpperCase(), accountId: wallet!.accountId.toUpperCase(), total: data.totalAmount },
      { "x-fapi-interaction-id": interactionId },
    );
    expect([paid.status, paid.headers["x-fapi-interaction-id"]]).toEqual([200, interactionId]);
    expect((await client.readTransaction(data.id.toUpperCase())).body.data.id).toBe(data.id);
    const entries = (await client.ledgerOf(interactionId.toLowerCase())).body.data as { entryId: string }[];
    expect(entries.length).toBeGreaterThan(0);
    expect((await client.ledgerOf(interactionId)).body.data).toEqual(entries);
  });

  test("too little money is refused with what is there and what was asked", async () => {
    const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
    const client = await clientOf(kofi);
    const euros = ({ wallets = [] }: typeof kofi) => wallets.find(({ currency }) => currency === "EUR")!.accountId;
    const available = await client.balanceOf(euros(kofi));
    const refused = await client.pay(kofi, {
      payAbleId: euros(amina),
      payableType: "WALLET_CUSTOMER",
      accountId: euros(kofi),
      total: "2000.00",
    });
    const code = "INSUFFICIENT_FUNDS";
    const figures = { available, asked: "2000.00", currency: "EUR" };
    expect([refused.status, refused.body]).toEqual([
      422,
      { status: "FAILED", message: expect.any(String) as string, code, figures },
    ]);
  });
});

describe("who sees transactions", () => {
  test("an AGENT all of the tenant's, a CASHIER what is at the desk, found by the code on the receipt", async () => {
    const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
    const kofis = await clientOf(kofi);
    const sent = { ...order, sendCurrency: "GBP", originCountry: "GBR" };
    const created = await kofis.createTransaction(kofi, sent);
    expect(created.status).toBe(200);
    const { id, transactionCode } = created.body.data;
    const agent = await clientOf(demoUser(demo, "AGENT"));
    const cashier = await clientOf(demoUser(demo, "CASHIER"));
    expect((await agent.readTransaction(id)).status).toBe(200);
    const list = await agent.send("GET", `${services}/transactionmanagement/transactions?size=50`);
    expect((list.body.data.transactions as { id: string }[]).map((one) => one.id)).toContain(id);
    // It may still be paid for at a desk.
    expect((await cashier.readTransaction(transactionCode)).body.data.id).toBe(id);
    expect((await kofis.cancel(id)).status).toBe(200);
    expect((await cashier.readTransaction(id)).body.code).toBe("FORBIDDEN");
    // Who is not their customer's is not theirs to change.
    const status = { headers: { "x-idempotency-key": randomUUID() }, body: { status: "EXPIRED", reason: "test" } };
    const changed = await agent.send("PUT", `${services}/transactionmanagement/transactions/${id}/status`, status);
    expect(changed.body.code).toBe("FORBIDDEN");
  });

  test("a CASHIER finds a customer by code or phone number, and nobody by both", async () => {
    const cashier = await clientOf(demoUser(demo, "CASHIER"));
    const find = (body: object) => cashier.send("POST", `${services}/usermanagement/find-customer`, { body });
    const byCode = await find({ customerCode: "C-KOFI" });
    expect([byCode.status, byCode.body.data.email]).toEqual([200, "kofi@demo.example"]);
    expect((await find({ phoneNumber: "+447400123456" })).body.data).toEqual(byCode.body.data);
    expect((await find({ phoneNumber: "+447400123456", customerCode: "C-KOFI" })).status).toBe(400);
    expect((await find({})).status).toBe(400);
    expect((await find({ customerCode: "C-NOBODY" })).body.code).toBe("CUSTOMER_NOT_FOUND");
  });
});
