import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPartner } from "./server.js";
import { pause } from "../../test/support/time.js";

const apiKey = "test-key-of-the-sandbox";
const config = {
  host: "127.0.0.1",
  port: 0,
  apiKey,
  callbackSecret: `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`,
  settleMs: 20,
  windowMs: 1_000,
};
let booksFile: string;
let partner: Awaited<ReturnType<typeof startPartner>>;
beforeEach(async () => {
  booksFile = join(await mkdtemp(join(tmpdir(), "bank-")), "books.db");
  partner = await startPartner({ ...config, booksFile });
});
afterEach(() => partner.stop());

async function send(method: string, path: string, body?: object, account = "demo", key = apiKey) {
  const init: RequestInit = {
    method,
    headers: { authorization: `Bearer ${key}`, "x-account": account },
    signal: AbortSignal.timeout(2_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await fetch(`http://127.0.0.1:${partner.port}${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

async function until(path: string, status: string) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { body } = await send("GET", path);
    if (body["status"] === status) return body;
    await pause(20);
  }
  throw new Error(`${path} did not become ${status}`);
}

const check = {
  reference: "c-1",
  country: "NGA",
  currency: "NGN",
  bankCode: "058",
  accountNumber: "0123456789",
  accountHolderName: "Amina Bello",
};
const order = {
  amount: "2500.00",
  currency: "NGN",
  bankCode: "058",
  accountNumber: "0123456789",
  accountHolderName: "Amina Bello",
  narration: "Withdrawal",
};

test("asks for the key and the account", async () => {
  expect((await send("GET", "/v1/bank/credits?collection=wallet", undefined, "demo", "wrong")).status).toBe(401);
  expect((await send("GET", "/v1/bank/credits?collection=wallet", undefined, "")).status).toBe(400);
});

describe("whose an account is", () => {
  test("says its bank and holder", async () => {
    expect((await send("POST", "/v1/bank/account-checks", check)).body).toEqual({
      reference: "c-1",
      verified: true,
      bankName: "Guaranty Trust Bank",
      accountHolderName: "Amina Bello",
    });
  });

  test("numbers that end in 0000 are nobody's", async () => {
    const { body } = await send("POST", "/v1/bank/account-checks", { ...check, accountNumber: "1230000" });
    expect(body).toMatchObject({ verified: false, reason: "NO_SUCH_ACCOUNT" });
  });

  test("a registered account is its holder's alone, however the name is written", async () => {
    await send("POST", "/control/bank/accounts", {
      bankCode: "058",
      accountNumber: "0123456789",
      accountHolderName: "BELLO, Amína",
    });
    expect((await send("POST", "/v1/bank/account-checks", check)).body).toMatchObject({ verified: true });
    const other = await send("POST", "/v1/bank/account-checks", { ...check, accountHolderName: "Chidi Okafor" });
    expect(other.body).toMatchObject({ verified: false, reason: "NAME_MISMATCH" });
  });
});

test("a BVN is found once it is registered", async () => {
  const lookup = { reference: "l-1", bvn: "22123456789", country: "NGA" };
  expect((await send("POST", "/v1/bank/bvn-lookups", lookup)).body).toEqual({
    reference: "l-1",
    found: false,
    bvn: "22123456789",
  });
  await send("POST", "/control/bank/bvns", {
    bvn: "22123456789",
    firstName: "Amina",
    lastName: "Bello",
    dateOfBirth: "1990-04-12",
  });
  expect((await send("POST", "/v1/bank/bvn-lookups", lookup)).body).toEqual({
    reference: "l-1",
    found: true,
    bvn: "22123456789",
    firstName: "Amina",
    lastName: "Bello",
    dateOfBirth: "1990-04-12",
  });
});

describe("a transfer", () => {
  const path = "/v1/bank/transfers/t-1";

  test("is taken, then paid, and its reference has one answer", async () => {
    expect(await send("GET", path)).toMatchObject({ status: 404 });
    expect(await send("PUT", path, order)).toEqual({ status: 202, body: { reference: "t-1", status: "ACCEPTED" } });
    expect(await until(path, "PAID")).toEqual({ reference: "t-1", status: "PAID" });
    expect(await send("PUT", path, order)).toEqual({ status: 200, body: { reference: "t-1", status: "PAID" } });
    expect((await send("PUT", path, { ...order, amount: "2500.01" })).status).toBe(409);
    expect((await send("GET", path, undefined, "acme")).status).toBe(404);
  });

  test("can be refused at once or later, and come back", async () => {
    const force = (reference: string, behaviour: string, more = {}) =>
      send("POST", "/control/rules", { reference, behaviour, ...more });
    await force("no", "REFUSE", { reason: "account closed" });
    await force("late", "REFUSE_LATER");
    await force("back", "RETURN", { delayMs: 10 });
    await force("lost", "LOSE_ANSWER");
    const refusal = await send("PUT", "/v1/bank/transfers/no", order);
    expect(refusal.body).toEqual({ reference: "no", status: "REFUSED", reason: "account closed" });
    await send("PUT", "/v1/bank/transfers/late", order);
    await until("/v1/bank/transfers/late", "REFUSED");
    await send("PUT", "/v1/bank/transfers/back", order);
    await until("/v1/bank/transfers/back", "RETURNED");
    await expect(send("PUT", "/v1/bank/transfers/lost", order)).rejects.toThrow();
    await until("/v1/bank/transfers/lost", "PAID");
  });

  test("is in the books after a restart", async () => {
    await send("PUT", path, order);
    await partner.stop();
    partner = await startPartner({ ...config, booksFile });
    await until(path, "PAID");
  });
});

test("what arrived is read from a cursor on, per tenant and collection, each once", async () => {
  const arrive = (part: object) =>
    send("POST", "/control/bank/credits", {
      account: "demo",
      collection: "wallet",
      reference: "1789372990",
      amount: "100.00",
      currency: "USD",
      senderName: "Amina Bello",
      ...part,
    });
  const one = await arrive({ creditId: "cr-1" });
  expect(one.status).toBe(201);
  await arrive({ creditId: "cr-1" });
  await arrive({ collection: "lending" });
  await arrive({ account: "acme" });
  await arrive({ creditId: "cr-2", amount: "7.50" });
  const first = await send("GET", "/v1/bank/credits?collection=wallet&limit=1");
  expect(first.body["credits"]).toEqual([
    {
      creditId: "cr-1",
      collection: "wallet",
      reference: "1789372990",
      amount: "100.00",
      currency: "USD",
      senderName: "Amina Bello",
      senderAccountNumber: "",
      receivedAt: expect.stringMatching(/Z$/),
    },
  ]);
  const second = await send("GET", `/v1/bank/credits?collection=wallet&after=${first.body["nextCursor"]}`);
  expect(second.body["credits"].map(({ creditId }: { creditId: string }) => creditId)).toEqual(["cr-2"]);
  const third = await send("GET", `/v1/bank/credits?collection=wallet&after=${second.body["nextCursor"]}`);
  expect(third.body).toEqual({ collection: "wallet", credits: [], nextCursor: second.body["nextCursor"] });
  expect((await send("GET", "/v1/bank/credits?collection=wallet&after=x")).status).toBe(400);
});

test("a customer's stored card is the customer's own, else the account's default, else one that pays", async () => {
  const cardOf = async (customer: string) => {
    const { status, body } = await send("GET", `/v1/bank/customers/${customer}/card`);
    return status === 200 ? body["cardToken"] : status;
  };
  const store = (card: object) => send("POST", "/control/bank/cards", { account: "demo", ...card });
  expect(await cardOf("c-1")).toBe("tok_ok");
  expect((await store({ customer: "c-1", cardToken: "tok_refused" })).status).toBe(201);
  await store({ cardToken: "" });
  await store({ account: "acme", customer: "c-2", cardToken: "tok_ok" });
  expect([await cardOf("c-1"), await cardOf("c-2")]).toEqual(["tok_refused", 404]);
});

test.each([
  ["tok_ok", "CAPTURED"],
  ["tok_refused", "REFUSED"],
  ["tok_pending", "PENDING"],
  ["tok_of_nobody", "REFUSED"],
])("a charge of %s is %s, once per reference", async (cardToken, status) => {
  const charge = { cardToken, amount: "20.00", currency: "USD" };
  expect((await send("PUT", "/v1/bank/card-charges/ch-1", charge)).body).toMatchObject({ reference: "ch-1", status });
  expect((await send("PUT", "/v1/bank/card-charges/ch-1", { ...charge, amount: "21.00" })).status).toBe(409);
  const settled = await send("POST", "/control/bank/card-charges/demo/ch-1", { status: "CAPTURED" });
  expect(settled.status).toBe(status === "PENDING" ? 200 : 409);
  expect((await send("GET", "/v1/bank/card-charges/ch-1")).body).toMatchObject({
    status: status === "PENDING" ? "CAPTURED" : status,
  });
});

test("a tenant's own entry of the register comes before everybody's, and is nobody else's", async () => {
  const bvn = "22155500001";
  const lookUp = async (account: string) => {
    const requested = { reference: "r", bvn, country: "NGA" };
    return (await send("POST", "/v1/bank/bvn-lookups", requested, account)).body["firstName"];
  };
  await send("PUT", "/v1/sandbox/bvns", { bvn, firstName: "Kofi", lastName: "Mensah" }, "acme");
  expect([await lookUp("acme"), await lookUp("demo")]).toEqual(["Kofi", undefined]);
  await send("POST", "/control/bank/bvns", { bvn, firstName: "Ada", lastName: "Eze" });
  expect([await lookUp("acme"), await lookUp("demo")]).toEqual(["Kofi", "Ada"]);
});

test("checks and charges end as they are told, each by its kind", async () => {
  const statusOf = async (of: string, behaviour: string, reference: string) =>
    send("PUT", `/v1/sandbox/outcomes/${of}-${reference}`, { of, behaviour, reference, times: 1, reason: "as told" });
  await statusOf("ACCOUNT_CHECK", "REFUSE", "0150001234");
  await statusOf("BVN_LOOKUP", "LOSE_ANSWER", "22155500001");
  await statusOf("CONTACT_VERIFICATION", "REFUSE", "ada@example.com");
  await statusOf("CARD_CHARGE", "STALL", "ch-told");
  const account = { accountNumber: "0150001234", accountHolderName: "Ada Eze", bankCode: "058", country: "NGA" };
  const checked = () => send("POST", "/v1/bank/account-checks", { ...account, reference: "r", currency: "NGN" });
  expect((await checked()).body).toMatchObject({ verified: false, reason: "as told" });
  expect((await checked()).body).toMatchObject({ verified: true });
  const lookUp = { reference: "r", bvn: "22155500001", country: "NGA" };
  await expect(send("POST", "/v1/bank/bvn-lookups", lookUp)).rejects.toThrow();
  const contact = { reference: "r", type: "EMAIL", value: "ada@example.com" };
  const verified = async () => (await send("POST", "/v1/contact-verifications", contact)).body["status"];
  expect([await verified(), await verified()]).toEqual(["UNVERIFIED", "VERIFIED"]);
  const charge = { cardToken: "tok_ok", amount: "20.00", currency: "USD" };
  expect((await send("PUT", "/v1/bank/card-charges/ch-told", charge)).body).toMatchObject({ status: "PENDING" });
});
