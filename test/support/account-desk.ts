import { randomUUID } from "node:crypto";
import { PostTransfersRequest } from "../../proto/gen/ledger/v1/ledger.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Call } from "../../services/kernel/grpc/context.js";
import { eventually, type Person, type WalletFixture } from "./wallet-fixture.js";

/**
 * An agent of mode ACCOUNT, and a sender whose transfers cost 102.69. What the agent has is
 * prefunded out of the tenant's bank.
 */
export async function createAccountDesk(
  wallet: WalletFixture,
  { float = "500", ...terms }: { float?: string; creditLineMinor?: bigint; alarmShare?: number } & object = {},
) {
  const sender = wallet.person();
  const { tenantId, customerId } = sender;
  const manager = wallet.person(tenantId, "MANAGER");
  const by = wallet.calls(manager);
  const key = () => ({ idempotencyKey: randomUUID() });
  wallet.identity.sellingAgents.add(tenantId);

  /** Asks for how an agent sells. */
  const put = (agentId: string, more: object = {}, part: object = {}) =>
    wallet.gateway.putAgentConfiguration(
      {
        ...key(),
        agentId,
        mode: "ACCOUNT",
        terms: [{ currency: "USD", ...terms, ...more }],
        reason: "Signed",
        ...part,
      },
      by,
    );
  const set = async (agentId: string, more: object = {}, part: object = {}) =>
    wallet.decide((await put(agentId, more, part)).approvalId);
  const move = (agentId: string, direction: "TOP_UP" | "TAKE_BACK", amount: string, more: object = {}) =>
    wallet.gateway.moveAgentFloat(
      { ...key(), agentId, direction, currency: "USD", amount, reference: "Transfer 4711", ...more },
      by,
    );
  const accountOf = async (agentId: string) =>
    (await wallet.gateway.getAgentAccounts({ agentId }, by)).accounts.find(({ currency }) => currency === "USD");
  const settled = async (agentId: string, balanceMinor: bigint) => {
    await eventually("the float to be booked", async () => (await accountOf(agentId))?.balanceMinor === balanceMinor);
  };
  const stored = (name: string, filter: object = {}) =>
    wallet.database.db
      .collection(name)
      .find({ tenantId, ...filter })
      .toArray();

  async function hire(): Promise<Person> {
    const agent = wallet.person(tenantId, "AGENT");
    await set(agent.userId);
    return agent;
  }
  /**
   * A change of an agent that commits while something is done for which they were looked at as they
   * were: once `hasLooked`.
   */
  async function changedMeanwhile<T>(
    agentId: string,
    change: object,
    hasLooked: () => Promise<boolean>,
    work: () => Promise<T>,
  ): Promise<PromiseSettledResult<T>> {
    const session = wallet.database.db.getClient().startSession();
    session.startTransaction();
    const own = { tenantId, _id: agentId as never };
    await wallet.database.db.collection("agents").updateOne(own, { $set: change }, { session });
    const done = Promise.allSettled([work()]);
    await eventually("the look", hasLooked);
    await session.commitTransaction();
    await session.endSession();
    return (await done)[0];
  }
  const agent = await hire();
  wallet.identity.customers.set(customerId, { tenantId, userId: sender.userId, agentId: agent.userId });
  if (float !== "0") {
    await wallet.decide((await move(agent.userId, "TOP_UP", float)).approvalId);
    await settled(agent.userId, BigInt(Math.round(Number(float) * 100)));
  }

  return {
    sender,
    tenantId,
    customerId,
    manager,
    agent,
    hire,
    changedMeanwhile,
    put,
    set,
    move,
    stored,
    accountOf: (agentId = agent.userId) => accountOf(agentId),
    settled: (balanceMinor: bigint, agentId = agent.userId) => settled(agentId, balanceMinor),
    transaction: () => wallet.transaction(sender),
    /** As remittance does when all of a sale came back: what is owed of it then. */
    async comesBack({ id, transaction: { paymentId = "" } }: ReturnType<WalletFixture["transaction"]>) {
      const call = { tenantId, interactionId: "way-back" } as Call;
      const transfer = {
        key: `refund:${id}`,
        debitAccountId: "remittance_clearing:USD",
        creditAccountId: "counter_payable:USD",
        amount: { amountMinor: 102_69n, currency: "USD" },
        kind: "refund",
        description: "Refund",
        mode: "TRANSFER_MODE_POSTED" as const,
      };
      const posted = PostTransfersRequest.fromPartial({ groups: [{ transfers: [transfer] }], createdBy: "remittance" });
      await wallet.ledger.handlers.postTransfers!(posted, call);
      const refunded = { amountMinor: 102_69n, currency: "USD" };
      await wallet
        .clientOf("remittance")
        .markPaymentRefunded({ paymentId, transactionId: id, refunded, refundedAt: new Date() }, outgoing(call));
      const { payables } = await wallet.gateway.listCounterPayables({}, wallet.calls(sender));
      return payables.find((one) => one.transactionId === id)!;
    },
    sell: (
      received = "102.69",
      transactionId = wallet.transaction(sender).id,
      idempotencyKey: string = randomUUID(),
      as: Person = agent,
    ) => wallet.gateway.sellFromAccount({ idempotencyKey, transactionId, received }, wallet.calls(as)),
    inLedger: (code = "agent_account", agentId = agent.userId) =>
      wallet.ledger.account(tenantId, `${code}:${agentId}:USD`) === undefined
        ? 0n
        : wallet.ledger.balance(tenantId, `${code}:${agentId}:USD`),
    lines: async (agentId = agent.userId) =>
      (await stored("agent_lines", { agentId }))
        .toSorted((one, other) => one["at"].getTime() - other["at"].getTime())
        .map(({ kind, account, amountMinor }) => [kind, account, amountMinor]),
  };
}
