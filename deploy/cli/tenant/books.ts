import type { Connection } from "mongoose";
// Both databases are read without a service in front, by the ledger's own rules: to write them a
// second time would prove less, not more.
/* oxlint-disable eslint/no-restricted-imports -- the rules of the stored journal */
import { storedJournal } from "../../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../../services/ledger/audit/verify.js";
import { createLedgerStore } from "../../../services/ledger/store/index.js";

export interface Books {
  readonly transfers: bigint;
  /** What does not fit, as readable lines. */
  readonly faults: readonly string[];
  /** Debits and credits of each currency, minor units. */
  readonly totals: ReadonlyMap<string, { debitsMinor: bigint; creditsMinor: bigint }>;
}

/** Recomputes a tenant's chain and every balance from the stored transfers, and adds them up. */
export async function readBooks(ledger: Connection, tenantId: string): Promise<Books> {
  const journal = storedJournal(createLedgerStore(ledger).forTenant(tenantId), tenantId);
  const totals = new Map<string, { debitsMinor: bigint; creditsMinor: bigint }>();
  for (let after = ""; ;) {
    const page = await journal.accountsAfter(after, 500);
    if (page.length === 0) break;
    for (const { account } of page) {
      const { info, figures } = account;
      const total = totals.get(info.currency) ?? { debitsMinor: 0n, creditsMinor: 0n };
      total.debitsMinor += figures.debitsPostedMinor;
      total.creditsMinor += figures.creditsPostedMinor;
      totals.set(info.currency, total);
      after = info.accountId;
    }
  }
  const { transfers, faults } = await verifyJournal(journal);
  return {
    transfers,
    totals,
    faults: faults.map((fault) => `${fault.accountId ?? fault.key ?? "journal"}: ${fault.what}`),
  };
}
