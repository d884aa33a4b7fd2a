import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { accountOf, type AccountCode } from "../domain/payout-transfers.js";

const maxCached = 10_000;

/** Ids of the accounts that a payment in one currency is paid into. */
export interface LedgerAccounts {
  clearing: string;
  feeIncome: string;
  taxPayable: string;
}

const names: Record<AccountCode, string> = {
  remittance_clearing: "Remittance clearing",
  fee_income: "Fee income",
  tax_payable: "Tax payable",
  exchange_position: "Exchange position",
  partner_settlement: "Partner settlement",
  bank_charges: "Bank charges",
  refund_expense: "Refunds given",
};

const paidInto = ["remittance_clearing", "fee_income", "tax_payable"] as const;

/**
 * Remittance's own accounts in the ledger, made on first need; that they exist is remembered for
 * the process's life.
 */
export function createLedgerAccounts(ledger: Pick<Client<LedgerServiceDefinition>, "createAccounts">) {
  const existing = new Set<string>();

  /** Refuses what the ledger refuses, and UNAVAILABLE. */
  async function ensureAll(
    wanted: readonly { code: AccountCode; currency: string }[],
    call: OutgoingContext,
  ): Promise<void> {
    const missing = new Map(
      wanted
        .map(({ code, currency }) => ({ code, currency, accountId: accountOf(code, currency) }))
        .filter(({ accountId }) => !existing.has(`${call.tenantId} ${accountId}`))
        .map((account) => [account.accountId, { ...account, name: `${names[account.code]} ${account.currency}` }]),
    );
    if (missing.size === 0) return;
    await ledger.createAccounts({ accounts: [...missing.values()] }, outgoing(call));
    if (existing.size >= maxCached) existing.clear();
    for (const accountId of missing.keys()) existing.add(`${call.tenantId} ${accountId}`);
  }

  return {
    ensureAll,
    /** What a payment is paid into. */
    async ensure(currency: string, call: OutgoingContext): Promise<LedgerAccounts> {
      await ensureAll(
        paidInto.map((code) => ({ code, currency })),
        call,
      );
      const [clearing, feeIncome, taxPayable] = paidInto.map((code) => accountOf(code, currency));
      return { clearing: clearing!, feeIncome: feeIncome!, taxPayable: taxPayable! };
    },
  };
}
