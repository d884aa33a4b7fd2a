import { z } from "zod";
import { date } from "../../services/platform/events/shapes/schema.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { formatMoney } from "../../services/kernel/money.js";
import { route, type Route } from "../route.js";
import { currencyCode, decimalText, integer } from "../schema.js";
import { filled } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import {
  accountEntryFromWire,
  accountFromWire,
  atIn,
  insertedRange,
  ledgerBase,
  LedgerAccount,
  LedgerAccountEntry,
  meaningOf,
  timesOf,
} from "./ledger-shapes.js";
import { readLedgerTransfer } from "./ledger-transfers.js";

const common = { tag: "Ledger" as const, access: ["MANAGER"] as const };
const accountParams = z.object({ accountId: idIn });
const renames = {
  cursor: "query.cursor",
  pageSize: "query.size",
  page_size: "query.size",
  account_id: "path.accountId",
  owner_id: "query.owner",
  from: "query.from",
  until: "query.to",
};
const bank = { as: "manager@demo.example", params: { accountId: "bank_settlement:USD" } };

/** Ours */
const listLedgerAccounts = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts`,
  operationId: "listLedgerAccounts",
  scopes: ["ledger:read"],
  summary: "List accounts of the ledger by id, also by code, currency and owner",
  query: cursorQuery.extend({
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, "is not a code of the chart of accounts")
      .optional()
      .meta({ examples: ["customer_wallet"] }),
    currency: currencyCode.optional(),
    owner: idIn.optional().meta({ description: "A customer's id." }),
  }),
  answer: z.object({ accounts: z.array(LedgerAccount), nextCursor: z.string().optional() }),
  message: "Ledger accounts",
  renames,
  example: { as: "manager@demo.example", query: { code: "bank_settlement" } },
  run: async ({ query, call, clients }) => {
    const { code = "", currency = "", owner: ownerId = "" } = query;
    const { pageSize, cursor } = pageOf(query);
    const requested = { code, currency, ownerId, cursor, pageSize: pageSize || 20 };
    const [answer, { codes }] = await Promise.all([
      clients.ledger.listAccounts(requested, outgoing(call)),
      clients.ledger.getChart({}, outgoing(call)),
    ]);
    return { accounts: answer.accounts.map((account) => accountFromWire(account, codes)), ...nextCursorOf(answer) };
  },
});

/** Ours */
const readLedgerAccount = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts/:accountId`,
  operationId: "readLedgerAccount",
  scopes: ["ledger:read"],
  summary: "Read an account of the ledger: what is posted and pending, its flags and what its code means",
  params: accountParams,
  answer: LedgerAccount,
  message: "Ledger account",
  renames,
  example: bank,
  run: async ({ params, call, clients }) => {
    const [{ account }, { codes }] = await Promise.all([
      clients.ledger.getAccount(params, outgoing(call)),
      clients.ledger.getChart({}, outgoing(call)),
    ]);
    return accountFromWire(filled(account, "account"), codes);
  },
});

const LedgerBalance = z
  .object({
    accountId: z.string(),
    currency: z.string(),
    effectiveDate: date
      .optional()
      .meta({ description: "With everything effective by the end of this day, UTC; absent where no time was asked." }),
    balance: decimalText,
    debitsPosted: decimalText,
    creditsPosted: decimalText,
    available: decimalText
      .optional()
      .meta({ description: "Now: what a bounded account can still give, or take. Absent for others." }),
    sequence: integer.optional().meta({ description: "Now: of the account's last transfer." }),
  })
  .meta({ id: "LedgerBalance" });

