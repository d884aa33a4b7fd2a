import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput } from "../../shared/refusal.js";
import { idFromWire } from "../../shared/wire-text.js";
import { reasonOf, decisionOnMove } from "../domain/moves.js";
import { moveFromWire, moveDecisionToWire } from "../wire/moves.js";
import type { ComplianceDeps } from "./deps.js";

const maxMoves = 64;

/** What customers' statuses let each kind of move do (docs/decisions/0027). */
export function moveHandlers({
  store,
}: Pick<ComplianceDeps, "store">): Pick<Handlers<ComplianceServiceDefinition>, "checkMoves"> {
  return {
    async checkMoves({ moves }, { tenantId }) {
      if (moves.length === 0 || moves.length > maxMoves) throw invalidInput("moves", `must be 1 to ${maxMoves}`);
      const asked = moves.map(({ customerId, kind }, at) => ({
        customerId: idFromWire(customerId, `moves.${at}.customerId`),
        kind: moveFromWire(kind, `moves.${at}.kind`),
      }));
      const ids = [...new Set(asked.map(({ customerId }) => customerId))];
      const statuses = await store.forTenant(tenantId).statusesOf(ids);
      const answers = asked.map(({ customerId, kind }) => {
        const status = statuses.get(customerId) ?? "PENDING";
        const decision = decisionOnMove(kind, status);
        return { verdict: moveDecisionToWire(decision), reasonCode: decision === "REFUSE" ? reasonOf(status) : "" };
      });
      return { answers };
    },
  };
}
