import type { ClientSession, Connection } from "mongoose";
import { ApprovalOutcomeServiceDefinition, type Approval } from "../../../proto/gen/identity/v1/approvals.js";
import {
  canonical,
  createEffectLog,
  effectToWire,
  maxPublishedEffects,
  publishedEffects,
  type ApprovalEffect,
  type EffectLog,
} from "./approval-effects.js";
import type { ApprovalKind } from "./approvals.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Call, ServiceName } from "../../kernel/grpc/context.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import { moneyFromWire, type Money } from "../../kernel/money.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, rehearsed } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";

/** How something that this service asked for was decided. */
export interface ApprovalOutcome {
  approvalId: string;
  kind: ApprovalKind;
  subject: string;
  status: "APPROVED" | "REFUSED" | "EXPIRED";
  amount?: Money;
  askedBy: string;
  askedBecause: string;
  /** The asker's own id where the tenant lets one be enough; "identity" for EXPIRED. */
  decidedBy: string;
  decidedBecause: string;
  decidedAt: Date;
  payload: Record<string, unknown>;
}

/**
 * Carries an outcome out in the transaction that remembers it, so once per approval: the service's
 * own documents and rows of its outbox, nothing outside. It may run again after a transient error,
 * and in transactions that are taken back, where somebody asks what it would do: each effect is
 * noted beside the write that has it. What it throws makes identity tell it again later.
 */
export type OutcomeHandler = (
  outcome: ApprovalOutcome,
  session: ClientSession,
  call: Call,
  effects: EffectLog,
) => Promise<void>;

interface ProcessedOutcome {
  /** The approval's. */
  _id: string;
  tenantId: string;
  kind: string;
  status: string;
  heardAt: Date;
  /** What was done for it; the first five thousand. */
  effects?: ApprovalEffect[];
}

const processedCollection = "approval_outcomes";

export type ProcessedApprovals = ReturnType<typeof processedApprovals>;

/**
 * Of which approvals this service was told how they ended: whoever notes down later that one was
 * asked for must not wait for what came already.
 */
export function processedApprovals(db: Connection) {
  const processed = tenantCollection<ProcessedOutcome>(db, processedCollection);
  return {
    forTenant: (tenantId: string) => ({
      async isProcessed(approvalId: string, session?: ClientSession): Promise<boolean> {
        return (await processed.forTenant(tenantId).findOne({ _id: approvalId }, { session })) !== null;
      },
    }),
  };
}

/**
 * What identity tells of approvals, to be served beside the service that asks for them; a handler
 * for each kind that it asks for.
 */
export function serveApprovalOutcomes(deps: {
  service: ServiceName;
  db: Connection;
  handlers: Partial<Record<ApprovalKind, OutcomeHandler>>;
  /** Looks at the service's outbox after an outcome was carried out. */
  outbox?: { wake(): void };
}): AnyServedService {
  const { service, db, handlers, outbox } = deps;
  const processed = tenantCollection<ProcessedOutcome>(db, processedCollection);
  return alsoServe<ApprovalOutcomeServiceDefinition>({
    definition: ApprovalOutcomeServiceDefinition,
    access: { decideApproval: { callers: ["identity"] }, foreseeApproval: { callers: ["identity"] } },
    handlers: {
      async foreseeApproval({ approval, payloadJson }, call) {
        const status = "APPROVED";
        const outcome = outcomeFromWire(approval && { ...approval, status }, payloadJson, service);
        const handler = handlerOf(outcome);
        const { effects: own, asks } = await rehearsed(db, async (session) => {
          const { log, ...processedNow } = createEffectLog();
          await handler(outcome, session, call, log);
          return processedNow;
        });
        const requested = await Promise.all(asks.map((ask) => ask()));
        const all = canonical([...own, ...requested.flat()]);
        const { effects, count, digest, prints = "" } = publishedEffects(outcome.approvalId, all);
        return { effects: effects.map(effectToWire), effectCount: count, digest, prints };
      },

      async decideApproval({ approval, payloadJson }, call) {
        const outcome = outcomeFromWire(approval, payloadJson, service);
        const handler = handlerOf(outcome);
        const ofTenant = processed.forTenant(call.tenantId);
        const { approvalId, kind, status } = outcome;
        const known = async (session?: ClientSession) => {
          const found = await ofTenant.findOne({ _id: approvalId }, { session });
          return found === null ? undefined : { effects: found.effects ?? [] };
        };
        const before = await known();
        const done =
          before ??
          (await inTransaction<{ effects: ApprovalEffect[] }>(
            db,
            async (session) => {
              const first = await known(session);
              if (first !== undefined) return first;
              await ofTenant.insertOne({ _id: approvalId, kind, status, heardAt: new Date() }, { session });
              const { log, effects } = createEffectLog();
              await handler(outcome, session, call, log);
              const stored = canonical(effects).slice(0, maxPublishedEffects);
              if (stored.length > 0) {
                await ofTenant.updateOne({ _id: approvalId }, { $set: { effects: stored } }, { session });
              }
              return { effects: stored };
            },
            { readBack: known },
          ));
        if (before === undefined) {
          crashPoint("shared.approval.carried-out");
          outbox?.wake();
        }
        return { effects: done.effects.map(effectToWire) };
      },
    },
  });

  /** Refuses INVALID_INPUT for what the service asks for never. */
  function handlerOf({ kind }: ApprovalOutcome): OutcomeHandler {
    const handler = handlers[kind];
    if (handler === undefined) throw invalidInput("approval.kind", `${service} asks for no ${kind}`);
    return handler;
  }
}

function outcomeFromWire(approval: Approval | undefined, payloadJson: string, service: ServiceName): ApprovalOutcome {
  if (approval === undefined) throw invalidInput("approval", "is required");
  const { approvalId, kind, subject, status, amount, askedBy, askedBecause, decidedBy, decidedBecause } = approval;
  if (approvalId === "") throw invalidInput("approval.approvalId", "is required");
  if (approval.service !== service)
    throw new Refusal("FORBIDDEN", `${approval.service} asked for this, not ${service}`);
  if (status !== "APPROVED" && status !== "REFUSED" && status !== "EXPIRED") {
    throw invalidInput("approval.status", "must be APPROVED, REFUSED or EXPIRED");
  }
  return {
    approvalId,
    kind: kind as ApprovalKind,
    subject,
    status,
    ...(amount && { amount: moneyFromWire(amount, "approval.amount") }),
    askedBy,
    askedBecause,
    decidedBy,
    decidedBecause,
    decidedAt: approval.decidedAt ?? new Date(),
    payload: payloadFromWire(payloadJson),
  };
}

function payloadFromWire(text: string): Record<string, unknown> {
  const payload: unknown = JSON.parse(text);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw invalidInput("payloadJson", "must be an object");
  }
  return payload as Record<string, unknown>;
}
