import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/identity.js";
import { PendingContact as WirePendingContact } from "../../proto/gen/identity/v1/accounts.js";
import { shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import { detailsFields, detailsOut } from "./personal-details.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

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
      email: leaf.email,
      phoneNumber: leaf.phoneNumber.optional(),
      country: z.string(),
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
      email: leaf.email,
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
