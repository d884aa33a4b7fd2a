import { z } from "zod";
import type { Entry } from "../../proto/gen/ledger/v1/ledger.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { requireUser, type UserPrincipal } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { route } from "../route.js";
import { instant, integer, moneyNumber } from "../schema.js";
import { absentIfEmpty, enumName, moneyAsNumber, moneyOf, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { exampleIds } from "../example-ids.js";
import { ledgerAnswer } from "./contract-answers.js";

const LedgerEntry = z
  .object({
    executionDate: instant,
    ledgerType: z.enum(["DEBIT", "CREDIT"]),
    transactionAmount: moneyNumber.meta({ description: "Unsigned." }),
    newBalance: moneyNumber,
    entryId: z.string(),
    transferId: z.string(),
    accountId: z.string(),
    accountName: z.string(),
    currency: z.string(),
    kind: z.string(),
    description: z.string().optional(),
    effectiveDate: instant,
    interactionId: z.string(),
    createdBy: z.string(),
    sequence: integer,
  })
  .meta({ id: "LedgerEntry" });

/** §4.15: the interaction id of the header is what is searched for. */
export const ledgerHistoryByInteractionId = route({
  method: "get",
  path: `${v6}/ledger/account-ledger-history-interaction-id`,
  operationId: "ledgerHistoryByInteractionId",
  contract: true,
  tag: "Ledger",
  summary: "List the ledger entries processed under an interaction id",
  access: everyRole,
  scopes: ["ledger:read"],
  sdk: { isOfInteraction: true },
  headers: { interactionId: "required" },
  answer: z.array(LedgerEntry),
  message: "Ledger entries",
  example: {
    as: "amina@demo.example",
    headers: { "x-fapi-interaction-id": exampleIds.interactionId },
    answer: ledgerAnswer,
    from: { "headers.x-fapi-interaction-id": "payFromWallet data.interactionId" },
  },
  run: async ({ call, clients }) => {
    const request = { interactionId: call.interactionId, ...visibleTo(requireUser(call)) };
    const { entries } = await clients.ledger.listEntriesByInteraction(request, outgoing(call));
    return entries.map(entryFromWire);
  },
});

/**
 * What a user may see: customers their own accounts, cashiers what they caused, managers and agents
 * everything.
 */
function visibleTo(user: UserPrincipal): { ownerId?: string; createdBy?: string } {
  switch (user.role) {
    case "CUSTOMER":
      // The ledger reads an empty owner as "any owner".
      if (!user.customerId) throw new Refusal("FORBIDDEN", "this customer has no accounts");
      return { ownerId: user.customerId };
    case "CASHIER":
      return { createdBy: user.userId };
    case "MANAGER":
    case "AGENT":
      return {};
  }
}

function entryFromWire(entry: Entry): z.output<typeof LedgerEntry> {
  const amount = moneyOf(entry.amount, "entry.amount");
  return {
    executionDate: timeText(entry.executedAt, "entry.executed_at"),
    ledgerType: enumName(entry.side, "ENTRY_SIDE_") as "DEBIT" | "CREDIT",
    transactionAmount: moneyAsNumber(amount.minor, amount.currency),
    newBalance: moneyAsNumber(entry.balanceMinor, amount.currency),
    entryId: entry.entryId,
    transferId: entry.transferId,
    accountId: entry.accountId,
    accountName: entry.accountName,
    currency: amount.currency,
    kind: entry.kind,
    description: absentIfEmpty(entry.description),
    effectiveDate: timeText(entry.effectiveAt, "entry.effective_at"),
    interactionId: entry.interactionId,
    createdBy: entry.createdBy,
    sequence: entry.sequence,
  };
}
