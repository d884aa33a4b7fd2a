import type { CaseServiceDefinition } from "../../../../proto/gen/compliance/v1/cases.js";
import { requireUser } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { caseToWire, cursorAfter, queryFromWire } from "../wire/cases.js";
import { contentToRow, contentToWire } from "../wire/case-content.js";
import type { ContentLimits } from "./case-content.js";
import { isOwnCase, noCase, type CaseDeps } from "./deps.js";

const timelinePage = 500;
const inRow: ContentLimits = { screenings: 100, transactions: 5, needsStatuses: false };
const inRead: ContentLimits = { screenings: 100, transactions: 200, needsStatuses: false };

/** Queues, their counts, and a case with its timeline. */
export function caseReadHandlers({ cases, times, contents }: CaseDeps) {
  return {
    async listCases(request, call) {
      const time = await times.forTenant(call.tenantId, call.interactionId);
      const query = queryFromWire(request, requireUser(call).userId, time.now());
      const found = await cases.forTenant(call.tenantId).listCases(query);
      const inRows = await contents.ofCases(found, inRow, call);
      const rows = found.map((one, index) => ({ ...caseToWire(one), ...contentToRow(inRows[index]!) }));
      return { cases: rows, nextCursor: cursorAfter(found, query) };
    },

    async countCases(_request, call) {
      const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
      const { userId } = requireUser(call);
      const ofTenant = cases.forTenant(call.tenantId);
      const counts = (["OPEN", "MINE", "OVERDUE", "UNASSIGNED", "SNOOZED"] as const).map((queue) =>
        ofTenant.countCases(queue, userId, now),
      );
      const [open = 0, mine = 0, overdue = 0, unassigned = 0, snoozed = 0] = await Promise.all(counts);
      return {
        open: BigInt(open),
        mine: BigInt(mine),
        overdue: BigInt(overdue),
        unassigned: BigInt(unassigned),
        snoozed: BigInt(snoozed),
      };
    },

    async getCase({ caseId, afterSequence }, call) {
      if (afterSequence < 0) throw invalidInput("afterSequence", "must not be negative");
      const ofTenant = cases.forTenant(call.tenantId);
      const found = await ofTenant.findCase(idFromWire(caseId, "caseId"));
      if (found === undefined || isOwnCase(found, call)) throw noCase();
      const [timeline, [content]] = await Promise.all([
        ofTenant.listEvents(found.caseId, afterSequence, timelinePage),
        contents.ofCases([found], inRead, call),
      ]);
      const subject = await contents.orAsIdentityHasIt(content!.subject, found, call);
      return { case: { ...caseToWire(found, timeline), ...contentToWire({ ...content!, subject }, found.caseId) } };
    },
  } satisfies Partial<Handlers<CaseServiceDefinition>>;
}
