import { Redis } from "ioredis";
import mongoose, { type mongo } from "mongoose";
import { createWalletFixture, type WalletFixture } from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => void (wallet = await createWalletFixture("wallet_budget", { cacheMs: 60_000 })));
afterAll(() => wallet.close());

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

/**
 * Rpcs that are called and commands that are sent for the tenant while something runs: MongoDB's by
 * name and collection, Redis's by name.
 */
async function sentFor(tenantId: string, work: () => Promise<unknown>) {
  const mongoCommands: string[] = [];
  const ofTenant = new Set<string>();
  const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
    const session = command["lsid"]?.id?.toString("hex") as string | undefined;
    const isOwn = JSON.stringify(command, plain).includes(tenantId);
    if (isOwn && session !== undefined && command["txnNumber"] !== undefined) ofTenant.add(session);
    const isEnd = commandName === "commitTransaction" && session !== undefined && ofTenant.has(session);
    // What looks after arriving money is nobody's payment.
    const isReader = command[commandName] === "bank_credit_readers";
    // Known for a second, which is over on a busy machine.
    const isLimits = commandName === "find" && command[commandName] === "wallet_limits";
    // What relays do outside of transactions is work of its own, gathered over many requests.
    const isRelay = command[commandName] === "outbox" && command["autocommit"] === undefined;
    if ((isOwn && !isReader && !isLimits && !isRelay) || isEnd)
      mongoCommands.push(`${commandName} ${String(command[commandName])}`.replace(/ 1$/, ""));
  };
  const send = jest.spyOn(Redis.prototype, "sendCommand").mockName("sendCommand");
  const open = mongoose.connections.filter(({ readyState }) => readyState === 1).map((db) => db.getClient());
  const clients = new Set(open);
  for (const client of clients) client.on("commandStarted", watch);
  const before = wallet.faults.calledIn(tenantId).length;
  await work();
  const called = wallet.faults.calledIn(tenantId).slice(before);
  for (const client of clients) client.off("commandStarted", watch);
  const redisCommands = send.mock.calls.map(([command]) => command.name);
  send.mockRestore();
  return { called, mongoCommands, redisCommands };
}

describe("what a payment costs in the wallet", () => {
  test("to another wallet: three calls of neighbours and eleven round trips to MongoDB; nothing is left for later", async () => {
    const payer = wallet.person();
    const { tenantId } = payer;
    const from = await wallet.wallet(payer, "USD", 500_00n);
    const to = await wallet.wallet(wallet.person(tenantId), "USD");
    const draft = {
      payableType: "PAYABLE_TYPE_WALLET_CUSTOMER" as const,
      payableId: to.accountId,
      accountId: from.accountId,
      totalCheckoutAmount: "1",
    };
    // Limits are known afterwards.
    await wallet.pay(payer, draft);
    const sent = await sentFor(tenantId, () => wallet.pay(payer, draft));
    process.stdout.write(`payment to a wallet: ${JSON.stringify(sent)}\n`);
    expect(sent.called.toSorted()).toEqual(["checkWalletPayment", "postTransfers", "verifyCredentials"]);
    expect(sent.mongoCommands.length).toBeLessThanOrEqual(11);
    expect(sent.redisCommands.length).toBeLessThanOrEqual(3);
    // Its event took the place of its recovery row.
    const open = { tenantId, state: "DUE", kind: { $ne: "event.publish" } };
    expect(await wallet.database.db.collection("outbox").countDocuments(open)).toBe(0);
  });

  test("for a transaction: five calls of neighbours, of which two at the same time, the last tells remittance; eleven round trips to MongoDB", async () => {
    const payer = wallet.person();
    const { accountId } = await wallet.wallet(payer, "USD", 500_00n);
    const draft = () => {
      const { id: payableId, total: totalCheckoutAmount } = wallet.transaction(payer);
      return { accountId, payableId, totalCheckoutAmount };
    };
    await wallet.pay(payer, draft());
    const requested = draft();
    const sent = await sentFor(payer.tenantId, () => wallet.pay(payer, requested));
    process.stdout.write(`payment for a transaction: ${JSON.stringify(sent)}\n`);
    // The stand-in of remittance makes accounts for itself.
    const waitedFor = sent.called.filter((rpc) => rpc !== "createAccounts");
    const expected = ["checkMoves", "claimTransaction", "markTransactionPaid", "postTransfers", "verifyCredentials"];
    expect(waitedFor.toSorted()).toEqual(expected);
    expect(sent.mongoCommands.length).toBeLessThanOrEqual(11);
    // Nothing is left for later but its event.
    const open = { tenantId: payer.tenantId, state: "DUE", kind: { $ne: "event.publish" } };
    expect(await wallet.database.db.collection("outbox").countDocuments(open)).toBe(0);
  });
});
