import { z } from "zod";
import type { Customer as WireCustomer, Profile as WireProfile, User } from "../../proto/gen/identity/v1/identity.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { instant } from "../schema.js";
import { absentIfEmpty, enumName, filled, timeText } from "../wire.js";
import { detailsFromWire, detailsOut } from "./personal-details.js";

const roleName = z.enum(["MANAGER", "AGENT", "CASHIER", "CUSTOMER"]);

export const Customer = z
  .object({
    customerId: z.string(),
    customerCode: z.string(),
    userId: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string().optional(),
    country: z.string(),
    agentId: z.string().optional().meta({ description: "The AGENT who manages them." }),
    status: z.enum(["PENDING", "CONFIRMED", "BLOCKED"]).meta({ description: "As compliance last said." }),
    createdAt: instant,
    ...detailsOut,
  })
  .meta({ id: "Customer" });

export const UserAccount = z
  .object({
    userId: z.string(),
    email: z.string(),
    role: roleName,
    name: z.string(),
    disabled: z.boolean(),
    createdAt: instant,
  })
  .meta({ id: "UserAccount" });

const PendingContact = z
  .object({ type: z.enum(["EMAIL", "PHONE_NUMBER"]), sentTo: z.string(), expiresAt: instant })
  .meta({ id: "PendingContact" });

export const messageChannels = ["EMAIL", "SMS", "BOTH", "NONE"] as const;

const MessagePreference = z
  .object({
    channel: z.enum(messageChannels).meta({
      description: "How a customer is told what becomes of their money. Security messages come whatever it says.",
    }),
    language: z.string().optional().meta({ description: "ISO 639; the organisation's where absent." }),
  })
  .meta({ id: "MessagePreference" });

export const Profile = z
  .object({
    user: UserAccount,
    customer: Customer.optional(),
    messagePreference: MessagePreference.optional().meta({ description: "Of a customer." }),
    pendingContacts: z
      .array(PendingContact)
      .meta({ description: "They count once confirm-contact-change was given the code that went there." }),
  })
  .meta({ id: "Profile" });

export function customerFromWire(customer: WireCustomer): z.output<typeof Customer> {
  const { phoneNumber, agentId, createdAt, status, details, language: _told, ...rest } = customer;
  return {
    ...rest,
    ...detailsFromWire(details),
    status: status as z.output<typeof Customer>["status"],
    phoneNumber: absentIfEmpty(phoneNumber),
    agentId: absentIfEmpty(agentId),
    createdAt: timeText(createdAt, "customer.created_at"),
  };
}

export function userFromWire(user: User | undefined): z.output<typeof UserAccount> {
  const { userId, email, role, name, disabled, createdAt } = filled(user, "user");
  const named = enumName(role, "ROLE_") as Role;
  return { userId, email, role: named, name, disabled, createdAt: timeText(createdAt, "user.created_at") };
}

export function profileFromWire(profile: WireProfile | undefined): z.output<typeof Profile> {
  const { user, customer, pending, messagePreference: told } = filled(profile, "profile");
  return {
    user: userFromWire(user),
    ...(customer && { customer: customerFromWire(customer) }),
    ...(told && {
      messagePreference: {
        channel: told.channel as (typeof messageChannels)[number],
        language: absentIfEmpty(told.language),
      },
    }),
    pendingContacts: pending.map(({ type, sentTo, expiresAt }) => ({
      type: type as "EMAIL" | "PHONE_NUMBER",
      sentTo,
      expiresAt: timeText(expiresAt, "pending.expires_at"),
    })),
  };
}
