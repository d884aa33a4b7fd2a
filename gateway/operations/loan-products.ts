import { z } from "zod";
import { Offer } from "../../services/platform/events/shapes/loan-shape.js";
import { operation } from "../operation.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { HolidayCalendar, HolidayCalendarRequest, LoanProduct, LoanProductTerms } from "../shapes/loan-products.js";
import { dateIn, staffBase, userBase } from "../shapes/loans.js";
import { everyRole } from "./base.js";

const renames = Object.fromEntries(Object.keys(LoanProductTerms.shape).map((name) => [`product.${name}`, name]));

export const listLoanProducts = operation({
  method: "get",
  path: `${userBase}/loan-products`,
  operationId: "listLoanProducts",
  tag: "Loans",
  summary: "List what loans there are",
  access: everyRole,
  scopes: ["loans:read"],
  answer: z.array(LoanProduct),
  message: "Loan products",
  example: { as: "amina@demo.example" },
  rpc: "lending.listLoanProducts",
  gives: "products",
});

export const putLoanProduct = operation({
  method: "put",
  path: `${staffBase}/loan-products/:productId`,
  operationId: "putLoanProduct",
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
  gives: "product",
});

export const readHolidayCalendar = operation({
  method: "get",
  path: `${staffBase}/holiday-calendar`,
  operationId: "readHolidayCalendar",
  tag: "Loans",
  summary: "Read the days on which no instalment falls due",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  answer: HolidayCalendar,
  message: "Holiday calendar",
  example: { as: "manager@demo.example" },
  rpc: "lending.getHolidayCalendar",
  gives: "calendar",
});

export const putHolidayCalendar = operation({
  method: "put",
  path: `${staffBase}/holiday-calendar`,
  operationId: "putHolidayCalendar",
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
  gives: "calendar",
});

export const quoteLoan = operation({
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
  rpc: "lending.quoteLoan",
  gives: "offer",
});

export const loanProductRoutes = [listLoanProducts, quoteLoan, putLoanProduct, readHolidayCalendar, putHolidayCalendar];
