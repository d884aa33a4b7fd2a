import { z } from "zod";
import * as wire from "../../proto/gen/common/v1/personal_details.js";
import { shape } from "../codec.js";
import { countryIn, maybe, text, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const documentType = z.enum(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"]);

export const gender = z.enum(["FEMALE", "MALE"]);

export const dayIn = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a calendar day such as 1990-04-30")
  .meta({ format: "date" });
export const day = z.string().meta({ format: "date" });

export const AddressIn = shape(
  wire.PostalAddress,
  z
    .object({
      lines: z.array(text(200)).min(1).max(4),
      city: text(200),
      region: maybe(text(200, 0)),
      postalCode: maybe(text(12, 0)),
      country: countryIn,
    })
    .meta({ id: "PostalAddressGiven" }),
);

const DocumentIn = shape(
  wire.PersonDocument,
  z
    .object({
      type: documentType,
      number: text(40),
      country: countryIn,
      expiresAt: maybe(dayIn),
      gender: maybe(gender).meta({
        description: "As the document says; left out where it does not, or says another thing.",
      }),
    })
    .meta({ id: "IdentityDocumentGiven" }),
);

/** What a request says of a customer beside name and contacts. */
export const detailsIn = {
  dateOfBirth: maybe(dayIn),
  placeOfBirth: maybe(text(200)),
  nationality: maybe(countryIn),
  address: maybe(AddressIn),
  identityDocuments: maybe(z.array(DocumentIn).min(1).max(5)),
};

export const PostalAddress = shape(
  wire.PostalAddress,
  z
    .object({
      lines: z.array(leaf.streetLine),
      city: leaf.city,
      region: leaf.city.optional(),
      postalCode: shown(z.string(), "101241").optional(),
      country: z.string(),
    })
    .meta({ id: "PostalAddress" }),
);

const IdentityDocument = shape(
  wire.PersonDocument,
  z
    .object({
      type: documentType,
      number: shown(z.string(), "A01234567").meta({ description: "Masked but for its end for CASHIERs and in lists." }),
      country: z.string(),
      expiresAt: shown(day, "2031-03-04").optional(),
      gender: gender.optional().meta({ description: "As the document says." }),
    })
    .meta({ id: "IdentityDocument" }),
);

/** The same in answers; what is not known is absent. */
export const detailsOut = {
  dateOfBirth: shown(day, "1990-05-17").optional(),
  placeOfBirth: leaf.city.optional().meta({ description: "Not shown to a CASHIER." }),
  nationality: leaf.country.optional(),
  address: PostalAddress.optional().meta({ description: "Not shown to a CASHIER." }),
  identityDocuments: z.array(IdentityDocument).optional(),
};

/** Where details lie in a message that has them as one. */
export const detailsFields = {
  dateOfBirth: "details.dateOfBirth",
  placeOfBirth: "details.placeOfBirth",
  nationality: "details.nationality",
  address: "details.address",
  identityDocuments: "details.identityDocuments",
} as const;
