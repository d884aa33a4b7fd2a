import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, moneyNumber } from "../schema.js";
import { moneyAsNumber, moneyOf, timeText } from "../wire.js";
import { exampleIds } from "../example-ids.js";
import { totalsAnswer } from "./contract-answers.js";
import { v1User } from "./base.js";
import { uuidIn } from "./investment-shapes.js";
import { readerRoles } from "./investments.js";

const InvestmentTotals = z
  .object({
    totalInvestmentsResponseDto: z.object({ totalInvestments: moneyNumber }),
    interestAccruedResponseDto: z.object({
      totalInvestments: moneyNumber.meta({ description: "Interest that is counted and not paid, under this name." }),
    }),
    currency: z.string().meta({ description: "The organisation's base currency." }),
    rates: z
      .array(
        z.object({
          fromCurrency: z.string(),
          toCurrency: z.string(),
          rate: decimalText,
          source: z.string(),
          validFrom: instant,
        }),
      )
      .meta({ description: "What other currencies were converted at." }),
  })
  .meta({ id: "InvestmentTotals" });

/** §4.7 */
export const getTotalInvestments = route({
  method: "get",
  path: `${v1User}/get-total/:userId`,
  operationId: "getTotalInvestments",
  contract: true,
  tag: "Investments",
  summary: "Read what a user has invested and earned, in the organisation's base currency",
  access: readerRoles,
  scopes: ["investments:read"],
  sdk: { name: "total" },
  headers: { idempotencyKey: "optional" },
  params: z.object({ userId: uuidIn }),
  answer: InvestmentTotals,
  message: "Total investments",
  example: {
    as: "amina@demo.example",
    params: { userId: exampleIds.userId },
    from: { "params.userId": "readProfile data.user.userId" },
    answer: totalsAnswer,
  },
  run: async ({ params, call, clients }) => {
    const totals = await clients.investment.getTotals(params, outgoing(call));
    const [invested, interest] = [moneyOf(totals.invested, "invested"), moneyOf(totals.accruedInterest, "interest")];
    return {
      totalInvestmentsResponseDto: { totalInvestments: moneyAsNumber(invested.minor, invested.currency) },
      interestAccruedResponseDto: { totalInvestments: moneyAsNumber(interest.minor, interest.currency) },
      currency: invested.currency,
      rates: totals.rates.map((rate) => ({ ...rate, validFrom: timeText(rate.validFrom, "rate.valid_from") })),
    };
  },
});
