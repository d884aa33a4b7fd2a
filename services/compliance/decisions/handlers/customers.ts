import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { requireUser } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { assess, type CustomerRecord } from "../domain/customer.js";
import { heldByBlock, isHeldByBlock, underBlock } from "../domain/customer-blocks.js";
import { fulfil, isMet } from "../domain/requirements.js";
import { customerToWire, scoreToWire, statusFromWire, statusToWire } from "../wire/customers.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { nextCursor, numberedPageFromWire } from "../../common/wire/pages.js";
import { reasonFromWire } from "../../../kernel/text/reason.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

export function customerHandlers({ store, customers, people, clock }: ComplianceDeps) {
  return {
    async setCustomerStatus(request, call) {
      const customerId = idFromWire(request.customerId, "customerId");
      const status = statusFromWire(request.status);
      const reason = reasonFromWire(request.reason);
      const person = await people.find({ customerId }, call);
      const origin = originOf(call);
      const subject = `customer:${customerId}`;
      const customer = await customers.change(origin, person, "set by the operator", async (before, working) => {
        if (before.sequence > 0 && (request.onlyIfUnset || isSame(before, status, reason))) return before;
        if (isHeldByBlock(before) && status !== "BLOCKED") throw heldByBlock();
        if (before.blocks?.[0]?.statusBefore === status) return before;
        const { policy, now, session, tenant } = working;
        const decided = { action: "customer.status", subject, reason, content: { status } };
        await tenant.insertAudit(auditEntry(call, clock, decided), session);
        if (isHeldByBlock(before)) return underBlock(before, status);
        if (status !== "CONFIRMED") return { ...before, status, reason };
        // Who is confirmed from outside has shown what the policy demands; what a later policy adds
        // is asked for.
        const { requirements } = assess({ ...before, status }, person, policy, now).customer;
        const seen = requirements.map((one) =>
          one.mandatory && !isMet(one, now) ? fulfil(one, origin.actor, reason, now) : one,
        );
        return { ...before, status, reason, requirements: seen };
      });
      return { status: statusToWire(customer.status) };
    },

    async getCustomerCompliance({ customerId }, call) {
      const person = await people.reach(customerId, call);
      const customer = await customers.current(originOf(call), person);
      return { customer: customerToWire(customer, requireUser(call).role !== "CUSTOMER") };
    },

    async listRiskScores(request, call) {
      const { customerId } = await people.reach(idFromWire(request.customerId, "customerId"), call);
      const page = numberedPageFromWire(request);
      const scores = await store.forTenant(call.tenantId).listScores(customerId, page);
      return {
        scores: scores.map((one) => {
          const { sequence, policyVersion, cause, at } = one;
          return { ...scoreToWire(one), sequence, policyVersion, cause, at };
        }),
        nextCursor: nextCursor(scores, page, ({ sequence }) => String(sequence)),
      };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

function isSame(before: CustomerRecord, status: string, reason: string): boolean {
  return before.status === status && before.reason === reason;
}
