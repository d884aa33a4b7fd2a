import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/agent_accounts.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { currencyCode, decimalText, maybe, moneyTextOrNumberIn, shown, text } from "../schema.js";
import { agentPath, agentsBase, asked, noAgent } from "./agents.js";
import { AccountSale, SaleRequest } from "./counter.js";
import { paymentsBase } from "./wallet-accounts.js";

const inCurrency = <M extends string>(minor: M) => ({ minor, currency: "currency" }) as const;

const AgentAccount = shape(
  wire.AgentAccount,
  z
    .object({
      currency: z.string(),
      balance: shown(decimalText, "-2991.46").meta({ description: "Below zero, so much of the credit line is used." }),
      reserved: shown(decimalText, "0.00").meta({
        description: "Of it, what has begun to leave: sales under way, and what is offered to other agents.",
      }),
      creditLine: shown(decimalText, "3000.00"),
      available: shown(decimalText, "8.54").meta({ description: "What may be sold for now." }),
      used: shown(decimalText, "2991.46").meta({ description: "Of the credit line." }),
      unsettled: shown(decimalText, "0.00").meta({
        description: "Given out of the agent's own notes; it cannot be spent before it is settled.",
      }),
      commission: shown(decimalText, "34.00").meta({ description: "Earned and not settled." }),
      low: z.boolean().meta({ description: "agent.float_low was told, and nothing came in since." }),
    })
    .meta({ id: "AgentAccount" }),
  {
    balance: inCurrency("balanceMinor"),
    reserved: inCurrency("reservedMinor"),
    creditLine: inCurrency("creditLineMinor"),
    available: inCurrency("availableMinor"),
    used: inCurrency("usedMinor"),
    unsettled: inCurrency("unsettledMinor"),
    commission: inCurrency("commissionMinor"),
  },
);

const readAgentAccounts = operation({
  tag: "Agents",
  access: ["AGENT", "MANAGER"],
  method: "get",
  path: `${agentsBase}/agents/:agentId/accounts`,
  scopes: ["reports:read"],
  summary: "Read what an agent has to sell by in each currency; agents read their own",
  params: agentPath,
  answer: z.object({ accounts: z.array(AgentAccount) }),
  message: "Accounts of an agent",
  example: { as: "manager@demo.example", params: { agentId: "no-such-agent" } },
  rpc: "agentAccounts.getAgentAccounts",
});

const moveAgentFloat = operation({
  ...asked,
  method: "post",
  path: `${agentsBase}/agents/:agentId/float-movements`,
  summary: "Ask for money of a bank to be an agent's, or to go back to one, which another manager approves",
  params: agentPath,
  body: z
    .object({
      direction: z.enum(["TOP_UP", "TAKE_BACK"]),
      currency: currencyCode,
      amount: moneyTextOrNumberIn.meta({ description: "Of what is prefunded where it is taken back." }),
      bank: maybe(text(128)).meta({
        description: 'The id of one of its own, or "operator"; needed where the organisation has several.',
      }),
      reference: text(128).meta({ description: "Of the bank's." }),
    })
    .meta({ id: "AgentFloatRequest" }),
  message: "Movement asked for",
  example: {
    ...noAgent,
    headers: { "x-idempotency-key": "float-1" },
    body: { direction: "TOP_UP", currency: "USD", amount: "500.00", reference: "Transfer 4711" },
  },
  rpc: "agentAccounts.moveAgentFloat",
});

const sellFromAccount = operation({
  tag: "Agents",
  access: ["AGENT"],
  method: "post",
  path: `${paymentsBase}/agent-sales`,
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  summary: "Sell a transaction for cash of one's own, whoever made it: one's account pays for it",
  body: SaleRequest,
  answer: AccountSale,
  message: "Transaction sold",
  example: {
    as: "agent@demo.example",
    headers: { "x-idempotency-key": "agent-sale-1" },
    body: { transactionId: "no-such-transaction", received: "30.00" },
    answers: 403,
  },
  rpc: "agentAccounts.sellFromAccount",
});

/** In the order in which the documentation shows them. */
export const agentAccountRoutes = { readAgentAccounts, moveAgentFloat, sellFromAccount };
