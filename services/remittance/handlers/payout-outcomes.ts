import { v7 as uuidv7 } from "uuid";
import {
  AskPayoutOutcomeRequest,
  AskPayoutOutcomeResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { takesNoQuestion } from "../../platform/approvals/approvals.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
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

/**
 * How a payout has ended whose partner's word ends nothing: one person
 * says it, another one decides.
 */
export function payoutOutcomeHandlers(deps: RemittanceDeps) {
  const { store, runOnce, clock, steps, approvals } = deps;
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
      return question(answer, transactionId, call);
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;

  /** The same question under the same key, however often it is repeated. */
  async function question(answer: AskPayoutOutcomeResponse, transactionId: string, call: Call) {
    const { outcomeId = "" } = answer.outcome ?? {};
    const transaction = await store.forTenant(call.tenantId).findTransaction(transactionId);
    if (transaction === undefined) throw new Error(`transaction ${transactionId} is not there`);
    const { unclear, decided } = payoutOf(transaction);
    const requested = [unclear?.asked, decided].find((one) => one?.outcomeId === outcomeId);
    // Refused, or overtaken by the partner's own word.
    if (requested === undefined) return { ...answer, approvalStatus: "REFUSED" };
    const note = (approvalId?: string) =>
      steps.make(call.tenantId, transactionId, (now) => recordRequest(now, outcomeId, approvalId), {
        actor: requested.askedBy,
      });
    try {
      const approval = await approvals.ask(call, {
        idempotencyKey: `payout-outcome:${outcomeId}`,
        kind: "PAYOUT_OUTCOME",
        subject: `transaction:${transactionId}`,
        summary: summaryOf(transaction, requested),
        reason: requested.reason,
        payload: { transactionId, outcomeId },
        customerId: transaction.sender.customerId,
      });
      await note(approval.approvalId);
      return {
        outcome: requestedOutcomeToWire({ ...requested, approvalId: approval.approvalId }),
        approvalStatus: approval.status,
      };
    } catch (error) {
      // Nobody will decide about what identity does not take.
      if (takesNoQuestion(error)) await note();
      throw error;
    }
  }
}

function deductionOf({ kept }: AskPayoutOutcomeRequest, { price }: Transaction): Pick<RequestedOutcome, "kept"> {
  return kept === "" ? {} : { kept: parseMoney(kept, price.receive.currency, "kept") };
}

function summaryOf({ transactionCode, price }: Transaction, { outcome, kept }: RequestedOutcome): string {
  const amount = `${formatMoney(price.receive)} ${price.receive.currency}`;
  const less = kept === undefined || kept.minor === 0n ? "" : `, less ${formatMoney(kept)} ${kept.currency}`;
  return `Payout of ${amount} for ${transactionCode} is ${outcome}${less}`;
}
