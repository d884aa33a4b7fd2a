import type { PersonalDetails as WireDetails } from "../../../proto/gen/common/v1/personal_details.js";
import {
  Role as WireRole,
  type Customer,
  type FoundCustomer,
  type MessageContact,
  type MessagePreference,
  type Profile,
  type User,
} from "../../../proto/gen/identity/v1/identity.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Found } from "../domain/customer-match.js";
import type { ContactChange } from "../domain/contacts.js";
import { shownDetails, type DetailsView } from "../domain/details-view.js";
import { maskAddress } from "../domain/factors.js";
import type { CustomerRecord, UserRecord } from "../domain/people.js";
import type { TransferParty } from "../domain/transfer-parties.js";
import type { PersonalDetails } from "../domain/personal-details.js";
import type { Role } from "../domain/roles.js";

const roleNames: Partial<Record<WireRole, Role>> = {
  ROLE_MANAGER: "MANAGER",
  ROLE_AGENT: "AGENT",
  ROLE_CASHIER: "CASHIER",
  ROLE_CUSTOMER: "CUSTOMER",
};

/** A role of staff; INVALID_INPUT for CUSTOMER, who is registered, and for anything unknown. */
export function staffRoleFromWire(role: WireRole): Role {
  const name = roleNames[role];
  if (name === undefined || name === "CUSTOMER") throw invalidInput("role", "must be MANAGER, AGENT or CASHIER");
  return name;
}

export function userToWire(user: UserRecord): User {
  const { userId, email, role, customer, name, createdAt, disabled } = user;
  return {
    userId,
    email,
    role: WireRole[`ROLE_${role}`],
    customerId: customer?.id ?? "",
    name,
    createdAt,
    disabled: disabled !== undefined,
  };
}

export function customerToWire({ userId, email, customer, createdAt }: CustomerRecord, view: DetailsView): Customer {
  const { id, code, firstName, lastName, phoneNumber, country, agentId = "", standing, details = {} } = customer;
  return {
    customerId: id,
    customerCode: code,
    userId,
    firstName,
    lastName,
    email,
    phoneNumber,
    country,
    agentId,
    createdAt,
    status: standing?.status ?? "PENDING",
    language: customer.messages?.language ?? "",
    registeredAtCounter: customer.isFromCounter ?? false,
    details: detailsToWire(shownDetails(details, view)),
  };
}

/**
 * What somebody is known by at the desk. Contacts are masked but for a MANAGER: a search by names
 * must not become a list of addresses.
 */
export function foundToWire({ customer: found, foundBy }: Found, role: Role): FoundCustomer {
  const masked = (contact: string) => (role === "MANAGER" || contact === "" ? contact : maskAddress(contact));
  const { email, phoneNumber, details, ...rest } = customerToWire(found, "AT_THE_DESK");
  return { customer: { ...rest, email: masked(email), phoneNumber: masked(phoneNumber), details }, foundBy };
}

/** Nothing but what a bank is told: no contact, and no number of a document. */
export function transferPartyToWire({ id, code, details = {}, ...names }: TransferParty) {
  return { customerId: id, customerCode: code, ...names, details: detailsToWire(details) };
}

/** Undefined where nothing is known, or shown. */
export function detailsToWire(details: PersonalDetails): WireDetails | undefined {
  if (Object.keys(details).length === 0) return undefined;
  const { dateOfBirth = "", placeOfBirth, nationality = "", address, identityDocuments = [] } = details;
  return {
    dateOfBirth,
    placeOfBirth,
    nationality,
    address: address && { region: "", postalCode: "", ...address },
    identityDocuments: identityDocuments.map(({ seen, onFileSince: _since, ...one }) => ({
      expiresAt: "",
      gender: "",
      ...one,
      seenBy: seen?.by ?? "",
      seenAt: seen && new Date(seen.at),
    })),
  };
}

export function profileToWire(user: UserRecord, pending: readonly ContactChange[], view: DetailsView): Profile {
  const { customer, ...rest } = user;
  return {
    pending: pending.map(({ type, value, expiresAt }) => ({ type, sentTo: maskAddress(value), expiresAt })),
    user: userToWire(user),
    customer: customer === undefined ? undefined : customerToWire({ ...rest, customer }, view),
    messagePreference: customer === undefined ? undefined : messagePreferenceToWire(customer),
  };
}

function messagePreferenceToWire({ messages = {} }: CustomerRecord["customer"]): MessagePreference {
  const { channel = "EMAIL", language = "" } = messages;
  return { channel, language };
}

/** How a customer is reached with what they are told. */
export function messageContactToWire({ email, customer }: CustomerRecord): MessageContact {
  const { id, firstName, phoneNumber } = customer;
  return { customerId: id, firstName, email, phoneNumber, preference: messagePreferenceToWire(customer) };
}
