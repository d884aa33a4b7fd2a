import { lineOfFloat } from "../../domain/agent-float.js";
import { noteAgentLines, type AgentLineDeps } from "../agent-lines.js";
import { assertPresent, bookedOf, isDone, type RulesOf } from "./rules.js";

/** Money between the tenant's bank and an agent's account. */
export function agentFloatRules(deps: AgentLineDeps): RulesOf<"AGENT_FLOAT"> {
  return {
    AGENT_FLOAT: {
      // Nobody waits for its answer: a second manager has approved it.
      operation: "",
      answer: () => new Uint8Array(),
      async onEnd(tenantId, { movementId, agentFloat, interactionId, createdBy: actor }, ending, session) {
        const move = assertPresent(agentFloat);
        const { agentId, direction, amount } = move;
        if (isDone(ending)) {
          const line = lineOfFloat(movementId, move, bookedOf(ending));
          return noteAgentLines(deps, { tenantId, interactionId, actor }, [line], session);
        }
        if (direction !== "TAKE_BACK") return;
        const of = { agentId, currency: amount.currency };
        await deps.store.forTenant(tenantId).giveBackToAgent(of, amount.minor, session);
      },
    },
  };
}
