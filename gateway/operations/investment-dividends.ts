import { z } from "zod";
import type { Dividend as WireDividend } from "../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, integer, moneyTextOrNumberIn } from "../schema.js";
import { filled, moneyText, timeText } from "../wire.js";
import { v1User } from "./base.js";
import { base, productParams } from "./investment-products.js";
import { uuidIn, dateIn, dateOut, demoProduct } from "./investment-shapes.js";

const Dividend = z
  .object({
    dividendId: z.string(),
    productId: z.string(),
    from: dateOut,
    to: dateOut,
    amount: decimalText,
    currency: z.string(),
    status: z.enum(["DECLARED", "PAYING", "PAID"]),
    holdings: integer,
    paidAmount: decimalText.meta({ description: "Before tax." }),
    taxAmount: decimalText,
    failedAmount: decimalText.meta({
      description: "Shares whose wallet is closed: owed until another wallet is named.",
    }),
    failedHoldingIds: z.array(z.string()).meta({ description: "Whose shares these are, 100 at most." }),
    declaredAt: instant,
  })
  .meta({ id: "InvestmentDividend" });

export const declareInvestmentDividend = route({
  method: "post",
  path: `${base}/:productId/dividends`,
  operationId: "declareInvestmentDividend",
  tag: "Investments",
  summary:
    "Share an amount among the holders of a product by the days that they held units, and pay it into their wallets",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: productParams,
  body: z
    .object({
      from: dateIn,
      to: dateIn.meta({ description: "The first day that does not count; today at the latest." }),
      amount: moneyTextOrNumberIn,
      currency: currencyCode,
    })
    .meta({ id: "InvestmentDividendRequest" }),
  answer: Dividend,
  message: "Dividend declared",
  renames: { idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "dividend-2026-q3" },
    params: { productId: demoProduct },
    body: { from: "2026-01-01", to: "2026-04-01", amount: "100.00", currency: "USD" },
  },
  run: async ({ params, body, headers, call, clients }) => {
    const { from, to } = body;
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      productId: params.productId,
      from,
      to,
      amount: moneyToWire(parseMoney(body.amount, body.currency, "amount")),
    };
    const answer = await clients.investment.declareDividend(request, outgoing(call, { onReplayed: call.markReplayed }));
    return dividendFromWire(answer.dividend);
  },
});

export const readInvestmentDividend = route({
  method: "get",
  path: `${v1User}/dividends/:dividendId`,
  operationId: "readInvestmentDividend",
  tag: "Investments",
  summary: "Read how far a dividend is paid",
  access: ["MANAGER"],
  scopes: ["investments:read"],
  params: z.object({ dividendId: uuidIn }),
  answer: Dividend,
  message: "Dividend",
  example: {
    as: "manager@demo.example",
    params: { dividendId: "0199d0c2-0000-7000-8000-000000000002" },
    from: { "params.dividendId": "declareInvestmentDividend data.dividendId" },
  },
  run: async ({ params, call, clients }) =>
    dividendFromWire((await clients.investment.getDividend(params, outgoing(call))).dividend),
});

function dividendFromWire(wire: WireDividend | undefined): z.output<typeof Dividend> {
  const dividend = filled(wire, "dividend");
  const { dividendId, productId, from, to, status, holdings } = dividend;
  return {
    dividendId,
    productId,
    from,
    to,
    amount: moneyText(dividend.amount, "dividend.amount"),
    currency: filled(dividend.amount, "dividend.amount").currency,
    status: status as "DECLARED",
    holdings,
    paidAmount: moneyText(dividend.paid, "dividend.paid"),
    taxAmount: moneyText(dividend.tax, "dividend.tax"),
    failedAmount: moneyText(dividend.failed, "dividend.failed"),
    failedHoldingIds: dividend.failedHoldingIds,
    declaredAt: timeText(dividend.declaredAt, "dividend.declared_at"),
  };
}
