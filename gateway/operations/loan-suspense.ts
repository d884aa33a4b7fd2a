import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { idIn, staffBase } from "./loan-shapes.js";
import { desk } from "./loan-servicing.js";

const Credit = z
  .object({
    creditId: z.string(),
    reference: z.string(),
    amount: decimalText,
    currency: z.string(),
    senderName: z.string(),
    receivedAt: instant,
  })
  .meta({ id: "SuspenseCredit" });

export const listLoanSuspense = route({
  method: "get",
  path: `${staffBase}/suspense`,
  operationId: "listLoanSuspense",
  tag: "Loan servicing",
  summary: "List bank credits for loans that matched nothing",
  access: desk,
  scopes: ["loans:read"],
  query: z.object({ cursor: idIn.optional() }),
  answer: z.object({ credits: z.array(Credit), cursor: z.string().optional() }),
  message: "Credits in suspense",
  example: { as: "cashier@demo.example" },
  run: async ({ query, call, clients }) => {
    const page = await clients.lending.listSuspense({ pageToken: query.cursor ?? "" }, outgoing(call));
    return {
      cursor: absentIfEmpty(page.nextPageToken),
      credits: page.credits.map(({ creditId, reference, amount, senderName, receivedAt }) => ({
        creditId,
        reference,
        amount: moneyText(amount, "credit.amount"),
        currency: filled(amount, "credit.amount").currency,
        senderName,
        receivedAt: timeText(receivedAt, "credit.received_at"),
      })),
    };
  },
});
