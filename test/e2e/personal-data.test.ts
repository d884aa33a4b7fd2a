import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

const demo = readDemo();
const { mongoUri } = readClusterFile(process.env["E2E_DATA_DIR"]!);
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });

/** Values that stand nowhere else, by what they are. */
const marks: Record<string, string> = {
  "a customer's first name": "Quillonbert",
  "a customer's e-mail": `quillonbert-${randomUUID().slice(0, 8)}@demo.example`,
  "a customer's telephone": "8137294615",
  "a customer's birthday": "1971-07-13",
  "a customer's place of birth": "Vorrandale",
  "a customer's street": "Zubbetwick",
  "a customer's document": "PX71340926Q",
  "a customer's own bank account": "0173948257",
  "a recipient's name": "Wexelphine",
  "a recipient's account": "7391846205",
  "a recipient's telephone": "8035517294",
  "a recipient's birthday": "1969-02-23",
  "a recipient's street": "Yarrowmunt",
  "an address of the internet": "203.0.113.77",
};

/**
 * What may be read in a database, as docs/decisions/0021 has it: names, e-mail
 * addresses, one's own accounts.
 */
const meantToBeReadable: Record<string, readonly string[]> = {
  "a customer's first name": [
    "identity.users.customer.findKeys",
    "identity.users.customer.firstName",
    "identity.users.customer.searchWords",
    "identity.users.email",
    "identity.users.emailKey",
    "identity.users.name",
    "wallet.bank_accounts.accountHolderName",
    "wallet.idempotency.answer.bytes",
  ],
  "a customer's e-mail": ["identity.users.customer.searchWords", "identity.users.email", "identity.users.emailKey"],
  "a customer's own bank account": ["wallet.bank_accounts.accountNumber"],
  "a recipient's name": [
    "remittance.beneficiaries.creditParty.value",
    "remittance.beneficiaries.firstName",
    "remittance.transactions.creditParty.value",
    "remittance.transactions.recipient.name",
    "remittance.transactions.searchWords",
  ],
  "an address of the internet": ["remittance.transactions.ipAddress"],
};

const post = async (client: EdgeClient, path: string, body: object) => {
  const headers = { "x-idempotency-key": randomUUID(), ipAddress: marks["an address of the internet"]! };
  const answer = await client.send("POST", services + path, { headers, body });
  expect([path, answer.status, answer.body.code]).toEqual([path, 200, undefined]);
  return answer.body.data;
};

/** The collections and members in which each mark is readable. */
async function readable(): Promise<Record<string, string[]>> {
  const found = new Map(Object.keys(marks).map((what) => [what, new Set<string>()]));
  const visit = (value: unknown, path: string): void => {
    if (value instanceof mongo.Binary) return visit(Buffer.from(value.buffer).toString("latin1"), path);
    if (value instanceof Date) return visit(value.toISOString(), path);
    if (typeof value === "string") {
      for (const [what, mark] of Object.entries(marks)) if (value.includes(mark)) found.get(what)!.add(path);
      // Search words lie in small letters.
      const { "a customer's first name": name, "a recipient's name": recipient } = marks as Record<string, string>;
      for (const [what, mark] of [
        ["a customer's first name", name!],
        ["a recipient's name", recipient!],
      ] as const) {
        if (value.includes(mark.toLowerCase())) found.get(what)!.add(path);
      }
    } else if (Array.isArray(value)) for (const one of value) visit(one, path);
    else if (typeof value === "object" && value !== null) {
      for (const [name, one] of Object.entries(value)) visit(one, `${path}.${name}`);
    }
  };
  const client = await mongo.MongoClient.connect(mongoUri);
  const { databases } = await client.db("admin").admin().listDatabases();
  for (const { name } of databases.filter((one) => one.name.startsWith("manilla_"))) {
    for (const { name: collection } of await client.db(name).listCollections().toArray()) {
      const rows = client.db(name).collection(collection).find();
      for await (const row of rows) visit(row, `${name.replace("manilla_", "")}.${collection}`);
    }
  }
  await client.close();
  return Object.fromEntries([...found].map(([what, paths]) => [what, [...paths].toSorted()]));
}

