import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { screeningStatuses, triggers } from "../domain/screening.js";
import { exemptionToWire, screeningToWire, stateFromWire } from "../wire/screenings.js";
import { oneOf } from "../../common/wire/one-of.js";
import { nextCursor, pageFromWire } from "../../common/wire/pages.js";
import { isOwnSubject } from "../../common/handlers/own-subject.js";
import { noScreening, type ScreeningDeps } from "./screening-deps.js";

/** What was found, and what is no hit for somebody. */
export function screeningReadHandlers({ screenings, exemptions, cases, times }: ScreeningDeps) {
  return {
    async listScreenings(request, call) {
      const { customerId, status, trigger, transactionId } = request;
      const page = pageFromWire(request);
      const filter = {
        ...(customerId !== "" && { customerId: idFromWire(customerId, "customerId") }),
        ...(status !== "" && { status: oneOf(screeningStatuses, status, "status") }),
        ...(trigger !== "" && { trigger: oneOf(triggers, trigger, "trigger") }),
        ...(request.offList && { isOffList: true }),
        ...(transactionId !== "" && { transactionId: idFromWire(transactionId, "transactionId") }),
      };
      const found = await screenings.forTenant(call.tenantId).list({ ...filter, ...reader(call) }, page);
      const caseIds = await cases.forTenant(call.tenantId).caseIdsOf(found.map(({ screeningId }) => screeningId));
      return {
        screenings: found.map((one) => screeningToWire(one, caseIds.get(one.screeningId))),
        nextCursor: nextCursor(found, page, ({ screeningId }) => screeningId),
      };
    },

    async getScreening({ screeningId }, call) {
      const found = await screenings.forTenant(call.tenantId).find(idFromWire(screeningId, "screeningId"));
      if (found === undefined || isOwnSubject(found.subject, call)) throw noScreening();
      const caseIds = await cases.forTenant(call.tenantId).caseIdsOf([found.screeningId]);
      return { screening: screeningToWire(found, caseIds.get(found.screeningId)) };
    },

    async listScreeningExemptions(request, call) {
      const { customerId } = request;
      const page = pageFromWire(request);
      const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
      const state = stateFromWire(request.state);
      const filter = {
        now,
        ...(customerId !== "" && { customerId: idFromWire(customerId, "customerId") }),
        ...(state !== undefined && { state }),
      };
      const found = await exemptions.forTenant(call.tenantId).list({ ...filter, ...reader(call) }, page);
      return {
        exemptions: found.map((one) => exemptionToWire(one, now)),
        nextCursor: nextCursor(found, page, ({ exemptionId }) => exemptionId),
      };
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}

/** What is about the reader is left out. */
function reader({ user }: Call): { reader?: string } {
  return user === undefined ? {} : { reader: user.userId };
}
