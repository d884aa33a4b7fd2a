import { v7 as uuidv7 } from "uuid";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { actorOf, requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import { factorChanges, factorResetRow } from "../jobs/factor-resets.js";
import { viewOfFactors } from "./factor-view.js";
import { addNotices } from "../jobs/notices.js";
import { approvalExpiryRow } from "../jobs/approvals.js";
import { createManagedUser } from "./managed-users.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import { ownApproval } from "../domain/own-approvals.js";
import type { UserRecord } from "../domain/people.js";
import type { FactorResetRecord } from "../domain/factor-resets.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { HandlerDeps } from "./deps.js";

/**
 * Taking away second factors that somebody has lost: asked by one person, approved by another, and
 * waited for.
 */
export function factorResetHandlers(deps: HandlerDeps) {
  const { db, store, outbox, factorResetWaitMs, clock } = deps;
  const managedUser = createManagedUser(store);

  return {
    async resetFactors({ userId, reason }, call) {
      const why = reasonFromWire(reason);
      const user = await managedUser(call, userId);
      const { tenantId, interactionId } = call;
      const ofTenant = store.forTenant(tenantId);
      const open = await ofTenant.findOpenFactorReset(userId);
      if (open !== undefined) return resetToWire(open);
      const now = clock.now();
      const isOperator = call.user === undefined;
      const requested = { askedBy: actorOf(call), reason: why, askedAt: now };
      const resetId = uuidv7();
      const reset: FactorResetRecord = {
        resetId,
        userId,
        open: true,
        ...requested,
        ...(isOperator
          ? { state: "WAITING" as const, dueAt: new Date(now.getTime() + factorResetWaitMs) }
          : { state: "ASKED" as const, approvalId: uuidv7() }),
      };
      const row = { tenantId, interactionId, actor: requested.askedBy };
      await inTransaction(
        db,
        async (session) => {
          await ofTenant.insertFactorReset(reset, session);
          if (reset.approvalId === undefined) await outbox.add(factorResetRow(reset, row), session);
          else {
            const approval = approvalOf(reset, reset.approvalId, user);
            await ofTenant.insertApproval(approval, session);
            await outbox.add(approvalExpiryRow(row, approval), session);
          }
          const notice = reset.dueAt === undefined ? ("RESET_ASKED" as const) : ("RESET_WAITING" as const);
          await addNotices(outbox, call, user, { notice, ...(reset.dueAt && { at: reset.dueAt }) }, session);
          const noted = {
            at: now,
            actor: requested.askedBy,
            action: "factors.reset.ask",
            subject: userId,
            reason: why,
          };
          await ofTenant.noteAudit({ ...noted, interactionId }, session);
          return true;
        },
        { readBack: async () => ((await ofTenant.findFactorReset(resetId)) ? true : undefined) },
      );
      outbox.wake();
      return resetToWire(reset);
    },

    async stopFactorReset(_, call) {
      const { userId } = requireUser(call);
      const ofTenant = store.forTenant(call.tenantId);
      const [user, open] = [await ofTenant.findUser(userId), await ofTenant.findOpenFactorReset(userId)];
      if (user === undefined || open === undefined) throw new Refusal("STATE_CONFLICT", "no reset is under way");
      await inTransaction(
        db,
        async (session) => {
          if ((await ofTenant.moveFactorReset(open.resetId, open.state, { state: "STOPPED" }, session)) === undefined) {
            throw new Refusal("STATE_CONFLICT", "the reset has moved on: look at it again");
          }
          await addNotices(outbox, call, user, { notice: "RESET_STOPPED" }, session);
          const noted = { at: clock.now(), actor: userId, action: "factors.reset.stop", subject: userId };
          await ofTenant.noteAudit({ ...noted, reason: "by its owner", interactionId: call.interactionId }, session);
          return true;
        },
        {
          readBack: async () =>
            (await ofTenant.findFactorReset(open.resetId))?.state === "STOPPED" ? true : undefined,
        },
      );
      outbox.wake();
      return viewOfFactors(store, call);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function approvalOf(
  { resetId, userId, askedBy, reason, askedAt }: FactorResetRecord,
  approvalId: string,
  { name, customer, factors }: Pick<UserRecord, "name" | "customer" | "factors">,
): ApprovalRecord {
  return ownApproval({
    approvalId,
    kind: "FACTOR_RESET",
    subject: `user:${userId}`,
    summary: `Take away the second factors of ${name}`,
    ...(customer && { customerId: customer.id }),
    changes: factorChanges(factors),
    payloadJson: JSON.stringify({ resetId }),
    askedBy,
    askedBecause: reason,
    askedAt,
  });
}

function resetToWire({ resetId, state, dueAt: resetAt, approvalId = "" }: FactorResetRecord) {
  return { resetId, state, resetAt, approvalId };
}
