import { z } from "zod";
import type { Markup as WireMarkup, Promotion as WirePromotion } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import {
  countryIn,
  currencyCode,
  decimalText,
  instant,
  instantIn,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
} from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";

const base = `${v6}/transactionmanagement`;

const MarkupRequest = z
  .object({
    owner: maybe(text(128)).meta({ description: "A manager's: TENANT or AGENT_LIMIT. An agent's own when absent." }),
    sendCurrency: maybe(currencyCode),
    receivingCurrency: maybe(currencyCode),
    rateBps: wholeNumberIn(0, 2_000).meta({ description: "Basis points off the middle rate." }),
    feeBps: maybe(wholeNumberIn(0, 2_000)).meta({ description: "A fee of the principal, basis points." }),
  })
  .meta({ id: "MarkupRequest", description: "Without currencies: for every pair that has none of its own." });

const Markup = z
  .object({
    owner: z.string(),
    sendCurrency: z.string().optional(),
    receivingCurrency: z.string().optional(),
    rateBps: z.int(),
    feeBps: z.int(),
    version: z.int(),
  })
  .meta({ id: "Markup" });

const putMarkup = route({
  method: "put",
  path: `${base}/markups`,
  operationId: "putMarkup",
  tag: "Markups",
  summary: "Set the organisation's markup, the ceiling of its agents, or an agent's own within it",
  access: ["MANAGER", "AGENT"],
  scopes: ["settings:write", "markups:write"],
  body: MarkupRequest,
  answer: Markup,
  message: "Markup",
  example: { as: "manager@demo.example", body: { owner: "AGENT_LIMIT", rateBps: 50, feeBps: 25 } },
  run: async ({ body, call, clients }) => {
    const { owner = "", sendCurrency = "", receivingCurrency = "", rateBps, feeBps = 0 } = body;
    const markup = { owner, sendCurrency, receivingCurrency, rateBps, feeBps };
    return markupFromWire(filled((await clients.remittance.putMarkup({ markup }, outgoing(call))).markup, "markup"));
  },
});

const listMarkups = route({
  method: "get",
  path: `${base}/markups`,
  operationId: "listMarkups",
  tag: "Markups",
  summary: "List markups: managers all, agents the organisation's, their ceiling and their own",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read", "settings:write"],
  answer: z.array(Markup),
  message: "Markups",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) =>
    (await clients.remittance.listMarkups({}, outgoing(call))).markups.map(markupFromWire),
});

const PromotionRequest = z
  .object({
    code: text(32).meta({ description: "2 to 32 letters, digits and -." }),
    feeDiscountBps: maybe(wholeNumberIn(0, 10_000)).meta({ description: "Off every fee." }),
    rateBonusBps: maybe(wholeNumberIn(0, 2_000)).meta({ description: "Off the markup, never beyond the middle rate." }),
    validFrom: instantIn,
    validUntil: instantIn,
    maxUses: maybe(wholeNumberIn(1, 1_000_000_000)),
    maxUsesPerCustomer: maybe(wholeNumberIn(1, 1_000_000_000)),
    minimumAmount: maybe(moneyTextOrNumberIn),
    minimumCurrency: maybe(currencyCode),
    receivingCountries: maybe(z.array(countryIn).max(250)),
    enabled: maybe(z.boolean()),
  })
  .meta({ id: "PromotionRequest" });

const Promotion = z
  .object({
    code: z.string(),
    feeDiscountBps: z.int(),
    rateBonusBps: z.int(),
    validFrom: instant,
    validUntil: instant,
    maxUses: z.int().optional(),
    maxUsesPerCustomer: z.int().optional(),
    minimumAmount: decimalText.optional(),
    minimumCurrency: z.string().optional(),
    receivingCountries: z.array(z.string()),
    enabled: z.boolean(),
    uses: z.int(),
    version: z.int(),
  })
  .meta({ id: "Promotion" });

const putPromotion = route({
  method: "put",
  path: `${base}/promotions`,
  operationId: "putPromotion",
  tag: "Promotions",
  summary: "Create a promo code or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: PromotionRequest,
  answer: Promotion,
  message: "Promotion",
  example: {
    as: "manager@demo.example",
    body: {
      code: "WELCOME",
      feeDiscountBps: 5_000,
      validFrom: "2026-01-01T00:00:00Z",
      validUntil: "2030-01-01T00:00:00Z",
      maxUsesPerCustomer: 1,
    },
  },
  renames: { promotion: "body", minimum: "minimumAmount" },
  run: async ({ body, call, clients }) => {
    const { minimumAmount, minimumCurrency = "" } = body;
    const minimum = minimumAmount && moneyToWire(parseMoney(minimumAmount, minimumCurrency, "minimumAmount"));
    const promotion = {
      code: body.code,
      feeDiscountBps: body.feeDiscountBps ?? 0,
      rateBonusBps: body.rateBonusBps ?? 0,
      validFrom: new Date(body.validFrom),
      validUntil: new Date(body.validUntil),
      maxUses: body.maxUses ?? 0,
      maxUsesPerCustomer: body.maxUsesPerCustomer ?? 0,
      ...(minimum && { minimum }),
      receivingCountries: body.receivingCountries ?? [],
      enabled: body.enabled ?? true,
    };
    const answer = await clients.remittance.putPromotion({ promotion }, outgoing(call));
    return promotionFromWire(filled(answer.promotion, "promotion"));
  },
});

const listPromotions = route({
  method: "get",
  path: `${base}/promotions`,
  operationId: "listPromotions",
  tag: "Promotions",
  summary: "List promo codes and how often they were used",
  access: ["MANAGER"],
  scopes: ["reports:read", "settings:write"],
  answer: z.array(Promotion),
  message: "Promotions",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) =>
    (await clients.remittance.listPromotions({}, outgoing(call))).promotions.map(promotionFromWire),
});

export const markupRoutes = [putMarkup, listMarkups, putPromotion, listPromotions];

function markupFromWire({ owner, sendCurrency, receivingCurrency, rateBps, feeBps, version }: WireMarkup) {
  return {
    owner,
    sendCurrency: absentIfEmpty(sendCurrency),
    receivingCurrency: absentIfEmpty(receivingCurrency),
    rateBps,
    feeBps,
    version,
  };
}

function promotionFromWire(promotion: WirePromotion): z.output<typeof Promotion> {
  const { minimum, maxUses, maxUsesPerCustomer } = promotion;
  return {
    code: promotion.code,
    feeDiscountBps: promotion.feeDiscountBps,
    rateBonusBps: promotion.rateBonusBps,
    validFrom: timeText(promotion.validFrom, "valid_from"),
    validUntil: timeText(promotion.validUntil, "valid_until"),
    maxUses: maxUses || undefined,
    maxUsesPerCustomer: maxUsesPerCustomer || undefined,
    ...(minimum && { minimumAmount: moneyText(minimum, "minimum"), minimumCurrency: minimum.currency }),
    receivingCountries: promotion.receivingCountries,
    enabled: promotion.enabled,
    uses: promotion.uses,
    version: promotion.version,
  };
}
