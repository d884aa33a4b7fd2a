import type { AnswerOf, api } from "../../lib/api";

export type Holding = AnswerOf<typeof api.investments.read>;
export type Product = AnswerOf<typeof api.investments.readProduct>;
