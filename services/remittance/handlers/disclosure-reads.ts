import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { neutral } from "../domain/block-view.js";
import { payableForMs } from "../domain/payment-window.js";
import { isFor } from "../domain/quote.js";
import { disclosureToWire } from "../wire/disclosures.js";
import { transactionToWire } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";
import { createDisclosures, subjectOf, subjectOfQuote } from "./disclosures.js";
import { findByIdOrCode } from "./find-transaction.js";

/** What senders are told before they pay, and on their receipts. */
export function disclosureHandlers(deps: RemittanceDeps) {
  const { store, people, creation } = deps;
  const disclosures = createDisclosures(deps);
  const waitsMs = creation.payableForMs ?? payableForMs;

  return {
    async getQuoteDisclosure({ quoteId: id, language, asPdf }, call) {
      const quoteId = idFromWire(id, "quoteId");
      const { userId, customerId = "" } = requireUser(call);
      const quote = await store.forTenant(call.tenantId).findQuote(quoteId);
      if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND", "no such quote");
      if (quote.createdBy !== userId && !isFor(quote, { customerId, userId }))
        throw new Refusal("FORBIDDEN", "the quote is somebody else's");
      const made = await disclosures.make(
        subjectOfQuote(quote, waitsMs),
        { kind: "PREPAYMENT", language, asPdf },
        call,
      );
      return { disclosure: disclosureToWire(made), pdf: made.pdf };
    },

    async getTransactionDisclosure({ transactionId, language, asPdf }, call) {
      const found = await findByIdOrCode(store.forTenant(call.tenantId), idFromWire(transactionId, "transactionId"));
      await people.assertMaySee(found, call);
      // It is for the sender, whoever reads it.
      const transaction = neutral(found);
      const asked = { kind: "PREPAYMENT", language, asPdf } as const;
      const made = await disclosures.make(subjectOf(transaction, waitsMs), asked, call);
      return { disclosure: disclosureToWire(made), pdf: made.pdf, transactionCode: transaction.transactionCode };
    },

    async getReceipt({ transactionId, language, asPdf }, call) {
      const found = await findByIdOrCode(store.forTenant(call.tenantId), idFromWire(transactionId, "transactionId"));
      await people.assertMaySee(found, call);
      // It is printed for the sender, whoever prints it.
      const transaction = neutral(found);
      const { paidAt } = transaction;
      if (paidAt === undefined) throw new Refusal("STATE_CONFLICT", "the transaction was not paid for");
      const made = await disclosures.make(subjectOf(transaction, waitsMs), { kind: "RECEIPT", language, asPdf }, call);
      const { organisation, pdf } = made;
      const disclosure = disclosureToWire(made);
      return { transaction: transactionToWire(transaction, true), paidAt, organisation, disclosure, pdf };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
