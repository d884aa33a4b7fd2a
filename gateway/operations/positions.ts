import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/positions.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { decimalText, integer } from "../schema.js";
import { booksBase, booksOperation } from "./books.js";

const BookPosition = shape(
  wire.BookPosition,
  z
    .object({
      code: z.string().meta({ description: "Of its accounts, from the chart of accounts." }),
      currency: z.string(),
      baseCurrency: z.string(),
      quantity: decimalText.meta({ description: "Long above zero, short below." }),
      cost: decimalText.meta({ description: "In base: paid for it, or below zero received." }),
      realised: decimalText.meta({ description: "In base: won so far, or below zero lost." }),
    })
    .meta({ id: "BookPosition" }),
  {
    quantity: { minor: "quantityMinor", currency: "currency" },
    cost: { minor: "costMinor", currency: "baseCurrency" },
    realised: { minor: "realisedMinor", currency: "baseCurrency" },
  },
);

const WaitingExchange = shape(
  wire.WaitingExchange,
  z.object({ code: z.string(), sequence: integer, currencies: z.array(z.string()) }).meta({ id: "WaitingExchange" }),
);

const readPositions = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/positions`,
  scopes: ["books:read"],
  summary: "Read what the organisation is long or short of in each currency, at average cost, and what that has won",
  answer: z.object({
    baseCurrency: z.string(),
    positions: z.array(BookPosition),
    waiting: z.array(WaitingExchange).meta({
      description: "Exchanges of two foreign currencies that have no price in base: nothing behind them is counted.",
    }),
  }),
  message: "Positions",
  example: { as: "manager@demo.example" },
  rpc: "positions.getPositions",
});

export const positionRoutes = { readPositions };
