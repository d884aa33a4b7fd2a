import { z } from "zod";
import type { PersonalDetails, PostalAddress as WireAddress } from "../../proto/gen/common/v1/personal_details.js";
import { countryIn, maybe, text } from "../schema.js";
import { absentIfEmpty } from "../wire.js";

const documentType = z.enum(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"]);

export const gender = z.enum(["FEMALE", "MALE"]);

export const dayIn = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a calendar day such as 1990-04-30")
  .meta({ format: "date" });
export const day = z.string().meta({ format: "date" });

export const AddressIn = z
  .object({
    lines: z.array(text(200)).min(1).max(4),
    city: text(200),
    region: maybe(text(200, 0)),
    postalCode: maybe(text(12, 0)),
    country: countryIn,
  })
  .meta({ id: "PostalAddressGiven" });

const DocumentIn = z
  .object({
    type: documentType,
    number: text(40),
    country: countryIn,
    expiresAt: maybe(dayIn),
    gender: maybe(gender).meta({
      description: "As the document says; left out where it does not, or says another thing.",
    }),
  })
  .meta({ id: "IdentityDocumentGiven" });

/** What a request says of a customer beside name and contacts. */
export const detailsIn = {
  dateOfBirth: maybe(dayIn),
  placeOfBirth: maybe(text(200)),
  nationality: maybe(countryIn),
  address: maybe(AddressIn),
  identityDocuments: maybe(z.array(DocumentIn).min(1).max(5)),
};

export const PostalAddress = z
  .object({
    lines: z.array(z.string()),
    city: z.string(),
    region: z.string().optional(),
    postalCode: z.string().optional(),
    country: z.string(),
  })
  .meta({ id: "PostalAddress" });

const IdentityDocument = z
  .object({
    type: documentType,
    number: z.string().meta({ description: "Masked but for its end for CASHIERs and in lists." }),
    country: z.string(),
    expiresAt: day.optional(),
    gender: gender.optional().meta({ description: "As the document says." }),
  })
  .meta({ id: "IdentityDocument" });

/** The same in answers; what is not known is absent. */
export const detailsOut = {
  dateOfBirth: day.optional(),
  placeOfBirth: z.string().optional().meta({ description: "Not shown to a CASHIER." }),
  nationality: z.string().optional(),
  address: PostalAddress.optional().meta({ description: "Not shown to a CASHIER." }),
  identityDocuments: z.array(IdentityDocument).optional(),
};

type Given = z.output<z.ZodObject<typeof detailsIn>>;
type Shown = z.output<z.ZodObject<typeof detailsOut>>;

/** Undefined where nothing of it was given. */
export function detailsToWire(given: Given): PersonalDetails | undefined {
  const { dateOfBirth, placeOfBirth, nationality, address, identityDocuments } = given;
  const parts = [dateOfBirth, placeOfBirth, nationality, address, identityDocuments];
  if (parts.every((part) => part === undefined)) return undefined;
  return {
    dateOfBirth: dateOfBirth ?? "",
    placeOfBirth: placeOfBirth ?? "",
    nationality: nationality ?? "",
    address: address && addressToWire(address),
    identityDocuments: (identityDocuments ?? []).map((one) => ({
      ...one,
      expiresAt: one.expiresAt ?? "",
      gender: one.gender ?? "",
    })),
  };
}

export function detailsFromWire(details: PersonalDetails | undefined): Shown {
  if (details === undefined) return {};
  const { dateOfBirth, placeOfBirth, nationality, address, identityDocuments } = details;
  return {
    dateOfBirth: absentIfEmpty(dateOfBirth),
    placeOfBirth: absentIfEmpty(placeOfBirth),
    nationality: absentIfEmpty(nationality),
    ...(address && { address: addressFromWire(address) }),
    ...(identityDocuments.length > 0 && {
      identityDocuments: identityDocuments.map((one) => ({
        ...one,
        type: one.type as z.output<typeof documentType>,
        expiresAt: absentIfEmpty(one.expiresAt),
        gender: absentIfEmpty(one.gender) as z.output<typeof gender> | undefined,
      })),
    }),
  };
}

export function addressToWire(address: z.output<typeof AddressIn>): WireAddress {
  return { ...address, region: address.region ?? "", postalCode: address.postalCode ?? "" };
}

export function addressFromWire(address: WireAddress): z.output<typeof PostalAddress> {
  return { ...address, region: absentIfEmpty(address.region), postalCode: absentIfEmpty(address.postalCode) };
}
