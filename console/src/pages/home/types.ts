import type { AnswerOf, api } from "../../lib/api";

export type Queue = AnswerOf<typeof api.workQueues.list>["queues"][number];
type Report = Exclude<AnswerOf<typeof api.reports.analytics>, string>;
export type Row = Report["rows"][number];
