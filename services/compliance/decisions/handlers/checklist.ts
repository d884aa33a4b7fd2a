import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { moneyToWire } from "../../../kernel/money.js";
import { isMet } from "../domain/requirements.js";
import { isDetailRequired, stateToWire, statusToWire } from "../wire/customers.js";
import { factsFromWire, kindToWire } from "../wire/transactions.js";
import { transparencyMembers } from "../../../platform/transparency/members.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

const ofRecipient = transparencyMembers.filter((member) => member.startsWith("RECIPIENT_"));

/**
 * What a customer still has to show for a transaction, and what the daily limit leaves. Reserves
 * nothing.
 */
export function checklistHandlers({ checks, customers, people, times }: ComplianceDeps) {
  return {
    async getChecklist(request, call) {
      const person = await people.reach(request.customerId, call);
      const { amount } = request;
      // Only what the sender has to give is listed, as if the recipient were known.
      const transparency = { amount, linkedAmount: amount, knownMembers: ofRecipient };
      const facts = factsFromWire({ ...request, transparency, customerId: person.customerId, parties: [] }, "");
      await customers.current(originOf(call), person);
      const { outcome, customer, left } = await checks.preview(originOf(call), facts, call);
      const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
      const missing = new Set(outcome.outstandingRequirements);
      const own = customer.requirements.filter(
        (one) => missing.has(one.kind) || (one.origin === "KYC" && one.mandatory && isDetailRequired(one)),
      );
      const others = [...missing].filter((kind) => !own.some((one) => one.kind === kind));
      return {
        decision: kindToWire(outcome.decision),
        reasonCode: outcome.reasonCode,
        message: outcome.message,
        status: statusToWire(customer.status),
        items: [
          ...own.map((one) => ({
            requirement: one.kind,
            state: stateToWire(one.state === "FULFILLED" && !isMet(one, now) ? "EXPIRED" : one.state),
            inReview: one.documentId !== undefined,
            origin: one.origin,
          })),
          ...others.map((kind) => ({ requirement: kind, state: stateToWire("OUTSTANDING"), origin: "TRANSACTION" })),
        ],
        leftToday: left && moneyToWire(left),
      };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
