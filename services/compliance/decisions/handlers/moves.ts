import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { isCurrent } from "../domain/customer.js";
import { answerOnMove } from "../domain/moves.js";
import { holdsOn } from "../../screening/domain/subject-hold.js";
import { moveFromWire, moveDecisionToWire } from "../wire/moves.js";
import type { Movable } from "../store/customers.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

const maxMoves = 64;
const maxPayouts = 300;

/**
 * What customers' statuses, and hits of theirs, let each kind of move do
 * (docs/decisions/0027), and whether hits hold payouts of what was approved before
 * (docs/decisions/0046). One read, however many are asked about, where nobody waits.
 */
export function moveHandlers({ store, people, customers: assessed, times }: ComplianceDeps) {
  /**
   * Who waits to be confirmed is assessed anew where policy or time has moved on since: nobody else
   * may come and look.
   */
  async function currentOf(ids: readonly string[], call: Call): Promise<Map<string, Movable>> {
    const tenant = store.forTenant(call.tenantId);
    const found = await tenant.movablesOf(ids);
    const waiting = [...found].filter(([, { status }]) => status === "PENDING");
    if (waiting.length === 0) return found;
    const version = await tenant.findPolicyVersion();
    const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
    const stale = waiting.filter(([, one]) => !isCurrent(one, version, now));
    if (stale.length === 0) return found;
    for (const [customerId] of stale) {
      await assessed.current(originOf(call), await people.find({ customerId }, call));
    }
    return tenant.movablesOf(ids);
  }

  return {
    async checkMoves({ moves }, call) {
      if (moves.length === 0 || moves.length > maxMoves) throw invalidInput("moves", `must be 1 to ${maxMoves}`);
      const requested = moves.map(({ customerId, kind }, at) => ({
        customerId: idFromWire(customerId, `moves.${at}.customerId`),
        kind: moveFromWire(kind, `moves.${at}.kind`),
      }));
      const ids = [...new Set(requested.map(({ customerId }) => customerId))];
      const customers = await currentOf(ids, call);
      const answers = requested.map(({ customerId, kind }) => {
        const { status = "PENDING", holds = [] } = customers.get(customerId) ?? {};
        const { decision, reasonCode } = answerOnMove(kind, status, holdsOn(holds, undefined).length > 0);
        return { verdict: moveDecisionToWire(decision), reasonCode };
      });
      return { answers };
    },

    async checkPayouts({ payouts }, { tenantId }) {
      if (payouts.length === 0 || payouts.length > maxPayouts) {
        throw invalidInput("payouts", `must be 1 to ${maxPayouts}`);
      }
      const requested = payouts.map(({ customerId, recipientCode }, at) => ({
        customerId: idFromWire(customerId, `payouts.${at}.customerId`),
        recipientCode: idFromWire(recipientCode, `payouts.${at}.recipientCode`),
      }));
      const ids = [...new Set(requested.map(({ customerId }) => customerId))];
      const customers = await store.forTenant(tenantId).movablesOf(ids);
      const answers = requested.map(({ customerId, recipientCode }) => {
        const isHeld = holdsOn(customers.get(customerId)?.holds ?? [], recipientCode).length > 0;
        return { verdict: moveDecisionToWire(isHeld ? "HOLD" : "PASS") };
      });
      return { answers };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
