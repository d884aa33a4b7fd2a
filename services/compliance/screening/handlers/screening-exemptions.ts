import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { stateOf, type Exemption } from "../domain/exemption.js";
import { rescreenRow } from "../../common/store/outbox-rows.js";
import { exemptionToWire } from "../wire/screenings.js";
import { reasonFromWire } from "../../../kernel/text/reason.js";
import { auditEntry, auditSubjectOf, auditSubjectsOf } from "../../common/handlers/audit.js";
import { originOf } from "../../common/handlers/deps.js";
import { assertOfOthers } from "../../common/handlers/own-subject.js";
import type { ScreeningDeps } from "./screening-deps.js";

/** An exemption that ends before its time: its subject is compared anew. */
export function exemptionHandlers({ store, exemptions, subjects, times, clock, outbox }: ScreeningDeps) {
  return {
    /** Safe to repeat by the same person with the same reason. */
    async endScreeningExemption(request, call) {
      const exemptionId = idFromWire(request.exemptionId, "exemptionId");
      const reason = reasonFromWire(request.reason);
      const { userId } = requireUser(call);
      const { tenantId } = call;
      const now = (await times.forTenant(tenantId, call.interactionId)).now();
      const own = exemptions.forTenant(tenantId);
      const isDone = ({ ended }: Exemption) => ended?.by === userId && ended.reason === reason;
      const after = await store.transaction(
        async (session) => {
          const before = await own.find(exemptionId, session);
          if (before === undefined) throw new Refusal("NOT_FOUND", "no such exemption");
          assertOfOthers(before.subject, call);
          if (isDone(before)) return before;
          const state = stateOf(before, now);
          if (state !== "VALID") throw new Refusal("STATE_CONFLICT", `this exemption is ${state}`);
          const ended = { at: now, by: userId, reason };
          await own.end(exemptionId, ended, session);
          const { subject, source, entryId, screeningId } = before;
          const decided = {
            action: "screening.exemption-end",
            subject: auditSubjectOf(subject),
            subjects: auditSubjectsOf(subject, `screening:${screeningId}`, `exemption:${exemptionId}`),
            reason,
            content: { exemptionId, of: subject.id, source, entryId },
          };
          await store.forTenant(tenantId).insertAudit(auditEntry(call, clock, decided), session);
          await subjects.forTenant(tenantId).compareAnew(subject, session);
          await outbox.add(rescreenRow(originOf(call), `exemption:${exemptionId}`, 1), session);
          return { ...before, ended };
        },
        async () => {
          const found = await own.find(exemptionId);
          return found !== undefined && isDone(found) ? found : undefined;
        },
      );
      crashPoint("compliance.exemption.ended");
      outbox.wake();
      return { exemption: exemptionToWire(after, now) };
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}
