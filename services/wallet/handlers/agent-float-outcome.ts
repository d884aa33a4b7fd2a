import { v7 as uuidv7 } from "uuid";
import { money } from "../../kernel/money.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { hasAccountIn } from "../domain/agent.js";
import { creditLineMinorOf } from "../domain/agent-balance.js";
import { accountsOfFloat, transferOfFloat, type FloatDirection } from "../domain/agent-float.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { WalletStore } from "../store/index.js";

interface FloatPayload {
  agentId: string;
  direction: FloatDirection;
  currency: string;
  minor: string;
  reference: string;
  at?: { installationId: string };
}

/**
 * Books what a second manager has approved, in the name of whoever asked. Nothing is taken back
 * that was sold for since, and nothing given to whoever has no account any more.
 */
export function agentFloatOutcome(store: WalletStore, movements: MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ status, payload, askedBy: createdBy, subject }, session, call, effects) => {
    if (status !== "APPROVED") return;
    const { agentId, direction, currency, minor, reference, at } = payload as unknown as FloatPayload;
    const wallet = store.forTenant(call.tenantId);
    const amount = money(BigInt(minor), currency);
    const of = { agentId, currency };
    const agent = await wallet.agentAtSale(agentId, session);
    const isThere =
      direction === "TAKE_BACK"
        ? await wallet.takeOfAgent(of, amount.minor, 0n, session)
        : hasAccountIn(agent, currency);
    if (!isThere) return effects.add({ kind: "NOTHING_DONE", subject });
    const agentFloat = { agentId, direction, amount, reference, ...(at !== undefined && { at }) };
    const movementId = uuidv7();
    const transfer = transferOfFloat(movementId, agentFloat, creditLineMinorOf(agent, currency));
    effects.add(
      { kind: "ACCOUNT_DEBITED", subject: `account:${transfer.debitAccountId}`, amount },
      { kind: "ACCOUNT_CREDITED", subject: `account:${transfer.creditAccountId}`, amount },
    );
    const movement = {
      movementId,
      kind: "AGENT_FLOAT" as const,
      accountId: "",
      customerId: "",
      ownAccounts: accountsOfFloat(agentFloat),
      transfers: [transfer],
      agentFloat,
      createdAt: clock.now(),
      interactionId: call.interactionId,
      createdBy,
    };
    await movements.beginUnasked(call.tenantId, movement, session);
  };
}
