import type { Call } from "../../kernel/grpc/context.js";
import { stillRefused, type ApprovalRequest, type NotedQuestion } from "../../platform/approvals/approvals.js";
import type { Step } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { RemittanceDeps } from "./deps.js";

/** What one person asks for about a transaction, as the transaction keeps it. */
interface Asked {
  status?: string;
  reason: string;
  askedBy: string;
  approvalId?: string;
  refusedBecause?: string;
}

interface About<A extends Asked> {
  /** Names it; in the approval's payload beside the transaction's. */
  id: { [name: string]: string };
  find: (transaction: Transaction) => A | undefined;
  /** What the second person is asked, of ids and figures alone. */
  question: (
    asked: A,
    transaction: Transaction,
  ) => Pick<ApprovalRequest, "idempotencyKey" | "kind" | "summary" | "amount">;
  note: (transaction: Transaction, noted: NotedQuestion) => Step | undefined;
}

/** Puts what a person asks for about a transaction to a second one. */
export function createPersonQuestions({
  store,
  approvals,
  steps,
}: Pick<RemittanceDeps, "store" | "approvals" | "steps">) {
  return {
    /**
     * The same question under the same key, however often it is repeated; undefined where the
     * transaction keeps it no more. Refuses as identity does, and what identity has refused.
     */
    async ask<A extends Asked>(transactionId: string, { id, find, question, note }: About<A>, call: Call) {
      const { tenantId } = call;
      const transaction = await store.forTenant(tenantId).findTransaction(transactionId);
      if (transaction === undefined) throw new Error(`transaction ${transactionId} is not there`);
      const asked = find(transaction);
      if (asked === undefined) return undefined;
      const { status, reason, approvalId: known, refusedBecause = "", askedBy: actor } = asked;
      if (status === "REFUSED" && known === undefined) throw stillRefused(refusedBecause);
      const { approvalId, status: approvalStatus } = await approvals.askAndNote(
        call,
        {
          ...question(asked, transaction),
          subject: `transaction:${transactionId}`,
          reason,
          payload: { transactionId, ...id },
          customerId: transaction.sender.customerId,
        },
        (noted) => steps.make(tenantId, transactionId, (now) => note(now, noted), { actor }),
      );
      return { asked: { ...asked, approvalId }, approvalStatus };
    },
  };
}
