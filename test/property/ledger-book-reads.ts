import {
  emptyFigures,
  type BookAccount,
  type BookFigures,
  type BookLine,
  type BookRow,
  type State,
} from "./ledger-book-state.js";

export function balanceOf({ isDebitNormal }: BookAccount, { debits, credits }: BookFigures): bigint {
  return isDebitNormal ? debits - credits : credits - debits;
}

/** What can be read of a book, by its transfers alone. */
export function createBookReads(accounts: ReadonlyMap<string, BookAccount>, stateOf: () => State) {
  const rows = () => [...stateOf().transfers.values()];
  const moved = () => rows().filter(({ mode }) => mode === "POSTED" || mode === "POST_PENDING");

  /** What an account moved in transfers that `counts` lets through. */
  function sums(id: string, counts: (row: BookRow) => boolean): { debits: bigint; credits: bigint } {
    const own = moved().filter(counts);
    const sum = (side: "debit" | "credit") => own.reduce((all, row) => (row[side] === id ? all + row.amount : all), 0n);
    return { debits: sum("debit"), credits: sum("credit") };
  }

  return {
    /** Every transfer, oldest first. */
    rows,
    /** Transfers of these modes that are in the book, oldest first. */
    posted: (modes: readonly string[]) => rows().filter(({ mode }) => modes.includes(mode)),
    /** Transfers that moved money of an account, oldest first. */
    statement: (id: string) => moved().filter(({ debit, credit }) => debit === id || credit === id),

    /**
     * Debits, credits and balance of an account; at the end of a day, where one is given.
     */
    balanceAt(id: string, day = Infinity): { debits: bigint; credits: bigint; balance: bigint } {
      const { debits, credits } = sums(id, (row) => row.day <= day);
      return { debits, credits, balance: balanceOf(accounts.get(id)!, { ...emptyFigures(), debits, credits }) };
    },

    /**
     * As reports name it: by code and currency, of accounts that are there; at a day where given.
     */
    trialBalance(day = Infinity): BookLine[] {
      const lines = new Map<string, BookLine>();
      for (const [id, { code, currency }] of accounts) {
        const { debits, credits } = sums(id, (row) => row.day <= day);
        const line = lines.get(`${code}/${currency}`) ?? { code, currency, debits: 0n, credits: 0n, accounts: 0n };
        lines.set(`${code}/${currency}`, {
          ...line,
          debits: line.debits + debits,
          credits: line.credits + credits,
          accounts: line.accounts + 1n,
        });
      }
      return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
    },

    /** Money moved by day, kind and currency. */
    volumes(from: number, to: number): { day: number; kind: string; currency: string; count: bigint; sum: bigint }[] {
      const byId = Map.groupBy(
        moved().filter(({ day }) => day >= from && day <= to),
        ({ day, kind, currency }) => `${day}/${kind}/${currency}`,
      );
      return [...byId]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, [first, ...more]]) => ({
          day: first!.day,
          kind: first!.kind,
          currency: first!.currency,
          count: BigInt(more.length + 1),
          sum: [first!, ...more].reduce((all, { amount }) => all + amount, 0n),
        }));
    },
  };
}
