import type { Connection } from "mongoose";
import type { Clock } from "../../shared/clocks/clock.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import { addNotices } from "./notices.js";
import { rowKinds } from "./row-kinds.js";
import type { IdentityStore } from "../store/index.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import type { FactorResetRecord } from "../domain/factor-resets.js";

/** Takes the factors away when the waiting is over. */
export function factorResetRow(
  { _id: resetId, tenantId, dueAt }: FactorResetRecord,
  { interactionId, actor }: Pick<NewRow, "interactionId" | "actor">,
): NewRow {
  const row = { tenantId, interactionId, actor, aggregate: `factor-reset:${resetId}`, seq: 1 };
  return { ...row, kind: rowKinds.factorReset, payload: { resetId }, ...(dueAt && { dueAt }) };
}

type Deps = { db: Connection; store: IdentityStore; outbox: Outbox; clock: Clock };

/**
 * What identity does when an approval that it asked for itself is decided. May run more than once
 * for one approval.
 */
export function factorResetOutcome({ db, store, outbox, clock, waitMs }: Deps & { waitMs: number }) {
  return async (approval: ApprovalRecord, row: OutboxRow): Promise<void> => {
    const { tenantId, interactionId } = row;
    const { resetId } = JSON.parse(approval.payloadJson) as { resetId: string };
    const ofTenant = store.forTenant(tenantId);
    const dueAt = new Date(clock.now().getTime() + waitMs);
    const isApproved = approval.status === "APPROVED";
    const to = isApproved ? { state: "WAITING" as const, dueAt } : { state: "REFUSED" as const };
    await inTransaction(
      db,
      async (session) => {
        const moved = await ofTenant.moveFactorReset(resetId, "ASKED", to, session);
        // Null where its owner has stopped it, or this ran before.
        const user = moved === null ? null : await ofTenant.findUser(moved.userId, session);
        if (moved === null || user === null) return true;
        const actor = approval.decidedBy ?? "identity";
        if (isApproved) await outbox.add(factorResetRow(moved, { interactionId, actor }), session);
        const of = { tenantId, interactionId, caller: "identity" as const };
        const notice = isApproved
          ? ({ notice: "RESET_WAITING", at: dueAt } as const)
          : ({ notice: "RESET_STOPPED" } as const);
        await addNotices(outbox, of, user, notice, session);
        return true;
      },
      { readBack: async () => undefined },
    );
    outbox.wake();
  };
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
          const user = done === null ? null : await ofTenant.findUser(done.userId, session);
          if (done !== null && user !== null) {
            const at = clock.now();
            await ofTenant.resetFactors(user._id, at, session);
            await addNotices(
              outbox,
              { tenantId, interactionId, caller: "identity" },
              user,
              { notice: "RESET_DONE" },
              session,
            );
            const noted = { at, actor, action: "factors.reset", subject: user._id, reason: done.reason };
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
