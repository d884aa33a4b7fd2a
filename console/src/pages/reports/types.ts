import type { AnswerOf, api } from "../../lib/api";

export type Report = Exclude<AnswerOf<typeof api.reports.analytics>, string>;
