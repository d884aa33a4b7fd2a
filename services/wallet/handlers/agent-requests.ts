import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire, textFromWire } from "../../kernel/text/wire-text.js";
import { findStaffUser } from "../../platform/neighbours/staff-users.js";
import type { AgentTerms } from "../domain/agent.js";
import type { AgentSettlement } from "../domain/agent-settlement.js";
import type { WalletDeps } from "./deps.js";

/** Refuses INVALID_INPUT. */
export function pageSizeOf({ pageSize, cursor }: { pageSize: number; cursor: string }): number {
  const size = pageSize || 20;
  if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
  textFromWire(cursor, "cursor", { minimum: 0 });
  return size;
}

/** Whose it is that somebody asks for. Refuses FORBIDDEN for an AGENT who asks for another's. */
export function ownAgent(named: string, call: Call): string {
  const agentId = idFromWire(named, "agentId");
  const { role, userId } = requireUser(call);
  if (role === "AGENT" && agentId !== userId) throw new Refusal("FORBIDDEN", "this is another agent's");
  return agentId;
}

/** Refuses NOT_FOUND for whoever is no AGENT, or does not log in any more unless that may be. */
export async function assertAgent(
  { identity }: Pick<WalletDeps, "identity">,
  agentId: string,
  call: Call,
  { mayBeDisabled = false } = {},
): Promise<void> {
  const user = await findStaffUser(identity, agentId, call);
  if (user?.role !== "ROLE_AGENT" || (user.disabled && !mayBeDisabled))
    throw new Refusal("NOT_FOUND", "there is no such agent");
}

/** Refuses INVALID_INPUT by the field for a plan that is not there, or of another currency. */
export async function assertPlans(
  { store }: Pick<WalletDeps, "store">,
  terms: readonly AgentTerms[],
  call: Call,
): Promise<void> {
  for (const [at, { currency, commissionPlanId }] of terms.entries()) {
    if (commissionPlanId === undefined) continue;
    const path = `terms.${at}.commissionPlanId`;
    const plan = await store.forTenant(call.tenantId).newestPlan(commissionPlanId);
    if (plan === undefined) throw invalidInput(path, "is no plan");
    if (plan.currency !== currency) throw invalidInput(path, `is a plan of ${plan.currency}`);
  }
}

/** Refuses NOT_FOUND; FORBIDDEN for an AGENT who asks for another's. */
export async function settlementFor(
  { store }: Pick<WalletDeps, "store">,
  named: string,
  call: Call,
): Promise<AgentSettlement> {
  const settlementId = idFromWire(named, "settlementId");
  const found = await store.forTenant(call.tenantId).findAgentSettlement(settlementId);
  if (found === undefined) throw new Refusal("NOT_FOUND", "no such settlement");
  ownAgent(found.agentId, call);
  return found;
}
