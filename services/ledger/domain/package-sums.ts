import { bookOf } from "./book-accounts.js";
import { accountOf, type ChartMapping } from "./closing.js";
import { dayText, type Day } from "./days.js";
import type { AccountInfo, AccountType } from "./model.js";

type Told = Pick<AccountInfo, "accountId" | "code" | "type" | "currency" | "name" | "ownerId" | "service">;

/** What of an account a package speaks of, and its name in books of text. */
export interface BookedAccount extends Told {
  readonly book: string;
}

/** Made once an account: it stands in thousands of a package's transfers. */
export function bookedAccount({ accountId, code, type, currency, name, ownerId, service }: Told): BookedAccount {
  return { accountId, code, type, currency, name, ownerId, service, book: bookOf({ accountId, code, type }) };
}

/** Minor units that went through an account, to either side. */
export interface Sums {
  debits: bigint;
  credits: bigint;
}

/**
 * What an account held at the end of a period, by the sequence of its close: what counts for the
 * period or earlier, and what counts for each later day.
 */
export interface AccountSums extends Sums {
  readonly account: BookedAccount;
  readonly later: ReadonlyMap<Day, Sums>;
}

export interface TrialLine extends Sums {
  readonly own: string;
  readonly ownName: string;
  readonly code: string;
  readonly type: AccountType;
  readonly currency: string;
  accounts: number;
}

/**
 * What a code moved on a day, and what it came to. `day` is empty for what the period opened with.
 */
export interface LedgerLine extends Sums {
  readonly own: string;
  readonly ownName: string;
  readonly code: string;
  readonly currency: string;
  readonly day: string;
  /** Debits less credits, to the end of the day. */
  balance: bigint;
}

/** The short tables of a package. */
export interface PackageSums {
  readonly trialBalance: readonly TrialLine[];
  readonly generalLedger: readonly LedgerLine[];
  readonly currencies: readonly string[];
}

/**
 * Adds up a package's trial balance and general ledger: what it opens with, then what moved. What
 * counts for days after the period is in neither.
 */
export function createPackageSums(mapping: ChartMapping, last: Day) {
  const days = new Map<string, { own: string; ownName: string; account: BookedAccount; days: Map<string, Sums> }>();
  const trial = new Map<string, TrialLine>();
  const currencies = new Set<string>();

  function book(account: BookedAccount, day: string, debits: bigint, credits: bigint): void {
    const id = `${account.code}/${account.currency}`;
    let line = days.get(id);
    if (line === undefined) {
      const own = ownOf(account.code);
      line = { own: own.account, ownName: own.name, account, days: new Map() };
      days.set(id, line);
    }
    const sums = line.days.get(day);
    if (sums === undefined) line.days.set(day, { debits, credits });
    else {
      sums.debits += debits;
      sums.credits += credits;
    }
  }

  function ownOf(code: string) {
    const own = accountOf(mapping, code);
    if (own === undefined) throw new Error(`the chart's mapping ${mapping.version} lacks ${code}`);
    return own;
  }

  return {
    /** What an account held when the period began. */
    open({ account, debits, credits, later }: AccountSums): void {
      currencies.add(account.currency);
      book(account, "", debits, credits);
      for (const [day, sums] of later) if (day <= last) book(account, dayText(day), sums.debits, sums.credits);
    },

    move(account: BookedAccount, day: Day, debits: bigint, credits: bigint): void {
      currencies.add(account.currency);
      if (day <= last) book(account, dayText(day), debits, credits);
    },

    /** What an account holds at the end of the period. */
    close({ account, debits, credits }: AccountSums): void {
      const id = `${account.code}/${account.currency}`;
      const line = trial.get(id);
      if (line !== undefined) {
        line.debits += debits;
        line.credits += credits;
        line.accounts += 1;
        return;
      }
      const { code, type, currency } = account;
      const own = ownOf(code);
      trial.set(id, { own: own.account, ownName: own.name, code, type, currency, accounts: 1, debits, credits });
    },

    done(): PackageSums {
      const lines = [...days.values()].flatMap(({ own, ownName, account, days: moved }) => {
        const { code, currency } = account;
        let balance = 0n;
        return [...moved]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([day, { debits, credits }]): LedgerLine => {
            balance += debits - credits;
            return { own, ownName, code, currency, day, debits, credits, balance };
          });
      });
      return {
        trialBalance: [...trial.values()].toSorted(byOwnAccount),
        // Days of an account stay in their order.
        generalLedger: lines.toSorted(byOwnAccount),
        currencies: [...currencies].toSorted(),
      };
    },
  };
}

interface Placed {
  readonly own: string;
  readonly code: string;
  readonly currency: string;
}

function byOwnAccount(a: Placed, b: Placed): number {
  for (const name of ["own", "code", "currency"] as const) {
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1;
  }
  return 0;
}
