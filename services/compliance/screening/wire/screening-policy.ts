import type {
  SaveScreeningPolicyDraftRequest,
  ScreeningPolicy as WirePolicy,
  ScreeningPolicyDraft as WireDraft,
} from "../../../../proto/gen/compliance/v1/screening.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { contentOf, type PolicyInput, type ScreeningPolicy, type ScreeningPolicyDraft } from "../domain/policy.js";

/**
 * A draft as asked for; checkScreeningPolicy looks at what is in it. Refuses
 * INVALID_INPUT where there is none.
 */
export function policyInputFromWire({ content }: Pick<SaveScreeningPolicyDraftRequest, "content">): PolicyInput {
  if (content === undefined) throw invalidInput("content", "is required");
  const { lists, threshold, otherYearOfBirth, yearTolerance, staleAfterHours, rescreenAfterDays, blocksSender } =
    content;
  return { lists, threshold, otherYearOfBirth, yearTolerance, staleAfterHours, rescreenAfterDays, blocksSender };
}

/** The platform's own policy was published by nobody, at no time. */
export function screeningPolicyToWire(policy: ScreeningPolicy): WirePartial<WirePolicy> {
  const { version, publishedAt, publishedBy, draftedBy } = policy;
  return {
    ...contentToWire(policy),
    version,
    publishedAt: version === 0 ? undefined : publishedAt,
    publishedBy,
    draftedBy,
  };
}

export function screeningDraftToWire(draft: ScreeningPolicyDraft): WirePartial<WireDraft> {
  const { revision, basedOn, savedAt, savedBy, authors } = draft;
  return { revision, basedOn, savedAt, savedBy, authors: [...authors], content: contentToWire(draft) };
}

/** What a draft begins from, where none is saved. */
export function unsavedScreeningDraftToWire(inForce: ScreeningPolicy): WirePartial<WireDraft> {
  return { revision: 0, basedOn: inForce.version, content: contentToWire(inForce) };
}

function contentToWire(policy: ScreeningPolicy | ScreeningPolicyDraft) {
  const content = contentOf(policy);
  return { ...content, lists: [...content.lists] };
}
