import { randomUUID } from "node:crypto";
import type { AgentAccountServiceDefinition } from "../../proto/gen/wallet/v1/agent_accounts.js";
import type { AgentServiceDefinition } from "../../proto/gen/wallet/v1/agents.js";
import type { AgentSettlementServiceDefinition } from "../../proto/gen/wallet/v1/agent_settlements.js";
import type { BranchCashServiceDefinition } from "../../proto/gen/wallet/v1/branch_cash.js";
import type { CounterServiceDefinition } from "../../proto/gen/wallet/v1/counter.js";
import type { TillServiceDefinition } from "../../proto/gen/wallet/v1/tills.js";
import type { MakePaymentRequest, WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import type { Client, OutgoingExtra } from "../../services/kernel/grpc/client.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { testTenant } from "./index.js";
import { stateUser } from "./service-network.js";
import { rightPassword } from "./stand-in-identity.js";
import type { StandInTransaction } from "./stand-in-remittance.js";
import type { createWalletNeighbours } from "./wallet-neighbours.js";

export type WalletClient = Client<WalletServiceDefinition> &
  Client<TillServiceDefinition> &
  Client<BranchCashServiceDefinition> &
  Client<CounterServiceDefinition> &
  Client<AgentServiceDefinition> &
  Client<AgentAccountServiceDefinition> &
  Client<AgentSettlementServiceDefinition>;
export type PaymentDraft = Partial<MakePaymentRequest>;
export type CallExtra = OutgoingExtra & { interactionId?: string };

export interface Person {
  tenantId: string;
  userId: string;
  customerId: string;
  token: string;
}

/** How a call is made: for a tenant, and for the person whose token is given. */
export function calls(person: Partial<Pick<Person, "token">> & { tenantId: string }, extra: CallExtra = {}) {
  const { tenantId, token } = person;
  return { interactionId: randomUUID(), ...extra, tenantId, ...(token === undefined ? {} : { userToken: token }) };
}

/** People with wallets, what they can pay, and how they pay it. */
export function createWalletCustomers(given: {
  neighbours: Awaited<ReturnType<typeof createWalletNeighbours>>;
  gateway: WalletClient;
  operator: WalletClient;
}) {
  const { neighbours, gateway, operator } = given;
  return {
    person(tenantId = testTenant(), role: Role = "CUSTOMER"): Person {
      const [userId, customerId] = [randomUUID(), randomUUID()];
      const user = { tenantId, role, userId, ...(role === "CUSTOMER" ? { customerId } : {}) };
      if (role === "CUSTOMER") neighbours.identity.customers.set(customerId, { tenantId, userId });
      else neighbours.identity.staff.set(userId, { tenantId, role });
      return { tenantId, userId, customerId, token: stateUser(user) };
    },

    /** One of the staff by the token that they get once their role was changed. */
    inRole({ tenantId, userId, customerId }: Person, role: Exclude<Role, "CUSTOMER">): Person {
      neighbours.identity.staff.set(userId, { tenantId, role });
      return { tenantId, userId, customerId, token: stateUser({ tenantId, role, userId }) };
    },

    /** Opens a wallet through the rpcs that the operator uses, and puts money into it. */
    async wallet(person: Person, currency: string, depositMinor = 0n, bank = "") {
      const { tenantId, customerId } = person;
      const request = { idempotencyKey: randomUUID(), customerId, currency };
      const { account } = await operator.openWalletAccount(request, calls({ tenantId }));
      if (account === undefined) throw new Error("no account");
      if (depositMinor > 0n) {
        const amount = { amountMinor: depositMinor, currency };
        const deposit = {
          idempotencyKey: randomUUID(),
          accountId: account.accountId,
          amount,
          reference: "BANK-1",
          bank,
        };
        await operator.recordDeposit(deposit, calls({ tenantId }));
      }
      return account;
    },

    transaction({ tenantId, customerId }: Person, more: Partial<StandInTransaction> = {}) {
      const id = randomUUID();
      const parts = { currency: "USD", principalMinor: 10_000n, feesMinor: 250n, taxesMinor: 19n };
      const status = "AWAITING_PAYMENT" as const;
      const transaction: StandInTransaction = { tenantId, customerId, ...parts, status, released: [], ...more };
      neighbours.remittance.transactions.set(id, transaction);
      return { id, transaction, total: "102.69", totalMinor: 10_269n };
    },

    pay(person: Person, draft: PaymentDraft, extra: CallExtra = {}) {
      const request = {
        idempotencyKey: "",
        payableType: "PAYABLE_TYPE_TRANSACTION" as const,
        paymentGatewayRef: `ref-${randomUUID()}`,
        password: rightPassword,
        ...draft,
      };
      return gateway.makePayment(request, calls(person, extra));
    },
  };
}
