import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import type { ScreeningPolicy } from "../domain/policy.js";
import type { ScreenedSubject } from "../domain/screened-subject.js";
import { tryScreeningPolicies } from "../engine/trial.js";
import { subjectToWire } from "../wire/screenings.js";
import type { ScreeningDeps } from "./screening-deps.js";
import { isOwnSubject } from "../../common/handlers/own-subject.js";
import { noDraft } from "../../common/handlers/drafts.js";

const defaultSubjects = 1_000;
const maxSubjects = 10_000;
// The edge waits ten seconds for an answer.
const maxTrialMs = 6_000;

/** What the draft would find of those who were compared last. */
export function screeningTrialHandlers({ screeningPolicies, subjects: allSubjects, engine }: ScreeningDeps) {
  return {
    async tryScreeningPolicyDraft({ subjects }, call) {
      const { tenantId, signal } = call;
      if (subjects < 0 || subjects > maxSubjects) throw invalidInput("subjects", `must be 1 to ${maxSubjects}`);
      const tenant = screeningPolicies.forTenant(tenantId);
      const [now, saved] = [await tenant.current(), await tenant.findDraft()];
      if (saved === undefined) throw noDraft("screening policy");
      const draft: ScreeningPolicy = {
        ...saved,
        version: now.version + 1,
        publishedAt: saved.savedAt,
        publishedBy: "",
        draftedBy: saved.savedBy,
      };
      const requested = subjects === 0 ? defaultSubjects : subjects;
      const newest = ofOthers(allSubjects.forTenant(tenantId).streamNewest(requested), call);
      const limits = { maxMs: maxTrialMs, signal };
      const { differences, ...counts } = await tryScreeningPolicies(engine, tenantId, { now, draft }, newest, limits);
      return {
        ...counts,
        differences: differences.map(({ subject, name, ...entries }) => ({
          subject: subjectToWire(subject, name),
          ...entries,
        })),
      };
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}

/** Without whoever asks: what is found of them is for others. */
async function* ofOthers(
  subjects: AsyncIterable<ScreenedSubject>,
  call: Pick<Call, "user">,
): AsyncGenerator<ScreenedSubject> {
  for await (const one of subjects) if (!isOwnSubject(one.subject, call)) yield one;
}
