import { randomUUID } from "node:crypto";
import { AccountFlag } from "../../../proto/gen/ledger/v1/ledger.js";
import { outgoing } from "../../../services/kernel/grpc/client.js";
import type { BookAccount } from "../../property/ledger-book-state.js";
import { onceUp, type LedgerProcess } from "../../support/ledger-processes.js";

export const bank = "bank_settlement:USD";
export const wallets = Array.from({ length: 12 }, (_, n) => `w${n}`);
export const euros = "euros";
export const positionCode = "wallet_exchange_position";
const positions = ["EUR", "USD"].map((currency) => `${positionCode}:${currency}`);
export type BookAccounts = ReadonlyMap<string, BookAccount>;

/** Those that a run posts to, and wallets that are there to be closed. */
export function bookAccountsOf(closable: readonly string[] = []): BookAccounts {
  const common = { service: "wallet", currency: "USD" };
  const wallet = { ...common, code: "customer_wallet", isDebitNormal: false, bound: "debits" } as const;
  const position = (id: string) => ({ ...common, code: positionCode, currency: id.slice(-3), isDebitNormal: true });
  return new Map<string, BookAccount>([
    [bank, { ...common, code: "bank_settlement", isDebitNormal: true }],
    [euros, { ...wallet, currency: "EUR" }],
    ...positions.map((id): [string, BookAccount] => [id, position(id)]),
    ...[...wallets, ...closable].map((id): [string, BookAccount] => [id, wallet]),
  ]);
}

export async function openAccounts(
  { client }: LedgerProcess,
  tenantId: string,
  bookAccounts: BookAccounts,
): Promise<void> {
  const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
  const accounts = [...bookAccounts].map(([accountId, { code, currency, bound }]) => ({
    accountId,
    code,
    currency,
    ...(bound === undefined ? {} : { flags }),
  }));
  await onceUp(() => client.createAccounts({ accounts }, outgoing({ tenantId, interactionId: randomUUID() })));
}
