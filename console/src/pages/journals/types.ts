import type { AnswerOf, api } from "../../lib/api";

export type Journal = AnswerOf<typeof api.books.readJournal>;
