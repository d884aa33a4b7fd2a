import type { AnswerOf, api } from "../../lib/api";

export type Closing = AnswerOf<typeof api.books.readClosing>;
export type Blocker = AnswerOf<typeof api.books.readPeriod>["blockers"][number];
