import type {
  Beneficiary as WireBeneficiary,
  CreateBeneficiaryRequest,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../shared/countries.js";
import { assertCurrency } from "../../shared/currencies.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import { invalidInput } from "../../shared/refusal.js";
import { hasHiddenCharacters } from "../../shared/visible-text.js";
import { checkAccount } from "../domain/account-checks.js";
import { accountOf, nameOf, type Beneficiary } from "../domain/beneficiary.js";
import { checkCreditParty, type KeyValue } from "../domain/credit-party.js";
import { maskedParty, unmaskedParty } from "../domain/party-masking.js";
import { idFromWire, trimmedFromWire } from "../../shared/wire-text.js";
import { methodToWire, methodsFromWire, pairsFromWire } from "./fields.js";

const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

export type NewBeneficiary = BeneficiaryContent & Pick<Beneficiary, "code" | "customerId">;

/** With an empty code where none is chosen. Refuses INVALID_INPUT, CREDIT_PARTY_INVALID. */
export function beneficiaryFromWire(request: CreateBeneficiaryRequest): NewBeneficiary {
  if (request.code !== "" && !codeForm.test(request.code)) {
    throw invalidInput("code", 'must be 1 to 40 letters, digits, ".", "_" or "-"');
  }
  const customerId = idFromWire(request.customerId, "customerId");
  return { code: request.code, customerId, ...beneficiaryContentFromWire(request) };
}

/** What may be changed of a recipient. */
export type BeneficiaryContent = Pick<
  Beneficiary,
  "firstName" | "lastName" | "country" | "currency" | "deliveryMethods" | "creditParty" | "relationship"
>;

/**
 * `stored` are the details on file, which a change may repeat as they were shown. Refuses
 * INVALID_INPUT, CREDIT_PARTY_INVALID.
 */
export function beneficiaryContentFromWire(
  request: Omit<CreateBeneficiaryRequest, "idempotencyKey" | "customerId" | "code">,
  stored: readonly KeyValue[] = [],
): BeneficiaryContent {
  const methods = methodsFromWire(request.deliveryMethods, "deliveryMethods");
  if (methods.length === 0) throw invalidInput("deliveryMethods", "must name at least one");
  const firstName = trimmedFromWire(request.firstName, "firstName", 100, true);
  const lastName = trimmedFromWire(request.lastName, "lastName", 100, true);
  for (const [path, name] of Object.entries({ firstName, lastName })) {
    if (hasHiddenCharacters(name)) throw invalidInput(path, "must not have characters that nobody sees");
  }
  if (firstName === "" && lastName === "") throw invalidInput("lastName", "a first or a last name is required");
  const country = toAlpha3(request.country, "country");
  const currency = assertCurrency(request.currency, "currency");
  const creditParty = checkCreditParty(unmaskedParty(pairsFromWire(request.creditParty), stored), methods);
  checkAccount(creditParty, methods, country);
  return {
    firstName,
    lastName,
    country,
    currency,
    deliveryMethods: methods,
    creditParty,
    relationship: trimmedFromWire(request.relationship, "relationship", 100, true),
  };
}

export function beneficiaryToWire(beneficiary: Beneficiary): WirePartial<WireBeneficiary> {
  const { createdBy: _by, changedAt: _at, changedBy: _changedBy, removedAt: _removedAt, ...shown } = beneficiary;
  return {
    ...shown,
    creditParty: maskedParty(beneficiary.creditParty),
    ...accountOf(beneficiary),
    name: nameOf(beneficiary),
    deliveryMethods: beneficiary.deliveryMethods.map(methodToWire),
  };
}
