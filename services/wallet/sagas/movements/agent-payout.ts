import {
  PayCounterPayableAsAgentResponse,
  PayOutAsAgentResponse,
} from "../../../../proto/gen/wallet/v1/agent_accounts.js";
import { moneyToWire } from "../../../kernel/money.js";
import type { Posting } from "../../clients/posting.js";
import { assertActive, refusedByMode } from "../../domain/agent-sale.js";
import { accountOfPayout, lineOfPayout, refusedInCurrency } from "../../domain/agent-payout.js";
import type { Movement, MovementEnding } from "../../domain/movement.js";
import type { Session } from "../../store/collections.js";
import type { WalletStore } from "../../store/index.js";
import { noteAgentLines, type AgentLineDeps } from "../agent-lines.js";
import { agentPickupRow } from "../agent-pickup.js";
import { countedBy } from "./cash.js";
import { counterPayableWrites } from "./counter-payable.js";
import { handedOutBy, pickupPoints, type HandOutDeps } from "./pickup.js";
import { assertPresent, bookedOf, isDone, type RulesOf } from "./rules.js";

type PayoutDeps = AgentLineDeps & HandOutDeps & Parameters<typeof countedBy>[0] & { posting: Posting };

/** Cash of an agent's own for a recipient, or for a sender whose money came back. */
export function agentPayoutRules(deps: PayoutDeps): RulesOf<"AGENT_PICKUP" | "AGENT_PAYABLE"> {
  const { store, posting, crashPoint } = deps;
  const payable = counterPayableWrites(store);

  async function noteLine(tenantId: string, movement: Movement, ending: MovementEnding, session: Session) {
    if (!isDone(ending)) return;
    const { movementId, agentPayout, interactionId, createdBy: actor } = movement;
    const line = lineOfPayout(movementId, assertPresent(agentPayout), bookedOf(ending));
    await noteAgentLines(deps, { tenantId, interactionId, actor }, [line], session);
  }

  return {
    AGENT_PICKUP: {
      operation: "wallet.v1.PayOutAsAgent",
      answer: ({ agentPayout, createdAt: paidOutAt }) => {
        const { transactionId, transactionCode, amountMinor: minor, currency } = assertPresent(agentPayout);
        const amount = moneyToWire({ minor, currency });
        // Whose it is, is asked of remittance for every answer.
        const answer = { transactionId, transactionCode, amount, paidOutAt, recipientName: "" };
        return PayOutAsAgentResponse.encode(answer).finish();
      },
      async onBegin(tenantId, movement, session) {
        await assertMayPay(store, tenantId, movement, session);
        const { movementId, agentPayout } = movement;
        const { agentId, currency, transactionCode, askedOn = "" } = assertPresent(agentPayout);
        const pickup = { movementId, agentId, currency, transactionCode, businessDay: askedOn };
        await store.forTenant(tenantId).insertUnbookedPickup(pickup, session);
      },
      async checkBeforePosting(tenantId, movement, context) {
        // Remittance credits it, and makes none.
        const owed = accountOfPayout(assertPresent(movement.agentPayout));
        await posting.ensureAccounts(tenantId, movement, [owed], context);
        return handedOutBy(deps, tenantId, movement, context);
      },
      async onEnd(tenantId, { movementId }, ending, session) {
        if (!isDone(ending)) await store.forTenant(tenantId).removeUnbookedPickup(movementId, session);
      },
      // Its line follows once remittance has booked it.
      followUps: (movement, ending) => (isDone(ending) ? [agentPickupRow(movement)] : []),
      crashPoints: pickupPoints(crashPoint),
    },
    AGENT_PAYABLE: {
      ...countedBy(deps),
      operation: "wallet.v1.PayCounterPayableAsAgent",
      answer: (movement, ending) => PayCounterPayableAsAgentResponse.encode(payable.paid(movement, ending)).finish(),
      async onBegin(tenantId, movement, session) {
        await assertMayPay(store, tenantId, movement, session);
        await payable.onBegin(tenantId, movement, session);
      },
      async onEnd(tenantId, movement, ending, session) {
        await payable.onEnd(tenantId, movement, ending, session);
        await noteLine(tenantId, movement, ending, session);
      },
    },
  };
}

/** As of a sale: whoever is suspended, or works in it no more, gives nothing out. */
async function assertMayPay(
  store: Pick<WalletStore, "forTenant">,
  tenantId: string,
  { createdBy, agentPayout }: Movement,
  session: Session,
): Promise<void> {
  const agent = await store.forTenant(tenantId).agentAtSale(createdBy, session);
  assertActive(agent);
  const { currency } = assertPresent(agentPayout);
  const refusal = refusedByMode(agent, false) ?? (agent && refusedInCurrency(agent, currency));
  if (refusal !== undefined) throw refusal;
}
