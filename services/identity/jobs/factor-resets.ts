import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { NewRow, Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { addNotices } from "./notices.js";
import { rowKinds } from "../row-kinds.js";
import type { IdentityStore } from "../store/index.js";
import { changeOf, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import { setEffects, type ApprovalEffect } from "../../platform/approvals/approval-effects.js";
import type { UserRecord } from "../domain/people.js";
import type { OwnOutcome } from "./foresee.js";
import type { FactorResetRecord } from "../domain/factor-resets.js";

/** Takes the factors away when the waiting is over. */
export function factorResetRow(
  { resetId, dueAt }: FactorResetRecord,
  { tenantId, interactionId, actor }: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
): NewRow {
  const row = { tenantId, interactionId, actor, aggregate: `factor-reset:${resetId}`, seq: 1 };
  return { ...row, kind: rowKinds.factorReset, payload: { resetId }, ...(dueAt && { dueAt }) };
}

type Deps = { db: Connection; store: IdentityStore; outbox: Outbox; clock: Clock };

/** What identity does when it is decided that somebody's factors are taken away. */
export function factorResetOutcome({
  store,
  outbox,
  clock,
  waitMs,
}: Pick<Deps, "store" | "outbox" | "clock"> & { waitMs: number }): OwnOutcome {
  return async (approval, { tenantId, interactionId }, session, effects) => {
    const { resetId } = JSON.parse(approval.payloadJson) as { resetId: string };
    const ofTenant = store.forTenant(tenantId);
    const dueAt = new Date(clock.now().getTime() + waitMs);
    const isApproved = approval.status === "APPROVED";
    const to = isApproved ? { state: "WAITING" as const, dueAt } : { state: "REFUSED" as const };
    const moved = await ofTenant.moveFactorReset(resetId, "ASKED", to, session);
    // Undefined where its owner has stopped it, or this ran before.
    const user = moved === undefined ? undefined : await ofTenant.findUser(moved.userId, session);
    if (moved === undefined || user === undefined) return;
    const actor = approval.decidedBy ?? "identity";
    if (isApproved) {
      await outbox.add(factorResetRow(moved, { tenantId, interactionId, actor }), session);
      effects.add(...factorsOf(user));
    }
    const of = { tenantId, interactionId, caller: "identity" as const };
    const notice = isApproved
      ? ({ notice: "RESET_WAITING", at: dueAt } as const)
      : ({ notice: "RESET_STOPPED" } as const);
    await addNotices(outbox, of, user, notice, session);
  };
}

/**
 * What somebody has to lose once the waiting is over; the account alone where that is nothing yet.
 */
function factorsOf({ userId, factors }: UserRecord): ApprovalEffect[] {
  return setEffects("FACTORS_TAKEN_AWAY", `user:${userId}`, factorChanges(factors));
}

export function factorChanges(factors: UserRecord["factors"]): ApprovalChange[] {
  return [
    ...changeOf("totp", factors?.totp?.confirmedAt && "SET_UP", undefined),
    ...changeOf("pin", factors?.pin && "SET_UP", undefined),
  ];
}

/** Takes away the factors of those whose waiting is over. */
export function factorResetRows({ db, store, outbox, clock }: Deps): Record<string, RowHandler> {
  return {
    async [rowKinds.factorReset](row, { complete }) {
      const { tenantId, interactionId, actor } = row;
      const { resetId } = row.payload as { resetId: string };
      const ofTenant = store.forTenant(tenantId);
      await inTransaction(
        db,
        async (session) => {
          const done = await ofTenant.moveFactorReset(resetId, "WAITING", { state: "DONE" }, session);
          const user = done === undefined ? undefined : await ofTenant.findUser(done.userId, session);
          if (done !== undefined && user !== undefined) {
            const at = clock.now();
            await ofTenant.resetFactors(user.userId, at, session);
            await addNotices(
              outbox,
              { tenantId, interactionId, caller: "identity" },
              user,
              { notice: "RESET_DONE" },
              session,
            );
            const noted = { at, actor, action: "factors.reset", subject: user.userId, reason: done.reason };
            await ofTenant.noteAudit({ ...noted, interactionId }, session);
          }
          await complete(session);
          return true;
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
    },
  };
}
