import mongoose, { type mongo } from "mongoose";
import {
  createComplianceWorld,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { refusalFromTrailer } from "../../../kernel/grpc/refusal-trailer.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("releases_together")));
afterEach(() => world.reset());
afterAll(() => world.close());

const status = "CUSTOMER_STATUS_CONFIRMED" as const;

/** A tenant whose customers are confirmed, c1 among them. */
async function tenantOf(customers: number): Promise<{ tenantId: string; customerIds: string[] }> {
  const tenantId = await world.openTenant({});
  const customerIds = Array.from({ length: customers }, (_, index) => `c${index + 1}`);
  for (const customerId of customerIds.slice(1))
    await world.operator.setCustomerStatus({ customerId, status, reason: "seen" }, on(tenantId));
  return { tenantId, customerIds };
}

async function check(tenantId: string, part: Parameters<typeof question>[0] = {}): Promise<string> {
  const requested = question(part);
  expect(await world.remittance.checkTransaction(requested, on(tenantId))).toMatchObject({
    decision: "DECISION_APPROVED",
  });
  return requested.transactionId;
}

const release = async (tenantId: string, transactionIds: string[], client = world.remittance) =>
  (await client.releaseReservations({ transactionIds }, on(tenantId))).answers.map(
    ({ refusal }) => refusalFromTrailer(refusal === "" ? undefined : refusal)?.code,
  );
const daysOf = (tenantId: string, customerIds: string[]) =>
  world.store.forTenant(tenantId).listDaysOf(customerIds, "2026-05-01", "2026-05-31");
const stateOf = async (tenantId: string, id: string) =>
  (await world.store.forTenant(tenantId).findDecision(id))?.reservation;

test("releases what several customers hold of several days, and leaves what counts on", async () => {
  const { tenantId, customerIds } = await tenantOf(3);
  const ids: string[] = [];
  for (const day of ["01", "02"]) {
    world.at(`2026-05-${day}T12:00:00Z`);
    for (const customerId of customerIds) {
      ids.push(await check(tenantId, { customerId, amount: usd(70_00n), recipientCode: "B-9" }));
      ids.push(await check(tenantId, { customerId, amount: usd(50_00n) }));
      await check(tenantId, { customerId, amount: usd(10_00n) });
    }
  }
  expect(await release(tenantId, ids)).toEqual(ids.map(() => undefined));
  // Told again, nothing changes.
  expect(await release(tenantId, ids)).toEqual(ids.map(() => undefined));
  const days = await daysOf(tenantId, customerIds);
  expect(days).toHaveLength(6);
  for (const { cells, recipients, usage, sizes } of days) {
    expect(cells).toMatchObject([{ count: 1, sumMinor: 10_00n, maxMinor: 10_00n }]);
    expect(sizes).toEqual([{ currency: "USD", size: "10e2", count: 1 }]);
    expect(recipients).toEqual(["B-1"]);
    expect(usage).toEqual([{ currency: "USD", reservedMinor: 10_00n, usedMinor: 0n }]);
  }
});

test("one that is unknown or paid is refused by itself, and keeps none of the others", async () => {
  const { tenantId } = await tenantOf(2);
  const [first, paid, other] = [await check(tenantId), await check(tenantId), await check(tenantId)];
  await world.remittance.confirmReservation({ transactionId: paid }, on(tenantId));
  const answers = await release(tenantId, [first, "nobody's", paid, other]);
  expect(answers).toEqual([undefined, "TRANSACTION_NOT_FOUND", "STATE_CONFLICT", undefined]);
  const states = [await stateOf(tenantId, first), await stateOf(tenantId, paid), await stateOf(tenantId, other)];
  expect(states).toEqual(["RELEASED", "CONFIRMED", "RELEASED"]);
  const [day] = await daysOf(tenantId, ["c1"]);
  expect(day!.usage).toEqual([{ currency: "USD", reservedMinor: 0n, usedMinor: 100_00n }]);
});

test("one whose decision cannot be read keeps none of the others", async () => {
  const { tenantId } = await tenantOf(1);
  const ids = [await check(tenantId), await check(tenantId), await check(tenantId)];
  const broken = { $set: { "inputs.facts.amount": "not money" } };
  await world.db.collection("decisions").updateOne({ tenantId, transactionId: ids[1]! }, broken);
  // The sums of its day are made of it, too: the others are another day's.
  await world.db
    .collection("decisions")
    .updateOne({ tenantId, transactionId: ids[1]! }, { $set: { "inputs.day": "2026-04-01" } });
  expect(await release(tenantId, ids)).toEqual([undefined, "INTERNAL", undefined]);
  expect([await stateOf(tenantId, ids[0]!), await stateOf(tenantId, ids[2]!)]).toEqual(["RELEASED", "RELEASED"]);
});

test("two replicas that release the same, while its customers create more, give back each once", async () => {
  const { tenantId, customerIds } = await tenantOf(4);
  const held: string[] = [];
  for (let each = 0; each < 24; each++) held.push(await check(tenantId, { customerId: customerIds[each % 4]! }));
  const more = customerIds.flatMap((customerId) => [1, 2].map(() => check(tenantId, { customerId })));
  const both = [release(tenantId, held), release(tenantId, held.toReversed(), world.elsewhere)];
  expect((await Promise.all(both)).flat()).toEqual(Array.from({ length: 48 }, () => undefined));
  await Promise.all(more);
  for (const { usage, cells } of await daysOf(tenantId, customerIds)) {
    expect(usage).toEqual([{ currency: "USD", reservedMinor: 200_00n, usedMinor: 0n }]);
    expect(cells).toMatchObject([{ count: 2, sumMinor: 200_00n }]);
  }
});

test("300 of 30 customers take 41 commands to MongoDB: 8 for every 64 of them", async () => {
  const { tenantId, customerIds } = await tenantOf(30);
  const rows = customerIds.map((customerId) => ({ customerId }));
  const ids: string[] = [];
  for (const { customerId } of rows) ids.push(await check(tenantId, { customerId }));
  const copies = await copiesOf(tenantId, ids, 9);
  const sent = await commandsDuring(tenantId, async () => {
    expect(await release(tenantId, [...ids, ...copies])).toEqual([...ids, ...copies].map(() => undefined));
  });
  const part = [
    "find decisions",
    "update customer_statuses",
    "update decisions",
    "find activity_days",
    "find decisions",
    "update customer_statuses",
    "update activity_days",
    "commitTransaction",
  ];
  expect(sent).toEqual(["find decisions", ...[1, 2, 3, 4, 5].flatMap(() => part)]);
  const open = (await daysOf(tenantId, customerIds)).filter(({ cells }) => cells.length > 0);
  expect(open).toEqual([]);
});

test("32 that are told at the same time, one call each, are settled by seven commands, each with its own answer", async () => {
  const { tenantId } = await tenantOf(1);
  const ids: string[] = [];
  for (let each = 0; each < 32; each++) ids.push(await check(tenantId));
  const { settle } = world.replicas[0]!.checks;
  const requested = [...ids, "nobody's"];
  let answers: PromiseSettledResult<void>[] = [];
  const sent = await commandsDuring(tenantId, async () => {
    answers = await Promise.allSettled(requested.map((id) => settle(tenantId, id, "CONFIRMED")));
  });
  expect(sent).toEqual([
    "find decisions",
    "find decisions",
    "update customer_statuses",
    "update decisions",
    "find activity_days",
    "update activity_days",
    "commitTransaction",
  ]);
  expect(answers.map((one) => one.status)).toEqual([...ids.map(() => "fulfilled"), "rejected"]);
  expect(answers.at(-1)).toMatchObject({ reason: { code: "TRANSACTION_NOT_FOUND" } });
  const [day] = await daysOf(tenantId, ["c1"]);
  expect(day!.usage).toEqual([{ currency: "USD", reservedMinor: 0n, usedMinor: 3_200_00n }]);
});

test("1 to 300, and it is remittance's to say", async () => {
  const { tenantId } = await tenantOf(1);
  for (const transactionIds of [[], Array.from({ length: 301 }, (_, index) => `t${index}`), [""]])
    expect((await refused(world.remittance.releaseReservations({ transactionIds }, on(tenantId)))).code).toBe(
      "INVALID_INPUT",
    );
  const requested = { transactionIds: ["t1"] };
  expect((await refused(world.wallet.releaseReservations(requested, on(tenantId)))).code).toBe("CALLER_NOT_ALLOWED");
});

/** So many more decisions like each of these. */
async function copiesOf(tenantId: string, ids: readonly string[], times: number): Promise<string[]> {
  const decisions = world.db.collection("decisions");
  const made: string[] = [];
  for (const transactionId of ids) {
    const { _id, inputs, ...stored } = (await decisions.findOne({ tenantId, transactionId }))!;
    const copies = Array.from({ length: times }, (_, index) => `${transactionId}-${index}`);
    made.push(...copies);
    const facts = (inputs as { facts: object }).facts;
    await decisions.insertMany(
      copies.map((id) => ({
        ...stored,
        transactionId: id,
        inputs: { ...(inputs as object), facts: { ...facts, transactionId: id } },
      })),
    );
  }
  return made;
}

/** Commands that are sent for the tenant, by name and collection. */
async function commandsDuring(tenantId: string, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
    const isOwn = JSON.stringify(command, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ).includes(tenantId);
    if (commandName === "commitTransaction") sent.push(commandName);
    else if (isOwn) sent.push(`${commandName} ${String(command[commandName])}`);
  };
  const clients = new Set(
    mongoose.connections.filter(({ readyState }) => readyState === 1).map((db) => db.getClient()),
  );
  for (const client of clients) client.on("commandStarted", watch);
  try {
    await work();
  } finally {
    for (const client of clients) client.off("commandStarted", watch);
  }
  return sent;
}
