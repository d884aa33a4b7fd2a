import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/ledger.js";
import { formatMoney } from "../../services/kernel/money.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { enumOf, readerOf, shape } from "../codec.js";
import { dateIn, decimalText, instant, instantIn, integer, moneyNumber, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** An entry as the contract has it. */
export const LedgerEntry = shape(
  wire.Entry,
  z
    .object({
      executionDate: instant,
      ledgerType: enumOf(wire.EntrySide),
      transactionAmount: shown(moneyNumber, 20).meta({ description: "Unsigned." }),
      newBalance: shown(moneyNumber, 4980),
      entryId: leaf.ledgerEntryId,
      transferId: shown(z.string(), "payment:0199d0c2-4492-745b-898d-dad500e6ac00:principal"),
      accountId: leaf.accountId,
      accountName: leaf.accountName,
      currency: z.string(),
      kind: shown(z.string(), "wallet_payment"),
      description: shown(z.string(), "Payment of transaction MN01X7A89PGR").optional(),
      effectiveDate: instant,
      interactionId: leaf.interactionId,
      createdBy: leaf.userId,
      sequence: shown(integer, 23),
    })
    .meta({ id: "LedgerEntry" }),
  {
    executionDate: "executedAt",
    ledgerType: "side",
    transactionAmount: "amount",
    currency: "amount.currency",
    newBalance: { minor: "balanceMinor", currency: "amount.currency" },
    effectiveDate: "effectiveAt",
  },
);

export const LedgerAccount = shape(
  wire.Account,
  z
    .object({
      accountId: leaf.accountId,
      code: z.string().meta({ description: "From the chart of accounts." }),
      meaning: z.string().meta({ description: "What is on accounts of this code." }),
      type: enumOf(wire.AccountType),
      service: z.string().meta({ description: "The service that alone debits it." }),
      currency: z.string(),
      name: leaf.name.optional(),
      ownerId: z.string().optional().meta({ description: "The customer's id; absent for the organisation's own." }),
      flags: z.array(enumOf(wire.AccountFlag)),
      balance: leaf.balance.meta({
        description: "Posted: debits less credits of assets and expenses, credits less debits of the others.",
      }),
      debitsPosted: decimalText,
      creditsPosted: decimalText,
      debitsPending: decimalText.meta({ description: "Reserved by transfers that are pending." }),
      creditsPending: decimalText,
      createdAt: instant,
    })
    .meta({ id: "LedgerAccount" }),
  {
    // The chart says it.
    meaning: () => "",
    service: "owningService",
    balance: ({ type, currency, debitsPostedMinor, creditsPostedMinor }) => {
      const isDebitNormal = type === "ACCOUNT_TYPE_ASSET" || type === "ACCOUNT_TYPE_EXPENSE";
      const lessMinor = creditsPostedMinor - debitsPostedMinor;
      return formatMoney({ minor: isDebitNormal ? -lessMinor : lessMinor, currency });
    },
    debitsPosted: (account) => posted(account, account.debitsPostedMinor),
    creditsPosted: (account) => posted(account, account.creditsPostedMinor),
  },
);

/** With what was taken off, as decimal text: it may pass what int64 holds. */
function posted({ currency, rolledOverMinor }: { currency: string; rolledOverMinor: string }, minor = 0n): string {
  return formatMoney({ minor: minor + BigInt(rolledOverMinor), currency });
}

export const ChartCode = shape(
  wire.ChartCode,
  z
    .object({
      code: z.string(),
      meaning: z.string().meta({ description: "What is on accounts of this code." }),
      type: enumOf(wire.AccountType),
      side: enumOf(wire.EntrySide).meta({ description: "The side that it grows on." }),
      service: z.string().meta({ description: "The service that creates its accounts." }),
      postedBy: z.array(z.string()).meta({ description: "Services that take from its accounts." }),
      openedByPeople: z.boolean().meta({ description: "Managers open accounts of it." }),
    })
    .meta({ id: "ChartCode" }),
  { meaning: "description", service: "owningService" },
);

const accountOf = readerOf(LedgerAccount);

/** An account with what its code means. */
export function accountInChart(account: wire.Account, chart: readonly wire.ChartCode[]) {
  return { ...accountOf(account), meaning: meaningOf(account.code, chart) };
}

/** A code that a newer ledger knows is shown without words. */
export function meaningOf(code: string, chart: readonly wire.ChartCode[]): string {
  return chart.find((row) => row.code === code)?.description ?? "";
}

export const LedgerBalance = shape(
  wire.GetBalanceResponse,
  z
    .object({
      accountId: leaf.accountId,
      currency: z.string(),
      effectiveDate: date.optional().meta({
        description: "With everything that counts for this day or one before it; absent where no day was asked.",
      }),
      balance: leaf.balance,
      debitsPosted: decimalText,
      creditsPosted: decimalText,
      available: decimalText
        .optional()
        .meta({ description: "Now: what a bounded account can still give, or take. Absent for others." }),
      sequence: integer.optional().meta({ description: "Now: of the account's last transfer." }),
    })
    .meta({ id: "LedgerBalance" }),
  {
    // What was asked says it.
    accountId: () => "",
    effectiveDate: () => undefined,
    debitsPosted: (answer) => posted(answer, answer.debitsPostedMinor),
    creditsPosted: (answer) => posted(answer, answer.creditsPostedMinor),
  },
);

export const TrialBalance = z
  .object({
    effectiveDate: date.optional().meta({
      description: "With everything that counts for this day or one before it; absent where no day was asked.",
    }),
    lines: z.array(
      z
        .object({
          code: z.string(),
          meaning: z.string(),
          currency: z.string(),
          accounts: integer.meta({ description: "How many there are now." }),
          debits: decimalText,
          credits: decimalText,
        })
        .meta({ id: "TrialBalanceLine" }),
    ),
    totals: z
      .array(
        z.object({ currency: z.string(), debits: decimalText, credits: decimalText }).meta({ id: "TrialBalanceTotal" }),
      )
      .meta({ description: "Of each currency: debits and credits are equal, or the ledger is not sound." }),
  })
  .meta({ id: "TrialBalance" });

const countedDay = {
  day: date.meta({ description: "The business day that it counts for, in the organisation's time zone." }),
  belongsTo: date.optional().meta({ description: "Its own day, where that was closed before it was posted." }),
};

const entryFields = {
  balance: { minor: "balanceMinor", currency: "amount.currency" },
  currency: "amount.currency",
  insertedAt: "executedAt",
} as const;

export const LedgerAccountEntry = shape(
  wire.Entry,
  z
    .object({
      sequence: integer.meta({ description: "Of its transfer in the journal." }),
      transferId: z.string(),
      side: enumOf(wire.EntrySide),
      amount: decimalText,
      balance: leaf.balance.meta({ description: "Of its account after it." }),
      currency: z.string(),
      kind: z.string(),
      description: leaf.description.optional(),
      insertedAt: instant,
      effectiveAt: instant,
      ...countedDay,
      interactionId: leaf.interactionId,
      createdBy: leaf.userId.meta({ description: "A user's id, or a service's name." }),
    })
    .meta({ id: "LedgerAccountEntry" }),
  entryFields,
);

/** An entry beside those of other accounts. */
export const NamedLedgerEntry = shape(
  wire.Entry,
  LedgerAccountEntry.extend({
    accountId: leaf.accountId,
    accountName: leaf.accountName.optional(),
  }).meta({ id: "NamedLedgerEntry" }),
  entryFields,
);

const LedgerTransferEntry = shape(
  wire.Entry,
  LedgerAccountEntry.extend({ accountId: leaf.accountId }).meta({ id: "LedgerTransferEntry" }),
  entryFields,
);

// The ledger posts as much as there is, and stores what that was.
const {
  TRANSFER_MODE_POSTED_UP_TO: _posted,
  TRANSFER_MODE_PENDING_UP_TO: _pending,
  ...storedModes
} = wire.TransferMode;

export const LedgerTransfer = shape(
  wire.StoredTransfer,
  z
    .object({
      transferId: z.string(),
      sequence: integer.meta({ description: "Its place in the journal, without gaps." }),
      mode: enumOf(storedModes).meta({
        description: "PENDING reserves; POST_PENDING and VOID_PENDING resolve what is reserved; REVERSAL moves back.",
      }),
      state: z.enum(["POSTED", "PENDING", "VOIDED", "EXPIRED"]),
      debitAccountId: z.string(),
      creditAccountId: z.string(),
      amount: decimalText.meta({ description: "Moved, reserved or released." }),
      currency: z.string(),
      kind: z.string(),
      description: leaf.description.optional(),
      insertedAt: instant,
      effectiveAt: instant,
      ...countedDay,
      resolves: z.string().optional().meta({ description: "Id of the pending transfer that it posts or releases." }),
      reverses: z.string().optional().meta({ description: "Id of the transfer that it moves back." }),
      resolvedBy: leaf.userId.optional(),
      reversedBy: leaf.userId.optional(),
      interactionId: leaf.interactionId,
      createdBy: leaf.userId,
      entries: z.array(LedgerTransferEntry).meta({ description: "Both sides, where it moved money." }),
    })
    .meta({ id: "LedgerTransfer" }),
  {
    mode: "transfer.mode",
    debitAccountId: "transfer.debitAccountId",
    creditAccountId: "transfer.creditAccountId",
    amount: "transfer.amount",
    currency: "transfer.amount.currency",
    kind: "transfer.kind",
    description: "transfer.description",
    insertedAt: "postedAt",
    effectiveAt: "transfer.effectiveAt",
    resolves: "transfer.pendingKey",
    reverses: "transfer.reversesKey",
    resolvedBy: "resolvedByKey",
    reversedBy: "reversedByKey",
  },
);

/** From a time of insertion until another. */
export const insertedRange = z.object({
  from: instantIn.optional().meta({ description: "Inserted at or after." }),
  to: instantIn.optional().meta({ description: "Inserted before." }),
});

/** Of a balance: a business day. */
export const atIn = dateIn.meta({
  description:
    "A business day: with everything that counts for it or a day before, whenever it was inserted. Absent: with all that is posted now, whatever day it counts for.",
  override: { type: "string", format: "date", examples: ["2026-11-30"] },
});
