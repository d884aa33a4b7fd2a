import type { AnswerOf, api } from "../../lib/api";

export type Screening = AnswerOf<typeof api.compliance.readScreening>;
export type Hit = Screening["hits"][number];
