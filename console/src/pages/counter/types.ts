import type { AnswerOf, api, RowOf } from "../../lib/api";

export type Sender = AnswerOf<typeof api.people.findCustomers>["customers"][number];
export type Sought = Parameters<typeof api.people.findCustomers>[0];
export type Recipient = RowOf<typeof api.beneficiaries.listRecipientsAtDesk>;
export type NewRecipient = Parameters<typeof api.beneficiaries.saveRecipientAtDesk>[1];
export type Corridor = RowOf<typeof api.corridors.list>;
export type Quote = AnswerOf<typeof api.quotes.read>;
export type QuoteRequest = Parameters<typeof api.quotes.create>[0];
export type Order = Parameters<typeof api.transactions.create>[0];
export type Transaction = AnswerOf<typeof api.transactions.read>;
/** Of a till, or of an agent's account. */
export type Sale = Omit<AnswerOf<typeof api.cash.sellTransaction>, "tillId">;
export type Payable = RowOf<typeof api.cash.listCounterPayables>;
export type Disclosure = Exclude<AnswerOf<typeof api.disclosures.readTransaction>, Uint8Array>;