/** Ours */
const readLedgerBalance = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts/:accountId/balance`,
  operationId: "readLedgerBalance",
  scopes: ["ledger:read"],
  summary: "Read an account's posted balance now, or at the end of an effective day",
  params: accountParams,
  query: z.object({ at: atIn.optional() }),
  answer: LedgerBalance,
  message: "Ledger balance",
  renames: { ...renames, effective_date: "query.at" },
  example: { ...bank, query: { at: "2026-11-20" } },
  run: async ({ params: { accountId }, query: { at }, call, clients }) => {
    const requested = { accountId, ...(at !== undefined && { effectiveDate: at }) };
    const answer = await clients.ledger.getBalance(requested, outgoing(call));
    const { currency, balanceMinor, debitsPostedMinor = 0n, creditsPostedMinor = 0n, availableMinor } = answer;
    const amount = (minor: bigint) => formatMoney({ minor, currency });
    const rolledOver = BigInt(answer.rolledOverMinor);
    return {
      accountId,
      currency,
      effectiveDate: at,
      balance: amount(balanceMinor),
      debitsPosted: amount(debitsPostedMinor + rolledOver),
      creditsPosted: amount(creditsPostedMinor + rolledOver),
      available: availableMinor === undefined ? undefined : amount(availableMinor),
      sequence: at === undefined ? answer.sequence : undefined,
    };
  },
});

/** Ours */
const listLedgerEntries = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts/:accountId/entries`,
  operationId: "listLedgerEntries",
  scopes: ["ledger:read"],
  summary: "List an account's entries, the newest first, each with the balance after it",
  params: accountParams,
  query: cursorQuery.extend(insertedRange.shape),
  answer: z.object({ entries: z.array(LedgerAccountEntry), nextCursor: z.string().optional() }),
  message: "Ledger entries",
  renames,
  example: bank,
  run: async ({ params, query, call, clients }) => {
    const { pageSize, cursor } = pageOf(query);
    const requested = { ...params, ...timesOf(query), newestFirst: true, pageSize: pageSize || 20, cursor };
    const answer = await clients.ledger.listAccountEntries(requested, outgoing(call));
    return { entries: answer.entries.map(accountEntryFromWire), ...nextCursorOf(answer) };
  },
});

const TrialBalance = z
  .object({
    effectiveDate: date
      .optional()
      .meta({ description: "With everything effective by the end of this day, UTC; absent where no time was asked." }),
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

/** Ours */
const readTrialBalance = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/trial-balance`,
  operationId: "readTrialBalance",
  scopes: ["ledger:read"],
  summary: "Read the trial balance: debits and credits per code and currency, now or at the end of an effective day",
  query: z.object({ at: atIn.optional() }),
  answer: TrialBalance,
  message: "Trial balance",
  renames: { effective_date: "query.at" },
  example: { as: "manager@demo.example", query: { at: "2026-11-20" } },
  run: async ({ query: { at }, call, clients }) => {
    const [{ lines }, { codes }] = await Promise.all([
      clients.ledger.getTrialBalance({ effectiveDate: at ?? "" }, outgoing(call)),
      clients.ledger.getChart({}, outgoing(call)),
    ]);
    const sums = new Map<string, { debits: bigint; credits: bigint }>();
    const shown = lines.map(({ code, currency, accounts, debitsMinor, creditsMinor }) => {
      const [debits, credits] = [BigInt(debitsMinor), BigInt(creditsMinor)];
      const sum = sums.get(currency) ?? { debits: 0n, credits: 0n };
      sums.set(currency, { debits: sum.debits + debits, credits: sum.credits + credits });
      const amount = (minor: bigint) => formatMoney({ minor, currency });
      const meaning = meaningOf(code, codes);
      return { code, meaning, currency, accounts, debits: amount(debits), credits: amount(credits) };
    });
    const totals = [...sums]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => ({
        currency,
        debits: formatMoney({ minor: sum.debits, currency }),
        credits: formatMoney({ minor: sum.credits, currency }),
      }));
    return { effectiveDate: at, lines: shown, totals };
  },
});

/** In the order in which the documentation shows them. */
export const ledgerAccountRoutes: readonly Route[] = [
  listLedgerAccounts,
  readLedgerAccount,
  readLedgerBalance,
  listLedgerEntries,
  readLedgerTransfer,
  readTrialBalance,
];
