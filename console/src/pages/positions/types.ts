import type { AnswerOf, api } from "../../lib/api";

export type Positions = AnswerOf<typeof api.books.readPositions>;
