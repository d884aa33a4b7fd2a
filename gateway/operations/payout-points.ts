import { always } from "../codec.js";
import { operation } from "../operation.js";
import {
  AllocatedPayoutPoints,
  assertOneMethod,
  PayoutPoint,
  PayoutPointLoad,
  PayoutPointLoadReport,
  PayoutPointRequest,
  PointQuery,
  pointQueryFields,
} from "../shapes/payout-points.js";
import { everyRole, v6 } from "../route.js";
import { cursorQuery } from "../schema.js";

const base = `${v6}/branches`;

/** What the banks of the example have in common. */
const pricedBank = {
  type: "BANK",
  country: "NGA",
  currency: "NGN",
  minimumAmount: "0.00",
  maximumAmount: "20000000.00",
  allocatedTo: "TENANT",
  pricing: { fees: [{ discountAmount: undefined, amount: "2.50", taxAmount: "0.19" }] },
  address: undefined,
  city: undefined,
  openingHours: undefined,
  mobileOperator: undefined,
};

/** §4.8. A tenant may have tens of thousands: the list goes on by cursor. */
export const listAllocatedPayoutPoints = operation({
  method: "post",
  path: `${base}/listallocatedpayoutpoints`,
  contract: true,
  tag: "Payout points",
  summary: "List where a recipient can be paid, each with the price for an amount",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "transactions:read"],
  sdk: { name: "listAllocated" },
  query: cursorQuery,
  body: PointQuery,
  bare: true,
  answer: AllocatedPayoutPoints,
  message: "Payout points",
  example: {
    as: "amina@demo.example",
    body: {
      paymentType: "ACCOUNTPAYMENT",
      principalAmount: 100,
      principalAmountCurrency: "USD",
      deriveAmountCurrency: "NGN",
      destinationCountry: "NGA",
      tradeOriginatingCountry: "USA",
      inverseCalculation: false,
      conversion: true,
    },
    answer: {
      nextCursor: undefined,
      data: [
        { id: "0199d0c2-c7a7-71c6-b446-1cbcd74219ec", name: "First Bank of Nigeria", code: "NG-FIRST", ...pricedBank },
        { id: "0199d0c2-c7bd-73a4-ab9b-9f8143b408aa", name: "Zenith Bank", code: "NG-ZENITH", ...pricedBank },
      ],
    },
  },
  renames: {
    type: "paymentType",
    originCountry: "tradeOriginatingCountry",
    receivingCountry: "destinationCountry",
    sendAmount: "principalAmount",
    amount: "deriveAmount",
    sendCurrency: "principalAmountCurrency",
    receivingCurrency: "deriveAmountCurrency",
    deriveCurrency: "deriveAmountCurrency",
    principalCurrency: "principalAmountCurrency",
    pageSize: "query.size",
    cursor: "query.cursor",
  },
  rpc: "remittance.listPayoutPoints",
  fields: pointQueryFields,
  asserts: assertOneMethod,
  answerFields: { status: always("SUCCESS"), data: "points", message: always("Payout points") },
});

const putPayoutPoint = operation({
  method: "put",
  path: `${base}/payout-points`,
  tag: "Payout points",
  summary: "Create a payout point or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: PayoutPointRequest,
  answer: PayoutPoint,
  message: "Payout point",
  example: {
    as: "manager@demo.example",
    body: {
      code: "NG-GTB",
      name: "Guaranty Trust Bank",
      type: "BANK",
      country: "NGA",
      currency: "NGN",
      minimumAmount: "100.00",
      maximumAmount: "5000000.00",
    },
  },
  renames: { point: "body", minimumMinor: "minimumAmount", maximumMinor: "maximumAmount" },
  rpc: "remittance.putPayoutPoint",
  sends: "point",
});

const loadPayoutPoints = operation({
  method: "post",
  path: `${base}/payout-points/load`,
  tag: "Payout points",
  summary: "Load payout points from CSV: what is right is put, every faulty line is reported",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: PayoutPointLoad,
  answer: PayoutPointLoadReport,
  message: "Payout points loaded",
  example: {
    as: "manager@demo.example",
    body: {
      csv: "code,name,type,country,currency,maximumAmount\nNG-UBA,United Bank for Africa,BANK,NGA,NGN,5000000.00\n",
    },
  },
  rpc: "remittance.loadPayoutPoints",
});

export const payoutPointRoutes = { listAllocatedPayoutPoints, putPayoutPoint, loadPayoutPoints };
