import { toAlpha2, toAlpha3 } from "../../kernel/codes/countries.js";
import { readPhoneNumber } from "../../kernel/people/phone-number.js";
import { createFaults } from "../../kernel/text/faults.js";
import { checkParts, parseNamePart } from "../../kernel/people/name-letters.js";
import { parseDetails, type DetailsDraft, type PersonalDetails, type PersonDocument } from "./personal-details.js";
import { parseNewPassword } from "./password-policy.js";
import { parseCustomerCode, parseEmail, parsePhoneNumber } from "./people.js";
import { checkKey } from "./requests.js";
import { requireAtRegistration, type RequiredDetail } from "./required-details.js";
import type { ThrottleRule } from "./throttle-rules.js";
import type { SealedField } from "./sealed-field.js";

export interface RegistrationDetails {
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  country: string;
  details?: PersonalDetails;
}

/**
 * Somebody who wants to be a customer and has not shown yet that the e-mail address is theirs.
 * MongoDB removes it.
 */
export interface RegistrationRecord {
  registrationId: string;
  /** Sealed JSON; gone once it became an account. */
  details?: SealedField;
  passwordHash?: string;
  tries: number;
  createdAt: Date;
  expiresAt: Date;
  /** Whose account it became. */
  userId?: string;
}

const minuteMs = 60_000;

/** From the beginning of a registration to the last moment of its code. */
export const registrationLifetimeMs = 60 * minuteMs;

/**
 * Registrations from one source: each counts, since each hashes a password and sends a mail. One a
 * minute stays possible, for a source may be a whole mobile network's.
 */
export const registrationSourceRule: ThrottleRule = {
  freeFailures: 20,
  maxConcurrent: 20,
  firstWaitMs: 10_000,
  maxWaitMs: minuteMs,
  keepMs: 60 * minuteMs,
  clearsOnSuccess: false,
};

/** Codes tried from one source, whichever registrations they are for: each that is wrong counts. */
export const confirmationSourceRule: ThrottleRule = { ...registrationSourceRule, freeFailures: 50, maxConcurrent: 50 };

/** What staff at the counter register a customer with, before it is checked; empty is not given. */
export interface CounterDraft extends Omit<RegistrationDraft, "password" | "customerCode"> {
  notDuplicates: string[];
}

/** A person may have so many namesakes that a search shows; more are nobody's. */
const mostNotDuplicates = 50;

/**
 * The same of somebody at the counter, without password: e-mail address and phone number may be
 * missing, and a number may be as the customer's country dials it. Documents are as they were seen.
 */
export function parseCounterRegistration(
  draft: CounterDraft,
  { today, required, seen }: { today: string; required: readonly RequiredDetail[] | undefined; seen: Seen },
) {
  const faults = createFaults();
  checkKey(draft.idempotencyKey, faults);
  const email = draft.email.trim() === "" ? "" : faults.of(() => parseEmail(draft.email));
  const firstName = faults.of(() => parseNamePart(draft.firstName, "firstName"));
  const lastName = faults.of(() => parseNamePart(draft.lastName, "lastName"));
  checkParts([firstName, lastName], "lastName", faults);
  const country = faults.of(() => toAlpha3(draft.country, "country"));
  const phoneNumber = faults.of(() => parseCounterPhone(draft.phoneNumber, country));
  const details = faults.of(() => parseDetails(draft.details, today));
  if (details !== undefined) requireAtRegistration(details, required, faults);
  if (draft.notDuplicates.length > mostNotDuplicates) {
    faults.add("notDuplicates", `must be at most ${mostNotDuplicates} customer codes`);
  }
  const notDuplicates = draft.notDuplicates
    .slice(0, mostNotDuplicates)
    .map((code, index) => faults.of(() => parseCustomerCode(code, `notDuplicates[${index}]`)));
  faults.refuseIfAny();
  const known = details!.identityDocuments?.map((one) => ({ ...one, seen }));
  const customer = {
    firstName: firstName!,
    lastName: lastName!,
    phoneNumber: phoneNumber!,
    country: country!,
    ...(Object.keys(details!).length > 0 && { details: { ...details!, ...(known && { identityDocuments: known }) } }),
  };
  return { email: email!, customer, notDuplicates: notDuplicates as string[] };
}

type Seen = NonNullable<PersonDocument["seen"]>;

function parseCounterPhone(text: string, country: string | undefined): string {
  const atHome = country === undefined ? undefined : readPhoneNumber(text, toAlpha2(country));
  return atHome ?? parsePhoneNumber(text);
}

/** What a customer is to be registered with, before it is checked. */
export interface RegistrationDraft {
  idempotencyKey: string;
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  country: string;
  /** Empty where one is to be made. */
  customerCode: string;
  details: DetailsDraft | undefined;
}

/**
 * What a customer is registered with, on a calendar day and by what the tenant requires. Refuses
 * INVALID_INPUT with every fault.
 */
export function parseRegistration(
  request: RegistrationDraft,
  { today, required }: { today: string; required: readonly RequiredDetail[] | undefined },
) {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const email = faults.of(() => parseEmail(request.email));
  faults.of(() => parseNewPassword(request.password, request.email.trim()));
  const firstName = faults.of(() => parseNamePart(request.firstName, "firstName"));
  const lastName = faults.of(() => parseNamePart(request.lastName, "lastName"));
  checkParts([firstName, lastName], "lastName", faults);
  const phoneNumber = faults.of(() => parsePhoneNumber(request.phoneNumber));
  const country = faults.of(() => toAlpha3(request.country, "country"));
  const code = request.customerCode === "" ? undefined : faults.of(() => parseCustomerCode(request.customerCode));
  const details = faults.of(() => parseDetails(request.details, today));
  if (details !== undefined) requireAtRegistration(details, required, faults);
  faults.refuseIfAny();
  const customer = {
    firstName: firstName!,
    lastName: lastName!,
    phoneNumber: phoneNumber!,
    country: country!,
    code,
    ...(Object.keys(details!).length > 0 && { details: details! }),
  };
  return { email: email!, customer };
}
