import type { AnswerOf, api } from "../../lib/api";

export type Preference = AnswerOf<typeof api.organisation.fetchPreference>;
export type PreferenceChange = Omit<Parameters<typeof api.organisation.changePreference>[0], "reason">;
