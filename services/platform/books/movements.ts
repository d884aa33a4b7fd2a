/** What moves from one account to another, minor units of one currency. */
export interface Movement {
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly amountMinor: bigint;
}

/** One side of a posting, minor units above zero. */
export interface OpenEntry {
  readonly accountId: string;
  readonly minor: bigint;
}

/** Debits and credits matched in their order. Throws where the two do not sum to the same. */
export function matchedMovements(debits: readonly OpenEntry[], credits: readonly OpenEntry[]): Movement[] {
  const movements: Movement[] = [];
  const open = credits.map(({ accountId, minor }) => ({ accountId, minor }));
  let at = 0;
  for (const debit of debits) {
    let left = debit.minor;
    while (left > 0n) {
      const credit = open[at];
      if (credit === undefined) throw new Error("debits without credits");
      const amountMinor = left < credit.minor ? left : credit.minor;
      if (amountMinor > 0n) {
        movements.push({ debitAccountId: debit.accountId, creditAccountId: credit.accountId, amountMinor });
      }
      left -= amountMinor;
      credit.minor -= amountMinor;
      if (credit.minor === 0n) at += 1;
    }
  }
  if (open.slice(at).some(({ minor }) => minor > 0n)) throw new Error("credits without debits");
  return movements;
}
