import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/identity.js";
import { PendingContact as WirePendingContact } from "../../proto/gen/identity/v1/accounts.js";
import { shape, readerOf, absentIfEmpty, enumName, filled } from "../codec.js";
import { instant, shown, countryIn, dateIn, maybe, text } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import {
  PersonDocument,
  PlaceOfBirth as WirePlace,
  PostalAddress as WireAddress,
} from "../../proto/gen/common/v1/personal_details.js";

export const documentType = z.enum(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"]);

export const gender = z.enum(["FEMALE", "MALE"]);

export const day = z.string().meta({ format: "date" });

const addressIn = (fewestLines: 0 | 1, id: string) =>
  shape(
    WireAddress,
    z
      .object({
        lines: z
          .array(text(70))
          .min(fewestLines)
          .max(2)
          .meta({ description: "Street and house; nothing is cut on its way to a bank." }),
        city: text(35),
        region: maybe(text(35, 0)),
        postalCode: maybe(text(12, 0)),
        country: countryIn,
      })
      .meta({ id }),
  );

const AddressIn = addressIn(1, "PostalAddressGiven");
/** Of a recipient town and country may be all that is known. */
export const RecipientAddressIn = addressIn(0, "RecipientAddressGiven");

const PlaceOfBirthIn = shape(
  WirePlace,
  z.object({ city: text(35), country: countryIn }).meta({ id: "PlaceOfBirthGiven" }),
);

export const DocumentIn = shape(
  PersonDocument,
  z
    .object({
      type: documentType,
      number: text(35),
      country: countryIn,
      expiresAt: maybe(dateIn),
      gender: maybe(gender).meta({
        description: "As the document says; left out where it does not, or says another thing.",
      }),
    })
    .meta({ id: "IdentityDocumentGiven" }),
);

/** What a request says of a customer beside name and contacts. */
export const detailsIn = {
  dateOfBirth: maybe(dateIn),
  placeOfBirth: maybe(PlaceOfBirthIn),
  nationality: maybe(countryIn),
  address: maybe(AddressIn),
  identityDocuments: maybe(z.array(DocumentIn).min(1).max(5)),
};

export const PostalAddress = shape(
  WireAddress,
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

const PlaceOfBirth = shape(
  WirePlace,
  z.object({ city: leaf.city, country: leaf.country }).meta({ id: "PlaceOfBirth" }),
);

export const IdentityDocument = shape(
  PersonDocument,
  z
    .object({
      type: documentType,
      number: shown(z.string(), "A01234567").meta({ description: "Masked but for its end for CASHIERs and in lists." }),
      country: z.string(),
      expiresAt: shown(day, "2031-03-04").optional(),
      gender: gender.optional().meta({ description: "As the document says." }),
      seenBy: leaf.userId.optional().meta({ description: "The person of staff who saw it at the counter." }),
      seenAt: instant.optional(),
    })
    .meta({ id: "IdentityDocument" }),
);

/** The same in answers; what is not known is absent. */
export const detailsOut = {
  dateOfBirth: shown(day, "1990-05-17").optional(),
  placeOfBirth: PlaceOfBirth.optional().meta({ description: "Not shown to a CASHIER." }),
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

export const roleName = z.enum(["MANAGER", "AGENT", "CASHIER", "CUSTOMER"]);

export const Customer = shape(
  wire.Customer,
  z
    .object({
      customerId: leaf.customerId,
      customerCode: leaf.customerCode,
      userId: leaf.userId,
      firstName: shown(z.string(), "Amina"),
      lastName: shown(z.string(), "Bello"),
      email: leaf.email.optional().meta({ description: "Absent of a customer who has none that counts." }),
      phoneNumber: leaf.phoneNumber.optional(),
      country: z.string(),
      registeredAtCounter: leaf.no,
      agentId: z.string().optional().meta({ description: "The AGENT who manages them." }),
      status: z.enum(["PENDING", "CONFIRMED", "BLOCKED"]).meta({ description: "As compliance last said." }),
      createdAt: instant,
      ...detailsOut,
    })
    .meta({ id: "Customer" }),
  detailsFields,
);

export const UserAccount = shape(
  wire.User,
  z
    .object({
      userId: leaf.userId,
      email: leaf.email.optional().meta({ description: "Absent of a customer who has none that counts." }),
      role: roleName,
      name: leaf.name,
      disabled: leaf.no,
      createdAt: instant,
    })
    .meta({ id: "UserAccount" }),
);

const PendingContact = shape(
  WirePendingContact,
  z
    .object({ type: z.enum(["EMAIL", "PHONE_NUMBER"]), sentTo: leaf.sentTo, expiresAt: instant })
    .meta({ id: "PendingContact" }),
);

export const messageChannels = ["EMAIL", "SMS", "BOTH", "NONE"] as const;

const MessagePreference = shape(
  wire.MessagePreference,
  z
    .object({
      channel: z.enum(messageChannels).meta({
        description: "How a customer is told what becomes of their money. Security messages come whatever it says.",
      }),
      language: shown(z.string(), "ISO").optional().meta({ description: "ISO 639; the organisation's where absent." }),
    })
    .meta({ id: "MessagePreference" }),
);

export const Profile = shape(
  wire.Profile,
  z
    .object({
      user: UserAccount,
      customer: Customer.optional(),
      messagePreference: MessagePreference.optional().meta({ description: "Of a customer." }),
      pendingContacts: z
        .array(PendingContact)
        .meta({ description: "They count once confirm-contact-change was given the code that went there." }),
    })
    .meta({ id: "Profile" }),
  { pendingContacts: "pending" },
);

export const LoginSession = z
  .object({
    access_token: shown(
      z.string(),
      "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTk5ZDBjMi0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDUiLCJyb2xlIjoiQ1VTVE9NRVIifQ.c2lnbmF0dXJl",
    ),
    expires_in: z
      .number()
      .int()
      .meta({ description: "Seconds.", examples: [3600] }),
    refresh_token: shown(z.string(), "AVWZGYOo-Djiu2dJUovocaAu8rKxAAAAAYIYA8eLRIreQc8c00wUbPskuQPaeJX2"),
    user: z.object({
      id: leaf.userId,
      email: leaf.email,
      role: shown(roleName, "CUSTOMER"),
      tenant_id: shown(z.string(), "demo"),
      customer_id: leaf.customerId.optional().meta({ description: "Present for CUSTOMER." }),
      permissions: z.array(shown(z.string(), "profile:read")),
    }),
  })
  .meta({ id: "LoginSession" });

/** Its tokens alone. */
export const RefreshedSession = shape(
  wire.Session,
  LoginSession.pick({ access_token: true, expires_in: true, refresh_token: true }).meta({ id: "RefreshedSession" }),
  { access_token: "accessToken", expires_in: "expiresInS", refresh_token: "refreshToken" },
);

export const tokensOf = readerOf(RefreshedSession);

/** One of those that somebody has. */
export const OpenSession = shape(
  wire.OpenSession,
  z
    .object({
      sessionId: z.string(),
      createdAt: instant,
      lastUsedAt: instant,
      expiresAt: instant,
      ipAddress: shown(z.string(), "203.0.113.7").optional(),
      current: z.boolean(),
    })
    .meta({ id: "OpenSession" }),
);

/** Throws where the answer has no user. */
export function sessionFromWire(session: wire.Session, tenantId: string): z.output<typeof LoginSession> {
  const { userId: id, email, role, customerId } = filled(session.user, "session.user");
  return {
    ...tokensOf(session),
    user: {
      id,
      email,
      role: enumName(role, "ROLE_") as z.output<typeof roleName>,
      tenant_id: tenantId,
      customer_id: absentIfEmpty(customerId),
      permissions: session.permissions,
    },
  };
}
