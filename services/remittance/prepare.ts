import type { Customer } from "../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../shared/clock.js";
import { requireUser, type Call } from "../shared/grpc/context.js";
import { Refusal } from "../shared/refusal.js";
import { checkAccount } from "./account-checks.js";
import type { Beneficiary } from "./beneficiary.js";
import { nameOf } from "./beneficiary.js";
import type { CorridorKey } from "./corridor.js";
import { checkCreditParty, partOf, sameParty, type KeyValue } from "./credit-party.js";
import type { People } from "./people.js";
import { makeOffer } from "./offers.js";
import { assertMatches, assertOpen, isFor } from "./quote.js";
import { unmaskedParty } from "./sealed-party.js";
import type { RemittanceStore, TenantStore } from "./store.js";
import type { Party, Transaction } from "./transaction.js";
import type { Order } from "./wire-transaction.js";

/** What look-ups and rules make of an order. */
export type Prepared = Pick<
  Transaction,
  | "price"
  | "rateId"
  | "corridorVersion"
  | "terms"
  | "quoteId"
  | "sender"
  | "recipient"
  | "beneficiaryId"
  | "creditParty"
  | "creditPartySource"
>;

/**
 * Looks up who and what an order names and prices it; writes nothing. Refuses PASSWORD_REQUIRED and PASSWORD_WRONG,
 * CUSTOMER_NOT_FOUND, FORBIDDEN for a customer who names somebody else as sender, BENEFICIARY_NOT_FOUND,
 * CORRIDOR_NOT_FOUND, CORRIDOR_DISABLED, RATE_NOT_AVAILABLE, PROMO_CODE_INVALID, QUOTE_NOT_FOUND,
 * QUOTE_EXPIRED, QUOTE_USED, QUOTE_MISMATCH, CREDIT_PARTY_INVALID, INVALID_INPUT, and what pricing refuses.
 */
export async function prepareOrder(
  order: Order,
  call: Call,
  { store, people, clock }: { store: RemittanceStore; people: People; clock: Clock },
): Promise<Prepared> {
  const tenant = store.forTenant(call.tenantId);
  await people.checkPassword(order.password, call);
  const sender = await people.findCustomer({ customerCode: order.senderCustomerCode }, call);
  const user = requireUser(call);
  if (user.role === "CUSTOMER" && user.customerId !== sender.customerId) {
    throw new Refusal("FORBIDDEN", "a customer can only send as themself");
  }
  const ofSender = { code: order.recipientCustomerCode, customerId: sender.customerId };
  const beneficiary = await tenant.findBeneficiary(ofSender);
  if (beneficiary === undefined) throw new Refusal("BENEFICIARY_NOT_FOUND", "the sender has no such recipient");
  const { corridor, ...offer } = await offerFor(order, sender, tenant, clock.now(), user.userId);
  return {
    ...offer,
    sender: senderOf(sender),
    recipient: recipientOf(beneficiary),
    beneficiaryId: beneficiary.beneficiaryId,
    ...creditPartyOf(order, beneficiary, corridor),
  };
}

/** The price of the order's quote, or one of now. */
async function offerFor(
  order: Order,
  sender: Customer,
  tenant: TenantStore,
  now: Date,
  userId: string,
): Promise<Pick<Prepared, "price" | "rateId" | "corridorVersion" | "terms" | "quoteId"> & { corridor: CorridorKey }> {
  const { originCountry, receivingCountry } = order.transferInformation;
  const way = { ...order, originCountry, receivingCountry };
  const { customerId, agentId } = sender;
  if (order.quoteId === undefined) {
    const { corridor, price, rateId, terms } = await makeOffer(way, tenant, now, { customerId, agentId });
    return { corridor, price, rateId, terms, corridorVersion: corridor.version };
  }
  const quote = await tenant.findQuote(order.quoteId);
  if (quote === undefined || !isFor(quote, { customerId, userId })) {
    throw new Refusal("QUOTE_NOT_FOUND", "the sender has no such quote");
  }
  assertOpen(quote, now);
  assertMatches(quote, way);
  const { price, rateId, terms, corridorVersion, quoteId } = quote;
  return { corridor: quote, price, rateId, terms, corridorVersion, quoteId };
}

/** The details on file where the order repeats them, otherwise the order's own, checked anew. */
function creditPartyOf(
  { creditParty, deliveryMethod }: Order,
  beneficiary: Beneficiary,
  corridor: CorridorKey,
): { creditParty: KeyValue[]; creditPartySource: "BENEFICIARY" | "GIVEN" } {
  const given = checkCreditParty(unmaskedParty(creditParty, beneficiary.creditParty), [deliveryMethod]);
  const { deliveryMethods, country, currency } = beneficiary;
  if (!deliveryMethods.includes(deliveryMethod) || !sameParty(given, beneficiary.creditParty, deliveryMethod)) {
    checkAccount(given, [deliveryMethod], corridor.receivingCountry);
    return { creditParty: given, creditPartySource: "GIVEN" };
  }
  if (country !== corridor.receivingCountry || currency !== corridor.receivingCurrency) {
    const message = `the recipient's account is one of ${country} in ${currency}`;
    throw new Refusal("CREDIT_PARTY_INVALID", message, { errors: [{ path: "creditParty", message }] });
  }
  return { creditParty: partOf(beneficiary.creditParty, deliveryMethod), creditPartySource: "BENEFICIARY" };
}

function senderOf({ customerId, customerCode, firstName, lastName, country }: Customer): Party {
  return { customerId, customerCode, name: nameOf({ firstName, lastName }), country };
}

function recipientOf(beneficiary: Beneficiary): Party {
  const { customerId, code, country } = beneficiary;
  return { customerId, customerCode: code, name: nameOf(beneficiary), country };
}
