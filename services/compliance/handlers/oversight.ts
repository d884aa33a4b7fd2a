import { isDeepStrictEqual } from "node:util";
import { v7 as uuidv7 } from "uuid";
import {
  OverrideState as WireState,
  type ComplianceServiceDefinition,
  type Override as WireOverride,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { requireUser } from "../../shared/grpc/context.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { auditEntry } from "../audit.js";
import type { Override } from "../overrides.js";
import { statusFromWire, statusToWire } from "../wire/customers.js";
import { idFromWire, nextCursor, pageFromWire, reasonFromWire } from "../wire/transactions.js";
import { originOf, type ComplianceDeps } from "./deps.js";

type Rpcs = "requestOverride" | "decideOverride" | "listOverrides" | "listAuditEntries";

/** What people decide over the score, and what is kept of all that people decide. */
export function oversightHandlers({
  store,
  customers,
  people,
  clock,
}: Pick<ComplianceDeps, "store" | "customers" | "people" | "clock">): Pick<
  Handlers<ComplianceServiceDefinition>,
  Rpcs
> {
  return {
    async requestOverride(request, call) {
      const key = idFromWire(request.idempotencyKey, "idempotencyKey");
      const { customerId } = await people.reach(idFromWire(request.customerId, "customerId"), call);
      const status = statusFromWire(request.status);
      if (status === "PENDING") throw invalidInput("status", "must be CONFIRMED or BLOCKED");
      const reason = reasonFromWire(request.reason);
      const { userId: requestedBy } = requireUser(call);
      const tenant = store.forTenant(call.tenantId);
      const asked = { customerId, status, reason };
      const override = await store.transaction(
        async (session) => {
          const before = await tenant.findOverride({ requestedBy, key }, session);
          if (before !== undefined) return before;
          const fresh: Override = {
            ...asked,
            overrideId: uuidv7(),
            state: "REQUESTED",
            requestedBy,
            requestedAt: clock.now(),
            key,
          };
          await tenant.insertOverride(fresh, session);
          const { overrideId } = fresh;
          const subject = `customer:${customerId}`;
          const decided = { action: "override.request", subject, reason, content: { overrideId, status } };
          await tenant.insertAudit(auditEntry(call, clock, decided), session);
          return fresh;
        },
        () => tenant.findOverride({ requestedBy, key }),
      );
      const { customerId: id, status: to, reason: why } = override;
      if (!isDeepStrictEqual({ customerId: id, status: to, reason: why }, asked)) {
        throw new Refusal("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
      }
      crashPoint("compliance.override.requested");
      return { override: overrideToWire(override) };
    },

    async decideOverride(request, call) {
      const overrideId = idFromWire(request.overrideId, "overrideId");
      const decisionReason = reasonFromWire(request.reason);
      const state = request.approve ? "APPROVED" : "REFUSED";
      const { userId } = requireUser(call);
      const tenant = store.forTenant(call.tenantId);
      const found = await tenant.findOverride({ overrideId });
      if (found === undefined) throw new Refusal("NOT_FOUND", "no such override");
      if (found.requestedBy === userId) throw new Refusal("FORBIDDEN", "somebody else must agree to it");
      const person = await people.find({ customerId: found.customerId }, call);
      const subject = `customer:${found.customerId}`;
      await customers.change(originOf(call), person, `override ${overrideId}`, async (before, { session, now }) => {
        const current = await tenant.findOverride({ overrideId }, session);
        if (current === undefined || (current.state === state && current.decidedBy === userId)) return before;
        if (current.state !== "REQUESTED")
          throw new Refusal("STATE_CONFLICT", `the override is ${current.state} already`);
        const ended = { ...current, state, decidedBy: userId, decidedAt: now, decisionReason } as const;
        await tenant.putOverride(ended, session);
        const action = request.approve ? "override.approve" : "override.refuse";
        const content = { overrideId, status: current.status };
        await tenant.insertAudit(
          auditEntry(call, clock, { action, subject, reason: decisionReason, content }),
          session,
        );
        return request.approve ? { ...before, status: current.status, reason: current.reason } : before;
      });
      crashPoint("compliance.override.decided");
      return { override: overrideToWire((await tenant.findOverride({ overrideId })) ?? found) };
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
      const entries = await store.forTenant(call.tenantId).listAudit({ ...page, ...(subject !== "" && { subject }) });
      return { entries, nextCursor: nextCursor(entries, page, ({ entryId }) => entryId) };
    },
  };
}

function overrideToWire({ state, status, key: _key, ...rest }: Override): WirePartial<WireOverride> {
  return { ...rest, status: statusToWire(status), state: WireState[`OVERRIDE_STATE_${state}`] };
}
