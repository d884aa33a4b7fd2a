import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, integer } from "../schema.js";
import { absentIfEmpty, enumName, filled, moneyText, timeText } from "../wire.js";
import { accountEntryFromWire, ledgerBase, LedgerAccountEntry } from "./ledger-shapes.js";

const modes = ["POSTED", "PENDING", "POST_PENDING", "VOID_PENDING", "REVERSAL"] as const;
const states = ["POSTED", "PENDING", "VOIDED", "EXPIRED"] as const;

const LedgerTransfer = z
  .object({
    transferId: z.string(),
    sequence: integer.meta({ description: "Its place in the journal, without gaps." }),
    mode: z.enum(modes).meta({
      description: "PENDING reserves; POST_PENDING and VOID_PENDING resolve what is reserved; REVERSAL moves back.",
    }),
    state: z.enum(states),
    debitAccountId: z.string(),
    creditAccountId: z.string(),
    amount: decimalText.meta({ description: "Moved, reserved or released." }),
    currency: z.string(),
    kind: z.string(),
    description: z.string().optional(),
    insertedAt: instant,
    effectiveAt: instant,
    resolves: z.string().optional().meta({ description: "Id of the pending transfer that it posts or releases." }),
    reverses: z.string().optional().meta({ description: "Id of the transfer that it moves back." }),
    resolvedBy: z.string().optional(),
    reversedBy: z.string().optional(),
    interactionId: z.string(),
    createdBy: z.string(),
    entries: z
      .array(LedgerAccountEntry.extend({ accountId: z.string() }).meta({ id: "LedgerTransferEntry" }))
      .meta({ description: "Both sides, where it moved money." }),
  })
  .meta({ id: "LedgerTransfer" });

/** Ours */
export const readLedgerTransfer = route({
  tag: "Ledger",
  access: ["MANAGER"],
  method: "get",
  path: `${ledgerBase}/transfers/:transferId`,
  operationId: "readLedgerTransfer",
  scopes: ["ledger:read"],
  summary: "Read a transfer of the ledger with both its entries, its state and what resolved or reversed it",
  // The ledger's own release of what is past its time has a "#" in its id.
  params: z.object({ transferId: z.string().regex(/^[\w.:-]{1,128}(#expired)?$/, "is not an id") }),
  answer: LedgerTransfer,
  message: "Ledger transfer",
  example: {
    as: "manager@demo.example",
    params: { transferId: "the-transfer" },
    from: { "params.transferId": "listLedgerEntries data.entries.0.transferId" },
  },
  run: async ({ params: { transferId }, call, clients }) => {
    const answer = await clients.ledger.getTransfer({ key: transferId }, outgoing(call));
    const stored = filled(answer.transfer, "transfer");
    const transfer = filled(stored.transfer, "transfer.transfer");
    return {
      transferId: stored.transferId,
      sequence: stored.sequence,
      mode: enumName(transfer.mode, "TRANSFER_MODE_") as (typeof modes)[number],
      state: stored.state as (typeof states)[number],
      debitAccountId: transfer.debitAccountId,
      creditAccountId: transfer.creditAccountId,
      amount: moneyText(transfer.amount, "transfer.amount"),
      currency: filled(transfer.amount, "transfer.amount").currency,
      kind: transfer.kind,
      description: absentIfEmpty(transfer.description),
      insertedAt: timeText(stored.postedAt, "transfer.posted_at"),
      effectiveAt: timeText(transfer.effectiveAt, "transfer.effective_at"),
      resolves: absentIfEmpty(transfer.pendingKey),
      reverses: absentIfEmpty(transfer.reversesKey),
      resolvedBy: absentIfEmpty(stored.resolvedByKey),
      reversedBy: absentIfEmpty(stored.reversedByKey),
      interactionId: stored.interactionId,
      createdBy: stored.createdBy,
      entries: stored.entries.map((entry) => ({ ...accountEntryFromWire(entry), accountId: entry.accountId })),
    };
  },
});
