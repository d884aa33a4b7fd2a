import {
  LedgerServiceDefinition,
  type GroupResult,
  type NewAccount,
  type Transfer,
} from "../../proto/gen/ledger/v1/ledger.js";
import { answerEach } from "../../services/shared/batching/answer-each.js";
import type { Call } from "../../services/shared/grpc/context.js";
import type { Handlers } from "../../services/shared/grpc/server.js";
import { maxInt64 } from "../../services/shared/money.js";
import { Refusal } from "../../services/shared/refusal.js";
import { createFaults } from "./rpc-faults.js";

interface BookedAccount {
  account: NewAccount;
  credits: bigint;
  debits: bigint;
  pending: bigint;
}

/**
 * A ledger in memory that keeps what the wallet relies on: keys decide once, wallets do not go
 * below zero, groups are whole.
 */
export function createStandInLedger(faults: ReturnType<typeof createFaults>) {
  const accounts = new Map<string, BookedAccount>();
  const decided = new Map<string, { content: string; result: GroupResult }>();
  const closed = new Set<string>();
  const posted: { transfer: Transfer; tenantId: string; interactionId: string; createdBy: string }[] = [];
  const at = (tenantId: string, id: string): string => `${tenantId} ${id}`;
  const balance = ({ credits, debits }: BookedAccount): bigint => credits - debits;

  const holds = new Map<string, { transfer: Transfer; state: string; dueAt: number }>();

  /** POST_PENDING and VOID_PENDING: what they name, or why they cannot. */
  function pendingOf(tenantId: string, { pendingKey }: Transfer): { transfer: Transfer } | string {
    const hold = holds.get(at(tenantId, pendingKey));
    if (hold === undefined) return "PENDING_NOT_FOUND";
    if (hold.state !== "PENDING") return "PENDING_ALREADY_RESOLVED";
    return hold.dueAt <= Date.now() ? "PENDING_EXPIRED" : hold;
  }

  function refusalOf(tenantId: string, transfers: readonly Transfer[]): GroupResult | undefined {
    const asked = new Map<string, bigint>();
    for (const [index, transfer] of transfers.entries()) {
      const { debitAccountId, creditAccountId, amount, pendingKey } = transfer;
      if (pendingKey !== "") {
        const pending = pendingOf(tenantId, transfer);
        if (typeof pending !== "string") {
          const { creditAccountId: payeeId } = pending.transfer;
          const isPosted = transfer.mode === "TRANSFER_MODE_POST_PENDING";
          if (isPosted) asked.set(payeeId, (asked.get(payeeId) ?? 0n) - (amount?.amountMinor ?? 0n));
          continue;
        }
        const told = { code: pending, message: pending, transferIndex: index, availableMinor: 0n, askedMinor: 0n };
        return { refused: { ...told, replayed: false, transferKey: transfer.key } };
      }
      const debit = accounts.get(at(tenantId, debitAccountId));
      const refused = (code: string, availableMinor = 0n): GroupResult => ({
        refused: {
          code,
          message: code,
          transferIndex: index,
          availableMinor,
          askedMinor: amount?.amountMinor ?? 0n,
          replayed: false,
          transferKey: transfers[index]!.key,
        },
      });
      if (!debit || !accounts.has(at(tenantId, creditAccountId))) return refused("ACCOUNT_NOT_FOUND");
      const isClosed = [debitAccountId, creditAccountId].some((id) => closed.has(at(tenantId, id)));
      if (isClosed) return refused("ACCOUNT_CLOSED");
      const minor = amount?.amountMinor ?? 0n;
      const sum = (asked.get(debitAccountId) ?? 0n) + minor;
      asked.set(debitAccountId, sum);
      // What an earlier leg of the group brings can be taken by a later one.
      asked.set(creditAccountId, (asked.get(creditAccountId) ?? 0n) - minor);
      const isLimited = debit.account.flags.includes("ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS");
      const available = balance(debit) - debit.pending;
      if (isLimited && available < sum) return refused("INSUFFICIENT_FUNDS", available);
      const after = balance(accounts.get(at(tenantId, creditAccountId))!) + (amount?.amountMinor ?? 0n);
      if (after > maxInt64 || sum - balance(debit) > maxInt64) return refused("AMOUNT_TOO_LARGE");
    }
    return undefined;
  }

  function post(call: Call, transfers: readonly Transfer[], createdBy: string): GroupResult {
    const { tenantId, interactionId } = call;
    const key = at(tenantId, transfers[0]?.key ?? "");
    const content = JSON.stringify(transfers, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    const before = decided.get(key);
    if (before) {
      if (before.content === content) return before.result;
      return {
        refused: {
          code: "KEY_REUSED",
          message: "other content",
          transferIndex: 0,
          availableMinor: 0n,
          askedMinor: 0n,
          replayed: false,
          transferKey: transfers[0]?.key ?? "",
        },
      };
    }
    const result = refusalOf(tenantId, transfers) ?? {
      posted: {
        replayed: false,
        transfers: transfers.map((given) => {
          const isEnd = given.pendingKey !== "";
          const hold = isEnd ? holds.get(at(tenantId, given.pendingKey)) : undefined;
          const { debitAccountId, creditAccountId } = hold?.transfer ?? given;
          const isVoid = given.mode === "TRANSFER_MODE_VOID_PENDING";
          const amount = given.amount ?? hold?.transfer.amount;
          const transfer = { ...given, debitAccountId, creditAccountId, amount };
          const [debit, credit] = [transfer.debitAccountId, transfer.creditAccountId].map((id) =>
            accounts.get(at(tenantId, id)),
          );
          const minor = transfer.amount?.amountMinor ?? 0n;
          if (given.mode === "TRANSFER_MODE_PENDING") {
            const dueAt = Date.now() + Number(given.pendingTimeout?.seconds ?? 1_000_000n) * 1_000;
            holds.set(at(tenantId, given.key), { transfer: given, state: "PENDING", dueAt });
            debit!.pending += minor;
          } else {
            if (hold !== undefined) {
              hold.state = isVoid ? "VOIDED" : "POSTED";
              debit!.pending -= hold.transfer.amount?.amountMinor ?? 0n;
            }
            if (!isVoid) {
              debit!.debits += minor;
              credit!.credits += minor;
            }
          }
          posted.push({ transfer, tenantId, interactionId, createdBy });
          return {
            key: transfer.key,
            transferId: `t:${transfer.key}`,
            sequence: BigInt(posted.length),
            postedAt: new Date(),
            debitBalanceMinor: balance(debit!),
            creditBalanceMinor: balance(credit!),
            amountMinor: minor,
          };
        }),
      },
    };
    decided.set(key, { content, result });
    return result;
  }

  const handlers: Partial<Handlers<LedgerServiceDefinition>> = {
    createAccounts: ({ accounts: asked }, { tenantId }) =>
      faults.around("createAccounts", () => {
        for (const account of asked) {
          const known = accounts.get(at(tenantId, account.accountId));
          if (known === undefined)
            accounts.set(at(tenantId, account.accountId), { account, credits: 0n, debits: 0n, pending: 0n });
          else if (JSON.stringify(known.account) !== JSON.stringify(account))
            throw new Refusal("KEY_REUSED", "differs");
        }
        return { accounts: asked };
      }),
    getAccounts: async ({ accountIds }, { tenantId }) => ({
      accounts: accountIds
        .map((id) => accounts.get(at(tenantId, id)))
        .filter((found) => found !== undefined)
        .map(({ account, credits, debits, pending }) => ({
          ...account,
          debitsPendingMinor: pending,
          creditsPostedMinor: credits,
          debitsPostedMinor: debits,
        })),
    }),
    postTransfers: ({ groups, createdBy }, call) =>
      faults.around("postTransfers", () => ({
        results: groups.map(({ transfers }) => post(call, transfers, createdBy)),
      })),
    postBatched: async ({ postings }, call) => ({
      answers: await answerEach("postings", postings, call, (request, own) => handlers.postTransfers!(request, own)),
    }),
    async listAccountEntries({ accountId, pageSize, cursor, newestFirst }, { tenantId }) {
      let balanceMinor = 0n;
      const entries = posted
        .filter((one) => one.tenantId === tenantId)
        .flatMap(({ transfer, interactionId }, index) => {
          const isDebit = transfer.debitAccountId === accountId;
          if (!isDebit && transfer.creditAccountId !== accountId) return [];
          const { amountMinor = 0n, currency = "" } = transfer.amount ?? {};
          balanceMinor += isDebit ? -amountMinor : amountMinor;
          const side = isDebit ? ("ENTRY_SIDE_DEBIT" as const) : ("ENTRY_SIDE_CREDIT" as const);
          const at = new Date(index);
          const { kind, description, key: entryId } = transfer;
          const shown = { entryId, kind, description, interactionId, executedAt: at, effectiveAt: at };
          return [{ ...shown, side, amount: { amountMinor, currency }, balanceMinor, sequence: BigInt(index) }];
        });
      if (newestFirst) entries.reverse();
      const start = Number(cursor || 0);
      const end = start + (pageSize || 100);
      return { entries: entries.slice(start, end), nextCursor: end < entries.length ? String(end) : "" };
    },
    closeAccount: ({ accountId }, { tenantId }) =>
      faults.around("closeAccount", () => {
        const found = accounts.get(at(tenantId, accountId)) ?? missing(accountId);
        if (balance(found) !== 0n) throw new Refusal("ACCOUNT_NOT_EMPTY", "there is money in it");
        closed.add(at(tenantId, accountId));
        return { account: found.account };
      }),
    getTransfer: ({ key }, { tenantId }) =>
      faults.around("getTransfer", () => {
        if (decided.get(at(tenantId, key))?.result.posted === undefined)
          throw new Refusal("TRANSFER_NOT_FOUND", "none");
        return { transfer: { transferId: `t:${key}` } };
      }),
  };
  return {
    handlers,
    posted,
    reopen: (tenantId: string, id: string) => closed.delete(at(tenantId, id)),
    ofTenant: (tenantId: string) => posted.filter((entry) => entry.tenantId === tenantId),
    account: (tenantId: string, id: string) => accounts.get(at(tenantId, id)),
    balance: (tenantId: string, id: string) => balance(accounts.get(at(tenantId, id)) ?? missing(id)),
  };
}

function missing(id: string): never {
  throw new Error(`no account ${id}`);
}
