import { chainHash, genesisHash } from "./canonical.js";
import { isDebitNormal } from "./chart.js";
import type { Account, Figures, Head, Transfer } from "./model.js";

/** What does not fit, and where: the first of a journal, then every account whose figures are not what its transfers say. */
export interface Fault {
  readonly seq?: bigint;
  readonly key?: string;
  readonly accountId?: string;
  readonly what: string;
}

export interface Verification {
  readonly transfers: bigint;
  readonly faults: readonly Fault[];
}

interface Stored {
  readonly tenantId: string;
  /** By sequence, from the first. */
  readonly transfers: AsyncIterable<Transfer>;
  readonly accounts: AsyncIterable<Account>;
  readonly head: Head | undefined;
}

type MutableFigures = { -readonly [Name in keyof Figures]: Figures[Name] };

const maxFaults = 100;

/** Recomputes a tenant's chain and every balance from the transfers alone. The journal must not be written meanwhile. */
export async function verifyJournal({ tenantId, transfers, accounts, head }: Stored): Promise<Verification> {
  const byId = new Map<string, Account>();
  for await (const account of accounts) byId.set(account.info.accountId, account);
  const books = createBooks(byId);
  const faults: Fault[] = [];
  let last: Pick<Transfer, "seq" | "timeMs" | "hash"> = { seq: 0n, timeMs: 0, hash: genesisHash(tenantId) };
  for await (const transfer of transfers) {
    const what = chainFault(transfer, last) ?? books.enter(transfer);
    if (what !== undefined) {
      // Nothing after the first one that does not fit can be trusted to.
      faults.push({ seq: transfer.seq, key: transfer.key, what });
      return { transfers: last.seq, faults };
    }
    last = transfer;
  }
  const tail = headFault(head, last);
  if (tail !== undefined) faults.push({ seq: last.seq, what: tail });
  for (const [accountId, account] of byId) {
    const what = books.accountFault(account);
    if (what !== undefined && faults.length < maxFaults) faults.push({ accountId, what });
  }
  return { transfers: last.seq, faults };
}

function chainFault(transfer: Transfer, last: Pick<Transfer, "seq" | "timeMs" | "hash">): string | undefined {
  if (transfer.seq !== last.seq + 1n) return `the transfer after ${last.seq} is missing`;
  if (transfer.timeMs < last.timeMs) return "it is older than the transfer before it";
  const { hash, ...content } = transfer;
  if (Buffer.compare(chainHash(content, last.hash), hash) !== 0) return "its content does not fit its hash";
  return undefined;
}

function headFault(head: Head | undefined, last: Pick<Transfer, "seq" | "hash">): string | undefined {
  const seq = head?.seq ?? 0n;
  if (seq !== last.seq) return `the journal ends here, its head says ${seq}`;
  if (head !== undefined && Buffer.compare(head.hash, last.hash) !== 0) return "the head holds another hash";
  return undefined;
}

/** Figures per account and open pending transfers, as the transfers make them. */
function createBooks(accounts: ReadonlyMap<string, Account>) {
  const figures = new Map<string, MutableFigures>();
  const reserved = new Map<string, bigint>();

  function figuresOf(accountId: string): MutableFigures {
    let found = figures.get(accountId);
    if (found === undefined) {
      found = {
        debitsPostedMinor: 0n,
        creditsPostedMinor: 0n,
        debitsPendingMinor: 0n,
        creditsPendingMinor: 0n,
        lastSeq: 0n,
      };
      figures.set(accountId, found);
    }
    return found;
  }

  function balanceOf(accountId: string): bigint {
    const { debitsPostedMinor, creditsPostedMinor } = figuresOf(accountId);
    const balance = creditsPostedMinor - debitsPostedMinor;
    return isDebitNormal(accounts.get(accountId)!.info.type) ? -balance : balance;
  }

  return {
    /** Books a transfer; what is wrong with it, if anything. */
    enter(transfer: Transfer): string | undefined {
      const { mode, amountMinor, debitAccountId, creditAccountId, seq, refersTo } = transfer;
      if (!accounts.has(debitAccountId) || !accounts.has(creditAccountId)) return "an account of it is missing";
      const isNew = mode === "POSTED" || mode === "PENDING";
      const released = isNew ? 0n : reserved.get(refersTo);
      if (released === undefined) return `it resolves ${refersTo}, which is not pending`;
      if (!isNew) reserved.delete(refersTo);
      if (mode === "PENDING") reserved.set(transfer.key, amountMinor);
      const posted = mode === "POSTED" || mode === "POST_PENDING" ? amountMinor : 0n;
      const pending = (mode === "PENDING" ? amountMinor : 0n) - released;
      const debit = figuresOf(debitAccountId);
      debit.debitsPostedMinor += posted;
      debit.debitsPendingMinor += pending;
      debit.lastSeq = seq;
      const credit = figuresOf(creditAccountId);
      credit.creditsPostedMinor += posted;
      credit.creditsPendingMinor += pending;
      credit.lastSeq = seq;
      if (balanceOf(debitAccountId) !== transfer.debitBalanceMinor)
        return "the debit balance is not what its entries sum to";
      if (balanceOf(creditAccountId) !== transfer.creditBalanceMinor) {
        return "the credit balance is not what its entries sum to";
      }
      return undefined;
    },

    accountFault({ info, figures: stored }: Account): string | undefined {
      const expected = figuresOf(info.accountId);
      for (const name of Object.keys(expected) as (keyof Figures)[]) {
        if (stored[name] !== expected[name]) return `${name} is ${stored[name]}, its transfers say ${expected[name]}`;
      }
      const { debitsPostedMinor, debitsPendingMinor, creditsPostedMinor, creditsPendingMinor } = expected;
      const { flags } = info;
      if (
        flags.includes("DEBITS_MUST_NOT_EXCEED_CREDITS") &&
        debitsPostedMinor + debitsPendingMinor > creditsPostedMinor
      ) {
        return "its debits exceed its credits";
      }
      if (
        flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS") &&
        creditsPostedMinor + creditsPendingMinor > debitsPostedMinor
      ) {
        return "its credits exceed its debits";
      }
      return undefined;
    },
  };
}
