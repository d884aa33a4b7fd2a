import { summaryOf } from "../../../platform/approvals/approval-changes.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Call } from "../../../kernel/grpc/context.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { ReleaseWay } from "../domain/hit-decision.js";
import type { Screening, Word } from "../domain/screening.js";
import type { KnownPerson } from "../../decisions/checks/hit-consequences.js";
import { withdrawalRow } from "../../common/store/outbox-rows.js";
import { originOf } from "../../common/handlers/deps.js";
import { namesOfHits, type HitDeps, type HitPayload } from "./hit-deps.js";

/** A word on hits of one screening, and what the writing of it needs. */
export interface RequestedApproval {
  screeningId: string;
  hitIds: readonly string[];
  comment: Word;
  person: KnownPerson | undefined;
}

/** What decisions on hits ask of identity's approvals, and take back. */
export function createHitApprovals({
  store,
  screenings,
  approvals,
  processed,
  outbox,
}: Pick<HitDeps, "store" | "screenings" | "approvals" | "processed" | "outbox">) {
  /**
   * Somebody else was faster than what was asked of identity: it waits for nobody any more, and
   * must not stand among what managers have to answer. By the outbox, since identity may be away.
   */
  async function withdrawUnlessNoted(approvalId: string, screeningId: string, call: Call): Promise<void> {
    const found = await screenings.forTenant(call.tenantId).find(screeningId);
    const isNoted = found?.hits.some((hit) => hit.approvalId === approvalId);
    if (isNoted === true || (await processed.forTenant(call.tenantId).isProcessed(approvalId))) return;
    await store.transaction(
      async (session) => {
        await outbox.add(withdrawalRow(originOf(call), approvalId), session);
        return true;
      },
      async () => undefined,
    );
    outbox.wake();
  }

  return {
    /** Asks identity outside the transaction, once per key; the approval's id. */
    async approvalFor(
      { screeningId, hitIds, comment, person }: RequestedApproval,
      screening: Screening,
      what: { key: string; way?: ReleaseWay },
      call: Call,
    ): Promise<string> {
      const { customerId } = screening.subject;
      const { key, way } = what;
      const payload: HitPayload = {
        screeningId,
        hitIds: [...hitIds],
        ...(way !== undefined && { way }),
        ...(person && { country: person.country, registeredAt: person.registeredAt.toISOString() }),
      };
      const verb =
        way === undefined ? "Confirm" : way === "REFUND" ? "Release, and refund what was stopped by," : "Release";
      const { kind, id } = screening.subject;
      // Ids alone: identity keeps it unsealed.
      const about = hitIds.length === 1 ? `${verb} hit` : `${hitIds.length} hits: ${verb} hits`;
      const { approvalId } = await approvals.ask(call, {
        idempotencyKey: key,
        kind: way === undefined ? "SCREENING_CONFIRMATION" : "SCREENING_RELEASE",
        subject: `screening:${screeningId}`,
        summary: summaryOf(about, namesOfHits(screening, hitIds), ` of ${kind} ${id}`),
        reason: comment.reason,
        payload: { ...payload },
        customerId,
        ...(kind === "STAFF" && { concernedUserId: id }),
      });
      crashPoint("compliance.hit.asked");
      return approvalId;
    },

    /** Runs what asks identity first, and takes back what was asked for nothing. */
    async withApproval<T>(
      screeningId: string,
      call: Call,
      run: (note: (approvalId: string) => string) => Promise<T>,
    ): Promise<T> {
      let requested: string | undefined;
      const note = (approvalId: string) => (requested = approvalId);
      try {
        const done = await run(note);
        if (requested !== undefined) await withdrawUnlessNoted(requested, screeningId, call);
        return done;
      } catch (error) {
        const isRefused = error instanceof Refusal && error.code === "STATE_CONFLICT";
        if (requested !== undefined && isRefused) await withdrawUnlessNoted(requested, screeningId, call);
        throw error;
      }
    },
  };
}
