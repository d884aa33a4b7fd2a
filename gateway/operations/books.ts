import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { filled } from "../codec.js";
import { operation } from "../operation.js";
import { keyOf, replaying, route, v6 } from "../route.js";
import { currencyCode, text } from "../schema.js";
import { accountInChart, ChartCode, LedgerAccount } from "../shapes/ledger.js";

export const booksBase = `${v6}/admin/books`;
export const booksOperation = { tag: "Books" as const, access: ["MANAGER"] as const };

const readChart = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/chart`,
  scopes: ["books:read"],
  summary: "Read the chart of accounts: what each code is, on which side it grows, and who posts from it",
  sdk: { name: "readChart" },
  answer: z.object({ codes: z.array(ChartCode) }),
  message: "Chart of accounts",
  example: { as: "manager@demo.example" },
  rpc: "ledger.getChart",
});

const openBookAccount = route({
  ...booksOperation,
  method: "post",
  path: `${booksBase}/accounts`,
  scopes: ["books:write"],
  summary: "Open an account of the organisation's own: at a bank, or for a kind of costs",
  sdk: { name: "openAccount" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      code: z.enum(["own_bank", "operating_expense"]),
      currency: currencyCode,
      name: text(100).meta({ examples: ["Chase operating"] }),
    })
    .meta({ id: "OpenBookAccountRequest" }),
  answer: LedgerAccount,
  message: "Account opened",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "own-bank-1" },
    body: { code: "own_bank", currency: "USD", name: "Chase operating" },
  },
  run: async ({ body, headers, call, clients }) => {
    const [{ account }, { codes }] = await Promise.all([
      clients.ledger.openBookAccount({ ...body, ...keyOf(headers) }, replaying(call)),
      clients.ledger.getChart({}, outgoing(call)),
    ]);
    return accountInChart(filled(account, "account"), codes);
  },
});

/** In the order in which the documentation shows them. */
export const bookRoutes = { readChart, openBookAccount };
