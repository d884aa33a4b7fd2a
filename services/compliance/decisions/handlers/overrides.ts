import {
  OverrideState as WireState,
  type ComplianceServiceDefinition,
  type Override as WireOverride,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import { changeOf } from "../../../platform/approvals/approval-changes.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser } from "../../../kernel/grpc/context.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { heldByBlock, isHeldByBlock } from "../domain/customer-blocks.js";
import type { Override, OverridePayload } from "../domain/override.js";
import { statusFromWire, statusToWire } from "../wire/customers.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { nextCursor, pageFromWire } from "../../common/wire/pages.js";
import { reasonFromWire } from "../../../kernel/text/reason.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

/** What people decide over the score, and what is kept of all that people decide. */
export function overrideHandlers({ store, people, approvals, clock }: ComplianceDeps) {
  return {
    async requestOverride(request, call) {
      const key = idFromWire(request.idempotencyKey, "idempotencyKey");
      const person = await people.reach(idFromWire(request.customerId, "customerId"), call);
      const { customerId } = person;
      const status = statusFromWire(request.status);
      if (status === "PENDING") throw invalidInput("status", "must be CONFIRMED or BLOCKED");
      const reason = reasonFromWire(request.reason);
      const { userId: requestedBy } = requireUser(call);
      const ofTenant = store.forTenant(call.tenantId);
      const held = await ofTenant.findCustomer(customerId);
      // A repeat finds its override, whatever has come since.
      if (held !== undefined && isHeldByBlock(held) && status !== "BLOCKED") {
        if ((await ofTenant.findOverride({ requestedBy, key })) === undefined) throw heldByBlock();
      }
      const subject = `customer:${customerId}`;
      const { country, registeredAt } = person;
      const payload: OverridePayload = {
        customerId,
        status,
        key,
        country,
        registeredAt: registeredAt.toISOString(),
      };
      const { approvalId: overrideId } = await approvals.ask(call, {
        idempotencyKey: key,
        kind: "DECISION_OVERRIDE",
        subject,
        summary: `${status === "CONFIRMED" ? "Confirm" : "Block"} customer ${customerId}`,
        reason,
        payload: { ...payload },
        changes: changeOf("customerStatus", held?.status ?? "PENDING", status),
        customerId,
      });
      crashPoint("compliance.override.asked");
      const tenant = store.forTenant(call.tenantId);
      const override = await store.transaction(
        async (session) => {
          // A repeat finds the override, whether or not it was decided meanwhile.
          const before = await tenant.findOverride({ overrideId }, session);
          if (before !== undefined) return before;
          const requestedAt = clock.now();
          const state = "REQUESTED" as const;
          const fresh: Override = { overrideId, customerId, status, reason, state, requestedBy, requestedAt, key };
          await tenant.insertOverride(fresh, session);
          const decided = { action: "override.request", subject, reason, content: { overrideId, status } };
          await tenant.insertAudit(auditEntry(call, clock, decided), session);
          return fresh;
        },
        () => tenant.findOverride({ overrideId }),
      );
      crashPoint("compliance.override.requested");
      return { override: overrideToWire(override) };
    },

    async listOverrides(request, call) {
      const page = pageFromWire(request);
      const found = await store.forTenant(call.tenantId).listOverrides(page);
      return {
        overrides: found.map(overrideToWire),
        nextCursor: nextCursor(found, page, ({ overrideId }) => overrideId),
      };
    },

    async listAuditEntries(request, call) {
      const page = pageFromWire(request);
      const { subject } = request;
      const { user } = call;
      // What is found of a manager is for others to read.
      const about = { ...(user !== undefined && { reader: user.userId }), ...(subject !== "" && { subject }) };
      const entries = await store.forTenant(call.tenantId).listAudit({ ...page, ...about });
      return { entries, nextCursor: nextCursor(entries, page, ({ entryId }) => entryId) };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

function overrideToWire({ state, status, key: _key, ...rest }: Override): WirePartial<WireOverride> {
  return { ...rest, status: statusToWire(status), state: WireState[`OVERRIDE_STATE_${state}`] };
}
