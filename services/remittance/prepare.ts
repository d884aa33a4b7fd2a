import type { Customer } from "../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../shared/clock.js";
import { parseDecimal, type Decimal } from "../shared/decimal.js";
import { requireUser, type Call } from "../shared/grpc/context.js";
import { parseMoney } from "../shared/money.js";
import { Refusal, invalidInput } from "../shared/refusal.js";
import type { Beneficiary } from "./beneficiary.js";
import { nameOf } from "./beneficiary.js";
import type { Corridor } from "./corridor.js";
import { checkCreditParty, partOf, sameParty, type KeyValue } from "./credit-party.js";
import type { People } from "./people.js";
import { priceTransaction, type Price } from "./pricing.js";
import type { RemittanceStore, TenantStore } from "./store.js";
import type { Party, Transaction } from "./transaction.js";
import type { Order } from "./wire-transaction.js";

/** What look-ups and rules make of an order. */
export type Prepared = Pick<
  Transaction,
  | "price"
  | "rateId"
  | "corridorVersion"
  | "sender"
  | "recipient"
  | "beneficiaryId"
  | "creditParty"
  | "creditPartySource"
>;

/**
 * Looks up who and what an order names and prices it; writes nothing. Refuses PASSWORD_REQUIRED and PASSWORD_WRONG,
 * CUSTOMER_NOT_FOUND, FORBIDDEN for a customer who names somebody else as sender, BENEFICIARY_NOT_FOUND,
 * CORRIDOR_NOT_FOUND, CORRIDOR_DISABLED, RATE_NOT_AVAILABLE, CREDIT_PARTY_INVALID, INVALID_INPUT, and what pricing refuses.
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
  const corridor = await findCorridor(order, tenant);
  const { rate, rateId } = await currentRate(corridor, tenant, clock.now());
  return {
    price: priceOrder(order, corridor, rate),
    rateId,
    corridorVersion: corridor.version,
    sender: senderOf(sender),
    recipient: recipientOf(beneficiary),
    beneficiaryId: beneficiary.beneficiaryId,
    ...creditPartyOf(order, beneficiary, corridor),
  };
}

async function findCorridor(order: Order, tenant: TenantStore): Promise<Corridor> {
  const { sendCurrency, receivingCurrency, deliveryMethod } = order;
  const { originCountry, receivingCountry } = order.transferInformation;
  const found = await tenant.listCorridors({
    originCountry,
    receivingCountry,
    ...(sendCurrency !== "" && { sendCurrency }),
    ...(receivingCurrency !== "" && { receivingCurrency }),
  });
  const named = [originCountry, sendCurrency, "to", receivingCountry, receivingCurrency].filter(Boolean).join(" ");
  if (found.length === 0) throw new Refusal("CORRIDOR_NOT_FOUND", `there is no corridor from ${named}`);
  const [corridor, ...others] = found.filter(({ enabled }) => enabled);
  if (corridor === undefined) throw new Refusal("CORRIDOR_DISABLED", `the corridor from ${named} is switched off`);
  if (others.length > 0) {
    const path = sendCurrency === "" ? "sendCurrency" : "receivingCurrency";
    throw invalidInput(path, "is required: more than one corridor joins these countries");
  }
  if (!corridor.deliveryMethods.includes(deliveryMethod)) {
    throw new Refusal("CORRIDOR_DISABLED", `the corridor from ${named} does not deliver by ${deliveryMethod}`);
  }
  return corridor;
}

/** Refuses RATE_NOT_AVAILABLE. A currency with itself needs no rate. */
async function currentRate(
  { sendCurrency, receivingCurrency }: Corridor,
  tenant: TenantStore,
  at: Date,
): Promise<{ rate: Decimal; rateId: string }> {
  const found = await tenant.findRate({ sendCurrency, receivingCurrency }, at);
  if (found !== undefined) return { rate: parseDecimal(found.rate), rateId: found.rateId };
  if (sendCurrency === receivingCurrency) return { rate: parseDecimal("1"), rateId: "" };
  throw new Refusal("RATE_NOT_AVAILABLE", `there is no rate from ${sendCurrency} to ${receivingCurrency}`);
}

function priceOrder(order: Order, corridor: Corridor, rate: Decimal): Price {
  const { amount, sendAmount, inclusive, deliveryMethod } = order;
  return priceTransaction(
    {
      ...(sendAmount !== "" && { sendAmount: parseMoney(sendAmount, corridor.sendCurrency, "sendAmount") }),
      ...(amount !== "" && { receiveAmount: parseMoney(amount, corridor.receivingCurrency, "amount") }),
      inclusive,
      deliveryMethod,
    },
    corridor,
    rate,
  );
}

/** The details on file where the order repeats them, otherwise the order's own, checked anew. */
function creditPartyOf(
  { creditParty, deliveryMethod }: Order,
  beneficiary: Beneficiary,
  corridor: Corridor,
): { creditParty: KeyValue[]; creditPartySource: "BENEFICIARY" | "GIVEN" } {
  const given = checkCreditParty(creditParty, [deliveryMethod]);
  const { deliveryMethods, country, currency } = beneficiary;
  if (!deliveryMethods.includes(deliveryMethod) || !sameParty(given, beneficiary.creditParty, deliveryMethod)) {
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
