import { outgoing } from "../../kernel/grpc/client.js";
import { readAgainIfDifferent } from "../../kernel/time/second-reading.js";
import { lendingAccount, lendingCodes } from "../domain/books.js";
import { bookedNow } from "../domain/loan.js";
import type { Ledger } from "../clients/neighbours.js";
import type { LendingStore } from "../store/index.js";

const page = 500;
const maxDifferences = 1_000;

export interface Difference {
  readonly accountId: string;
  readonly currency: string;
  readonly loansMinor: bigint;
  readonly ledgerMinor: bigint;
}

export interface Reconciliation {
  readonly loans: number;
  readonly accounts: number;
  readonly openPostings: number;
  readonly differences: readonly Difference[];
}

// Accounts that hold nothing but what loans say. Money at the bank and at the card acquirer is
// compared with their statements, not here.
const compared = [
  "interestReceivable",
  "feeReceivable",
  "penaltyReceivable",
  "interestIncome",
  "feeIncome",
  "penaltyIncome",
  "recoveryIncome",
  "writeOffs",
  "overpayments",
] as const satisfies (keyof typeof lendingCodes)[];

/**
 * Compares every loan with its ledger accounts, to the minor unit. Postings that the ledger has not
 * confirmed count as posted.
 */
export function createReconciliation({ store, ledger }: { store: LendingStore; ledger: Pick<Ledger, "getAccounts"> }) {
  async function once(tenantId: string, interactionId: string): Promise<Reconciliation> {
    const tenant = store.forTenant(tenantId);
    const open = new Map<string, bigint>();
    let openPostings = 0;
    for (let after = ""; ;) {
      const postings = await tenant.listOpenPostings(after, page);
      openPostings += postings.length;
      for (const { transfers } of postings) {
        for (const { debitAccountId, creditAccountId, amountMinor } of transfers) {
          open.set(debitAccountId, (open.get(debitAccountId) ?? 0n) + amountMinor);
          open.set(creditAccountId, (open.get(creditAccountId) ?? 0n) - amountMinor);
        }
      }
      after = postings.at(-1)?.postingId ?? "";
      if (after === "") break;
    }
    const inLedger = async (accountIds: readonly string[]): Promise<Map<string, bigint>> => {
      const { accounts } = await ledger.getAccounts(
        { accountIds: [...accountIds] },
        outgoing({ tenantId, interactionId }),
      );
      return new Map(
        accounts.map((account) => [account.accountId, account.debitsPostedMinor - account.creditsPostedMinor]),
      );
    };
    const differences: Difference[] = [];
    const compare = (accountId: string, currency: string, loansMinor: bigint, ledgerMinor: bigint): void => {
      const posted = ledgerMinor + (open.get(accountId) ?? 0n);
      if (posted !== loansMinor && differences.length < maxDifferences) {
        differences.push({ accountId, currency, loansMinor, ledgerMinor: posted });
      }
    };

    const totals = new Map<string, bigint>();
    const currencies = new Set<string>();
    let [loans, accounts] = [0, 0];
    for (let after = ""; ;) {
      const found = await tenant.loansAfter(after, page);
      const known =
        found.length === 0 ? new Map<string, bigint>() : await inLedger(found.map(({ accountId }) => accountId));
      for (const loan of found) {
        const { accountId, currency } = loan;
        currencies.add(currency);
        const booked = bookedNow(loan);
        for (const [id, minor] of Object.entries(booked)) totals.set(id, (totals.get(id) ?? 0n) + minor);
        compare(accountId, currency, booked[accountId] ?? 0n, known.get(accountId) ?? 0n);
        accounts += 1;
      }
      loans += found.length;
      after = found.at(-1)?.accountId ?? "";
      if (after === "") break;
    }
    for (const currency of currencies) {
      const ids = compared.map((name) => lendingAccount(name, currency));
      const known = await inLedger(ids);
      for (const id of ids) compare(id, currency, totals.get(id) ?? 0n, known.get(id) ?? 0n);
      accounts += ids.length;
    }
    return { loans, accounts, openPostings, differences };
  }

  return {
    compare: (tenantId: string, interactionId: string): Promise<Reconciliation> =>
      readAgainIfDifferent(() => once(tenantId, interactionId)),
  };
}

export type Reconciliations = ReturnType<typeof createReconciliation>;
