import {
  DeliveryMethod,
  type CreateTransactionRequest,
  type RemittanceServiceDefinition,
} from "../../proto/gen/remittance/v1/remittance.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { testTenant } from "./index.js";
import { on } from "./remittance-calls.js";

export const account = [
  { key: "bankname", value: "First Bank" },
  { key: "bankaccountno", value: "3012345671" },
  { key: "accountholdername", value: "Ngozi Okafor" },
  { key: "bankcode", value: "011" },
];

export const corridor = {
  originCountry: "USA",
  sendCurrency: "USD",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT, DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY],
  minimumMinor: 1_00n,
  maximumMinor: 10_000_00n,
  fees: [{ name: "Transfer fee", fixedMinor: 2_00n, rateBps: 50, taxBps: 750, deliveryMethods: [] }],
  enabled: true,
};

export const beneficiary = {
  idempotencyKey: "b-1",
  customerId: "c1",
  code: "B-NGOZI",
  firstName: "Ngozi",
  lastName: "Okafor",
  country: "NG",
  currency: "NGN",
  deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT],
  creditParty: account,
  relationship: "sister",
};

/** A tenant with a corridor USD to NGN, a rate, and a beneficiary of c1. */
export async function openTenant(
  world: { operator: Client<RemittanceServiceDefinition> },
  tenantId = testTenant(),
): Promise<string> {
  await world.operator.putCorridor({ corridor }, on(tenantId));
  await world.operator.putRate(
    { sendCurrency: "USD", receivingCurrency: "NGN", rate: "1600", source: "test" },
    on(tenantId),
  );
  await world.operator.createBeneficiary(beneficiary, on(tenantId));
  return tenantId;
}

let orders = 0;

/** What ada asks to be sent, with a fresh key. */
export function order(part: WirePartial<CreateTransactionRequest> = {}): WirePartial<CreateTransactionRequest> {
  orders += 1;
  return {
    idempotencyKey: `order-${orders}`,
    sendAmount: "100.00",
    sendCurrency: "USD",
    receivingCurrency: "NGN",
    type: DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT,
    senderCustomerCode: "C-1",
    recipientCustomerCode: "B-NGOZI",
    creditParty: account,
    internationalTransferInformation: {
      originCountry: "US",
      receivingCountry: "NGA",
      remittancePurpose: "family",
      sourceOfFunds: "salary",
    },
    ipAddress: "203.0.113.7",
    ...part,
  };
}
