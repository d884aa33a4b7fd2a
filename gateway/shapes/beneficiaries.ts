import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { enumOf, shape, textOf } from "../codec.js";
import { countryIn, currencyCode, instant, maybe, text } from "../schema.js";
import { AddressIn, day, dayIn, PostalAddress } from "./personal-details.js";

const kind = z.enum(["PERSON", "COMPANY"]);

/** Where what is said of a recipient beside name and account lies in messages. */
export const detailsFields = {
  kind: "details.kind",
  dateOfBirth: "details.dateOfBirth",
  nationality: "details.nationality",
  address: "details.address",
} as const;

export const Beneficiary = shape(
  wire.Beneficiary,
  z
    .object({
      name: z.string(),
      country: z.string(),
      accountNumber: z.string(),
      id: z.string(),
      customerId: z.string().meta({ description: "Whose recipient it is." }),
      code: z.string().meta({ description: "Used as preExistingRecipientCustomerCode." }),
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      bankName: z.string().optional(),
      bankCode: z.string().optional(),
      swiftBic: z.string().optional(),
      mobileOperator: z.string().optional(),
      mobileNumber: z.string().optional(),
      currency: z.string(),
      deliveryMethods: z.array(textOf(wire.DeliveryMethod)),
      creditParty: z.array(z.object({ key: z.string(), value: z.string() })),
      relationship: z.string().optional(),
      kind: kind.optional(),
      dateOfBirth: day.optional(),
      nationality: z.string().optional(),
      address: PostalAddress.optional(),
      createdAt: instant,
    })
    .meta({ id: "Beneficiary" }),
  { id: "beneficiaryId", ...detailsFields },
);

const content = {
  firstName: maybe(text(100, 0)),
  lastName: maybe(text(100, 0)).meta({ description: "A first or a last name is required." }),
  country: countryIn,
  currency: currencyCode,
  deliveryMethods: z.array(enumOf(wire.DeliveryMethod)).min(1).max(4),
  creditParty: z
    .array(z.object({ key: text(64), value: text(256, 0) }))
    .max(50)
    .meta({ description: "Account details as in create-transaction, checked by the rules of the country." }),
  relationship: maybe(text(100, 0)),
  kind: maybe(kind).meta({ description: "The name of a COMPANY stands in lastName." }),
  dateOfBirth: maybe(dayIn).meta({ description: "Of a PERSON." }),
  nationality: maybe(countryIn).meta({ description: "Of a COMPANY where it is registered." }),
  address: maybe(AddressIn),
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
    "All of it is replaced; personal data may be repeated as it was shown. Where none of kind, dateOfBirth, nationality and " +
    "address is given, these four stay as they are; one that is given replaces them all.",
});
