import { randomUUID } from "node:crypto";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { asManager, createEventsWorld, on, newEvent, type EventsWorld } from "../../../test/support/events-fixture.js";
import { refundPlan } from "../../remittance/domain/payout-transfers.js";
import type { Transaction } from "../../remittance/domain/transaction.js";
import { isEventType, type EventType } from "../../platform/events/types.js";
import { money } from "../../kernel/money.js";
import type { StoredRow } from "../../kernel/outbox/row.js";
import { Refusal } from "../../kernel/refusal.js";
import type { RecordedEvent } from "../domain/event.js";
import type { Notifications } from "../../platform/messages/notifications.js";
import { messageRowsOf } from "./announced.js";
import { valuesOf } from "./values.js";
import { customerMessageTypes, type CustomerMessageType } from "../../platform/messages/kinds.js";

let world: EventsWorld;
let isAway = false;
/** Contacts that the connector takes for no message. */
const refused = new Set<string>();
beforeAll(async () => {
  const send: Notifications["send"] = async (tenantId, notification) => {
    if (isAway) throw new Refusal("UNAVAILABLE", "the connector is away");
    if (refused.has(notification.to)) throw new Refusal("STATE_CONFLICT", "the message was refused with 422");
    world.sent.push({ tenantId, ...notification });
  };
  world = await createEventsWorld("messages", { replicas: 2, notifications: { send } });
});
afterAll(() => world.close());

const transfer = {
  transactionCode: "T-7K4M9QAD",
  sendAmount: "1250.50",
  sendCurrency: "USD",
  amount: "1928773.00",
  receivingCurrency: "NGN",
  totalAmount: "1254.19",
  refundedAmount: "1250.50",
  recipient: { name: "Chidi <Okafor>" },
};
const loan = { loanProductName: "Personal loan", loanAmount: 1000, currency: "USD" };
const repayment = { repaymentAmount: 50, currency: "USD", repaymentReference: "R-1" };
const overdue = { ...loan, instalment: { number: 2, dueOn: "2026-12-01", outstanding: "1088.85" } };
const credit = {
  amount: "25.00",
  balance: "125.00",
  currency: "USD",
  accountNumber: "3017764471",
  kind: "wallet_transfer",
};
const dataOf = (type: string) => {
  if (type === "wallet.credited") return credit;
  if (type.startsWith("transaction.")) return transfer;
  if (type === "loan.repayment_overdue") return overdue;
  return type.startsWith("loan.repayment") ? repayment : loan;
};

const amina = { firstName: "Amina", email: "amina@x.example", phoneNumber: "+2348012345678" };

/** A customer whom identity knows, with what they chose. */
function customer(channel: string, language: string, more: Partial<typeof amina> = {}): string {
  const customerId = randomUUID();
  world.contacts.set(customerId, { ...amina, customerId, preference: { channel, language }, ...more });
  return customerId;
}

const event = (type: EventType, customerId: string, more: object = {}) =>
  newEvent(randomUUID(), { type, customerId, dataJson: JSON.stringify(dataOf(type)), ...more });

const sentIn = (tenantId: string) => world.sent.filter((one) => one.tenantId === tenantId);

