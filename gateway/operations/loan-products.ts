import { z } from "zod";
import type { LoanProduct as WireProduct } from "../../proto/gen/lending/v1/product.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { filled } from "../wire.js";
import { everyRole } from "./base.js";
import { dateIn, Offer, offerOf, staffBase, userBase } from "./loan-shapes.js";

const percentIn = maybe(moneyTextOrNumberIn);
const oneOf = <T extends string>(...values: [T, ...T[]]) => z.enum(values);

const terms = {
  name: text(128),
  currency: currencyCode,
  minimumAmount: moneyTextOrNumberIn,
  maximumAmount: moneyTextOrNumberIn,
  minimumInstalments: wholeNumberIn(1, 600),
  maximumInstalments: wholeNumberIn(1, 600),
  frequency: oneOf("DAY", "WEEK", "TWO_WEEKS", "MONTH"),
  annualRate: moneyTextOrNumberIn,
  interestMethod: oneOf("FLAT", "DECLINING"),
  amortisation: oneOf("EQUAL_INSTALMENTS", "EQUAL_PRINCIPAL"),
  dayCount: oneOf("THIRTY_360", "ACTUAL_360", "ACTUAL_365", "ACTUAL_ACTUAL"),
  principalGrace: maybe(wholeNumberIn(0, 600)),
  interestGrace: maybe(wholeNumberIn(0, 600)),
  disbursementFee: percentIn,
  disbursementFeePercent: percentIn,
  instalmentFee: percentIn,
  instalmentFeePercent: percentIn,
  penaltyGraceDays: maybe(wholeNumberIn(0, 365)),
  penalty: percentIn,
  penaltyPercent: percentIn,
  businessDayRule: maybe(oneOf("NONE", "FOLLOWING", "MODIFIED_FOLLOWING", "PRECEDING")),
  payoffInterest: maybe(oneOf("TO_DAY", "TO_NEXT_DUE_DATE")),
  payoffFee: percentIn,
  payoffFeePercent: percentIn,
  thirdPartyCollection: maybe(z.boolean()),
  allocationOrder: maybe(z.array(oneOf("PENALTY", "FEE", "INTEREST", "PRINCIPAL")).max(4)),
  affordabilityPercent: percentIn,
  approvedAtOnce: maybe(z.boolean()),
};

const Product = z
  .object({
    productId: z.string(),
    version: z.number().int(),
    name: z.string(),
    currency: z.string(),
    minimumAmount: z.string(),
    maximumAmount: z.string(),
    minimumInstalments: z.number().int(),
    maximumInstalments: z.number().int(),
    frequency: z.string(),
    annualRate: z.string(),
    interestMethod: z.string(),
    amortisation: z.string(),
    dayCount: z.string(),
    principalGrace: z.number().int(),
    interestGrace: z.number().int(),
    disbursementFee: z.string(),
    disbursementFeePercent: z.string(),
    instalmentFee: z.string(),
    instalmentFeePercent: z.string(),
    penaltyGraceDays: z.number().int(),
    penalty: z.string(),
    penaltyPercent: z.string(),
    businessDayRule: z.string(),
    payoffInterest: z.string(),
    payoffFee: z.string(),
    payoffFeePercent: z.string(),
    thirdPartyCollection: z.boolean(),
    allocationOrder: z.array(z.string()),
    affordabilityPercent: z.string(),
    approvedAtOnce: z.boolean(),
  })
  .meta({ id: "LoanProduct" });

const renames = Object.fromEntries(Object.keys(terms).map((name) => [`product.${name}`, name]));

export const listLoanProducts = route({
  method: "get",
  path: `${userBase}/loan-products`,
  operationId: "listLoanProducts",
  tag: "Loans",
  summary: "List what loans there are",
  access: everyRole,
  scopes: ["loans:read"],
  answer: z.array(Product),
  message: "Loan products",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) =>
    (await clients.lending.listLoanProducts({}, outgoing(call))).products.map(productOf),
});

