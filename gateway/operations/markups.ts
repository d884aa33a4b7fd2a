import { z } from "zod";
import { operation } from "../operation.js";
import { v6 } from "../route.js";
import { Markup, MarkupRequest, Promotion, PromotionRequest } from "../shapes/exchange-rates.js";

const base = `${v6}/transactionmanagement`;

const putMarkup = operation({
  method: "put",
  path: `${base}/markups`,
  tag: "Markups",
  summary: "Set the organisation's markup, the ceiling of its agents, or an agent's own within it",
  access: ["MANAGER", "AGENT"],
  scopes: ["settings:write", "markups:write"],
  body: MarkupRequest,
  answer: Markup,
  message: "Markup",
  example: { as: "manager@demo.example", body: { owner: "AGENT_LIMIT", rateBps: 50, feeBps: 25 } },
  rpc: "remittance.putMarkup",
  sends: "markup",
});

const listMarkups = operation({
  method: "get",
  path: `${base}/markups`,
  tag: "Markups",
  summary: "List markups: managers all, agents the organisation's, their ceiling and their own",
  access: ["MANAGER", "AGENT"],
  scopes: ["reports:read", "settings:write"],
  answer: z.array(Markup),
  message: "Markups",
  example: { as: "manager@demo.example" },
  rpc: "remittance.listMarkups",
});

const putPromotion = operation({
  method: "put",
  path: `${base}/promotions`,
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
  rpc: "remittance.putPromotion",
  sends: "promotion",
});

const listPromotions = operation({
  method: "get",
  path: `${base}/promotions`,
  tag: "Promotions",
  summary: "List promo codes and how often they were used",
  access: ["MANAGER"],
  scopes: ["reports:read", "settings:write"],
  answer: z.array(Promotion),
  message: "Promotions",
  example: { as: "manager@demo.example" },
  rpc: "remittance.listPromotions",
});

export const markupRoutes = { putMarkup, listMarkups, putPromotion, listPromotions };