test("of people nothing is readable in any collection but what is listed as meant to be", async () => {
  const manager = createEdgeClient(demo.baseUrl);
  await manager.login(demoUser(demo, "MANAGER"));
  const person = {
    email: marks["a customer's e-mail"],
    password: "Given-horse-42",
    firstName: marks["a customer's first name"],
    lastName: "Bello",
    country: "NGA",
    phoneNumber: `+234${marks["a customer's telephone"]}`,
    dateOfBirth: marks["a customer's birthday"],
    placeOfBirth: { city: marks["a customer's place of birth"], country: "NGA" },
    nationality: "NGA",
    address: { lines: [`7 ${marks["a customer's street"]} Road`], city: "Lagos", country: "NGA" },
    identityDocuments: [{ type: "PASSPORT", number: marks["a customer's document"], country: "NGA" }],
  };
  const { customerId } = await post(manager, "/usermanagement/register-customer", person);
  expect(customerId).toEqual(expect.any(String));
  const own = createEdgeClient(demo.baseUrl);
  const login = { email: person.email!, password: person.password, ownPassword: "Correct-horse-42" };
  await own.loginFirst(login);
  await own.login({ email: login.email, password: login.ownPassword });
  const account = { country: "NGA", currency: "NGN", bankCode: "058" };
  await post(own, "/paymentmanagement/bank-accounts", {
    ...account,
    accountNumber: marks["a customer's own bank account"],
  });

  const sender = createEdgeClient(demo.baseUrl);
  await sender.login(amina);
  const creditParty = [
    { key: "bankname", value: "First Bank of Nigeria" },
    { key: "bankaccountno", value: marks["a recipient's account"] },
    { key: "accountholdername", value: `${marks["a recipient's name"]} Adeyemi` },
    { key: "swiftbic", value: "FBNINGLA" },
    { key: "mobileoperator", value: "MTN" },
    { key: "mobilenumber", value: `+234${marks["a recipient's telephone"]}` },
  ];
  const { code } = await post(sender, "/usermanagement/beneficiaries", {
    firstName: marks["a recipient's name"],
    lastName: "Adeyemi",
    country: "NGA",
    currency: "NGN",
    deliveryMethods: ["ACCOUNTPAYMENT", "MOBILE_MONEY"],
    creditParty,
    relationship: "sister",
    kind: "PERSON",
    dateOfBirth: marks["a recipient's birthday"],
    address: { lines: [`9 ${marks["a recipient's street"]} Lane`], city: "Lagos", country: "NGA" },
  });
  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  const recipient = { code, name: "x", country: "NGA", currency: "NGN", deliveryMethods: ["ACCOUNTPAYMENT"] };
  const party = creditParty.slice(0, 4).map(({ key, value }) => ({ key, value: value! }));
  const payer = { ...amina, beneficiaries: [{ ...recipient, creditParty: party }] };
  const made = await sender.createTransaction(payer, order, { ipAddress: marks["an address of the internet"]! });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  const { id, totalAmount } = made.body.data;
  const wallet = amina.wallets!.find((one) => one.currency === "USD")!;
  const paid = await sender.pay(amina, { payAbleId: id, accountId: wallet.accountId, total: totalAmount });
  expect([paid.status, paid.text]).toEqual([200, expect.any(String)]);
  // Recipients' details are sealed in rows that wait to be told too; looked at before they are.
  const early = Object.values(await readable()).flat();
  expect(early.filter((path) => path.startsWith("remittance.outbox"))).toEqual([]);
  await waitFor(async () => (await sender.readTransaction(id)).body.data.status === "COMPLETED", {
    timeoutMs: 60_000,
    everyMs: 200,
  });
  // What waits for a neighbour is a row of another service's for a moment.
  await waitFor(
    async () =>
      !Object.values(await readable())
        .flat()
        .some((path) => /^(?!remittance).*outbox/.test(path)),
    {
      timeoutMs: 60_000,
      everyMs: 1_000,
    },
  );
  expect(await readable()).toEqual({
    ...Object.fromEntries(Object.keys(marks).map((what) => [what, []])),
    ...meantToBeReadable,
  });
});
