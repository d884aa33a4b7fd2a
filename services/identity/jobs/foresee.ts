import type { ClientSession, Connection } from "mongoose";
import {
  canonical,
  createEffectLog,
  effectFromWire,
  publishedEffects,
} from "../../platform/approvals/approval-effects.js";
import type { EffectLog } from "../../platform/approvals/approval-effects.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call, ServiceName } from "../../kernel/grpc/context.js";
import { rehearsed } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { OutcomeClients } from "../clients/neighbours.js";
import type { ApprovalKind, ApprovalRecord, Foreseen } from "../domain/approvals.js";
import { approvalToWire } from "../wire/approvals.js";

/** In whose interaction an outcome is carried out. */
export interface OutcomeOrigin {
  tenantId: string;
  interactionId: string;
}

/**
 * What identity does about an approval that it asked for itself; inside a transaction that may run
 * again, be one of several, or be taken back where somebody asks what it would do.
 */
export type OwnOutcome = (
  approval: ApprovalRecord,
  of: OutcomeOrigin,
  session: ClientSession,
  effects: EffectLog,
) => Promise<void>;
export type OwnOutcomes = Partial<Record<ApprovalKind, OwnOutcome>>;

export type Foresee = ReturnType<typeof createForesee>;

/** Refuses UNAVAILABLE where identity knows no address of the service. */
export function outcomeClientOf(outcomes: OutcomeClients, { service }: Pick<ApprovalRecord, "service">) {
  const client = outcomes[service as ServiceName];
  if (client === undefined) throw new Refusal("UNAVAILABLE", `identity has no address of ${service}`);
  return client;
}

/**
 * What carrying an approval out would do as things stand, by whoever carries it out;
 * as if this user had approved it.
 */
export function createForesee({ db, outcomes, own }: { db: Connection; outcomes: OutcomeClients; own: OwnOutcomes }) {
  return async (approval: ApprovalRecord, call: Call, now: Date): Promise<Foreseen> => {
    const approved = {
      ...approval,
      status: "APPROVED" as const,
      decidedBy: call.user?.userId ?? "",
      decidedBecause: "foreseen",
      decidedAt: now,
    };
    if (approval.service !== "identity") {
      const { payloadJson } = approval;
      const requested = { approval: approvalToWire(approved), payloadJson };
      const { tenantId, interactionId, signal } = call;
      const client = outcomeClientOf(outcomes, approval);
      const foreseen = await client.foreseeApproval(requested, outgoing({ tenantId, interactionId, signal }));
      const { digest, effectCount: count, prints } = foreseen;
      return { digest, effects: foreseen.effects.map(effectFromWire), count, ...(prints !== "" && { prints }) };
    }
    const effects = await rehearsed(db, async (session) => {
      const { log, effects: noted } = createEffectLog();
      await ownOutcomeOf(own, approval)(approved, call, session, log);
      return canonical(noted);
    });
    return publishedEffects(approval.approvalId, effects);
  };
}

export function ownOutcomeOf(own: OwnOutcomes, { kind }: Pick<ApprovalRecord, "kind">): OwnOutcome {
  const outcome = own[kind];
  if (outcome === undefined) throw new Error(`identity asks for no ${kind}`);
  return outcome;
}
