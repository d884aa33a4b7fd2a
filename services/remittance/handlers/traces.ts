import { v7 as uuidv7 } from "uuid";
import { TraceTransactionRequest, TraceTransactionResponse } from "../../../proto/gen/remittance/v1/amendment.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { payoutOf } from "../domain/payout.js";
import { askTrace, keptTraces, mostOfTraceReason, wantedTrace } from "../domain/trace.js";
import { newNamesFromWire, traceToWire } from "../wire/amendments.js";
import { assertKey } from "../wire/fields.js";
import { createChangeByPerson } from "./change-by-person.js";
import type { RemittanceDeps } from "./deps.js";
import { createPersonQuestions } from "./person-questions.js";

/** Names that a partner of contract 2 is asked to put right once it has the order. */
export function traceHandlers(deps: RemittanceDeps) {
  const { store, partners, runOnce, clock } = deps;
  const questions = createPersonQuestions(deps);
  const changes = createChangeByPerson(deps);

  return {
    /** Nobody is asked, nor screened, before a second person approves. */
    async traceTransaction(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const names = newNamesFromWire(request);
      const reason = reasonFromWire(request.reason);
      // It goes to the partner as it is, and nothing is ever cut.
      if (reason.length > mostOfTraceReason) {
        throw invalidInput("reason", `must have at most ${mostOfTraceReason} characters: its partner reads it`);
      }
      const { userId: askedBy } = requireUser(call);
      const answer = await runOnce({
        operation: "trace-transaction",
        request,
        requestType: TraceTransactionRequest,
        response: TraceTransactionResponse,
        secret: true,
        call,
        async prepare() {
          const found = await store.forTenant(call.tenantId).findTransaction(transactionId);
          if (found === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
          wantedTrace(found, names);
          await partners.checkTakesAmendments(payoutOf(found).installationId, call);
        },
        async work(session) {
          const now = clock.now();
          const traceId = uuidv7();
          const terms = { traceId, status: "ASKED" as const, reason, askedBy, askedAt: now };
          const after = await changes.write(transactionId, call, session, (before) =>
            askTrace(before, { ...terms, ...wantedTrace(before, names) }, now),
          );
          return { trace: traceToWire(keptTraces.find(after, traceId)!) };
        },
      });
      crashPoint("remittance.trace.stored");
      const traceId = answer.trace?.traceId ?? "";
      const waiting = await questions.ask(
        transactionId,
        {
          id: { traceId },
          find: (transaction) => keptTraces.find(transaction, traceId),
          // It names nobody.
          question: (_trace, { transactionCode }) => ({
            idempotencyKey: `trace:${traceId}`,
            kind: "AMENDMENT",
            summary: `Ask the partner to put right who is paid by ${transactionCode}`,
          }),
          note: (transaction, noted) => keptTraces.note(transaction, traceId, noted),
        },
        call,
      );
      if (waiting === undefined) throw new Error(`trace ${traceId} is gone`);
      const { asked, approvalStatus } = waiting;
      return { trace: { ...answer.trace, approvalId: asked.approvalId }, approvalStatus };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
