import type { AnswerOf, api, RowOf } from "../../lib/api";

export type Application = AnswerOf<typeof api.loans.readApplication>;
export type Loan = AnswerOf<typeof api.loans.read>;
export type Instalment = Loan["schedule"][number];
export type Product = RowOf<typeof api.loans.listProducts>;
export type Repayment = RowOf<typeof api.loanServicing.listPendingRepayments>;
