import type { Customer } from "../../../proto/gen/identity/v1/identity.js";
import type { AmountCeilings, CheckAmount } from "../../platform/preferences/amount-ceilings.js";
import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Client } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { partyBounds } from "../../platform/plugins/party-contract.js";
import { formatMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { checkAccount } from "../domain/account-checks.js";
import { knownParties } from "../domain/requested-parties.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import { nameOf } from "../domain/beneficiary.js";
import type { CorridorKey, PayeeCheckTime } from "../domain/corridor.js";
import {
  checkCreditParty,
  detail,
  partOf,
  sameParty,
  withPlainNumbers,
  type KeyValue,
} from "../domain/credit-party.js";
import { isCheckedAtTransaction, ofTransaction, payeeQuestions, verdictFor } from "../domain/payee-check.js";
import type { Pickup } from "../domain/pickup.js";
import type { Price } from "../domain/pricing.js";
import type { PartnerText, PayoutPartners } from "../clients/payout-partners.js";
import type { People } from "../clients/people.js";
import type { PriceBooks } from "../store/price-books.js";
import { assertOpen } from "../domain/quote-expiry.js";
import { assertMatches, isFor } from "../domain/quote.js";
import { findRecipientWallet } from "../clients/recipient-wallet.js";
import { unmaskedParty } from "../domain/party-masking.js";
import type { RemittanceStore, TenantStore } from "../store/index.js";
import type { Party, Transaction } from "../domain/transaction.js";
import type { Order } from "../wire/transactions.js";
import { createOperation } from "../sagas/creation.js";
import { makeOffer } from "./make-offer.js";
import type { PayeeDesk, PayeeRequest } from "./payee-desk.js";

/** What look-ups and rules make of an order. */
export type Prepared = Pick<
  Transaction,
  | "price"
  | "rateId"
  | "corridorVersion"
  | "terms"
  | "quoteId"
  | "pickup"
  | "recipientWallet"
  | "agentId"
  | "language"
  | "sender"
  | "recipient"
  | "parties"
  | "recipientDetails"
  | "payeeCheck"
  | "relationship"
  | "beneficiaryId"
  | "creditParty"
  | "creditPartySource"
>;

export interface PrepareDeps {
  store: RemittanceStore;
  people: People;
  prices: PriceBooks;
  ceilings: Pick<AmountCeilings, "of">;
  ledger: Pick<Client<LedgerServiceDefinition>, "listAccounts">;
  payees: Pick<PayeeDesk, "check">;
  clock: Clock;
  partners: Pick<PayoutPartners, "checkTexts">;
}

interface OfferDeps {
  tenant: TenantStore;
  prices: PriceBooks;
  checkAmount: CheckAmount;
  now: Date;
  call: Call;
}

/**
 * Looks up who and what an order names and prices it; writes nothing. Refuses PASSWORD_REQUIRED and
 * PASSWORD_WRONG, CUSTOMER_NOT_FOUND, FORBIDDEN for a customer who names somebody else as sender or
 * somebody else's recipient, BENEFICIARY_NOT_FOUND, CORRIDOR_NOT_FOUND, CORRIDOR_DISABLED,
 * RATE_NOT_AVAILABLE, PROMO_CODE_INVALID, QUOTE_NOT_FOUND, QUOTE_EXPIRED, QUOTE_USED,
 * QUOTE_MISMATCH, CREDIT_PARTY_INVALID, INVALID_INPUT, TEXT_TOO_LONG_FOR_PARTNER,
 * AMOUNT_ABOVE_CEILING, what pricing refuses, and what a payee check refuses.
 */
export async function prepareOrder(
  order: Order,
  call: Call,
  { store, people, prices, ceilings, ledger, payees, clock, partners }: PrepareDeps,
): Promise<Prepared> {
  const tenant = store.forTenant(call.tenantId);
  await people.checkPassword(order.password, call);
  const user = requireUser(call);
  const sender = await (user.role === "AGENT"
    ? people.senderAtDesk(order.senderCustomerCode, call)
    : people.findCustomer({ customerCode: order.senderCustomerCode }, call));
  if (user.role === "CUSTOMER" && user.customerId !== sender.customerId) {
    throw new Refusal("FORBIDDEN", "a customer can only send as themself");
  }
  const beneficiary = await tenant.findRecipient(order.recipientCustomerCode);
  const isOwn = beneficiary?.customerId === sender.customerId;
  if (beneficiary !== undefined && !isOwn && user.role === "CUSTOMER") {
    throw new Refusal("FORBIDDEN", "the recipient is another customer's");
  }
  if (beneficiary === undefined || !isOwn) {
    throw new Refusal("BENEFICIARY_NOT_FOUND", "the sender has no such recipient");
  }
  const checkAmount = await ceilings.of(call);
  const now = clock.now();
  const {
    corridor,
    payeeCheck: setting = "OFF",
    ...offer
  } = await offerFor(order, sender, { tenant, prices, checkAmount, now, call });
  const party = creditPartyOf(order, beneficiary, corridor);
  const { deliveryMethod: method } = order;
  if (method !== "WALLET") {
    const texts = textsOf(order, sender, beneficiary, party.creditParty);
    await partners.checkTexts({ ...corridor, method }, texts, call);
  }
  const pickup =
    order.deliveryMethod === "CASH_PICKUP" ? await pickupOf(party.creditParty, offer.price, corridor, tenant) : {};
  const { currency } = offer.price.receive;
  const recipientWallet =
    order.deliveryMethod === "WALLET"
      ? await findRecipientWallet(ledger, party.creditParty, currency, call)
      : undefined;
  const onFile = party.creditPartySource === "BENEFICIARY" ? verdictFor(beneficiary.payeeCheck, method) : undefined;
  const isChecked = isCheckedAtTransaction(setting, onFile !== undefined);
  const payee = payeeOf(order, { isChecked, sender, beneficiary, party, corridor });
  const payeeCheck = (await payees.check(payee, call)) ?? (setting === "AT_RECIPIENT" ? onFile : undefined);
  const parties = knownParties(sender.details, beneficiary.details);
  return {
    ...offer,
    ...pickup,
    ...(recipientWallet !== undefined && { recipientWallet }),
    sender: senderOf(sender),
    recipient: recipientOf(beneficiary),
    ...(parties !== undefined && { parties }),
    ...(beneficiary.details !== undefined && { recipientDetails: beneficiary.details }),
    ...(payeeCheck !== undefined && { payeeCheck: ofTransaction(payeeCheck) }),
    ...(beneficiary.relationship !== "" && { relationship: beneficiary.relationship }),
    ...(sender.agentId !== "" && { agentId: sender.agentId }),
    ...(sender.language !== "" && { language: sender.language }),
    beneficiaryId: beneficiary.beneficiaryId,
    ...party,
  };
}

/**
 * What a partner reads that is longer as a bank's file spells it; whose names they are is not told.
 */
function textsOf(
  { descriptionText }: Order,
  sender: Customer,
  beneficiary: Beneficiary,
  creditParty: readonly KeyValue[],
): PartnerText[] {
  const most = partyBounds.name;
  return [
    { path: "descriptionText", text: descriptionText, most: partyBounds.text },
    { path: "senderCustomerCode", text: senderOf(sender).name, most },
    { path: "recipientCustomerCode", text: nameOf(beneficiary), most },
    { path: "creditParty", text: detail(creditParty, "accountholdername"), most },
  ];
}

interface OfferedPrice extends Pick<Prepared, "price" | "rateId" | "corridorVersion" | "terms" | "quoteId"> {
  corridor: CorridorKey;
  payeeCheck?: PayeeCheckTime;
}

/** The price of the order's quote, or one of now. */
async function offerFor(
  order: Order,
  sender: Customer,
  { tenant, prices, checkAmount, now, call }: OfferDeps,
): Promise<OfferedPrice> {
  const { originCountry, receivingCountry } = order.transferInformation;
  const way = { ...order, inclusive: order.inclusive ?? false, originCountry, receivingCountry };
  const { customerId, agentId } = sender;
  if (order.quoteId === undefined) {
    const book = await prices.of(call.tenantId);
    const { deliveryMinutes: _minutes, ...offer } = await makeOffer(
      way,
      book,
      now,
      { customerId, agentId },
      checkAmount,
    );
    return { ...offer, corridorVersion: offer.corridor.version };
  }
  const quote = await tenant.findQuote(order.quoteId);
  if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND", "no such quote");
  const { userId } = requireUser(call);
  if (!isFor(quote, { customerId, userId })) throw new Refusal("FORBIDDEN", "the quote is not for this sender");
  assertOpen(quote, now);
  assertMatches(quote, { ...order, originCountry, receivingCountry });
  const { price, rateId, terms, corridorVersion, quoteId, payeeCheck } = quote;
  for (const part of [price.total, price.receive]) checkAmount(part);
  const setting = payeeCheck !== undefined && { payeeCheck };
  return { corridor: quote, price, rateId, terms, corridorVersion, quoteId, ...setting };
}

/** What is to be looked at of whom the order pays. */
function payeeOf(
  { deliveryMethod, payeeCheckId = "", idempotencyKey }: Order,
  found: {
    isChecked: boolean;
    sender: Customer;
    beneficiary: Beneficiary;
    party: ReturnType<typeof creditPartyOf>;
    corridor: CorridorKey;
  },
): PayeeRequest {
  const { isChecked, sender, beneficiary, party, corridor } = found;
  const { receivingCountry: country, receivingCurrency: currency } = corridor;
  const of = { country, currency, name: nameOf(beneficiary), kind: beneficiary.details?.kind };
  return {
    customerId: sender.customerId,
    questions: isChecked || payeeCheckId !== "" ? payeeQuestions(party.creditParty, [deliveryMethod], of) : [],
    payeeCheckId,
    path: "dynamicFields.payeeCheckId",
    operation: createOperation,
    idempotencyKey,
  };
}

/** The details on file where the order repeats them, otherwise the order's own, checked anew. */
function creditPartyOf(
  { creditParty, deliveryMethod }: Order,
  beneficiary: Beneficiary,
  corridor: CorridorKey,
): { creditParty: KeyValue[]; creditPartySource: "BENEFICIARY" | "GIVEN" } {
  const party = checkCreditParty(unmaskedParty(creditParty, beneficiary.creditParty), [deliveryMethod]);
  const given = withPlainNumbers(party, corridor.receivingCountry);
  const { deliveryMethods, country, currency } = beneficiary;
  if (!deliveryMethods.includes(deliveryMethod) || !sameParty(given, beneficiary.creditParty, deliveryMethod)) {
    checkAccount(given, [deliveryMethod], {
      country: corridor.receivingCountry,
      currency: corridor.receivingCurrency,
    });
    return { creditParty: given, creditPartySource: "GIVEN" };
  }
  if (country !== corridor.receivingCountry || currency !== corridor.receivingCurrency) {
    const message = `the recipient's account is one of ${country} in ${currency}`;
    throw new Refusal("CREDIT_PARTY_INVALID", message, { errors: [{ path: "creditParty", message }] });
  }
  return { creditParty: partOf(beneficiary.creditParty, deliveryMethod), creditPartySource: "BENEFICIARY" };
}

/**
 * Where cash is to be collected. A point of our own (it names no partner) is paid out by our
 * cashiers. Refuses CREDIT_PARTY_INVALID for a point of ours that is not there for this, and
 * AMOUNT_OUT_OF_LIMITS naming the point's limits; a place that is none of ours is the partner's
 * affair.
 */
async function pickupOf(
  party: readonly KeyValue[],
  { receive }: Price,
  { receivingCountry, receivingCurrency }: CorridorKey,
  tenant: TenantStore,
): Promise<{ pickup?: Pickup }> {
  const id = detail(party, "payoutpointid");
  const [point] = await tenant.payoutPoints.list({ $or: [{ pointId: id }, { code: id }] }, { limit: 1 });
  if (point === undefined) return {};
  const { type, country, currency, enabled, minimumMinor, maximumMinor } = point;
  if (!enabled || type !== "CASH" || country !== receivingCountry || currency !== receivingCurrency) {
    const message = `the payout point does not pay out cash in ${receivingCurrency} in ${receivingCountry}`;
    throw new Refusal("CREDIT_PARTY_INVALID", message, { errors: [{ path: "creditParty", message }] });
  }
  if (receive.minor < minimumMinor || receive.minor > maximumMinor) {
    const figures = {
      minimum: formatMoney({ minor: minimumMinor, currency }),
      maximum: formatMoney({ minor: maximumMinor, currency }),
      currency,
    };
    const message = `the payout point pays out ${figures.minimum} to ${figures.maximum} ${currency}`;
    throw new Refusal("AMOUNT_OUT_OF_LIMITS", message, { figures });
  }
  return point.partner === "" ? { pickup: { pointId: point.pointId, tries: 0 } } : {};
}

function senderOf({ customerId, customerCode, firstName, lastName, country }: Customer): Party {
  return { customerId, customerCode, name: nameOf({ firstName, lastName }), country };
}

function recipientOf(beneficiary: Beneficiary): Party {
  const { customerId, code, country } = beneficiary;
  return { customerId, customerCode: code, name: nameOf(beneficiary), country };
}
