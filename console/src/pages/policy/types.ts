import type { AnswerOf, api } from "../../lib/api";

export type Draft = AnswerOf<typeof api.compliance.readPolicyDraft>;
export type Published = AnswerOf<typeof api.compliance.readPolicyVersion>;
export type Profile = Draft["transparencyProfiles"][number];
/** Without a risk model the platform's own counts. */
export type Content = Pick<Draft, "knowYourCustomerRules" | "transactionRules" | "dailyLimits"> &
  Partial<Pick<Draft, "riskModel" | "counter">> & { transparencyProfiles: readonly GivenProfile[] };
/** As it is written: the rows that come with a named profile are not. */
export type GivenProfile = Omit<Profile, "standardRows">;
export type SaveBody = Parameters<typeof api.compliance.savePolicyDraft>[0];
export type ScreeningPolicy = AnswerOf<typeof api.compliance.readScreeningPolicy>;
export type ScreeningDraft = AnswerOf<typeof api.compliance.readScreeningPolicyDraft>;
export type ScreeningContent = Pick<
  ScreeningPolicy,
  | "lists"
  | "threshold"
  | "otherYearOfBirth"
  | "yearTolerance"
  | "staleAfterHours"
  | "rescreenAfterDays"
  | "blocksSender"
>;
