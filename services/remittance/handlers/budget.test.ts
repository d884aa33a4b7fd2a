import { Redis } from "ioredis";
import mongoose, { type mongo } from "mongoose";
import { PayoutPointType } from "../../../proto/gen/remittance/v1/remittance.js";
import { ada, on } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("budget", { keptForMs: 60_000 })));
afterAll(() => world.close());

/**
 * Commands that are sent for the tenant while something runs: MongoDB's by name and collection,
 * Redis's by name.
 */
async function sentFor(tenantId: string, work: () => Promise<unknown>) {
  const mongoCommands: string[] = [];
  const redisCommands: string[] = [];
  const ofTenant = new Set<string>();
  const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
    const session = command["lsid"]?.id?.toString("hex") as string | undefined;
    const isOwn = JSON.stringify(command, plain).includes(tenantId);
    if (isOwn && session !== undefined && command["txnNumber"] !== undefined) ofTenant.add(session);
    const isEnd = commandName === "commitTransaction" && session !== undefined && ofTenant.has(session);
    // What relays do outside of transactions is work of its own, gathered over many requests.
    const isRelay = command[commandName] === "outbox" && command["autocommit"] === undefined;
    // So is what a job tells of rates that were opened a moment before.
    const isTelling = command[commandName] === "rate_tellings";
    if ((isOwn && !isRelay && !isTelling) || isEnd)
      mongoCommands.push(`${commandName} ${String(command[commandName])}`.replace(/ 1$/, ""));
  };
  // Only this file's own process is watched: other tests use the same server.
  const send = jest.spyOn(Redis.prototype, "sendCommand").mockName("sendCommand");
  const clients = new Set(
    mongoose.connections.filter(({ readyState }) => readyState === 1).map((db) => db.getClient()),
  );
  for (const client of clients) client.on("commandStarted", watch);
  world.neighbours.called.length = 0;
  await work();
  const called = [...world.neighbours.called];
  for (const client of clients) client.off("commandStarted", watch);
  redisCommands.push(...send.mock.calls.map(([command]) => command.name));
  send.mockRestore();
  return { called, mongoCommands, redisCommands };
}

/** The cheapest of three: what is kept for a second is asked anew where the machine is slow. */
async function leastSent(measure: () => ReturnType<typeof sentFor>) {
  const runs = [await measure(), await measure(), await measure()];
  return runs.toSorted((a, b) => a.called.length - b.called.length)[0]!;
}

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

describe("what a list of payout points costs, filtered and priced", () => {
  test("a look at the version of its prices and one query, however many corridors, rates and markups there are", async () => {
    const tenantId = await openTenant(world);
    const point = { type: PayoutPointType.PAYOUT_POINT_TYPE_MOBILE_MONEY, country: "NGA", currency: "NGN" };
    for (const [code, mobileOperator] of [
      ["MTN-1", "MTN"],
      ["MTN-2", "MTN"],
      ["GLO-1", "Glo"],
    ] as const) {
      const whole = { ...point, code, name: code, mobileOperator, minimumMinor: 0n, maximumMinor: 10n ** 12n };
      await world.operator.putPayoutPoint({ point: { ...whole, enabled: true } }, on(tenantId));
    }
    const ask = (principalAmount: string) =>
      world.gateway.listPayoutPoints(
        {
          type: "DELIVERY_METHOD_MOBILE_MONEY",
          principalAmount,
          principalCurrency: "USD",
          deriveCurrency: "NGN",
          receivingCountry: "NGA",
          mobileOperator: "MTN",
        },
        on(tenantId, ada),
      );
    await ask("100.00");
    const sent = await sentFor(tenantId, async () => expect((await ask("250.00")).points).toHaveLength(2));
    expect(sent.called).toEqual(["identity.getCustomer"]);
    expect(sent.mongoCommands).toEqual(["find price_versions", "find payout_points"]);
  });
});

describe("what a create-transaction costs, quote, compliance and idempotency included", () => {
  test("two calls of neighbours, and round trips to MongoDB and Redis within the budget", async () => {
    const tenantId = await openTenant(world);
    const create = async () => {
      const question = {
        sendAmount: "100.00",
        receivingCountry: "NG",
        type: "DELIVERY_METHOD_ACCOUNTPAYMENT" as const,
      };
      const { quote } = await world.gateway.createQuote(question, on(tenantId, ada));
      return order({ dynamicFields: { quoteId: quote!.quoteId } });
    };
    // Preferences, clock, ledger accounts and prepared statements are known afterwards.
    await world.gateway.createTransaction(await create(), on(tenantId, ada));
    const sent = await leastSent(async () => {
      const requested = await create();
      return sentFor(tenantId, () => world.gateway.createTransaction(requested, on(tenantId, ada)));
    });
    process.stdout.write(`create-transaction by quote: ${JSON.stringify(sent)}\n`);
    expect(sent.called).toEqual(["identity.getCustomer", "compliance.checkTransaction"]);
    const direct = await leastSent(() =>
      sentFor(tenantId, () => world.gateway.createTransaction(order(), on(tenantId, ada))),
    );
    process.stdout.write(`create-transaction without quote: ${JSON.stringify(direct)}\n`);
    expect(direct.called).toEqual(["identity.getCustomer", "compliance.checkTransaction"]);
    expect(sent.mongoCommands.length).toBeLessThanOrEqual(12);
    expect(direct.mongoCommands.length).toBeLessThanOrEqual(11);
    expect(sent.redisCommands.length).toBeLessThanOrEqual(3);
    expect(direct.redisCommands.length).toBeLessThanOrEqual(3);
  });

  test("sixteen at once share reads, commits and calls: fewer than four commands to MongoDB each, half a call of compliance", async () => {
    const tenantId = await openTenant(world);
    await world.gateway.createTransaction(order(), on(tenantId, ada));
    const orders = Array.from({ length: 16 }, () => order());
    const sent = await sentFor(tenantId, () =>
      Promise.all(orders.map((one) => world.gateway.createTransaction(one, on(tenantId, ada)))),
    );
    process.stdout.write(`sixteen create-transactions at once: ${sent.mongoCommands.length} commands to MongoDB\n`);
    expect(sent.mongoCommands.length).toBeLessThan(4 * orders.length);
    expect(sent.called.filter((rpc) => rpc.startsWith("compliance.")).length).toBeLessThanOrEqual(8);
    // And the one before them.
    expect(world.neighbours.checks.filter((one) => one.tenantId === tenantId)).toHaveLength(17);
  });
});
