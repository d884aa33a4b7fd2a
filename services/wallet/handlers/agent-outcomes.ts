import {
  CommissionPlan as WirePlan,
  PutAgentConfigurationRequest,
  ReactivateAgentRequest,
} from "../../../proto/gen/wallet/v1/agents.js";
import type { MessageType } from "../../kernel/grpc/definition.js";
import { amountChangeOf } from "../../platform/approvals/approval-changes.js";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { NewRow, Outbox } from "../../kernel/outbox/index.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { configurationChanges, forwardingFlags, type AgentConfiguration } from "../domain/agent.js";
import { usedBeyond } from "../domain/agent-balance.js";
import { planChanges } from "../domain/commission-plan.js";
import { rowKinds, type AgentContactsPayload } from "../row-kinds.js";
import type { WalletStore } from "../store/index.js";
import { configurationFromWire, planFromWire } from "../wire/agents.js";

interface AskedOfAgents {
  readonly about: "PLAN" | "CONFIGURATION" | "REACTIVATION";
  /** What was asked for, as it came: base64. */
  readonly asked: string;
  /** The version that it was asked about; of another one nothing comes. */
  readonly version: number;
}

/** What carrying a change of agents out needs. */
export function askedOfAgents<T>(
  about: AskedOfAgents["about"],
  type: MessageType<T>,
  asked: T,
  version: number,
): Record<string, unknown> {
  return { about, asked: Buffer.from(type.encode(asked).finish()).toString("base64"), version };
}

/**
 * Puts what a second manager has approved, unless what it was asked about has changed since: nobody
 * has looked at both together.
 */
export function agentOutcome(store: WalletStore, outbox: Pick<Outbox, "add">): OutcomeHandler {
  return async (outcome, session, { tenantId, interactionId }, effects) => {
    const { status, subject, askedBy, askedBecause, decidedAt } = outcome;
    if (status !== "APPROVED") return;
    const { about, asked, version } = outcome.payload as unknown as AskedOfAgents;
    const bytes = Buffer.from(asked, "base64");
    const wallet = store.forTenant(tenantId);
    const nothing = () => effects.add({ kind: "NOTHING_DONE", subject });
    if (about === "PLAN") {
      const plan = planFromWire(WirePlan.decode(bytes));
      const held = await wallet.newestPlan(plan.planId, session);
      if ((held?.version ?? 0) !== version) return nothing();
      await wallet.insertPlan({ ...plan, version: version + 1, putBy: askedBy, putAt: decidedAt }, session);
      return effects.add(...setEffects("SETTING_SET", subject, planChanges(held, plan)));
    }
    const made = { version: version + 1, reason: askedBecause, changedBy: askedBy, changedAt: decidedAt };
    if (about === "REACTIVATION") {
      const { agentId } = ReactivateAgentRequest.decode(bytes);
      const held = await wallet.findAgent(agentId, session);
      if (held?.version !== version || held.status !== "SUSPENDED") return nothing();
      await wallet.putAgent({ ...held, ...made, status: "ACTIVE" }, session);
      return effects.add(...setEffects("SETTING_SET", subject, [statusChange("SUSPENDED", "ACTIVE")]));
    }
    const written = configurationFromWire(PutAgentConfigurationRequest.decode(bytes));
    const held = await wallet.findAgent(written.agentId, session);
    if ((held?.version ?? 0) !== version) return nothing();
    // Every sale writes the agent first, so that none takes of the old line behind this.
    const used = usedBeyond(await wallet.agentBalances(written.agentId, session), written);
    if (used !== undefined) {
      const change = amountChangeOf(`${used.currency}.creditLineUsed`, undefined, used.minor, used.currency);
      return effects.add(...setEffects("NOTHING_DONE", subject, change));
    }
    const agent: AgentConfiguration = { ...written, ...made, status: held?.status ?? "ACTIVE" };
    await wallet.putAgent(agent, session);
    const told = contactsRow({ tenantId, interactionId, actor: askedBy }, held, agent);
    if (told !== undefined) await outbox.add(told, session);
    effects.add(...setEffects("SETTING_SET", subject, configurationChanges(held, written)));
  };
}

export const statusChange = (before: string, after: string) => ({ field: "status", before, after, currency: "" });

/** Compliance is told where it differs from what it knows. */
function contactsRow(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  held: AgentConfiguration | undefined,
  agent: AgentConfiguration,
): NewRow | undefined {
  if (forwardingFlags.every((flag) => held?.[flag] === agent[flag])) return undefined;
  const { agentId, version, doNotForwardEmailVerification: email, doNotForwardPhoneVerification: phone } = agent;
  const payload: AgentContactsPayload = {
    agentId,
    version,
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
  };
  return { ...cause, aggregate: `agent-contacts:${agentId}`, seq: version, kind: rowKinds.noteAgentContacts, payload };
}
