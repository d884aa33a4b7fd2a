import type { ClientSession } from "mongoose";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { RefusalCode } from "../../kernel/refusal.js";
import { stillRefused, type NotedQuestion } from "../../platform/approvals/approvals.js";
import type { Settlement } from "../domain/settlement.js";
import { rowKinds } from "../row-kinds.js";
import { giveUpSettlement, noteSettlementApproval } from "../sagas/settlement-endings.js";
import { settlementToWire } from "../wire/settlements.js";
import type { LedgerDeps } from "./deps.js";

// Long enough for any try of whoever proposes it, and for people to begin anew the same day.
const forgetAfterMs = 3_600_000;

interface Unasked {
  readonly settlementId: string;
  readonly reversalId?: string;
}

/** Gives up later what nobody was asked about: a process may die before it asks. */
export async function forgetUnasked(
  outbox: Pick<Outbox, "add">,
  unasked: Unasked,
  call: Call,
  session: ClientSession,
): Promise<void> {
  const aggregate = `unasked-settlement:${unasked.reversalId ?? unasked.settlementId}`;
  const { tenantId, interactionId } = call;
  const kind = rowKinds.forgetUnaskedSettlement;
  const dueAt = new Date(Date.now() + forgetAfterMs);
  const row = { tenantId, aggregate, seq: 1, kind, payload: { ...unasked }, interactionId, actor: actorOf(call) };
  await outbox.add({ ...row, dueAt }, session);
}

type QuestionDeps = Pick<LedgerDeps, "db" | "settlements" | "approvals" | "outbox" | "clock">;

/** What a second person is asked of settlements; a repeat asks where its first try did not. */
export function createSettlementQuestions(deps: QuestionDeps) {
  const { settlements, approvals } = deps;

  async function known(settlementId: string, call: Call): Promise<Settlement> {
    const found = await settlements.forTenant(call.tenantId).find(settlementId);
    if (found === undefined) throw new Error(`settlement ${settlementId} is gone`);
    return found;
  }

  async function answer(settlementId: string, approvalStatus: string, call: Call) {
    return { settlement: settlementToWire(await known(settlementId, call)), approvalStatus };
  }

  return {
    /** Refuses FORBIDDEN and INVALID_INPUT as identity does, also at a repeat. */
    async askProposal(settlementId: string, call: Call) {
      const settlement = await known(settlementId, call);
      const { status, approvalId, refusal, decidedBy, amount, reference, accountId } = settlement;
      if (approvalId === undefined && status === "REFUSED") throw stillRefused(refusal?.code ?? "");
      if (approvalId !== undefined) {
        const isOpen = (status === "PROPOSING" || status === "PROPOSED") && decidedBy === undefined;
        return answer(settlementId, isOpen ? "PENDING" : decidedStatus(settlement), call);
      }
      const question = {
        idempotencyKey: `ledger-settlement:${settlementId}`,
        kind: "SETTLEMENT" as const,
        subject: `settlement:${settlementId}`,
        summary: `Settle ${formatMoney(amount)} ${amount.currency} of ${accountId}, reference ${reference}`,
        amount,
        reason: settlement.note || `Reference ${reference}`,
        payload: { settlementId },
      };
      const note = async (noted: NotedQuestion) => {
        if ("approvalId" in noted) return noteSettlementApproval(deps, call, settlementId, noted.approvalId);
        return giveUpSettlement(deps, call, settlementId, unaskedBecause(noted.refusedBecause));
      };
      const approval = await approvals.askAndNote(call, question, note);
      return answer(settlementId, approval.status, call);
    },

    /** As askProposal. */
    async askReversal(settlementId: string, reversalId: string, call: Call) {
      const settlement = await known(settlementId, call);
      const { reversal, amount, reference, accountId } = settlement;
      if (reversal?.reversalId !== reversalId) return answer(settlementId, "REFUSED", call);
      if (reversal.approvalId !== undefined) {
        return answer(settlementId, reversal.status === "PROPOSED" ? "PENDING" : approvedUnless(reversal.status), call);
      }
      if (reversal.status === "REFUSED") throw stillRefused(reversal.refusal?.code ?? "");
      const ofTenant = settlements.forTenant(call.tenantId);
      const question = {
        idempotencyKey: `ledger-settlement-reversal:${reversalId}`,
        kind: "SETTLEMENT" as const,
        subject: `settlement:${settlementId}`,
        summary: `Reverse ${formatMoney(amount)} ${amount.currency} of ${accountId}, reference ${reference}`,
        amount,
        reason: reversal.reason,
        payload: { settlementId, reversalId },
      };
      const note = async (noted: NotedQuestion) => {
        if ("approvalId" in noted) return ofTenant.noteReversalApproval(settlementId, reversalId, noted.approvalId);
        const change = { ...reversal, status: "REFUSED" as const, refusal: unaskedBecause(noted.refusedBecause) };
        return ofTenant.moveReversal(settlementId, "PROPOSED", change);
      };
      const approval = await approvals.askAndNote(call, question, note);
      return answer(settlementId, approval.status, call);
    },
  };
}

function unaskedBecause(code: RefusalCode) {
  return { code, message: "nobody could be asked to approve it" };
}

function decidedStatus({ status, decidedBy }: Settlement): string {
  return status === "REFUSED" && decidedBy === undefined ? "REFUSED" : "APPROVED";
}

function approvedUnless(status: string): string {
  return status === "REFUSED" ? "REFUSED" : "APPROVED";
}
