import {
  PayCounterPayableAsAgentRequest,
  PayCounterPayableAsAgentResponse,
  PayOutAsAgentRequest,
  PayOutAsAgentResponse,
  type AgentAccountServiceDefinition,
} from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyFromWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { accountOfPayout, refusedInCurrency, transferOfAgentPayable } from "../domain/agent-payout.js";
import { assertActive, refusedByMode } from "../domain/agent-sale.js";
import { assertIssuedByAnother, counterPayableAccount, givenPayable } from "../domain/counter-payable.js";
import { documentFromWire } from "../wire/counter-payables.js";
import { counterPayableTries, refusedAsPaid, refusedToSender } from "./counter-payable-tries.js";
import { businessDayOf } from "./business-day.js";
import type { WalletDeps } from "./deps.js";
import { assertSells } from "./managed-customers.js";
import { runMovement } from "./run-movement.js";

/** Cash that agents of mode ACCOUNT give out of their own: owed to them until it is settled. */
export function agentPayoutHandlers(deps: WalletDeps) {
  const { found, tried } = counterPayableTries(deps);

  /** Why the caller gives nothing in the currency. Throws AGENT_SUSPENDED. */
  async function refusedToPay(currency: string, call: Call): Promise<Refusal | undefined> {
    const { userId: agentId } = requireUser(call);
    const wallet = deps.store.forTenant(call.tenantId);
    const agent = await wallet.findAgent(agentId);
    assertActive(agent);
    const refusal = refusedByMode(agent, false) ?? (agent && refusedInCurrency(agent, currency));
    // So that what is unsettled is shown, whatever they work in by then.
    if (refusal === undefined) await wallet.openAgentBalance({ agentId, currency });
    return refusal;
  }

  return {
    /** As payOutCash, whatever notes the agent has: nothing is reserved. */
    async payOutAsAgent(request, call) {
      await assertSells(deps, call);
      const transactionCode = textFromWire(request.transactionCode, "transactionCode", { maximum: 40 });
      const pickupCode = textFromWire(request.pickupCode, "pickupCode", { maximum: 40 });
      const { userId: agentId } = requireUser(call);
      const pickup = await deps.remittance.findPickup({ transactionCode }, outgoing(call));
      const { minor: amountMinor, currency } = moneyFromWire(pickup.amount, "amount");
      const done = await runMovement<PayOutAsAgentRequest, PayOutAsAgentResponse>(deps, {
        operation: "wallet.v1.PayOutAsAgent",
        request,
        requestType: PayOutAsAgentRequest,
        omit: ["pickupCode"],
        response: PayOutAsAgentResponse,
        call,
        told: { pickupCode },
        plan: async () => {
          const refusal = await refusedToPay(currency, call);
          if (refusal !== undefined) return refusal;
          if (pickup.isHandedOut) return new Refusal("STATE_CONFLICT", "the transaction is COMPLETED");
          const { transactionId, transactionCode: code } = pickup;
          const askedOn = (await businessDayOf(deps, "", call)).toString();
          return {
            kind: "AGENT_PICKUP",
            accountId: "",
            customerId: "",
            ownAccounts: [],
            transfers: [],
            agentPayout: { agentId, currency, amountMinor, transactionId, transactionCode: code, askedOn },
            createdByRole: "AGENT",
          };
        },
      });
      deps.outbox.wakeSoon();
      return { ...done, recipientName: pickup.recipientName };
    },

    /** As payCounterPayable, without a till. */
    async payCounterPayableAsAgent(request, call) {
      await assertSells(deps, call);
      const said = textFromWire(request.code, "code", { maximum: 40 });
      const shown = documentFromWire(request.document);
      const payable = await found(request.payableId, call);
      const { userId: agentId } = requireUser(call);
      return runMovement<PayCounterPayableAsAgentRequest, PayCounterPayableAsAgentResponse>(deps, {
        operation: "wallet.v1.PayCounterPayableAsAgent",
        request,
        requestType: PayCounterPayableAsAgentRequest,
        omit: ["code", "document"],
        response: PayCounterPayableAsAgentResponse,
        call,
        plan: async (movementId) => {
          const { customerId, amountMinor, currency, transactionId, transactionCode } = payable;
          const notNow = (await refusedToPay(currency, call)) ?? refusedAsPaid(payable);
          if (notNow !== undefined) return notNow;
          assertIssuedByAnother(payable, agentId);
          const refusal = await refusedToSender(deps, payable, call);
          if (refusal !== undefined) return refusal;
          const document = await tried(payable, said, shown, call);
          return {
            kind: "AGENT_PAYABLE",
            accountId: "",
            customerId,
            ownAccounts: [accountOfPayout({ agentId, currency }), counterPayableAccount(currency)],
            transfers: [transferOfAgentPayable(payable, agentId, movementId)],
            counterPayable: givenPayable(payable, { paidBy: agentId, document }),
            agentPayout: { agentId, currency, amountMinor, transactionId, transactionCode },
            createdByRole: "AGENT",
          };
        },
      });
    },
  } satisfies Partial<Handlers<AgentAccountServiceDefinition>>;
}
