import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { enumOf, shape, textOf } from "../codec.js";
import { countryIn, currencyCode, dateIn, instant, maybe, text, shown } from "../schema.js";
import { payeeCheckId, PayeeVerdict } from "./payee-checks.js";
import { RecipientAddressIn, day, PostalAddress } from "./people.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const kind = z.enum(["PERSON", "COMPANY"]);

/** Where what is said of a recipient beside name and account lies in messages. */
export const detailsFields = {
  kind: "details.kind",
  dateOfBirth: "details.dateOfBirth",
  nationality: "details.nationality",
  address: "details.address",
  lei: "details.lei",
  phoneNumber: "details.phoneNumber",
} as const;

export const Beneficiary = shape(
  wire.Beneficiary,
  z
    .object({
      name: leaf.recipientName,
      country: z.string(),
      accountNumber: leaf.recipientAccountNumber,
      id: shown(z.string(), "0199d0c2-0000-7000-8000-003241badec5"),
      customerId: leaf.customerId.meta({ description: "Whose recipient it is." }),
      code: leaf.recipientCode.meta({ description: "Used as preExistingRecipientCustomerCode." }),
      firstName: shown(z.string(), "Chidi").optional(),
      lastName: shown(z.string(), "Okafor").optional(),
      bankName: leaf.bankName.optional(),
      bankCode: leaf.bankCode.optional(),
      swiftBic: shown(z.string(), "BUKBGB22").optional(),
      mobileOperator: leaf.mobileOperator.optional(),
      mobileNumber: shown(z.string(), "+254712345678").optional(),
      currency: leaf.receivingCurrency,
      deliveryMethods: z.array(shown(textOf(wire.DeliveryMethod), "ACCOUNTPAYMENT")),
      creditParty: z.array(z.object({ key: shown(z.string(), "bankaccountno"), value: leaf.recipientAccountNumber })),
      relationship: shown(z.string(), "BROTHER").optional(),
      kind: kind.optional(),
      dateOfBirth: shown(day, "1990-05-17").optional(),
      nationality: leaf.country.optional(),
      address: PostalAddress.optional(),
      lei: shown(z.string(), "5493001KJTIIGC8Y1R12").optional(),
      phoneNumber: shown(z.string(), "+2348031234567").optional(),
      payeeCheck: PayeeVerdict.optional().meta({ description: "Absent where the account was never looked at." }),
      createdAt: instant,
    })
    .meta({ id: "Beneficiary" }),
  { id: "beneficiaryId", ...detailsFields },
);

const content = {
  firstName: maybe(text(70, 0)),
  lastName: maybe(text(70, 0)).meta({
    description: "A first or a last name is required; together they have at most 70 characters.",
  }),
  country: countryIn,
  currency: currencyCode,
  deliveryMethods: z.array(enumOf(wire.DeliveryMethod)).min(1).max(4),
  creditParty: z
    .array(z.object({ key: text(64), value: text(256, 0) }))
    .max(50)
    .meta({ description: "Account details as in create-transaction, checked by the rules of the country." }),
  relationship: maybe(text(100, 0)),
  payeeCheckId,
  kind: maybe(kind).meta({ description: "The name of a COMPANY stands in lastName." }),
  dateOfBirth: maybe(dateIn).meta({ description: "Of a PERSON." }),
  nationality: maybe(countryIn).meta({ description: "Of a COMPANY where it is registered." }),
  address: maybe(RecipientAddressIn),
  lei: maybe(text(20)).meta({ description: "Legal entity identifier (ISO 17442), of a COMPANY that has one." }),
  phoneNumber: maybe(text(30)).meta({ description: "With the code of its country." }),
};

export const NewBeneficiary = z
  .object({
    ...content,
    code: maybe(text(40)).meta({ description: "Made when absent; unique in the organisation." }),
    customerId: maybe(text(128)).meta({ description: "Whose recipient it is; a manager names them." }),
  })
  .meta({ id: "NewBeneficiary" });

export const BeneficiaryChange = z.object(content).meta({
  id: "BeneficiaryChange",
  description:
    "All of it is replaced; personal data may be repeated as it was shown. Where none of kind, dateOfBirth, nationality, address, " +
    "lei and phoneNumber is given, these stay as they are; one that is given replaces them all.",
});
