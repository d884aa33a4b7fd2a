import { v7 as uuidv7 } from "uuid";
import {
  AskApprovalRequest,
  AskApprovalResponse,
  type ListApprovalsRequest,
} from "../../../proto/gen/identity/v1/approvals.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import {
  approvalKinds,
  assertMayRequest,
  assertMayDecide,
  concerns,
  assertPersonDecides,
  assertServiceMayRequest,
  approvalStatuses,
  hiddenKinds,
  isOneEnough,
  visibleTo,
  type ApprovalRecord,
  type Foreseen,
} from "../domain/approvals.js";
import { effectFromWire, maxEffects } from "../../platform/approvals/approval-effects.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { createFaults } from "../../kernel/text/faults.js";
import { pageOf } from "../domain/requests.js";
import { approvalExpiryOf, approvalExpiryRow, approvalOutcomeRow, recordEffects } from "../jobs/approvals.js";
import { shownBy } from "./shown-effects.js";
import type { IdentityStore } from "../store/index.js";
import { approvalToWire, approvalWithEffects } from "../wire/approvals.js";
import { approvalRequestFromWire } from "../wire/approval-requests.js";
import { approvalRequestRows, decidedRows } from "../wire/event-rows.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

/** Approvals of the maker-checker rule: asked for, read, and decided on by another person. */
export function approvalHandlers(deps: HandlerDeps) {
  const { db, store, runOnce, outbox, clock, foresee } = deps;

  /** Of what waits; undefined while its service cannot tell, since money is looked at also then. */
  async function foreseen(approval: ApprovalRecord, call: Call): Promise<Foreseen | undefined> {
    if (approval.status !== "PENDING") return undefined;
    return foresee(approval, call, clock.now()).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
  }

  return {
    /**
     * Asks once per key; approved at once where one person is enough. Refuses FORBIDDEN by role.
     */
    async askApproval(request, call) {
      const { user, caller } = call;
      const requested = approvalRequestFromWire(request);
      const { preference } = await tenantOf(store, call.tenantId);
      const manages = await managesCustomer(store, call, request.customerId, preference.agentScope ?? "");
      if (user === undefined) assertServiceMayRequest(caller, requested.kind);
      else assertMayRequest(user.role, requested.kind, manages);
      const isApproved = isOneEnough(requested.kind, requested.amount, preference.singlePersonLimits);
      const askedBy = actorOf(call);
      const approval = newApproval(requested, isApproved, { call, askedBy, now: clock.now() });
      const answer = await runOnce({
        call,
        operation: "askApproval",
        // What holds before may have changed at a repeat, and how long is left, such as of a day:
        // it is no other question by that.
        request: { ...request, changes: [], moreChanges: 0, expiresInS: 0 },
        requestType: AskApprovalRequest,
        response: AskApprovalResponse,
        caller: `${caller}:${askedBy}`,
        work: async (session) => {
          await store.forTenant(call.tenantId).insertApproval(approval, session);
          const origin = originOf(call);
          const next = isApproved
            ? [approvalOutcomeRow(origin, approval.approvalId), ...decidedRows(origin, approval)]
            : [approvalExpiryRow(origin, approval)];
          await outbox.addAll([...next, ...approvalRequestRows(origin, approval)], session);
          // Without what is written in it: whoever asks has that, and a kept answer would outlive
          // it.
          const words = { summary: "", askedBecause: "", decidedBecause: "", changes: [], moreChanges: 0 };
          return { approval: { ...approvalToWire(approval), ...words } };
        },
      });
      outbox.wake();
      return answer;
    },

    /**
     * Decides once; safe to repeat by the same person. Refuses FORBIDDEN, NOT_FOUND,
     * STATE_CONFLICT; APPROVAL_CHANGED where approving would do something else by now than was
     * shown, and UNAVAILABLE where its service cannot tell.
     */
    async resolveApproval({ approvalId, approve, reason, digest }, call) {
      const user = requireUser(call);
      const because = reasonFromWire(reason);
      const ofTenant = store.forTenant(call.tenantId);
      const known = await ofTenant.findApproval(approvalId);
      if (known === undefined || isHidden(known, user)) throw noApproval();
      assertPersonDecides(known.kind, user.scopes);
      assertMayDecide(user, known.askedBy);
      const decidedAt = clock.now();
      const status = approve ? ("APPROVED" as const) : ("REFUSED" as const);
      const isMine = (found: ApprovalRecord | undefined): found is ApprovalRecord =>
        found?.decidedBy === user.userId && found.status === status;
      if (known.status !== "PENDING" && isMine(known)) return { approval: approvalToWire(known) };
      if (known.status === "PENDING" && known.expiresAt <= decidedAt) {
        throw new Refusal("STATE_CONFLICT", "the approval has expired");
      }
      const agreed =
        approve && known.status === "PENDING"
          ? await shownBy(foresee, known, { digest, call, now: decidedAt })
          : undefined;
      const decision = {
        status,
        decidedBy: user.userId,
        decidedBecause: because,
        decidedAt,
        ...(agreed && { agreed }),
      };
      const decided = await inTransaction<ApprovalRecord | undefined>(
        db,
        async (session) => {
          const after = await ofTenant.decideApproval(approvalId, decision, session);
          if (after === undefined) return undefined;
          await outbox.cancel(call.tenantId, approvalExpiryOf(approvalId), session);
          const origin = originOf(call);
          await outbox.addAll([approvalOutcomeRow(origin, approvalId), ...decidedRows(origin, after)], session);
          return after;
        },
        {
          readBack: async () => {
            const found = await ofTenant.findApproval(approvalId);
            return isMine(found) ? found : undefined;
          },
        },
      );
      crashPoint("identity.approval.decided");
      outbox.wake();
      // This user's own earlier try, whose answer was lost, may have decided after `known` was
      // read.
      const current = decided ?? (await ofTenant.findApproval(approvalId));
      if (!isMine(current)) throw new Refusal("STATE_CONFLICT", "it was decided already");
      return { approval: approvalToWire(current) };
    },

    /** By the service that asked; what is decided stays so. Refuses NOT_FOUND, FORBIDDEN. */
    async withdrawApproval({ approvalId, reason }, call) {
      const because = reasonFromWire(reason);
      const ofTenant = store.forTenant(call.tenantId);
      const known = await ofTenant.findApproval(approvalId);
      if (known === undefined) throw noApproval();
      assertRequestedBy(known, call.caller);
      const { caller } = call;
      const decision = {
        status: "REFUSED" as const,
        decidedBy: caller,
        decidedBecause: because,
        decidedAt: clock.now(),
      };
      await inTransaction(
        db,
        async (session) => {
          // Undefined where a person has decided meanwhile, or this ran before.
          const after = await ofTenant.decideApproval(approvalId, decision, session);
          if (after === undefined) return true;
          await outbox.cancel(call.tenantId, approvalExpiryOf(approvalId), session);
          const origin = { tenantId: call.tenantId, interactionId: call.interactionId, actor: caller };
          await outbox.addAll([approvalOutcomeRow(origin, approvalId), ...decidedRows(origin, after)], session);
          return true;
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
      return { approval: approvalToWire((await ofTenant.findApproval(approvalId)) ?? known) };
    },

    async getApproval({ approvalId, withEffects }, call) {
      const found = await store.forTenant(call.tenantId).findApproval(approvalId);
      if (found === undefined || isHidden(found, call.user)) throw noApproval();
      if (!withEffects) return { approval: approvalToWire(found) };
      return { approval: approvalWithEffects(found, await foreseen(found, call)) };
    },

    async noteApprovalEffects({ approvalId, effects }, call) {
      const found = await store.forTenant(call.tenantId).findApproval(approvalId);
      if (found === undefined) throw noApproval();
      assertRequestedBy(found, call.caller);
      if (effects.length > maxEffects) throw invalidInput("effects", `must be at most ${maxEffects}`);
      await recordEffects({ db, store }, call.tenantId, approvalId, effects.map(effectFromWire));
      return {};
    },

    async listApprovals(request, call) {
      const { after, limit } = pageOf(request);
      const filter = { ...filterFromWire(request), ...visibleTo(requireUser(call)) };
      const found = await store.forTenant(call.tenantId).listApprovals(filter, { after, limit: limit + 1 });
      const page = found.slice(0, limit);
      return {
        approvals: page.map(approvalToWire),
        nextPageToken: found.length > limit ? page.at(-1)!.approvalId : "",
      };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

/** Refuses INVALID_INPUT for a status or kind that there is not. */
function filterFromWire({ status, kind, subject, askedBy }: ListApprovalsRequest) {
  const faults = createFaults();
  const ofStatus = approvalStatuses.find((one) => one === status);
  const ofKind = approvalKinds.find((one) => one === kind);
  if (status !== "" && ofStatus === undefined) faults.add("status", `must be one of ${approvalStatuses.join(", ")}`);
  if (kind !== "" && ofKind === undefined) faults.add("kind", `must be one of ${approvalKinds.join(", ")}`);
  faults.refuseIfAny();
  return {
    ...(ofStatus !== undefined && { status: ofStatus }),
    ...(ofKind !== undefined && { kind: ofKind }),
    ...(subject !== "" && { subject }),
    ...(askedBy !== "" && { askedBy }),
  };
}

/** Whether the calling user may act for a customer: the tenant's scope, or their own agent. */
async function managesCustomer(store: IdentityStore, call: Call, customerId: string, scope: string): Promise<boolean> {
  if (customerId === "") return false;
  const found = await store.forTenant(call.tenantId).findCustomer({ customerId });
  return found !== undefined && (scope === "TENANT" || found.customer.agentId === call.user?.userId);
}

function newApproval(
  { lifeS, ...content }: ReturnType<typeof approvalRequestFromWire>,
  isApproved: boolean,
  { call, askedBy, now }: { call: Call; askedBy: string; now: Date },
): ApprovalRecord {
  const decided = isApproved
    ? {
        status: "APPROVED" as const,
        decidedBy: askedBy,
        decidedBecause: "below the amount for which one person is enough",
        decidedAt: now,
      }
    : { status: "PENDING" as const };
  return {
    approvalId: uuidv7(),
    ...content,
    service: call.caller,
    askedBy,
    askedAt: now,
    expiresAt: new Date(now.getTime() + lifeS * 1_000),
    ...decided,
  };
}

function assertRequestedBy({ service }: ApprovalRecord, caller: string): void {
  if (service !== caller) throw new Refusal("FORBIDDEN", `${service} asked for this, not ${caller}`);
}

function originOf(call: Call) {
  return { tenantId: call.tenantId, interactionId: call.interactionId, actor: actorOf(call) };
}

function isHidden(one: ApprovalRecord, user: Call["user"]): boolean {
  return hiddenKinds(user?.scopes).includes(one.kind) || concerns(one, user?.userId);
}

function noApproval(): Refusal {
  return new Refusal("NOT_FOUND", "there is no such approval");
}
