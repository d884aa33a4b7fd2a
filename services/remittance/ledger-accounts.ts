import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { outgoing, type Client } from "../shared/grpc/client.js";
import type { Call } from "../shared/grpc/context.js";

const maxKept = 10_000;

/** Ids of the accounts that a payment in one currency is paid into. */
export interface LedgerAccounts {
  clearing: string;
  feeIncome: string;
  taxPayable: string;
}

/** Remittance's own accounts in the ledger, made on first need; that they exist is remembered for the process's life. */
export function createLedgerAccounts(ledger: Pick<Client<LedgerServiceDefinition>, "createAccounts">) {
  const existing = new Set<string>();
  return {
    /** Refuses what the ledger refuses, and UNAVAILABLE. */
    async ensure(currency: string, call: Call): Promise<LedgerAccounts> {
      const ids = {
        clearing: `remittance_clearing:${currency}`,
        feeIncome: `fee_income:${currency}`,
        taxPayable: `tax_payable:${currency}`,
      };
      const known = `${call.tenantId} ${currency}`;
      if (existing.has(known)) return ids;
      const account = (accountId: string, name: string) => ({
        accountId,
        code: accountId.slice(0, -currency.length - 1),
        currency,
        name: `${name} ${currency}`,
      });
      await ledger.createAccounts(
        {
          accounts: [
            account(ids.clearing, "Remittance clearing"),
            account(ids.feeIncome, "Fee income"),
            account(ids.taxPayable, "Tax payable"),
          ],
        },
        outgoing(call),
      );
      if (existing.size >= maxKept) existing.clear();
      existing.add(known);
      return ids;
    },
  };
}
