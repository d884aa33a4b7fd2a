import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/agent_accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import {
  currencyCode,
  cursorQuery,
  decimalText,
  idIn,
  instant,
  maybe,
  moneyTextOrNumberIn,
  shown,
  text,
} from "../schema.js";
import { agentPath, agentsBase, asked, noAgent } from "./agents.js";
import { AccountSale, codeAndDocument, CounterPayable, payablePath, SaleRequest } from "./counter.js";
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

const AgentTransfer = shape(
  wire.AgentTransfer,
  z
    .object({
      transferId: z.string(),
      giverId: z.string().meta({ description: "User id." }),
      receiverId: z.string().meta({ description: "User id." }),
      amount: shown(decimalText, "100.00"),
      currency: z.string(),
      status: z.enum(["OFFERED", "ACCEPTING", "ACCEPTED", "DECLINED", "WITHDRAWN"]),
      offeredAt: instant,
      endedAt: instant.optional(),
    })
    .meta({ id: "AgentTransfer" }),
  { currency: "amount.currency" },
);
const transfersBase = `${agentsBase}/transfers`;
const ofAgents = {
  tag: "Agents",
  access: ["AGENT"],
  method: "post",
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  answer: AgentTransfer,
} as const;

const offerAgentTransfer = operation({
  ...ofAgents,
  path: transfersBase,
  summary: "Set money of one's account aside for another agent; it is the giver's until it is accepted",
  body: z
    .object({
      receiverId: idIn.meta({ description: "User id of another agent, who has an account in the currency." }),
      currency: currencyCode,
      amount: moneyTextOrNumberIn.meta({ description: "Of what is prefunded." }),
    })
    .meta({ id: "AgentTransferRequest" }),
  message: "Transfer offered",
  example: {
    as: "agent@demo.example",
    headers: { "x-idempotency-key": "transfer-1" },
    body: { receiverId: "no-such-agent", currency: "USD", amount: "100.00" },
    answers: 404,
  },
  rpc: "agentAccounts.offerAgentTransfer",
});

const listTransferReceivers = operation({
  tag: "Agents",
  access: ["AGENT", "MANAGER"],
  method: "get",
  path: `${agentsBase}/transfer-receivers`,
  scopes: ["reports:read"],
  summary: "List agents whom what is prefunded in a currency can be offered to",
  query: cursorQuery.extend({ currency: currencyCode }),
  answer: z.object({
    receivers: z.array(
      shape(
        wire.TransferReceiver,
        z
          .object({ agentId: z.string().meta({ description: "User id." }), name: shown(z.string(), "Halima Agent") })
          .meta({ id: "TransferReceiver" }),
      ),
    ),
    nextCursor: leaf.nextCursor.optional(),
  }),
  message: "Receivers",
  example: { as: "manager@demo.example", query: { currency: "USD" } },
  rpc: "agentAccounts.listTransferReceivers",
});

const noTransfer = {
  as: "agent@demo.example",
  headers: { "x-idempotency-key": "transfer-2" },
  params: { transferId: "no-such-transfer" },
  answers: 404,
} as const;
const transferPath = z.object({ transferId: idIn });

const acceptAgentTransfer = operation({
  ...ofAgents,
  path: `${transfersBase}/:transferId/accept`,
  summary: "Take what another agent offers",
  params: transferPath,
  message: "Transfer accepted",
  example: noTransfer,
  rpc: "agentAccounts.acceptAgentTransfer",
});

const endAgentTransfer = operation({
  ...ofAgents,
  access: ["AGENT", "MANAGER"],
  path: `${transfersBase}/:transferId/end`,
  summary: "Take back what one has offered, or decline it; a manager takes back any",
  params: transferPath,
  message: "Transfer ended",
  example: noTransfer,
  rpc: "agentAccounts.endAgentTransfer",
});

const listAgentTransfers = operation({
  tag: "Agents",
  access: ["AGENT", "MANAGER"],
  method: "get",
  path: transfersBase,
  scopes: ["reports:read"],
  summary: "List what one has given to other agents or received, or all of it for a manager, the newest first",
  query: cursorQuery.extend({ open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ transfers: z.array(AgentTransfer), nextCursor: leaf.nextCursor.optional() }),
  message: "Transfers between agents",
  example: { as: "manager@demo.example" },
  rpc: "agentAccounts.listAgentTransfers",
  fields: { open: "openOnly" },
});

const payOutAsAgent = operation({
  tag: "Agents",
  access: ["AGENT"],
  method: "post",
  path: `${paymentsBase}/agent-pickups`,
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  summary: "Hand cash of one's own out to a recipient against the code: it is owed to one until it is settled",
  body: z.object({ transactionCode: text(40), pickupCode: text(40) }).meta({ id: "AgentPickup" }),
  answer: shape(
    wire.PayOutAsAgentResponse,
    z
      .object({
        transactionId: leaf.transactionId,
        transactionCode: leaf.transactionCode,
        amount: leaf.receiveAmount,
        currency: leaf.receivingCurrency,
        recipientName: leaf.recipientName,
        paidOutAt: instant,
      })
      .meta({ id: "AgentPickedUp" }),
    { currency: "amount.currency" },
  ),
  message: "Cash handed out",
  example: {
    as: "agent@demo.example",
    headers: { "x-idempotency-key": "agent-pickup-1" },
    body: { transactionCode: "MN0000000000", pickupCode: "00000-00000" },
    answers: 403,
  },
  rpc: "agentAccounts.payOutAsAgent",
});

const payCounterPayableAsAgent = operation({
  tag: "Agents",
  access: ["AGENT"],
  method: "post",
  path: `${paymentsBase}/counter-payables/:payableId/pay`,
  peopleOnly: "drawer",
  headers: { idempotencyKey: "required" },
  summary: "Give the sender cash of one's own back against code and document: it is owed to one until it is settled",
  params: payablePath,
  body: codeAndDocument,
  answer: CounterPayable,
  message: "Cash given back",
  example: {
    as: "agent@demo.example",
    headers: { "x-idempotency-key": "agent-payable-1" },
    params: { payableId: "no-such-payable" },
    body: { code: "00000-00000", document: { type: "PASSPORT", number: "A01234567" } },
    answers: 403,
  },
  rpc: "agentAccounts.payCounterPayableAsAgent",
});

/** In the order in which the documentation shows them. */
export const agentAccountRoutes = {
  readAgentAccounts,
  moveAgentFloat,
  sellFromAccount,
  listTransferReceivers,
  offerAgentTransfer,
  acceptAgentTransfer,
  endAgentTransfer,
  listAgentTransfers,
  payOutAsAgent,
  payCounterPayableAsAgent,
};
