import { randomUUID } from "node:crypto";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Call } from "../../services/kernel/grpc/context.js";
import { createCounter } from "./counter.js";
import type { WalletFixture } from "./wallet-fixture.js";

const standard = {
  planId: "STANDARD",
  name: "Standard agents",
  currency: "USD",
  rules: [
    { basis: "FEE", bps: 4_000 },
    { basis: "PRINCIPAL", bps: 35 },
  ],
};

/** An agent with an open till who is paid 40 % of the fee and 35 bps of the principal. */
export async function createAgentDesk(wallet: WalletFixture, plan: object = {}) {
  const counter = await createCounter(wallet, { role: "AGENT", float: "0" });
  const { tenantId, sender, customerId, own, stored } = counter;
  const agentId = own.by.userId;
  const manager = wallet.person(tenantId, "MANAGER");
  const by = wallet.calls(manager);
  wallet.identity.sellingAgents.add(tenantId);
  wallet.identity.customers.set(customerId, { tenantId, userId: sender.userId, agentId });
  const key = () => ({ idempotencyKey: randomUUID(), reason: "Signed" });
  const putPlan = async (part: object = {}) => {
    const asked = { ...key(), plan: { ...standard, ...plan, ...part } };
    await wallet.decide((await wallet.gateway.putCommissionPlan(asked, by)).approvalId);
  };
  await putPlan();
  const terms = [{ currency: "USD", commissionPlanId: "STANDARD" }];
  const asked = { ...key(), agentId, mode: "TILL", terms };
  await wallet.decide((await wallet.gateway.putAgentConfiguration(asked, by)).approvalId);

  const call = { tenantId, interactionId: "completion" } as Call;
  const remittance = wallet.clientOf("remittance");
  return {
    ...counter,
    agentId,
    manager,
    putPlan,
    /** As remittance does when what was sold is paid out. */
    completed: (given: { paymentId?: string; transactionId?: string } = {}) =>
      remittance.markTransactionCompleted(
        {
          paymentId: counter.transaction.paymentId ?? "",
          transactionId: counter.transactionId,
          completedAt: new Date(),
          ...given,
        },
        outgoing(call),
      ),
    lines: async () => {
      const found = await stored("agent_lines", { agentId });
      const byTime = found.toSorted((a, b) => Number(a["at"]) - Number(b["at"]));
      return byTime.map((line) => [line["kind"] as string, line["amountMinor"] as bigint]);
    },
    commission: () => wallet.ledger.balance(tenantId, `agent_commission:${agentId}:USD`),
    expense: () => wallet.ledger.balance(tenantId, "commission_expense:USD"),
    /** How many rows of commission are not closed. */
    async openRows() {
      const rows = await stored("outbox", { kind: "drive-commission", state: { $in: ["DUE", "PARKED"] } });
      return rows.length;
    },
  };
}
