import type { ClientSession } from "mongoose";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { accountEffects } from "../domain/account-effects.js";
import { transfersOf, type ManualJournal } from "../domain/manual-journal.js";
import type { OwnPosting } from "../journal/own-posting.js";
import { rowKinds } from "../row-kinds.js";
import type { ManualJournalStore } from "../store/manual-journals.js";

export interface ManualJournalSagaDeps {
  readonly manualJournals: ManualJournalStore;
  readonly ownPosting: OwnPosting;
  readonly outbox: Pick<Outbox, "add">;
  readonly clock: Clock;
}

export type ManualJournalSaga = ReturnType<typeof createManualJournalSaga>;

/** From a second person's word to what is posted, once however often it is driven. */
export function createManualJournalSaga({ manualJournals, ownPosting, outbox, clock }: ManualJournalSagaDeps) {
  async function begin(journal: ManualJournal, tenantId: string, session: ClientSession): Promise<void> {
    const { journalId, interactionId, askedBy } = journal;
    const row = { tenantId, aggregate: `manual-journal:${journalId}`, seq: 1, kind: rowKinds.postManualJournal };
    await outbox.add({ ...row, payload: { journalId }, interactionId, actor: askedBy }, session);
  }

  const outcome: OutcomeHandler = async (decided, session, { tenantId }, effects) => {
    const tenant = manualJournals.forTenant(tenantId);
    const { subject, status, decidedBy, decidedBecause, approvalId } = decided;
    const journal = await tenant.find(String(decided.payload["journalId"]), session);
    if (journal?.status !== "PROPOSED") return effects.add({ kind: "NOTHING_DONE", subject });
    if (status !== "APPROVED") {
      const failure = decidedBecause || status;
      return tenant.end(journal, "PROPOSED", { status: "REFUSED", failure, decidedBy, approvalId }, session);
    }
    effects.add(...accountEffects(journal.lines));
    await tenant.end(journal, "PROPOSED", { status: "APPROVED", decidedBy, approvalId }, session);
    await begin(journal, tenantId, session);
  };

  /** Posts an approved one. The keys decide once, so whoever was killed is driven on alike. */
  const drive: RowHandler = async ({ tenantId, payload }, { signal }) => {
    const tenant = manualJournals.forTenant(tenantId);
    const journal = await tenant.find(String(payload["journalId"]));
    if (journal?.status !== "APPROVED") return;
    const { interactionId, askedBy: createdBy } = journal;
    crashPoint("ledger.manual-journal.approved");
    const group = { transfers: transfersOf(journal), createdBy, interactionId };
    const [result] = await ownPosting.post(tenantId, [group], { signal });
    crashPoint("ledger.manual-journal.posted");
    if (result?.posted !== undefined) {
      await tenant.endAtOnce(journal, "APPROVED", { status: "POSTED", postedAt: clock.now() });
    } else {
      const { code = "", message = "" } = result?.refused ?? {};
      // Keys are this journal's alone: another content under one is a fault, for people to see.
      if (code === "" || code === "KEY_REUSED") throw new Refusal("STATE_CONFLICT", `not posted: ${code} ${message}`);
      await tenant.endAtOnce(journal, "APPROVED", { status: "REFUSED", failure: code });
    }
    crashPoint("ledger.manual-journal.noted");
  };

  return { outcome, drive };
}
