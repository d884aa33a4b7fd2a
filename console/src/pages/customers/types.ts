import type { AnswerOf, api } from "../../lib/api";

export type Customer = AnswerOf<typeof api.people.readCustomer>;
export type Wallet = AnswerOf<typeof api.payments.readWalletAccount>;