test.each(customerMessageTypes.filter((type): type is CustomerMessageType & EventType => isEventType(type)))(
  "%s is told once, however often it is published",
  async (type) => {
    const tenantId = testTenant();
    const one = event(type, customer("BOTH", ""));
    await Promise.all(
      [0, 1, 0].map((replica) => world.remittance[replica]!.publishEvents({ events: [one] }, on(tenantId))),
    );
    await waitFor(() => sentIn(tenantId).length >= 2);
    await world.remittance[1]!.publishEvents({ events: [one] }, on(tenantId));
    const last = event(type, customer("EMAIL", "", { email: "last@x.example" }));
    await world.remittance[0]!.publishEvents({ events: [last] }, on(tenantId));
    await waitFor(() => sentIn(tenantId).some(({ to }) => to === "last@x.example"));
    const sent = sentIn(tenantId).filter(({ to }) => to !== "last@x.example");
    expect(sent.map(({ reference, to }) => [reference, to])).toEqual([
      [`${one.eventId}-EMAIL`, amina.email],
      [`${one.eventId}-SMS`, amina.phoneNumber],
    ]);
    for (const { text } of sent) expect(text).not.toMatch(/\{\{|undefined|NaN/);
  },
);

test("the language is the customer's, amounts are written in it, and values are escaped in HTML", async () => {
  const tenantId = testTenant();
  const one = event("transaction.completed", customer("EMAIL", "de"));
  await world.remittance[0]!.publishEvents({ events: [one] }, on(tenantId));
  const sent = await waitFor(() => sentIn(tenantId)[0]);
  expect(sent).toMatchObject({
    channel: "EMAIL",
    subject: "Bank: Chidi <Okafor> hat das Geld",
    text: "Guten Tag Amina,\n\nChidi <Okafor> hat 1.928.773,00 NGN erhalten.\n\nIhre Referenz ist T-7K4M9QAD.",
  });
  expect(sent.html).toContain("Chidi &lt;Okafor&gt; hat 1.928.773,00 NGN");
});

test.each([
  ["en", "1,088.85 USD of your loan (Personal loan) was due on December 1, 2026 and has not reached us."],
  [
    "de",
    "für Ihren Kredit (Personal loan) waren am 1. Dezember 2026 1.088,85 USD fällig, die nicht bei uns angekommen sind.",
  ],
])("an overdue repayment says in %s of what it is, how much and since when", async (language, words) => {
  const tenantId = testTenant();
  const one = event("loan.repayment_overdue", customer("EMAIL", language));
  await world.remittance[0]!.publishEvents({ events: [one] }, on(tenantId));
  expect((await waitFor(() => sentIn(tenantId)[0])).text).toContain(words);
});

test("an organisation's own words come first, in the organisation's language where the customer has chosen none", async () => {
  const tenantId = testTenant();
  const own = { kind: "transaction.paid", channel: "SMS", language: "en", subject: "", html: "" };
  const text = "{{firstName}}: {{total}} for {{recipient}}";
  await world.templates.saveTemplate({ ...own, text, revision: 0 }, asManager(tenantId));
  await world.remittance[0]!.publishEvents({ events: [event("transaction.paid", customer("SMS", ""))] }, on(tenantId));
  const sent = await waitFor(() => sentIn(tenantId)[0]);
  expect(sent).toMatchObject({ channel: "SMS", subject: "", text: "Amina: 1,254.19 USD for Chidi <Okafor>" });
});

test("words whose host is the organisation's no more stay unsent: the customer hears in the shipped ones", async () => {
  const tenantId = testTenant();
  const own = { kind: "transaction.paid", channel: "EMAIL", language: "en", subject: "Paid", text: "Paid" };
  world.hosts.set(tenantId, ["old.example"]);
  const html = '<a href="https://old.example">Look</a>';
  await world.templates.saveTemplate({ ...own, html, revision: 0 }, asManager(tenantId));
  const tell = async (to: string) => {
    const events = [event("transaction.paid", customer("EMAIL", "", { email: to }))];
    await world.remittance[0]!.publishEvents({ events }, on(tenantId));
    return waitFor(() => sentIn(tenantId).find((one) => one.to === to));
  };
  expect(await tell("before@x.example")).toMatchObject({ subject: "Paid", html });
  world.hosts.set(tenantId, ["new.example"]);
  // What identity said is used for a second.
  const isKnown = () =>
    world.templates.previewTemplate(own, asManager(tenantId)).then(
      () => false,
      () => true,
    );
  await waitFor(async () => (await isKnown()) || undefined);
  await waitFor(async () => (await tell(`${randomUUID()}@x.example`)).subject !== "Paid" || undefined);
  const { subject, html: sent } = await tell("after@x.example");
  expect([subject, sent]).toEqual([expect.stringContaining("Bank"), expect.not.stringContaining("old.example")]);
});

test("who wants text messages and has no number is told by mail; who wants nothing is told nothing", async () => {
  const tenantId = testTenant();
  const events = [
    event("transaction.completed", customer("NONE", "")),
    event("transaction.completed", customer("SMS", "", { phoneNumber: "" })),
    event("transaction.completed", customer("BOTH", "", { phoneNumber: "", email: "both@x.example" })),
  ];
  await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  await waitFor(() => sentIn(tenantId).length >= 2);
  await expectDone(tenantId);
  expect(
    sentIn(tenantId)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual([amina.email, "both@x.example"]);
});

test("what would tip off, what is about nobody, and what nobody is told of, sends nothing", async () => {
  const tenantId = testTenant();
  const customerId = customer("BOTH", "");
  const events = [
    event("customer.blocked", customerId),
    event("transaction.completed", customerId, { isConfidential: true }),
    event("transaction.completed", ""),
    event("transaction.created", customerId),
    event("requirement.outstanding", customerId),
  ];
  await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  expect(await world.db.db!.collection("outbox").countDocuments({ tenantId })).toBe(0);
});

test("who was erased is told nothing, whether identity or the event says so first", async () => {
  const tenantId = testTenant();
  const unknown = event("transaction.completed", randomUUID());
  await world.remittance[0]!.publishEvents({ events: [unknown] }, on(tenantId));
  await expectDone(tenantId);
  expect(sentIn(tenantId)).toEqual([]);
});

test("an outbox row of a message says nothing of anybody", async () => {
  const tenantId = testTenant();
  const one = event("transaction.completed", customer("NONE", ""));
  await world.remittance[0]!.publishEvents({ events: [one] }, on(tenantId));
  const row = await world.db.db!.collection("outbox").findOne({ tenantId });
  expect(row).toMatchObject({ kind: "message.tell-customer", payload: { eventId: one.eventId } });
  expect(Object.keys(row!["payload"] as object)).toEqual(["eventId"]);
  expect(JSON.stringify(row)).not.toContain(one.customerId);
});

test("messages of one subject go in its order", async () => {
  const tenantId = testTenant();
  const customerId = customer("SMS", "en");
  const [subjectId, order] = [
    randomUUID(),
    ["transaction.paid", "transaction.ready_for_pickup", "transaction.completed"],
  ];
  const events = order.map((type) => ({ ...event(type as EventType, customerId), subjectId }));
  await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  await waitFor(() => sentIn(tenantId).length === 3);
  expect(sentIn(tenantId).map(({ reference }) => reference)).toEqual(events.map(({ eventId }) => `${eventId}-SMS`));
});

/** Every message of the tenant is closed. */
const expectDone = (tenantId: string) =>
  waitFor(async () => {
    const rows = await world.db.db!.collection("outbox").find({ tenantId }).toArray();
    return rows.every(({ state }) => state === "DONE");
  });

/** Rows for a credit of this kind that events learned of so much later. */
const rowsOfCredit = (kind: string, lateMs = 0) =>
  messageRowsOf("t", [
    {
      ...event("transaction.paid", "C1"),
      type: "wallet.credited",
      subjectType: "wallet",
      sequence: 1,
      place: 1,
      recordedAt: new Date(),
      occurredAt: new Date(Date.now() - lateMs),
      body: JSON.stringify({ data: { ...credit, kind } }),
    } as RecordedEvent,
  ]);

test("a credit that a message of its own tells, and one that its owner has made, are not told twice", () => {
  const rowsOf = (kind: string) => rowsOfCredit(kind);
  expect(["refund", "loan_disbursement", "exchange"].flatMap(rowsOf)).toEqual([]);
  expect(rowsOf("wallet_transfer")).toHaveLength(1);
  expect(valuesOf("wallet.credited", credit, "de")).toEqual({
    amount: "25,00 USD",
    balance: "125,00 USD",
    account: "…4471",
  });
});

test("a refund is told once, by the transaction: none of its credits is told", () => {
  const usd = (minor: bigint) => money(minor, "USD");
  const price = {
    principal: usd(100_00n),
    receive: usd(100_00n),
    rate: "1",
    totalFees: usd(2_00n),
    totalTaxes: usd(1n),
  };
  const paidOut = { transactionId: "t", transactionCode: "T1", price: { ...price, total: usd(102_01n) } };
  const { transfers } = refundPlan(paidOut as Transaction, { from: "CLEARING", isKeySpent: false }, "wallet");
  const kinds = transfers.filter(({ creditAccountId }) => creditAccountId === "wallet").map(({ kind }) => kind);
  expect(kinds).toEqual(["refund", "fee_refund", "tax_refund"]);
  expect(kinds.flatMap((kind) => rowsOfCredit(kind))).toEqual([]);
});

test("what events learns of more than a day later is told to nobody as news", () => {
  const dayMs = 24 * 3_600_000;
  expect(rowsOfCredit("wallet_transfer", dayMs - 60_000)).toHaveLength(1);
  expect(rowsOfCredit("wallet_transfer", dayMs + 60_000)).toEqual([]);
});

test("a contact that is refused for good holds up neither the other channel nor what comes later", async () => {
  const tenantId = testTenant();
  refused.add("typo@x.example");
  const customerId = customer("BOTH", "en", { email: "typo@x.example" });
  const subjectId = randomUUID();
  const events = (["transaction.paid", "transaction.completed"] as const).map((type) => ({
    ...event(type, customerId),
    subjectId,
  }));
  await world.remittance[0]!.publishEvents({ events }, on(tenantId));
  await waitFor(() => sentIn(tenantId).length === 2);
  await expectDone(tenantId);
  expect(sentIn(tenantId).map(({ reference, to }) => [reference, to])).toEqual(
    events.map(({ eventId }) => [`${eventId}-SMS`, amina.phoneNumber]),
  );
});

test("messages to customers and managers wait for a connector that is away for days", async () => {
  const tenantId = testTenant();
  const outbox = world.db.db!.collection<StoredRow>("outbox");
  isAway = true;
  try {
    await world.remittance[0]!.publishEvents(
      { events: [event("transaction.paid", customer("EMAIL", "en"))] },
      on(tenantId),
    );
    const row = await waitFor(() => outbox.findOne({ tenantId, attempts: { $gte: 1 } }));
    const late = { attempts: 5_000, state: "DUE" as const, dueAt: new Date(), lastError: "earlier" };
    const payload = { endpointId: "E1", url: "https://bank.example/", why: "it answered 410 Gone" };
    const toManagers = { _id: randomUUID(), kind: "webhook.tell-managers", aggregate: "webhook-endpoint:E1", payload };
    const { leaseToken: _lease, ...fresh } = row;
    await outbox.insertOne({ ...fresh, ...toManagers, ...late, leasedUntil: new Date(0) });
    await outbox.updateOne({ tenantId, _id: row._id }, { $set: late });
    const tried = () => outbox.find({ tenantId, attempts: { $gt: 5_000 }, lastError: { $ne: "earlier" } }).toArray();
    const rows = await waitFor(async () => ((await tried()).length === 2 ? tried() : undefined));
    expect(rows.map(({ kind, state }) => [kind, state]).toSorted()).toEqual([
      ["message.tell-customer", "DUE"],
      ["webhook.tell-managers", "DUE"],
    ]);
  } finally {
    isAway = false;
  }
});

// The last one: time has moved on afterwards.
test("what nobody took for three days is no news any more: it ends, and nothing is tried for ever", async () => {
  const tenantId = testTenant();
  const rows = world.db.db!.collection<StoredRow>("outbox");
  isAway = true;
  try {
    await world.remittance[0]!.publishEvents(
      { events: [event("transaction.completed", customer("EMAIL", "en"))] },
      on(tenantId),
    );
    await waitFor(async () => (await rows.countDocuments({ tenantId, lastError: { $exists: true } })) === 1);
    world.pass(2 * 24 * 3_600_000);
    await waitFor(async () => (await rows.countDocuments({ tenantId, attempts: { $gte: 2 } })) === 1);
    expect(await rows.countDocuments({ tenantId, state: "DUE" })).toBe(1);
    world.pass(25 * 3_600_000);
    await waitFor(async () => (await rows.countDocuments({ tenantId, state: "DONE" })) === 1);
  } finally {
    isAway = false;
  }
  expect(sentIn(tenantId)).toEqual([]);
});
