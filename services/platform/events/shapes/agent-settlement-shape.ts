import { z } from "zod";
import * as wire from "../../../../proto/gen/wallet/v1/agent_settlements.js";
import { shape } from "./codec.js";
import { date, decimalText, instant, shown } from "./schema.js";
import * as leaf from "./leaves.js";

const Balances = shape(
  wire.AgentBalances,
  z
    .object({
      account: shown(decimalText, "-5000.00"),
      unsettled: shown(decimalText, "1250.00").meta({ description: "Given out and not settled yet." }),
      commission: shown(decimalText, "37.41"),
    })
    .meta({ id: "AgentBalances", description: "Above zero it is owed to the agent." }),
);

const Dues = shape(
  wire.AgentDues,
  z
    .object({
      collected: shown(decimalText, "5000.00"),
      paidOut: shown(decimalText, "1250.00"),
      commission: shown(decimalText, "37.41"),
      owes: shown(decimalText, "3712.59").meta({
        description: "collected − paidOut − commission: the agent owes it; below zero the organisation does.",
      }),
    })
    .meta({ id: "AgentDues" }),
);

const Statement = shape(
  wire.AgentStatement,
  z
    .object({
      opening: Balances,
      closing: Balances.meta({
        description: "opening + lines, which is what the ledger has by the end of the last day.",
      }),
      dues: Dues,
      lineCount: shown(z.int(), 214),
      sha256: z.string().meta({ description: "Of the statement's text." }),
      closedAt: instant,
    })
    .meta({ id: "AgentStatement" }),
);

const lineKinds = z.enum([
  "SALE",
  "PICKUP",
  "COMMISSION",
  "CLAW_BACK",
  "TOP_UP",
  "TRANSFER_IN",
  "TRANSFER_OUT",
  "SETTLED",
]);
const lineAccounts = z.enum(["ACCOUNT", "UNSETTLED", "COMMISSION"]);

const MovedLine = shape(
  wire.MovedAgentLine,
  z
    .object({ lineId: z.string(), kind: lineKinds, account: lineAccounts, amount: shown(decimalText, "-102.69") })
    .meta({ id: "MovedAgentLine" }),
);

const Payment = shape(
  wire.AgentPayment,
  z
    .object({
      bank: shown(decimalText, "3712.59").meta({ description: "To the bank; below zero it left it." }),
      reference: z.string(),
      askedBy: leaf.userId,
      approvedBy: leaf.userId,
      paidAt: instant.optional(),
      failure: z.string().optional().meta({ description: "Why the last one was not booked." }),
    })
    .meta({ id: "AgentPayment" }),
);

const Dispute = shape(
  wire.AgentDispute,
  z
    .object({
      reason: z.string(),
      by: leaf.userId,
      at: instant,
      endedBy: leaf.userId.optional(),
      endedAt: instant.optional(),
      endedBecause: z.string().optional(),
    })
    .meta({ id: "AgentDispute" }),
);

/** What an agent and the organisation owe each other, as both read it. */
export const AgentSettlement = shape(
  wire.AgentSettlement,
  z
    .object({
      settlementId: z.string(),
      number: shown(z.int(), 1).meta({ description: "Of the agent and the currency; 0 of one that was cancelled." }),
      agentId: leaf.userId,
      currency: z.string(),
      from: date,
      to: date.meta({ description: "The first day that is not in it." }),
      status: z.enum(["OPEN", "CANCELLED", "CLOSING", "CLOSED", "APPROVED", "PAYING", "PAID", "DISPUTED"]),
      version: shown(z.int(), 1),
      openedBy: leaf.userId,
      openedAt: instant,
      waitsFor: z.string().optional().meta({ description: "While it is CLOSING: what its lines do not come to yet." }),
      statement: Statement.optional(),
      dues: Dues.optional().meta({
        description: "Of the statement, with lines carried to it, without those moved on.",
      }),
      carried: z.array(MovedLine).meta({ description: "Lines of settlements before it." }),
      movedOn: z.array(MovedLine).meta({ description: "Lines that the next one settles." }),
      approvedBy: leaf.userId.optional(),
      approvedAt: instant.optional(),
      payment: Payment.optional(),
      dispute: Dispute.optional(),
    })
    .meta({ id: "AgentSettlement" }),
);

/** One line of a statement. */
export const AgentLine = shape(
  wire.AgentLine,
  z
    .object({
      lineId: z.string(),
      kind: lineKinds,
      account: lineAccounts,
      currency: z.string(),
      amount: shown(decimalText, "-102.69").meta({ description: "Above zero: owed to the agent." }),
      transactionId: z.string().optional(),
      transactionCode: z.string().optional(),
      businessDay: date,
      at: instant,
    })
    .meta({ id: "AgentLine" }),
);
