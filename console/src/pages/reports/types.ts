import type { AnswerOf, api } from "../../lib/api";

export type Report = Exclude<AnswerOf<typeof api.reports.analytics>, string>;
export type Figures = Exclude<AnswerOf<typeof api.reports.read>, string>;
export type FigureRow = Figures["rows"][number];
