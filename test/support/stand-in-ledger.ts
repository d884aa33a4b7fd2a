import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { createFaults } from "./rpc-faults.js";
import { at, balanceOf, createBooks, entriesOf, postGroup } from "./stand-in-ledger-books.js";

/**
 * A ledger in memory that keeps what the wallet relies on: keys decide once, wallets do not go
 * below zero, groups are whole.
 */
export function createStandInLedger(faults: ReturnType<typeof createFaults>, today?: () => string) {
  const books = createBooks(today);
  const { accounts, closed, decided, posted } = books;

  const handlers: Partial<Handlers<LedgerServiceDefinition>> = {
    createAccounts: ({ accounts: requested }, call) =>
      faults.around("createAccounts", call, () => {
        const { tenantId } = call;
        for (const account of requested) {
          const known = accounts.get(at(tenantId, account.accountId));
          if (known === undefined)
            accounts.set(at(tenantId, account.accountId), { account, credits: 0n, debits: 0n, pending: 0n });
          else if (JSON.stringify(known.account) !== JSON.stringify(account))
            throw new Refusal("KEY_REUSED", "differs");
        }
        return { accounts: requested };
      }),
    getAccounts: ({ accountIds }, call) =>
      faults.around("getAccounts", call, () => ({
        accounts: accountIds
          .map((id) => accounts.get(at(call.tenantId, id)))
          .filter((found) => found !== undefined)
          .map(({ account, credits, debits, pending }) => ({
            ...account,
            debitsPendingMinor: pending,
            creditsPostedMinor: credits,
            debitsPostedMinor: debits,
          })),
      })),
    postTransfers: ({ groups, createdBy }, call) =>
      faults.around("postTransfers", call, () => ({
        results: groups.map(({ transfers }) => postGroup(books, call, transfers, createdBy)),
      })),
    async listAccountEntries({ accountId, pageSize, cursor, newestFirst }, { tenantId }) {
      const entries = entriesOf(books, tenantId, accountId);
      if (newestFirst) entries.reverse();
      const start = Number(cursor || 0);
      const end = start + (pageSize || 100);
      return { entries: entries.slice(start, end), nextCursor: end < entries.length ? String(end) : "" };
    },
    getBalance: ({ accountId }, call) =>
      faults.around("getBalance", call, () => {
        const found = accounts.get(at(call.tenantId, accountId));
        if (found === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", "no such account");
        const { debits, credits } = found;
        const isAsset = /^(cash_|bank_settlement)/.test(accountId);
        return { balanceMinor: isAsset ? debits - credits : credits - debits, currency: found.account.currency };
      }),
    closeAccount: ({ accountId }, call) =>
      faults.around("closeAccount", call, () => {
        const { tenantId } = call;
        const found = accounts.get(at(tenantId, accountId)) ?? missing(accountId);
        if (balanceOf(found) !== 0n) throw new Refusal("ACCOUNT_NOT_EMPTY", "there is money in it");
        closed.add(at(tenantId, accountId));
        return { account: found.account };
      }),
    getTransfer: ({ key }, call) =>
      faults.around("getTransfer", call, () => {
        const { tenantId } = call;
        const [first] = decided.get(at(tenantId, key))?.result.posted?.transfers ?? [];
        if (first === undefined) throw new Refusal("TRANSFER_NOT_FOUND", "none");
        const { transferId, postedAt, day, belongsTo } = first;
        return { transfer: { transferId, postedAt, day, belongsTo } };
      }),
  };
  return {
    handlers,
    posted,
    close: (tenantId: string, id: string) => closed.add(at(tenantId, id)),
    reopen: (tenantId: string, id: string) => closed.delete(at(tenantId, id)),
    ofTenant: (tenantId: string) => posted.filter((entry) => entry.tenantId === tenantId),
    account: (tenantId: string, id: string) => accounts.get(at(tenantId, id)),
    balance: (tenantId: string, id: string) => balanceOf(accounts.get(at(tenantId, id)) ?? missing(id)),
  };
}

function missing(id: string): never {
  throw new Error(`no account ${id}`);
}
