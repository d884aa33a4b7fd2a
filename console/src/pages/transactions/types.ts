import type { AnswerOf, api } from "../../lib/api";

export type Transaction = AnswerOf<typeof api.transactions.read>;
