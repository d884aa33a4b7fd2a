import type {
  Beneficiary as WireBeneficiary,
  CreateBeneficiaryRequest,
  RecipientDetails as WireDetails,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import { assertNamePart, hasLetter, letterNeeded } from "../../kernel/people/name-letters.js";
import { hasHiddenCharacters } from "../../kernel/text/visible-text.js";
import { mixedScripts, mixesScripts } from "../../kernel/text/word-scripts.js";
import { checkAccount } from "../domain/account-checks.js";
import { accountOf, nameOf, type Beneficiary } from "../domain/beneficiary.js";
import { checkCreditParty, withPlainNumbers } from "../domain/credit-party.js";
import { maskedParty, unmaskedParty } from "../domain/party-masking.js";
import { parseRecipientDetails, type RecipientDetails } from "../domain/recipient-details.js";
import { idFromWire, trimmedFromWire } from "../../kernel/text/wire-text.js";
import { payeeVerdictToWire } from "./payee-checks.js";
import { methodToWire, methodsFromWire, pairsFromWire } from "./fields.js";

/** Of a whole name, as networks carry it; nothing is ever cut. */
const maxNameLength = 70;

const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

export type NewBeneficiary = BeneficiaryContent & Pick<Beneficiary, "code" | "customerId">;

/**
 * With an empty code where none is chosen; `today` is the calendar day that births are compared
 * with. Refuses INVALID_INPUT, CREDIT_PARTY_INVALID.
 */
export function beneficiaryFromWire(request: CreateBeneficiaryRequest, today: string): NewBeneficiary {
  if (request.code !== "" && !codeForm.test(request.code)) {
    throw invalidInput("code", 'must be 1 to 40 letters, digits, ".", "_" or "-"');
  }
  const customerId = idFromWire(request.customerId, "customerId");
  return { code: request.code, customerId, ...beneficiaryContentFromWire(request, today) };
}

/** What may be changed of a recipient. */
export type BeneficiaryContent = Pick<
  Beneficiary,
  "firstName" | "lastName" | "country" | "currency" | "deliveryMethods" | "creditParty" | "relationship" | "details"
>;

/**
 * `stored` is what is on file: a change may repeat its account details as they were shown, and
 * leaves its other details as they are where it names none. Refuses INVALID_INPUT,
 * CREDIT_PARTY_INVALID.
 */
export function beneficiaryContentFromWire(
  request: Omit<CreateBeneficiaryRequest, "idempotencyKey" | "customerId" | "customerCode" | "code" | "payeeCheckId">,
  today: string,
  stored: Pick<Beneficiary, "creditParty" | "details"> = { creditParty: [] },
): BeneficiaryContent {
  const methods = methodsFromWire(request.deliveryMethods, "deliveryMethods");
  if (methods.length === 0) throw invalidInput("deliveryMethods", "must name at least one");
  const { firstName, lastName } = nameFromWire(request);
  const country = toAlpha3(request.country, "country");
  const currency = assertCurrency(request.currency, "currency");
  const given = checkCreditParty(unmaskedParty(pairsFromWire(request.creditParty), stored.creditParty), methods);
  const creditParty = withPlainNumbers(given, country);
  checkAccount(creditParty, methods, { country, currency });
  const details = request.details === undefined ? stored.details : parseRecipientDetails(request.details, today);
  return {
    firstName,
    lastName,
    country,
    currency,
    deliveryMethods: methods,
    creditParty,
    relationship: trimmedFromWire(request.relationship, "relationship", 100, true),
    ...(details !== undefined && { details }),
  };
}

/**
 * Parts of a recipient's name, of which one may be empty; `at` names where they stand. Refuses
 * INVALID_INPUT.
 */
export function nameFromWire(
  given: Pick<Beneficiary, "firstName" | "lastName">,
  at = "",
): Pick<Beneficiary, "firstName" | "lastName"> {
  const firstName = trimmedFromWire(given.firstName, `${at}firstName`, maxNameLength, true);
  const lastName = trimmedFromWire(given.lastName, `${at}lastName`, maxNameLength, true);
  for (const [part, name] of Object.entries({ firstName, lastName })) {
    if (hasHiddenCharacters(name)) throw invalidInput(`${at}${part}`, "must not have characters that nobody sees");
    if (mixesScripts(name)) throw invalidInput(`${at}${part}`, mixedScripts);
    if (name !== "") assertNamePart(name, `${at}${part}`);
  }
  if (firstName === "" && lastName === "") throw invalidInput(`${at}lastName`, "a first or a last name is required");
  if ([...nameOf({ firstName, lastName })].length > maxNameLength) {
    throw invalidInput(`${at}lastName`, `and firstName must have at most ${maxNameLength} characters together`);
  }
  const path = lastName === "" ? "firstName" : "lastName";
  if (![firstName, lastName].some(hasLetter)) throw invalidInput(`${at}${path}`, letterNeeded);
  return { firstName, lastName };
}

/** Who owns an account, in one text. Refuses INVALID_INPUT. */
export function holderFromWire(given: string, path: string): string {
  const name = trimmedFromWire(given, path, maxNameLength);
  if (hasHiddenCharacters(name)) throw invalidInput(path, "must not have characters that nobody sees");
  if (mixesScripts(name)) throw invalidInput(path, mixedScripts);
  if (!hasLetter(name)) throw invalidInput(path, letterNeeded);
  return name;
}

export function beneficiaryToWire(beneficiary: Beneficiary): WirePartial<WireBeneficiary> {
  const { createdBy: _by, changedAt: _at, changedBy: _changedBy, removedAt: _removedAt, ...shown } = beneficiary;
  return {
    ...shown,
    creditParty: maskedParty(beneficiary.creditParty),
    ...accountOf(beneficiary),
    name: nameOf(beneficiary),
    deliveryMethods: beneficiary.deliveryMethods.map(methodToWire),
    details: beneficiary.details && detailsToWire(beneficiary.details),
    payeeCheck: beneficiary.payeeCheck && payeeVerdictToWire(beneficiary.payeeCheck),
  };
}

function detailsToWire({ address, ...known }: RecipientDetails): WireDetails {
  const nothing = { kind: "", dateOfBirth: "", nationality: "", lei: "", phoneNumber: "" };
  return { ...nothing, ...known, address: address && { region: "", postalCode: "", ...address } };
}
