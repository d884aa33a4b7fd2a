import type { PersonalDetails } from "./personal-details.js";
import type { Role } from "./roles.js";

/**
 * How much of a customer's details whoever asks is shown. AT_THE_DESK: what is compared with the
 * person and the document in front of one.
 */
export type DetailsView = "WHOLE" | "NUMBERS_MASKED" | "AT_THE_DESK" | "NONE";

const viewOfRole: Record<Role, DetailsView> = {
  MANAGER: "WHOLE",
  AGENT: "WHOLE",
  CASHIER: "AT_THE_DESK",
  CUSTOMER: "WHOLE",
};

const viewOfService: Partial<Record<string, DetailsView>> = {
  operator: "WHOLE",
  // It alone compares documents with lists.
  compliance: "WHOLE",
  remittance: "NUMBERS_MASKED",
  wallet: "NUMBERS_MASKED",
};

/** The view of a user at the edge, or of a service that asks for itself. */
export function detailsViewOf(caller: string, role: Role | undefined): DetailsView {
  if (caller === "gateway") return role === undefined ? "NUMBERS_MASKED" : viewOfRole[role];
  return viewOfService[caller] ?? "NONE";
}

/** Of a list: whole records of many people are nobody's need. */
export function listViewOf(caller: string): DetailsView {
  return caller === "gateway" || caller === "operator" ? "NUMBERS_MASKED" : "NONE";
}

export function shownDetails(details: PersonalDetails, view: DetailsView): PersonalDetails {
  if (view === "NONE") return {};
  if (view === "WHOLE" || details.identityDocuments === undefined) return atDesk(details, view);
  const identityDocuments = details.identityDocuments.map((one) => ({ ...one, number: maskedNumber(one.number) }));
  return atDesk({ ...details, identityDocuments }, view);
}

function atDesk(details: PersonalDetails, view: DetailsView): PersonalDetails {
  if (view !== "AT_THE_DESK") return details;
  const { placeOfBirth: _place, address: _address, ...rest } = details;
  return rest;
}

const shownCharacters = 3;

/** Of a number its end: *****678. A short one shows nothing. */
function maskedNumber(number: string): string {
  return `*****${number.length > 2 * shownCharacters ? number.slice(-shownCharacters) : ""}`;
}
