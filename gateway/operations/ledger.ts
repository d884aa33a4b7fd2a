import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { requireUser, type UserPrincipal } from "../../services/kernel/grpc/context.js";
import { formatMoney } from "../../services/kernel/money.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { readerOf, filled } from "../codec.js";
import { operation } from "../operation.js";
import { route, everyRole, v6 } from "../route.js";
import { currencyCode, cursorQuery, idIn, nextCursorOf, pageOf } from "../schema.js";
import {
  accountInChart,
  atIn,
  insertedRange,
  LedgerAccount,
  LedgerAccountEntry,
  LedgerBalance,
  LedgerEntry,
  LedgerTransfer,
  meaningOf,
  TrialBalance,
} from "../shapes/ledger.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const ledgerBase = `${v6}/ledger`;
const balanceOf = readerOf(LedgerBalance);

/** §4.15: the interaction id of the header is what is searched for. */
const ledgerHistoryByInteractionId = operation({
  method: "get",
  path: `${ledgerBase}/account-ledger-history-interaction-id`,
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
    headers: { "x-fapi-interaction-id": leaf.ids.interactionId },
    answer: [
      {
        kind: "wallet_payment",
        transactionAmount: 20,
        newBalance: 4980,
        entryId: "23d",
        transferId: "payment:0199d0c2-4492-745b-898d-dad500e6ac00:principal",
        description: "Payment of transaction MN01X7A89PGR",
        sequence: 23,
      },
      {
        kind: "fee",
        transactionAmount: 2.1,
        newBalance: 4977.9,
        entryId: "24d",
        transferId: "payment:0199d0c2-4492-745b-898d-dad500e6ac00:fee",
        description: "Fee of transaction MN01X7A89PGR",
        sequence: 24,
      },
      {
        kind: "tax",
        transactionAmount: 0.16,
        newBalance: 4977.74,
        entryId: "25d",
        transferId: "payment:0199d0c2-4492-745b-898d-dad500e6ac00:tax",
        description: "Tax on the fee of transaction MN01X7A89PGR",
        sequence: 25,
      },
    ].map((own) => ({
      executionDate: "2026-11-21T10:15:00.000Z",
      ledgerType: "DEBIT",
      accountId: leaf.ids.accountId,
      accountName: "USD wallet 8816873460",
      currency: "USD",
      effectiveDate: "2026-11-21T10:15:00.000Z",
      interactionId: leaf.ids.interactionId,
      createdBy: leaf.ids.userId,
      ...own,
    })),
    from: { "headers.x-fapi-interaction-id": "payFromWallet data.interactionId" },
  },
  rpc: "ledger.listEntriesByInteraction",
  adds: (call) => ({ interactionId: call.interactionId, ...visibleTo(requireUser(call)) }),
  gives: "entries",
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
const bank = { as: "manager@demo.example", params: { accountId: "bank_settlement:operator:USD" } };

const listLedgerAccounts = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts`,
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
  answer: z.object({ accounts: z.array(LedgerAccount), nextCursor: leaf.nextCursor.optional() }),
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
    return { accounts: answer.accounts.map((account) => accountInChart(account, codes)), ...nextCursorOf(answer) };
  },
});

const readLedgerAccount = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts/:accountId`,
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
    return accountInChart(filled(account, "account"), codes);
  },
});

const readLedgerBalance = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts/:accountId/balance`,
  scopes: ["ledger:read"],
  summary: "Read an account's posted balance now, or at the end of a business day",
  params: accountParams,
  query: z.object({ at: atIn.optional() }),
  answer: LedgerBalance,
  message: "Ledger balance",
  renames: { ...renames, effective_date: "query.at" },
  example: { ...bank, query: { at: "2026-11-20" } },
  run: async ({ params: { accountId }, query: { at }, call, clients }) => {
    const requested = { accountId, ...(at !== undefined && { effectiveDate: at }) };
    const balance = balanceOf(await clients.ledger.getBalance(requested, outgoing(call)));
    return { ...balance, accountId, effectiveDate: at, sequence: at === undefined ? balance.sequence : undefined };
  },
});

const listLedgerEntries = operation({
  ...common,
  method: "get",
  path: `${ledgerBase}/accounts/:accountId/entries`,
  scopes: ["ledger:read"],
  summary: "List an account's entries, the newest first, each with the balance after it",
  params: accountParams,
  query: cursorQuery.extend(insertedRange.shape),
  answer: z.object({ entries: z.array(LedgerAccountEntry), nextCursor: leaf.nextCursor.optional() }),
  message: "Ledger entries",
  renames,
  example: bank,
  rpc: "ledger.listAccountEntries",
  fields: { to: "until", size: { field: "pageSize", absent: "20" } },
  adds: () => ({ newestFirst: true }),
});

const readLedgerTransfer = operation({
  ...common,
  method: "get",
  path: `${ledgerBase}/transfers/:transferId`,
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
  rpc: "ledger.getTransfer",
  fields: { transferId: "key" },
});

const readTrialBalance = route({
  ...common,
  method: "get",
  path: `${ledgerBase}/trial-balance`,
  scopes: ["ledger:read"],
  summary: "Read the trial balance: debits and credits per code and currency, now or at the end of a business day",
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
export const ledgerRoutes = {
  ledgerHistoryByInteractionId,
  listLedgerAccounts,
  readLedgerAccount,
  readLedgerBalance,
  listLedgerEntries,
  readLedgerTransfer,
  readTrialBalance,
};
