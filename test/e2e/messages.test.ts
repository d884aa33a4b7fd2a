import { randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const demo = readDemo();
const manager = demoUser(demo, "MANAGER");
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const words = `${services}/admin/notification-management`;
const keyed = () => ({ "x-idempotency-key": randomUUID() });

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
afterAll(() => choose("EMAIL", "en"));

async function choose(channel: string, language: string) {
  const body = { messagePreference: { channel, language } };
  const answer = await customer.send("PUT", `${services}/usermanagement/update-profile`, { body });
  expect([answer.status, answer.body.data.messagePreference]).toEqual([200, { channel, language }]);
  return answer.body.data.customer as { phoneNumber: string };
}

/** Sends 10 USD from the sandbox's own wallet; the transaction once it is COMPLETED. */
async function paidOut(): Promise<{ id: string; transactionCode: string; recipient: { name: string } }> {
  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  const { id, totalAmount } = (await customer.createTransaction(amina, order)).body.data;
  const wallets = (await customer.send("GET", `${services}/paymentmanagement/wallet-accounts`)).body.data;
  const { accountId } = wallets.find((one: { currency: string }) => one.currency === "USD");
  const paid = await customer.pay(amina, { payAbleId: id, accountId, total: totalAmount });
  expect([paid.status, paid.text]).toEqual([200, expect.any(String)]);
  return waitFor(
    async () => {
      const { data } = (await customer.readTransaction(id)).body;
      return data.status === "COMPLETED" && data;
    },
    { timeoutMs: 40_000, everyMs: 100, what: `${id} to be COMPLETED` },
  );
}

async function messagesOf(transactionCode: string): Promise<{ channel: string; to: string; text: string }[]> {
  const { data } = (await staff.send("GET", `${services}/sandbox/messages?size=100`)).body;
  return data.messages.filter(({ text }: { text: string }) => text.includes(transactionCode));
}

test("a customer hears of a payout once, by the channel and in the language they chose", async () => {
  const { phoneNumber } = await choose("SMS", "de");
  const { transactionCode, recipient } = await paidOut();
  const isSent = async () => {
    const own = await messagesOf(transactionCode);
    return own.length >= 2 ? own : undefined;
  };
  const own = await waitFor(isSent, { timeoutMs: 20_000, everyMs: 100, what: "both messages" });
  expect(own.every(({ channel, to }) => channel === "SMS" && to === phoneNumber)).toBe(true);
  expect(own.map(({ text }) => text).toSorted()).toEqual([
    expect.stringMatching(
      new RegExp(`: ${recipient.name} hat [\\d.]+,\\d\\d NGN erhalten. Referenz ${transactionCode}.$`),
    ),
    expect.stringContaining("Sie haben 10,00 USD"),
  ]);
});

test("an organisation's own words count", async () => {
  const path = `${words}/templates/transaction.completed/EMAIL/en`;
  const { revision } = (await staff.send("GET", path)).body.data;
  const text = "{{recipient}} was paid {{received}} ({{reference}}).";
  const saved = await staff.send("PUT", path, { body: { revision, subject: "Paid", text } });
  expect([saved.status, saved.body.data]).toEqual([200, expect.objectContaining({ revision: revision + 1, text })]);
  await choose("EMAIL", "en");
  const { transactionCode, recipient } = await paidOut();
  const mail = await waitFor(
    async () => (await messagesOf(transactionCode)).find((one) => one.text.includes("was paid")),
    { timeoutMs: 20_000, everyMs: 100, what: "the mail" },
  );
  expect(mail).toMatchObject({ channel: "EMAIL", to: amina.email, subject: "Paid" });
  expect(mail.text).toMatch(
    new RegExp(`^${recipient.name} was paid [\\d,]+\\.\\d\\d NGN \\(${transactionCode}\\)\\.$`),
  );
  expect((await staff.send("DELETE", path)).status).toBe(200);
});

test("who wants to hear nothing hears nothing but security messages", async () => {
  await choose("NONE", "de");
  const { id, transactionCode } = await paidOut();
  const published = `${services}/admin/events?subject=transaction:${id}&type=transaction.completed`;
  await waitFor(async () => (await staff.send("GET", published)).body.data.events.length === 1, { timeoutMs: 20_000 });
  const reset = { headers: keyed(), body: { email: amina.email } };
  await customer.send("POST", `${services}/securitymanagement/request-password-reset`, reset);
  const arrived = async () => {
    const { data } = (await staff.send("GET", `${services}/sandbox/messages?size=20&to=${amina.email}`)).body;
    return data.messages.find(({ text }: { text: string }) => text.includes("Ihr Code zum Zurücksetzen: "));
  };
  await waitFor(arrived, { timeoutMs: 20_000, everyMs: 100, what: "the reset" });
  expect(await messagesOf(transactionCode)).toEqual([]);
});

test("a manager previews words and has them sent to themselves", async () => {
  const path = `${words}/templates/security.payment_code/SMS/de`;
  const preview = await staff.send("POST", `${path}/preview`, { body: {} });
  expect(preview.body.data.text).toMatch(/^123456 ist Ihr Code, um bei Example Bank 25.00 USD an/);
  const wrong = await staff.send("POST", `${path}/preview`, {
    body: { draft: { text: "{{cod}} {{amount}} {{payee}}" } },
  });
  expect([wrong.status, wrong.body.errors]).toEqual([
    400,
    [
      { path: "draft.text", message: "has {{cod}}, which this kind of message has not; did you mean code?" },
      { path: "draft.text", message: "must have {{code}}" },
    ],
  ]);
  expect((await staff.send("POST", `${path}/send-test`, { headers: keyed() })).status).toBe(200);
  const sent = async () => {
    const { data } = (await staff.send("GET", `${services}/sandbox/messages?size=20&to=${manager.email}`)).body;
    return data.messages.find(({ subject }: { subject: string }) => subject.includes("security.payment_code"));
  };
  const mail = await waitFor(sent, { timeoutMs: 20_000, everyMs: 100, what: "the test" });
  expect(mail).toMatchObject({ channel: "EMAIL", to: manager.email });
});
