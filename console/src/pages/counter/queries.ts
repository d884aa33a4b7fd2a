import { decimal, type CallOptions } from "@manilla/client";
import { api } from "../../lib/api";
import { queryClient, read } from "../../lib/queries";
import { keptSale, type KeptSale } from "./kept-sales";
import type { Disclosure, Recipient, Sale, Sender } from "./types";

// Each search and each look at recipients is kept with who and when: none is repeated by itself.
const once = { staleTime: "static" as const };

/** The customer of a code that stands in the page's address. */
export function senderQuery(customerCode: string) {
  return {
    ...read("customers", "findCustomers", { customerCode }, async (options) => {
      const { customers } = await api.people.findCustomers({ customerCode }, options);
      return customers[0] ?? null;
    }),
    ...once,
  };
}

/** Whoever was found just now is not looked for again. */
export const keepSender = (sender: Sender): void =>
  void queryClient.setQueryData(senderQuery(sender.customerCode).queryKey, sender);

export function recipientsQuery(customerCode: string) {
  return {
    ...read("customers", "listRecipientsAtDesk", { customerCode }, (options) =>
      api.beneficiaries.listRecipientsAtDesk(customerCode, options),
    ),
    ...once,
  };
}

export const addRecipient = (customerCode: string, recipient: Recipient): void =>
  void queryClient.setQueryData(recipientsQuery(customerCode).queryKey, (before: readonly Recipient[] = []) => [
    recipient,
    ...before,
  ]);

/** What compliance still asks of a customer before it confirms them, whatever they send. */
export function checklistQuery({ customerId, country, status }: Sender, currency: string) {
  const body = { customerId, amount: decimal("1"), currency, originCountry: country, receivingCountry: country };
  return read("customers", "preTransactionChecklist", { ...body, status }, (options) =>
    api.compliance.preTransactionChecklist(
      body as Parameters<typeof api.compliance.preTransactionChecklist>[0],
      options,
    ),
  );
}

export function corridorsQuery() {
  return {
    ...read("corridors", "listCorridors", {}, (options) => api.corridors.list(options)),
    staleTime: 60_000,
  };
}

export function quoteQuery(quoteId: string) {
  return { ...read("transactions", "readQuote", { quoteId }, (options) => api.quotes.read(quoteId, options)), ...once };
}

export function transactionQuery(transactionId: string) {
  return read("transactions", "readTransaction", { transactionId }, (options) =>
    api.transactions.read(transactionId, options),
  );
}

/** A sale's answer, by its key once more after a reload: nothing is sold twice. */
export function saleQuery(transactionId: string) {
  const kept = keptSale(transactionId) ?? { received: "0", key: "" };
  return {
    ...read("wallets", "sellTransaction", { transactionId, key: kept.key }, (options) =>
      sendSale(transactionId, kept, options),
    ),
    ...once,
    enabled: kept.key !== "",
  };
}

/** Into a till, or out of the account of an agent whose notes they are. */
export function sendSale(transactionId: string, { tillId, received, key }: KeptSale, options: CallOptions) {
  const [body, keyed] = [
    { transactionId, received: decimal(received) },
    { ...options, idempotencyKey: key },
  ];
  return tillId === undefined ? api.agents.sellFromAccount(body, keyed) : api.cash.sellTransaction(tillId, body, keyed);
}

export const keepAnswer = (transactionId: string, sale: Sale): void =>
  void queryClient.setQueryData(saleQuery(transactionId).queryKey, sale);

export function receiptQuery(transactionId: string, language: string) {
  return read("transactions", "readReceipt", { transactionId, language }, async (options) => {
    const receipt = await api.transactions.readReceipt(transactionId, language ? { language } : {}, options);
    return (receipt as Exclude<typeof receipt, Uint8Array>).disclosure;
  });
}

export function disclosureQuery(transactionId: string, language: string) {
  return read("transactions", "readTransactionDisclosure", { transactionId, language }, async (options) => {
    return (await api.disclosures.readTransaction(transactionId, language ? { language } : {}, options)) as Disclosure;
  });
}
