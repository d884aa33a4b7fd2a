import type { Faults } from "../../kernel/text/faults.js";
import type { PersonalDetails } from "./personal-details.js";

/** Details that a tenant may require, by the field that has them. */
export const detailFields = {
  DATE_OF_BIRTH: "dateOfBirth",
  PLACE_OF_BIRTH: "placeOfBirth",
  NATIONALITY: "nationality",
  ADDRESS: "address",
  IDENTITY_DOCUMENT: "identityDocuments",
} as const satisfies Record<string, keyof PersonalDetails>;
export type DetailKind = keyof typeof detailFields;

export const requiredAt = ["REGISTRATION", "FIRST_TRANSACTION"] as const;

/**
 * A detail that customers give, and when. Compliance asks for it before a transaction, and by its
 * transparency policy for others above an amount.
 */
export interface RequiredDetail {
  detail: DetailKind;
  at: (typeof requiredAt)[number];
}

export interface RequiredDetailDraft {
  detail: string;
  at: string;
}

/** What a tenant requires; faults are added, and begin with `path`. */
export function parseRequiredDetails(
  drafts: readonly RequiredDetailDraft[],
  path: string,
  faults: Faults,
): RequiredDetail[] {
  const kinds = Object.keys(detailFields) as DetailKind[];
  const parsed = drafts.flatMap(({ detail: given, at: when }, index): RequiredDetail[] => {
    const here = `${path}[${index}]`;
    const detail = kinds.find((one) => one === given);
    const at = requiredAt.find((one) => one === when);
    if (detail === undefined) faults.add(`${here}.detail`, `must be one of ${kinds.join(", ")}`);
    if (at === undefined) faults.add(`${here}.at`, `must be one of ${requiredAt.join(", ")}`);
    if (detail === undefined || at === undefined) return [];
    return [{ detail, at }];
  });
  const keys = parsed.map(({ detail, at }) => `${detail} ${at}`);
  if (new Set(keys).size < keys.length) faults.add(path, "must not name a detail twice for the same moment");
  return parsed;
}

/** Adds a fault for each detail that registration requires and nobody gave. */
export function requireAtRegistration(
  details: PersonalDetails,
  required: readonly RequiredDetail[] | undefined,
  faults: Faults,
): void {
  for (const { detail, at } of required ?? []) {
    const field = detailFields[detail];
    if (at === "REGISTRATION" && details[field] === undefined) faults.add(field, "is required at registration");
  }
}
