import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/identity.js";
import { shape } from "../codec.js";
import { maybe, shown, text } from "../schema.js";
import { day, documentType, IdentityDocument } from "./people.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const SoughtDocument = shape(
  wire.SoughtDocument,
  z
    .object({
      type: maybe(documentType),
      number: text(64).meta({ description: "Case, spaces and what stands between do not count." }),
    })
    .meta({ id: "DocumentSought" }),
);

/** What somebody is known by at the desk, and no more. */
export const FoundCustomer = shape(
  wire.FoundCustomer,
  z
    .object({
      customerId: leaf.customerId,
      customerCode: leaf.customerCode,
      firstName: shown(z.string(), "Amina"),
      lastName: shown(z.string(), "Bello"),
      dateOfBirth: shown(day, "1990-05-17").optional(),
      country: z.string(),
      status: z.enum(["PENDING", "CONFIRMED", "BLOCKED"]).meta({ description: "As compliance last said." }),
      email: shown(z.string(), "a***@demo.example").optional().meta({ description: "Masked but for a MANAGER." }),
      phoneNumber: shown(z.string(), "+234*******678").optional().meta({ description: "Masked but for a MANAGER." }),
      identityDocuments: z
        .array(IdentityDocument)
        .optional()
        .meta({ description: "Numbers masked but for their end." }),
      foundBy: z.array(
        z.enum(["CUSTOMER_CODE", "DOCUMENT", "PHONE_NUMBER", "NAME", "NAME_ALIKE", "DATE_OF_BIRTH", "COUNTRY"]),
      ),
    })
    .meta({ id: "FoundCustomer" }),
  {
    customerId: "customer.customerId",
    customerCode: "customer.customerCode",
    firstName: "customer.firstName",
    lastName: "customer.lastName",
    dateOfBirth: "customer.details.dateOfBirth",
    country: "customer.country",
    status: "customer.status",
    email: "customer.email",
    phoneNumber: "customer.phoneNumber",
    identityDocuments: "customer.details.identityDocuments",
  },
);
