import type { ApprovalOutcomeServiceDefinition, DecideApprovalRequest } from "../../proto/gen/identity/v1/approvals.js";
import { canonical, effectFromWire, effectText } from "../../services/platform/approvals/approval-effects.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Client, OutgoingContext } from "../../services/kernel/grpc/client.js";

/**
 * Approvals that were carried out: told again, a service does nothing more, and may
 * have begun what it does by now.
 */
const published = new Set<string>();

/**
 * Tells a service how its approval was decided, as identity does. Where it is approved the service
 * is first asked what that would do, and has to do just that. It notes something of each, be it
 * that nothing is done: who approves is shown that.
 */
export async function decideAsForeseen(
  outcomes: Pick<Client<ApprovalOutcomeServiceDefinition>, "foreseeApproval" | "decideApproval">,
  request: WirePartial<DecideApprovalRequest>,
  call: OutgoingContext,
) {
  const { approvalId = "", status } = request.approval ?? {};
  const isApproved = status === "APPROVED" && !published.has(approvalId);
  const { effects: foreseen } = isApproved ? await outcomes.foreseeApproval(request, call) : { effects: [] };
  const { effects } = await outcomes.decideApproval(request, call);
  if (isApproved && effects.length === 0) throw new Error(`nothing was noted of what ${approvalId} does`);
  if (status === "APPROVED") published.add(approvalId);
  const texts = (all: typeof effects) => canonical(all.map(effectFromWire)).map(effectText);
  // Once it is carried out nothing more would be done, and it is told again what was done then.
  const isOver = foreseen.length === 0 || foreseen.some(({ kind }) => kind === "NOTHING_DONE");
  const others = isOver ? [] : texts(effects).filter((text) => !texts(foreseen).includes(text));
  if (others.length > 0) throw new Error(`was not foreseen: ${others.join("; ")}`);
  return { effects, foreseen, noted: texts(effects) };
}
