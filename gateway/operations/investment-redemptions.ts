import { z } from "zod";
import type { Redemption } from "../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, integer, maybe } from "../schema.js";
import { filled, moneyText, timeText } from "../wire.js";
import { unitsIn } from "./investment-shapes.js";
import { base, holdingParams, holdingExample } from "./investments.js";

const InvestmentRedemption = z
  .object({
    redemptionId: z.string(),
    holdingId: z.string(),
    numberOfUnits: integer,
    unitsLeft: integer,
    principal: decimalText,
    interest: decimalText,
    penalty: decimalText,
    tax: decimalText,
    paidAmount: decimalText,
    currency: z.string(),
    userWalletId: z.string(),
    redeemedAt: instant,
  })
  .meta({ id: "InvestmentRedemption" });

export const redeemInvestment = route({
  method: "post",
  path: `${base}/:holdingId/redeem`,
  operationId: "redeemInvestment",
  tag: "Investments",
  summary:
    "Have units of one's investment paid back into the wallet they were bought from, all of them when none are named",
  access: ["CUSTOMER"],
  scopes: ["investments:make"],
  headers: { idempotencyKey: "required" },
  params: holdingParams,
  body: z.object({ numberOfUnits: maybe(unitsIn) }).meta({ id: "InvestmentRedemptionRequest" }),
  answer: InvestmentRedemption,
  message: "Investment redeemed",
  renames: { idempotencyKey: "headers.x-idempotency-key", units: "numberOfUnits" },
  example: { ...holdingExample, headers: { "x-idempotency-key": "redeem-2026-0042" }, body: { numberOfUnits: 1 } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      holdingId: params.holdingId,
      ...(body.numberOfUnits !== undefined && { units: BigInt(body.numberOfUnits) }),
    };
    const answer = await clients.investment.redeemHolding(request, outgoing(call, { onReplayed: call.markReplayed }));
    return redemptionFromWire(filled(answer.redemption, "redemption"));
  },
});

function redemptionFromWire(redemption: Redemption): z.output<typeof InvestmentRedemption> {
  return {
    redemptionId: redemption.redemptionId,
    holdingId: redemption.holdingId,
    numberOfUnits: redemption.units,
    unitsLeft: redemption.unitsLeft,
    principal: moneyText(redemption.principal, "principal"),
    interest: moneyText(redemption.interest, "interest"),
    penalty: moneyText(redemption.penalty, "penalty"),
    tax: moneyText(redemption.tax, "tax"),
    paidAmount: moneyText(redemption.paid, "paid"),
    currency: filled(redemption.paid, "paid").currency,
    userWalletId: redemption.walletAccountId,
    redeemedAt: timeText(redemption.redeemedAt, "redeemed_at"),
  };
}
