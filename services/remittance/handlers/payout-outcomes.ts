import { v7 as uuidv7 } from "uuid";
import {
  AskPayoutOutcomeRequest,
  AskPayoutOutcomeResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { decidableOutcomes, payoutOf, type RequestedOutcome } from "../domain/payout.js";
import { requestOutcome, recordRequest } from "../domain/payout-decision.js";
import type { Transaction } from "../domain/transaction.js";
import { assertKey } from "../wire/fields.js";
import { requestedOutcomeToWire } from "../wire/transactions.js";
import { createChangeByPerson } from "./change-by-person.js";
import type { RemittanceDeps } from "./deps.js";
import { createPersonQuestions } from "./person-questions.js";

/**
 * How a payout has ended whose partner's word ends nothing: one person
 * says it, another one decides.
 */
export function payoutOutcomeHandlers(deps: RemittanceDeps) {
  const { runOnce, clock } = deps;
  const questions = createPersonQuestions(deps);
  const changes = createChangeByPerson(deps);

  return {
    async askPayoutOutcome(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const outcome = decidableOutcomes.find((one) => one === request.outcome);
      if (outcome === undefined) throw invalidInput("outcome", `must be one of ${decidableOutcomes.join(", ")}`);
      const reason = reasonFromWire(request.reason);
      const { userId } = requireUser(call);
      const answer = await runOnce({
        operation: "ask-payout-outcome",
        request,
        requestType: AskPayoutOutcomeRequest,
        response: AskPayoutOutcomeResponse,
        call,
        async work(session) {
          const now = clock.now();
          const requested = { outcomeId: uuidv7(), outcome, reason, askedBy: userId, askedAt: now };
          const after = await changes.write(transactionId, call, session, (before) =>
            requestOutcome(before, { ...requested, ...deductionOf(request, before) }, now),
          );
          return { outcome: requestedOutcomeToWire(payoutOf(after).unclear!.asked!) };
        },
      });
      const outcomeId = answer.outcome?.outcomeId ?? "";
      const waiting = await questions.ask(
        transactionId,
        {
          id: { outcomeId },
          find(transaction) {
            const { unclear, decided } = payoutOf(transaction);
            return [unclear?.asked, decided].find((one) => one?.outcomeId === outcomeId);
          },
          question: (requested, transaction) => ({
            idempotencyKey: `payout-outcome:${outcomeId}`,
            kind: "PAYOUT_OUTCOME",
            summary: summaryOf(transaction, requested),
          }),
          // Nobody will decide about what identity does not take.
          note: (transaction, noted) =>
            recordRequest(transaction, outcomeId, "approvalId" in noted ? noted.approvalId : undefined),
        },
        call,
      );
      // Refused, or overtaken by the partner's own word.
      if (waiting === undefined) return { ...answer, approvalStatus: "REFUSED" };
      return { outcome: requestedOutcomeToWire(waiting.asked), approvalStatus: waiting.approvalStatus };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

function deductionOf({ kept }: AskPayoutOutcomeRequest, { price }: Transaction): Pick<RequestedOutcome, "kept"> {
  return kept === "" ? {} : { kept: parseMoney(kept, price.receive.currency, "kept") };
}

function summaryOf({ transactionCode, price }: Transaction, { outcome, kept }: RequestedOutcome): string {
  const amount = `${formatMoney(price.receive)} ${price.receive.currency}`;
  const less = kept === undefined || kept.minor === 0n ? "" : `, less ${formatMoney(kept)} ${kept.currency}`;
  return `Payout of ${amount} for ${transactionCode} is ${outcome}${less}`;
}
