import {
  ExportCaseRequest,
  ExportCaseResponse,
  type CaseServiceDefinition,
} from "../../../proto/gen/compliance/v1/cases.js";
import { requireUser } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { idFromWire } from "../../shared/wire-text.js";
import type { CaseEvent } from "../domain/case.js";
import type { TenantCases } from "../store/cases.js";
import { caseToWire, formFromWire } from "../wire/cases.js";
import { contentToWire } from "../wire/case-content.js";
import type { ContentLimits } from "./case-content.js";
import { casePdf } from "./case-pdf.js";
import { isOwnCase, noCase, type CaseDeps } from "./cases.js";

const eventsAtOnce = 500;
/** All of it, and refused while nobody says where the money is. */
const whole: ContentLimits = { screenings: Infinity, transactions: Infinity, needsStandings: true };

/** A whole case for a regulator or a court. What is kept under the key is the case, not its pages. */
export function caseExportHandlers({
  cases,
  times,
  runOnce,
  contents,
}: CaseDeps): Pick<Handlers<CaseServiceDefinition>, "exportCase"> {
  return {
    async exportCase(request, call) {
      const caseId = idFromWire(request.caseId, "caseId");
      const form = formFromWire(request.form);
      const ofTenant = cases.forTenant(call.tenantId);
      const asked = await ofTenant.findCase(caseId);
      if (asked === undefined || isOwnCase(asked, call)) throw noCase();
      // Read before it is written down that it was taken out: what cannot be read whole is not exported.
      const [read] = await contents.ofCases([asked], whole, call);
      const content = { ...read!, subject: await contents.orAsIdentityHasIt(read!.subject, asked, call) };
      const at = (await times.forTenant(call.tenantId, call.interactionId)).now();
      const noted = await runOnce({
        operation: "export-case",
        request,
        requestType: ExportCaseRequest,
        response: ExportCaseResponse,
        call,
        async work(session) {
          const before = await ofTenant.findCase(caseId, session);
          if (before === undefined || isOwnCase(before, call)) throw noCase();
          const exported = { after: before, events: [{ kind: "EXPORTED" as const, text: "", details: { form } }] };
          const after = await ofTenant.putCase(exported, { actor: requireUser(call).userId, at }, session);
          return { case: caseToWire(after) };
        },
      });
      const found = await ofTenant.findCase(caseId);
      if (found === undefined) throw noCase();
      const version = noted.case?.version ?? found.version;
      const timeline = await timelineUntil(ofTenant, caseId, version);
      const exported = caseToWire(found, timeline);
      if (form === "PDF")
        return { mediaType: "application/pdf", data: await casePdf(found, content, timeline), case: exported };
      return { mediaType: "application/json", case: { ...exported, ...contentToWire(content, caseId) } };
    },
  };
}

async function timelineUntil(cases: TenantCases, caseId: string, version: number): Promise<CaseEvent[]> {
  const timeline: CaseEvent[] = [];
  for (;;) {
    const page = await cases.listEvents(caseId, timeline.at(-1)?.sequence ?? 0, eventsAtOnce);
    timeline.push(...page.filter(({ sequence }) => sequence <= version));
    if (page.length < eventsAtOnce || timeline.at(-1)?.sequence === version) return timeline;
  }
}