export const putLoanProduct = route({
  method: "put",
  path: `${staffBase}/loan-products/:productId`,
  operationId: "putLoanProduct",
  tag: "Loans",
  summary: "Make a loan product or its next version; loans keep the version they were made with",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  params: z.object({ productId: text(40) }),
  body: z.object(terms).meta({ id: "LoanProductTerms" }),
  answer: Product,
  message: "Loan product",
  renames: { ...renames, "product.productId": "path.productId" },
  example: {
    as: "manager@demo.example",
    params: { productId: "school-fees" },
    body: {
      name: "School fees",
      currency: "USD",
      minimumAmount: "50",
      maximumAmount: "5000",
      minimumInstalments: 3,
      maximumInstalments: 12,
      frequency: "MONTH",
      annualRate: "15",
      interestMethod: "DECLINING",
      amortisation: "EQUAL_INSTALMENTS",
      dayCount: "ACTUAL_365",
    },
  },
  run: async ({ params, body, call, clients }) => {
    const { product } = await clients.lending.putLoanProduct({ product: { ...body, ...params } }, outgoing(call));
    return productOf(filled(product, "product"));
  },
});

const Calendar = z
  .object({ weekend: z.array(z.number().int()), holidays: z.array(z.string()) })
  .meta({ id: "HolidayCalendar" });

export const readHolidayCalendar = route({
  method: "get",
  path: `${staffBase}/holiday-calendar`,
  operationId: "readHolidayCalendar",
  tag: "Loans",
  summary: "Read the days on which no instalment falls due",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  answer: Calendar,
  message: "Holiday calendar",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    return filled((await clients.lending.getHolidayCalendar({}, outgoing(call))).calendar, "calendar");
  },
});

export const putHolidayCalendar = route({
  method: "put",
  path: `${staffBase}/holiday-calendar`,
  operationId: "putHolidayCalendar",
  tag: "Loans",
  summary: "Set the days on which no instalment falls due, for schedules made from now on",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: z
    .object({ weekend: z.array(wholeNumberIn(1, 7)).max(6), holidays: z.array(dateIn).max(2_000) })
    .meta({ id: "HolidayCalendarRequest" }),
  answer: Calendar,
  message: "Holiday calendar",
  renames: { "calendar.weekend": "weekend", "calendar.holidays": "holidays" },
  example: { as: "manager@demo.example", body: { weekend: [6, 7], holidays: ["2026-12-25", "2027-01-01"] } },
  run: async ({ body, call, clients }) => {
    return filled((await clients.lending.putHolidayCalendar({ calendar: body }, outgoing(call))).calendar, "calendar");
  },
});

export const quoteLoan = route({
  method: "post",
  path: `${userBase}/loan-quotes`,
  operationId: "quoteLoan",
  tag: "Loans",
  summary: "Show the schedule and the cost of a loan before it is applied for",
  access: everyRole,
  scopes: ["loans:read"],
  body: z
    .object({
      productId: text(40),
      amount: moneyTextOrNumberIn,
      instalments: wholeNumberIn(1, 600),
      firstDueOn: maybe(dateIn),
    })
    .meta({ id: "LoanQuoteRequest" }),
  answer: Offer,
  message: "Loan quote",
  example: { as: "amina@demo.example", body: { productId: "personal", amount: "1200", instalments: 12 } },
  run: async ({ body, call, clients }) => {
    const { offer } = await clients.lending.quoteLoan({ ...body, firstDueOn: body.firstDueOn ?? "" }, outgoing(call));
    return offerOf(filled(offer, "offer"));
  },
});

function productOf({ bucketStarts: _buckets, ...product }: WireProduct): z.output<typeof Product> {
  return product;
}

export const loanProductRoutes = [listLoanProducts, quoteLoan, putLoanProduct, readHolidayCalendar, putHolidayCalendar];
