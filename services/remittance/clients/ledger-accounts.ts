import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { partnerAccountId, partnerIdOf, type PartnerNames } from "../../platform/plugins/partner-accounts.js";
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
  bank_charges: "Bank charges",
  refund_expense: "Refunds given",
};

const paidInto = ["remittance_clearing", "fee_income", "tax_payable"] as const;

/** An account that is needed; a partner's is told by whose it is, undefined for the operator's. */
export type WantedAccount =
  | { code: AccountCode; currency: string }
  | { code: "partner_settlement"; currency: string; installationId: string | undefined };

export type CreatedAccounts = ReturnType<typeof createLedgerAccounts>;

/**
 * Remittance's own accounts in the ledger, made on first need; that they exist is remembered for
 * the process's life.
 */
export function createLedgerAccounts(
  ledger: Pick<Client<LedgerServiceDefinition>, "createAccounts">,
  nameOf: PartnerNames,
) {
  const existing = new Set<string>();

  async function newAccount(wanted: WantedAccount, call: OutgoingContext) {
    const { code, currency } = wanted;
    const account = { accountId: idOf(wanted), code, currency };
    if (wanted.code !== "partner_settlement") return { ...account, name: `${names[wanted.code]} ${currency}` };
    const partner = partnerIdOf(wanted.installationId);
    return { ...account, name: `Owed to ${await nameOf(partner, call)} ${currency}`, metadata: { partner } };
  }

  /** Refuses what the ledger refuses, and UNAVAILABLE. */
  async function ensureAll(wanted: readonly WantedAccount[], call: OutgoingContext): Promise<void> {
    const missing = new Map(
      wanted
        .map((account) => [idOf(account), account] as const)
        .filter(([accountId]) => !existing.has(`${call.tenantId} ${accountId}`)),
    );
    if (missing.size === 0) return;
    const accounts = await Promise.all([...missing.values()].map((account) => newAccount(account, call)));
    await ledger.createAccounts({ accounts }, outgoing(call));
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

function idOf(wanted: WantedAccount): string {
  const { code, currency } = wanted;
  return code === "partner_settlement"
    ? partnerAccountId(code, wanted.installationId, currency)
    : accountOf(code, currency);
}
