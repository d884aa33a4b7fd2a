import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { nextCursor, pageFromWire } from "../../common/wire/pages.js";
import { kindToWire } from "../wire/transactions.js";
import { reasonFromWire } from "../../../kernel/text/reason.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";
import { reviewContents } from "./review-content.js";

/** Transactions that wait for a person, and what the person decides. */
export function reviewHandlers({ store, checks, clock, ...deps }: ComplianceDeps) {
  return {
    async listReviews(request, call) {
      const page = pageFromWire(request);
      const found = await store.forTenant(call.tenantId).listOpen({ ...page, reviewableOnly: true });
      return {
        reviews: await reviewContents(deps, found, call),
        nextCursor: nextCursor(found, page, ({ transactionId }) => transactionId),
      };
    },

    async decideReview(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const reason = reasonFromWire(request.reason);
      const { approve } = request;
      const audit = auditEntry(call, clock, {
        action: approve ? "transaction.approve" : "transaction.reject",
        subject: `transaction:${transactionId}`,
        reason,
      });
      const recorded = await checks.decideReview(originOf(call), transactionId, { approve, audit }, call);
      return { decision: kindToWire(recorded.decision) };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
