import { z } from "zod";
import { Offer } from "../../services/platform/events/shapes/loan-shape.js";
import { operation } from "../operation.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn, currencyCode, shown, dateIn } from "../schema.js";
import { staffBase, userBase } from "../shapes/loans.js";
import { everyRole } from "../route.js";
import * as wire from "../../proto/gen/lending/v1/product.js";
import { shape } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const percentIn = maybe(moneyTextOrNumberIn);
const oneOf = <T extends string>(...values: [T, ...T[]]) => z.enum(values);

export const LoanProductTerms = shape(
  wire.LoanProduct,
  z
    .object({
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
    })
    .meta({ id: "LoanProductTerms" }),
);

export const LoanProduct = shape(
  wire.LoanProduct,
  z
    .object({
      productId: leaf.productId,
      version: z.number().int(),
      name: leaf.loanProductName,
      currency: z.string(),
      minimumAmount: shown(z.string(), "50.00"),
      maximumAmount: shown(z.string(), "20000.00"),
      minimumInstalments: shown(z.number().int(), 3),
      maximumInstalments: shown(z.number().int(), 60),
      frequency: shown(z.string(), "MONTH"),
      annualRate: leaf.annualRate,
      interestMethod: shown(z.string(), "DECLINING"),
      amortisation: shown(z.string(), "EQUAL_INSTALMENTS"),
      dayCount: leaf.dayCount,
      principalGrace: shown(z.number().int(), 0),
      interestGrace: shown(z.number().int(), 0),
      disbursementFee: shown(z.string(), "6.00"),
      disbursementFeePercent: shown(z.string(), "1"),
      instalmentFee: leaf.zeroText,
      instalmentFeePercent: leaf.zeroPercent,
      penaltyGraceDays: shown(z.number().int(), 5),
      penalty: leaf.zeroText,
      penaltyPercent: leaf.zeroPercent,
      businessDayRule: shown(z.string(), "FOLLOWING"),
      payoffInterest: shown(z.string(), "TO_DAY"),
      payoffFee: leaf.zeroText,
      payoffFeePercent: leaf.zeroPercent,
      thirdPartyCollection: leaf.no,
      allocationOrder: z.array(shown(z.string(), "PENALTY")),
      affordabilityPercent: shown(z.string(), "40"),
      approvedAtOnce: z.boolean(),
    })
    .meta({ id: "LoanProduct" }),
);

export const HolidayCalendarRequest = shape(
  wire.HolidayCalendar,
  z
    .object({ weekend: z.array(wholeNumberIn(1, 7)).max(6), holidays: z.array(dateIn).max(2_000) })
    .meta({ id: "HolidayCalendarRequest" }),
);

export const HolidayCalendar = shape(
  wire.HolidayCalendar,
  z
    .object({ weekend: z.array(shown(z.number().int(), 6)), holidays: z.array(shown(z.string(), "2026-12-25")) })
    .meta({ id: "HolidayCalendar" }),
);

const renames = Object.fromEntries(Object.keys(LoanProductTerms.shape).map((name) => [`product.${name}`, name]));

export const listLoanProducts = operation({
  method: "get",
  path: `${userBase}/loan-products`,
  tag: "Loans",
  summary: "List what loans there are",
  access: everyRole,
  scopes: ["loans:read"],
  answer: z.array(LoanProduct),
  message: "Loan products",
  example: { as: "amina@demo.example" },
  rpc: "lending.listLoanProducts",
});

export const putLoanProduct = operation({
  method: "put",
  path: `${staffBase}/loan-products/:productId`,
  tag: "Loans",
  summary: "Make a loan product or its next version; loans keep the version they were made with",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  params: z.object({ productId: text(40) }),
  body: LoanProductTerms,
  answer: LoanProduct,
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
  rpc: "lending.putLoanProduct",
  sends: "product",
  fields: { productId: "product.productId" },
});

export const readHolidayCalendar = operation({
  method: "get",
  path: `${staffBase}/holiday-calendar`,
  tag: "Loans",
  summary: "Read the days on which no instalment falls due",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  answer: HolidayCalendar,
  message: "Holiday calendar",
  example: { as: "manager@demo.example" },
  rpc: "lending.getHolidayCalendar",
});

export const putHolidayCalendar = operation({
  method: "put",
  path: `${staffBase}/holiday-calendar`,
  tag: "Loans",
  summary: "Set the days on which no instalment falls due, for schedules made from now on",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: HolidayCalendarRequest,
  answer: HolidayCalendar,
  message: "Holiday calendar",
  renames: { "calendar.weekend": "weekend", "calendar.holidays": "holidays" },
  example: { as: "manager@demo.example", body: { weekend: [6, 7], holidays: ["2026-12-25", "2027-01-01"] } },
  rpc: "lending.putHolidayCalendar",
  sends: "calendar",
});

export const quoteLoan = operation({
  method: "post",
  path: `${userBase}/loan-quotes`,
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
  rpc: "lending.quoteLoan",
});

export const loanProductRoutes = {
  listLoanProducts,
  quoteLoan,
  putLoanProduct,
  readHolidayCalendar,
  putHolidayCalendar,
};
