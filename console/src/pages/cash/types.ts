import type { AnswerOf, api, RowOf } from "../../lib/api";

export type Created = AnswerOf<typeof api.transactions.create>;
export type Sender = AnswerOf<typeof api.people.findCustomer>;
export type Till = RowOf<typeof api.cash.listTills>;
