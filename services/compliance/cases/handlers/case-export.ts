import {
  ExportCaseRequest,
  ExportCaseResponse,
  type CaseServiceDefinition,
} from "../../../../proto/gen/compliance/v1/cases.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { CaseEvent } from "../domain/case.js";
import type { TenantCases } from "../store/cases.js";
import { caseToWire, formFromWire } from "../wire/cases.js";
import { contentToWire } from "../wire/case-content.js";
import type { ContentLimits } from "./case-content.js";
import { casePages, type CaseSection } from "./case-pages.js";
import { casePdf } from "./case-pdf.js";
import { isOwnCase, noCase, type CaseDeps } from "./deps.js";

const eventsAtOnce = 500;
/** All of it, and refused while nobody says where the money is. */
const whole: ContentLimits = { screenings: Infinity, transactions: Infinity, needsStatuses: true };

/** Of all that is printed: 500 notes of the greatest length. */
const mostCharacters = 2_000_000;
const mostAttempts = 3;

/** The case has changed while it was printed. */
class CaseMoved extends Error {
  override readonly name = "CaseMoved";
}

interface Made {
  /** Of the case that the answer shows. */
  version: number;
  answer: WirePartial<ExportCaseResponse>;
}

/**
 * A whole case for a regulator or a court. It is made first, with its own taking-out as the last
 * event, and that is written down only where the case is as it was printed. What is kept under the
 * key is the case, not its pages.
 */
export function caseExportHandlers(deps: CaseDeps) {
  const { cases, times, runOnce } = deps;
  const make = exportMaking(deps);
  return {
    async exportCase(request, call) {
      const caseId = idFromWire(request.caseId, "caseId");
      const form = formFromWire(request.form);
      const ofTenant = cases.forTenant(call.tenantId);
      const actor = requireUser(call).userId;
      for (let attempt = 1; attempt <= mostAttempts; attempt++) {
        const at = (await times.forTenant(call.tenantId, call.interactionId)).now();
        const event = { caseId, customerId: "", at, actor, kind: "EXPORTED" as const, text: "", details: { form } };
        let made: Made | undefined;
        const noted = await runOnce({
          operation: "export-case",
          request,
          requestType: ExportCaseRequest,
          response: ExportCaseResponse,
          call,
          async prepare() {
            made = await make({ caseId, form, event }, call);
            return made;
          },
          async work(session, { version }) {
            const before = await ofTenant.findCase(caseId, session);
            if (before === undefined || isOwnCase(before, call)) throw noCase();
            if (before.version + 1 !== version) throw new CaseMoved();
            const { kind, text, details } = event;
            const after = await ofTenant.putCase(
              { after: before, events: [{ kind, text, details }] },
              { actor, at },
              session,
            );
            return { case: caseToWire(after) };
          },
        }).catch((error: unknown) => {
          if (error instanceof CaseMoved) return undefined;
          throw error;
        });
        if (noted === undefined) continue;
        const version = noted.case!.version;
        return made?.version === version ? made.answer : (await make({ caseId, form, version }, call)).answer;
      }
      throw new Refusal("UNAVAILABLE", "the case changes while it is printed: try again");
    },
  } satisfies Partial<Handlers<CaseServiceDefinition>>;
}

interface ToMake {
  caseId: string;
  form: ReturnType<typeof formFromWire>;
  /** What will be its last event; absent where the case was exported before, up to `version`. */
  event?: Omit<CaseEvent, "sequence">;
  version?: number;
}

function exportMaking({ cases, contents }: CaseDeps) {
  return async ({ caseId, form, event, version }: ToMake, call: Call): Promise<Made> => {
    const ofTenant = cases.forTenant(call.tenantId);
    const requested = await ofTenant.findCase(caseId);
    if (requested === undefined || isOwnCase(requested, call)) throw noCase();
    // What cannot be read whole is not exported.
    const [read] = await contents.ofCases([requested], whole, call);
    const content = { ...read!, subject: await contents.orAsIdentityHasIt(read!.subject, requested, call) };
    const timeline = await timelineUntil(ofTenant, caseId, version ?? requested.version);
    if (event !== undefined) timeline.push({ ...event, sequence: requested.version + 1 });
    const shown = { ...requested, version: version ?? requested.version + 1 };
    assertPrintable(casePages(shown, content, timeline));
    const exported = caseToWire(shown, timeline);
    if (form !== "PDF")
      return {
        version: shown.version,
        answer: { mediaType: "application/json", case: { ...exported, ...contentToWire(content, caseId) } },
      };
    const data = await casePdf(shown, content, timeline);
    return { version: shown.version, answer: { mediaType: "application/pdf", data, case: exported } };
  };
}

function assertPrintable(sections: readonly CaseSection[]): void {
  const sum = sections.reduce(
    (all, { lines }) => lines.reduce((some, [label, text]) => some + label.length + text.length, all),
    0,
  );
  if (sum > mostCharacters) throw tooLarge();
}

function tooLarge(): Refusal {
  return new Refusal(
    "EXPORT_TOO_LARGE",
    `the case has more than ${mostCharacters} letters: read it, and the pages of its timeline, instead`,
  );
}

async function timelineUntil(cases: TenantCases, caseId: string, version: number): Promise<CaseEvent[]> {
  const timeline: CaseEvent[] = [];
  let characters = 0;
  for (;;) {
    const page = await cases.listEvents(caseId, timeline.at(-1)?.sequence ?? 0, eventsAtOnce);
    characters += page.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > mostCharacters) throw tooLarge();
    timeline.push(...page.filter(({ sequence }) => sequence <= version));
    if (page.length < eventsAtOnce || timeline.at(-1)?.sequence === version) return timeline;
  }
}
