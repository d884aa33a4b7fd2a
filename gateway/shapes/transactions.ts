import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { deliveryMethod, processingMode } from "../../services/platform/events/shapes/transaction-shape.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { forms } from "../../services/platform/events/shapes/leaf-codecs.js";
import { shape } from "../codec.js";
import { freeJsonIn, freeObjectIn } from "../free-json.js";
import { cursorQuery, maybeReasonIn } from "../operations/cursor-pages.js";
import { countryIn, currencyCode, instantIn, maybe, moneyTextOrNumberIn, text } from "../schema.js";

/** What a transfer costs is asked from one side. Refuses INVALID_INPUT without an amount. */
export function assertAmount({ amount, sendAmount }: { amount?: string | undefined; sendAmount?: string | undefined }) {
  if (amount === undefined && sendAmount === undefined) throw invalidInput("amount", "or sendAmount is required");
}

const TransferInformationIn = shape(
  wire.InternationalTransferInformation,
  z.object({
    originCountry: countryIn,
    receivingCountry: countryIn,
    remittancePurpose: maybe(text(256, 0)),
    sourceOfFunds: maybe(text(256, 0)),
  }),
);

export const CreateTransactionRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({ description: "Receiving amount." }),
    sendAmount: maybe(moneyTextOrNumberIn).meta({ description: "Sending amount; governs when both are given." }),
    inclussive: maybe(z.boolean()).meta({ description: "True when fees are inside the sending amount." }),
    receivingCurrency: maybe(currencyCode),
    sendCurrency: maybe(currencyCode),
    type: deliveryMethod,
    preExistingSenderCustomerCode: text(128),
    preExistingRecipientCustomerCode: text(128),
    creditParty: z.array(z.object({ key: text(64), value: text(256, 0) })).max(50),
    internationalTransferInformation: TransferInformationIn,
    transactionProcessingMode: maybe(processingMode),
    descriptionText: maybe(text(1000, 0)),
    transactionModule: maybe(z.enum(["REMITTANCE"])),
    dynamicFields: maybe(freeObjectIn).meta({
      description: "Of the tenant's own, kept with the transaction. quoteId: the quote whose price it takes.",
    }),
    eligibleDocumentList: maybe(z.array(freeJsonIn).max(100)),
  })
  .meta({
    id: "CreateTransactionRequest",
    description: "amount or sendAmount is required; sendAmount governs when both are given.",
    anyOf: [{ required: ["amount"] }, { required: ["sendAmount"] }],
  });

/** Where what is asked lies in the message, if not by the same name. */
export const createTransactionFields = {
  inclussive: "inclusive",
  preExistingSenderCustomerCode: "senderCustomerCode",
  preExistingRecipientCustomerCode: "recipientCustomerCode",
  transactionProcessingMode: "processingMode",
  eligibleDocumentList: "eligibleDocuments",
  // There is one module.
  transactionModule: () => undefined,
} as const;

export const CancelTransactionRequest = z
  .object({ reason: maybeReasonIn.meta({ description: "Kept on the timeline." }) })
  .meta({ id: "CancelTransactionRequest" });

const commaSeparatedIn = text(200);
forms.add(commaSeparatedIn, {
  codec: {
    toWire: (list: string) => list.split(",").map((one) => one.trim()),
    fromWire: (items: string[]) => items.join(","),
  },
});

export const TransactionQuery = cursorQuery.extend({
  status: commaSeparatedIn.optional().meta({ description: "One or more, separated by commas." }),
  type: deliveryMethod.optional(),
  from: instantIn.optional().meta({ description: "Created from, inclusive." }),
  to: instantIn.optional().meta({ description: "Created to, exclusive." }),
  sendCurrency: currencyCode.optional(),
  receivingCountry: countryIn.optional(),
  senderCustomerCode: text(128).optional(),
  recipientCustomerCode: text(128).optional(),
  search: text(200).optional().meta({ description: "Whole words of names and codes; all of them must be there." }),
  unclear: z.enum(["true"]).optional().meta({
    description: "Only payouts whose partner's word ends nothing, so that a person says how they ended; for managers.",
  }),
  held: z.enum(["true"]).optional().meta({
    description:
      "Only payouts that are held because a party is compared with a list; for managers, and their tokens with compliance:read.",
  }),
});
