import { z } from "zod";
import type { Account, ChartCode, Entry, JournalTransfer } from "../../proto/gen/ledger/v1/ledger.js";
import { formatMoney } from "../../services/kernel/money.js";
import { asUtc } from "../../services/kernel/time/iso-time.js";
import { decimalText, instant, instantIn, integer } from "../schema.js";
import { absentIfEmpty, enumName, moneyOf, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";

export const ledgerBase = `${v6}/ledger`;

const accountTypes = ["ASSET", "LIABILITY", "EQUITY", "INCOME", "EXPENSE"] as const;
type AccountType = (typeof accountTypes)[number];
const accountFlags = ["DEBITS_MUST_NOT_EXCEED_CREDITS", "CREDITS_MUST_NOT_EXCEED_DEBITS", "CLOSED"] as const;
const sides = ["DEBIT", "CREDIT"] as const;

export const LedgerAccount = z
  .object({
    accountId: z.string(),
    code: z.string().meta({ description: "From the chart of accounts." }),
    meaning: z.string().meta({ description: "What is on accounts of this code." }),
    type: z.enum(accountTypes),
    service: z.string().meta({ description: "The service that alone debits it." }),
    currency: z.string(),
    name: z.string().optional(),
    ownerId: z.string().optional().meta({ description: "The customer's id; absent for the organisation's own." }),
    flags: z.array(z.enum(accountFlags)),
    balance: decimalText.meta({
      description: "Posted: debits less credits of assets and expenses, credits less debits of the others.",
    }),
    debitsPosted: decimalText,
    creditsPosted: decimalText,
    debitsPending: decimalText.meta({ description: "Reserved by transfers that are pending." }),
    creditsPending: decimalText,
    createdAt: instant,
  })
  .meta({ id: "LedgerAccount" });

export function accountFromWire(account: Account, chart: readonly ChartCode[]): z.output<typeof LedgerAccount> {
  const { accountId, code, currency, name, ownerId, flags, owningService, rolledOverMinor } = account;
  const type = enumName(account.type, "ACCOUNT_TYPE_") as AccountType;
  const amount = (minor: bigint) => formatMoney({ minor, currency });
  const lessMinor = account.creditsPostedMinor - account.debitsPostedMinor;
  const isDebitNormal = type === "ASSET" || type === "EXPENSE";
  return {
    accountId,
    code,
    meaning: meaningOf(code, chart),
    type,
    service: owningService,
    currency,
    name: absentIfEmpty(name),
    ownerId: absentIfEmpty(ownerId),
    flags: flags.map((flag) => enumName(flag, "ACCOUNT_FLAG_") as (typeof accountFlags)[number]),
    balance: amount(isDebitNormal ? -lessMinor : lessMinor),
    debitsPosted: amount(account.debitsPostedMinor + BigInt(rolledOverMinor)),
    creditsPosted: amount(account.creditsPostedMinor + BigInt(rolledOverMinor)),
    debitsPending: amount(account.debitsPendingMinor),
    creditsPending: amount(account.creditsPendingMinor),
    createdAt: timeText(account.createdAt, "account.created_at"),
  };
}

/** A code that a newer ledger knows is shown without words. */
export function meaningOf(code: string, chart: readonly ChartCode[]): string {
  return chart.find((row) => row.code === code)?.description ?? "";
}

export const LedgerAccountEntry = z
  .object({
    sequence: integer.meta({ description: "Of its transfer in the journal." }),
    transferId: z.string(),
    side: z.enum(sides),
    amount: decimalText,
    balance: decimalText.meta({ description: "Of its account after it." }),
    currency: z.string(),
    kind: z.string(),
    description: z.string().optional(),
    insertedAt: instant,
    effectiveAt: instant,
    interactionId: z.string(),
    createdBy: z.string().meta({ description: "A user's id, or a service's name." }),
  })
  .meta({ id: "LedgerAccountEntry" });

export function accountEntryFromWire(entry: Entry): z.output<typeof LedgerAccountEntry> {
  const { currency } = moneyOf(entry.amount, "entry.amount");
  return {
    sequence: entry.sequence,
    transferId: entry.transferId,
    side: enumName(entry.side, "ENTRY_SIDE_") as (typeof sides)[number],
    amount: moneyText(entry.amount, "entry.amount"),
    balance: formatMoney({ minor: entry.balanceMinor, currency }),
    currency,
    kind: entry.kind,
    description: absentIfEmpty(entry.description),
    insertedAt: timeText(entry.executedAt, "entry.executed_at"),
    effectiveAt: timeText(entry.effectiveAt, "entry.effective_at"),
    interactionId: entry.interactionId,
    createdBy: entry.createdBy,
  };
}

/** An entry beside those of other accounts. */
export const NamedLedgerEntry = LedgerAccountEntry.extend({
  accountId: z.string(),
  accountName: z.string().optional(),
}).meta({ id: "NamedLedgerEntry" });

export function namedEntryFromWire(entry: Entry): z.output<typeof NamedLedgerEntry> {
  return { ...accountEntryFromWire(entry), accountId: entry.accountId, accountName: absentIfEmpty(entry.accountName) };
}

/** A transfer as an export has it: members in the order of the columns. */
export function exportedTransfer(transfer: JournalTransfer) {
  const { currency } = moneyOf(transfer.amount, "transfer.amount");
  const amount = (minor: bigint) => formatMoney({ minor, currency });
  return {
    sequence: String(transfer.sequence),
    transferId: transfer.key,
    mode: transfer.mode,
    insertedAt: timeText(transfer.time, "transfer.time"),
    effectiveAt: timeText(transfer.effectiveAt, "transfer.effective_at"),
    debitAccountId: transfer.debitAccountId,
    creditAccountId: transfer.creditAccountId,
    currency,
    amount: moneyText(transfer.amount, "transfer.amount"),
    debitBalance: amount(transfer.debitBalanceMinor),
    creditBalance: amount(transfer.creditBalanceMinor),
    kind: transfer.kind,
    description: transfer.description,
    refersTo: transfer.refersTo,
    interactionId: transfer.interactionId,
    createdBy: transfer.createdBy,
    service: transfer.service,
    hash: Buffer.from(transfer.hash).toString("hex"),
  };
}

/** From a time of insertion until another. */
export const insertedRange = z.object({
  from: instantIn.optional().meta({ description: "Inserted at or after." }),
  to: instantIn.optional().meta({ description: "Inserted before." }),
});

export function timesOf({ from, to }: z.output<typeof insertedRange>) {
  return {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { until: new Date(to) }),
  };
}

/**
 * A day, or a time that names the day of UTC that it lies in: balances are kept by effective day.
 */
export const atIn = z
  .string()
  .refine(isDayOrTime, "must be an ISO 8601 date or date-time, such as 2026-11-30 or 2026-11-30T10:15:00Z")
  .meta({
    description:
      "A date, or a time: with everything effective by the end of that day, or of the day of UTC that the time lies in, whenever it was inserted. Absent: with all that is posted now, whatever day it is effective.",
    override: { type: "string", examples: ["2026-11-30"] },
  })
  .transform((text) => (isDay(text) ? text : new Date(asUtc(text)).toISOString().slice(0, 10)));

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

function isDayOrTime(text: string): boolean {
  return isDay(text) || instantIn.safeParse(text).success;
}
