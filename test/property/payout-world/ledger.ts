import type { LedgerServiceDefinition, PostTransfersRequest } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Client } from "../../../services/kernel/grpc/client.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import type { Network } from "./partner.js";
import type { Process } from "./schedule.js";

type LedgerClient = Pick<Client<LedgerServiceDefinition>, "createAccounts" | "postTransfers" | "getTransfer">;

export interface WorldTransfer {
  key: string;
  debitAccountId: string;
  creditAccountId: string;
  minor: bigint;
  kind: string;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * A ledger in memory: keys decide once and for ever, groups are whole, the wallet does not go below
 * zero.
 */
export function createLedger(network: Network, walletAccountId: string, walletMinor: bigint) {
  const posted = new Map<string, WorldTransfer>();
  const refused = new Map<string, { code: string; group: string }>();
  const closed = new Set<string>();
  const accounts = new Set<string>([walletAccountId]);

  function balance(accountId: string): bigint {
    let sum = accountId === walletAccountId ? walletMinor : 0n;
    for (const { debitAccountId, creditAccountId, minor } of posted.values()) {
      if (creditAccountId === accountId) sum += minor;
      if (debitAccountId === accountId) sum -= minor;
    }
    return sum;
  }

  const isSame = (a: WorldTransfer, b: WorldTransfer) =>
    a.debitAccountId === b.debitAccountId && a.creditAccountId === b.creditAccountId && a.minor === b.minor;

  /** Posts a group, or gives the code of its refusal. */
  function post(group: readonly WorldTransfer[]): string | undefined {
    for (const transfer of group) {
      const known = posted.get(transfer.key);
      if (known !== undefined && !isSame(known, transfer)) return "KEY_REUSED";
    }
    const known = group.filter(({ key }) => posted.has(key));
    if (known.length === group.length) return undefined;
    if (known.length > 0) return "KEY_REUSED";
    const content = JSON.stringify(group, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    const before = group.map(({ key }) => refused.get(key)).find((one) => one !== undefined);
    if (before !== undefined) return before.group === content ? before.code : "KEY_REUSED";
    const isClosed = group.some(({ creditAccountId }) => closed.has(creditAccountId));
    const missing = group.find(({ debitAccountId, creditAccountId }) =>
      [debitAccountId, creditAccountId].some((id) => !accounts.has(id)),
    );
    const spent = group.reduce((sum, one) => (one.debitAccountId === walletAccountId ? sum + one.minor : sum), 0n);
    const isShort = spent > balance(walletAccountId);
    const code =
      missing !== undefined ? "ACCOUNT_NOT_FOUND" : isClosed ? "ACCOUNT_CLOSED" : isShort ? "INSUFFICIENT_FUNDS" : "";
    if (code !== "") {
      for (const { key } of group) refused.set(key, { code, group: content });
      return code;
    }
    for (const transfer of group) posted.set(transfer.key, transfer);
    return undefined;
  }

  return {
    posted,
    balance,
    post,
    /** Closes an account that holds nothing. */
    close: (id: string) => void (balance(id) === 0n && closed.add(id)),
    open: (ids: readonly string[]) => ids.forEach((id) => accounts.add(id)),
    clientOf: (process: Process): LedgerClient =>
      ({
        createAccounts: ({ accounts: requested }: { accounts: { accountId: string }[] }) =>
          network.ask(process, () => {
            for (const { accountId } of requested) accounts.add(accountId);
            return { accounts: requested };
          }),
        postTransfers: ({ groups }: PostTransfersRequest) =>
          network.ask(process, () => {
            const code = post(groups[0]!.transfers.map(transferOf));
            return { results: [code === undefined ? { posted: {} } : { refused: { code, message: code } }] };
          }),
        getTransfer: ({ key }: { key: string }) =>
          network.ask(process, () => {
            const transfer = posted.get(key);
            if (transfer === undefined) throw new Refusal("TRANSFER_NOT_FOUND", key);
            return { transfer: { transfer } };
          }),
      }) as unknown as LedgerClient,
  };
}

function transferOf(transfer: PostTransfersRequest["groups"][number]["transfers"][number]): WorldTransfer {
  const { key, debitAccountId, creditAccountId, amount, kind } = transfer;
  return { key, debitAccountId, creditAccountId, minor: amount?.amountMinor ?? 0n, kind };
}
