import { randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo, services, transactionBody } from "../support/edge-client.js";

const demo = readDemo();
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
const hanna = demoUser(demo, "CUSTOMER", { tenant: 1 });
const acme = demo.tenants[1]?.host ?? "";

async function loggedIn(user: { email: string; password: string }, host?: string) {
  const client = createEdgeClient(demo.baseUrl, host);
  const session = await client.login(user);
  expect(session.status).toBe(200);
  return { client, session: session.body };
}

describe("other people and other tenants", () => {
  test("a token of one tenant is refused on another's host, and an unknown host is 404", async () => {
    const { session } = await loggedIn(amina);
    const elsewhere = createEdgeClient(demo.baseUrl, acme);
    elsewhere.useToken(session.access_token);
    expect((await elsewhere.send("GET", `${services}/usermanagement/find-all-beneficiery`)).status).toBe(401);
    const nowhere = createEdgeClient(demo.baseUrl, "nobody.example");
    expect(await nowhere.login(amina)).toMatchObject({ status: 404, body: { code: "TENANT_NOT_FOUND" } });
  });

  test("a user of one tenant cannot log in at another", async () => {
    expect(await createEdgeClient(demo.baseUrl, acme).login(amina)).toMatchObject({ status: 401 });
  });

  test("another customer's wallet is 403, another tenant's is 404, and nothing moves", async () => {
    const { client } = await loggedIn(amina);
    const payment = { payableType: "WALLET_CUSTOMER", payAbleId: amina.wallets![0]!.accountId, total: "1.00" };
    expect((await client.pay(amina, { ...payment, accountId: kofi.wallets![0]!.accountId })).status).toBe(403);
    expect((await client.pay(amina, { ...payment, accountId: hanna.wallets![0]!.accountId })).status).toBe(404);
    expect((await client.pay(amina, { ...payment, accountId: randomUUID() })).status).toBe(404);
  });

  test("another customer's transaction can be neither read nor paid", async () => {
    const { client: owner } = await loggedIn(amina);
    const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
    const created = (await owner.createTransaction(amina, order)).body.data;
    const { client: other } = await loggedIn(kofi);
    expect((await other.readTransaction(created.id)).status).toBe(403);
    const wallet = kofi.wallets!.find(({ currency }) => currency === "USD")!;
    const before = await other.balanceOf(wallet.accountId);
    const answer = await other.pay(kofi, {
      payAbleId: created.id,
      accountId: wallet.accountId,
      total: created.totalAmount,
    });
    expect([403, 404, 422]).toContain(answer.status);
    expect(await other.balanceOf(wallet.accountId)).toBe(before);
  });

  test("nobody sends as somebody else or to somebody else's beneficiary", async () => {
    const { client } = await loggedIn(amina);
    const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
    const asKofi = { ...order, body: { preExistingSenderCustomerCode: kofi.customerCode } };
    expect((await client.createTransaction(amina, asKofi)).status).toBe(403);
    const asHanna = { ...order, body: { preExistingSenderCustomerCode: hanna.customerCode } };
    expect((await client.createTransaction(amina, asHanna)).status).toBe(404);
    const toKofis = { ...order, body: { preExistingRecipientCustomerCode: kofi.beneficiaries![0]!.code } };
    expect((await client.createTransaction(amina, toKofis)).status).toBe(403);
  });

  test("beneficiaries are one's own, those one manages, or all of the tenant, by role", async () => {
    const codes = async (user: { email: string; password: string }) => {
      const { client } = await loggedIn(user);
      const answer = await client.send("GET", `${services}/usermanagement/find-all-beneficiery`);
      return {
        status: answer.status,
        codes: (answer.body.data ?? []).map(({ code }: { code: string }) => code).toSorted(),
      };
    };
    const own = amina.beneficiaries!.map(({ code }) => code).toSorted();
    const all = [...amina.beneficiaries!, ...kofi.beneficiaries!].map(({ code }) => code).toSorted();
    const kofis = kofi.beneficiaries!.map(({ code }) => code);
    for (const person of [amina, demoUser(demo, "AGENT")]) {
      const seen = await codes(person);
      // Other tests may have given her more.
      expect(seen).toEqual({ status: 200, codes: expect.arrayContaining(own) as string[] });
      expect(seen.codes.filter((code: string) => kofis.includes(code))).toEqual([]);
    }
    expect(await codes(demoUser(demo, "MANAGER"))).toEqual({
      status: 200,
      codes: expect.arrayContaining(all) as string[],
    });
    expect(await codes(demoUser(demo, "CASHIER"))).toMatchObject({ status: 403 });
  });

  test("bad input is refused with its name and never a 500", async () => {
    const { client } = await loggedIn(amina);
    const path = `${services}/transactionmanagement/create-transaction`;
    const headers = { "x-idempotency-key": randomUUID(), ipAddress: "203.0.113.7" };
    const good = transactionBody(amina, { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" });
    const post = (rawBody: string, more: Record<string, string> = {}) =>
      client.send("POST", path, { rawBody, headers: { ...headers, ...more } });
    const text = JSON.stringify(good);

    expect((await post(text.slice(0, -5))).status).toBe(400);
    expect((await post(JSON.stringify({ ...good, pad: "x".repeat(2_000_000) }))).status).toBe(413);
    expect((await post(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)).status).toBe(400);
    expect((await post(text, { "content-type": "text/plain" })).status).toBe(415);
    expect((await client.send("POST", path, { body: good, headers: { ipAddress: "203.0.113.7" } })).status).toBe(400);
    expect(await post(JSON.stringify({ ...good, type: 7 }))).toMatchObject({
      status: 400,
      body: { errors: [expect.objectContaining({ path: "type" })] },
    });
    expect(await post(text.replace('"inclussive"', '"inclusive"'))).toMatchObject({ status: 400 });
    expect((await post(text.replace('"10.00"', "1e1"))).status).toBe(400);
    expect((await post(text.replace('"10.00"', '"10.001"'))).status).toBe(400);
    expect((await post(text.replace('"10.00"', "9223372036854775808"))).status).toBeLessThan(500);
  });
});
