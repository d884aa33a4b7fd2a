import { z } from "zod";
import { operation } from "../operation.js";
import { dateIn, shown } from "../schema.js";
import { BookPosition, PricedExchange, Revaluation, WaitingExchange } from "../shapes/positions.js";
import { booksBase, booksOperation } from "./books.js";

const readPositions = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/positions`,
  scopes: ["books:read"],
  summary: "Read what the organisation is long or short of in each currency: its cost, its worth, and what it has won",
  answer: z.object({
    baseCurrency: z.string(),
    positions: z.array(BookPosition),
    waiting: z.array(WaitingExchange).meta({
      description: "Exchanges of two foreign currencies for whose day no rate is known: nothing behind is counted.",
    }),
    priced: z.array(PricedExchange).meta({
      description: "The last exchanges of two foreign currencies, and the middle rates that they were priced by.",
    }),
    unrevaluedDays: z.array(shown(z.string(), "2026-11-29")).meta({
      description: "Days that are over and open, with positions that no revaluation fits; the first hundred.",
    }),
  }),
  message: "Positions",
  example: { as: "manager@demo.example" },
  rpc: "positions.getPositions",
});

const revaluePositions = operation({
  ...booksOperation,
  method: "post",
  path: `${booksBase}/revaluations`,
  peopleOnly: "judgement",
  summary: "Revalue what is left of each position at the end of a day at its middle rates",
  headers: { idempotencyKey: "required" },
  body: z.object({ day: dateIn }).meta({ id: "RevaluePositionsRequest" }),
  answer: Revaluation,
  message: "Positions revalued",
  renames: { idempotencyKey: "x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "revaluation-2025-11-30" },
    body: { day: "2025-11-30" },
  },
  rpc: "positions.revaluePositions",
});

const readRevaluation = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/revaluations/:day`,
  scopes: ["books:read"],
  summary: "Read what was left of each position at the end of a day, what it was worth, and by which rates",
  params: z.object({ day: dateIn }),
  answer: Revaluation,
  message: "Revaluation",
  renames: { day: "path.day" },
  example: { as: "manager@demo.example", params: { day: "1999-12-31" }, answers: 404 },
  rpc: "positions.getRevaluation",
});

/** In the order in which the documentation shows them. */
export const positionRoutes = { readPositions, revaluePositions, readRevaluation };
