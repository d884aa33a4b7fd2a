import type { AnswerOf, api } from "../../lib/api";

export type ScreeningList = AnswerOf<typeof api.compliance.readScreeningList>;
