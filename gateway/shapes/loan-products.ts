import { z } from "zod";
import * as wire from "../../proto/gen/lending/v1/product.js";
import { shape } from "../codec.js";
import { currencyCode, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { dateIn } from "./loans.js";

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
  z.object({ weekend: z.array(z.number().int()), holidays: z.array(z.string()) }).meta({ id: "HolidayCalendar" }),
);
