import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Clock } from "../../kernel/time/clock.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Preferences } from "../clients/preferences.js";
import { positionCodes } from "../domain/chart.js";
import type { NewTransfer } from "../domain/model.js";
import { soleAccount, soleAccountId } from "../domain/own-accounts.js";
import { foldPositions, newBook, type PositionBook } from "../domain/position-fold.js";
import { movesMoney } from "../domain/steps.js";
import type { OwnPosting } from "../journal/own-posting.js";
import type { LedgerStore } from "../store/index.js";
import type { PositionStore, ReadBook } from "../store/positions.js";

export interface PositionDeps {
  readonly store: LedgerStore;
  readonly positions: PositionStore;
  readonly ownPosting: OwnPosting;
  readonly preferences: Preferences;
  readonly clock: Clock;
}

/** Whom it is counted for. */
interface Caller {
  readonly tenantId: string;
  readonly interactionId: string;
}

// More than any linked group has, so that a page always ends behind one.
const pageTransfers = 2_000;
const maxCurrencies = 1_000;

/**
 * Counts what the journal has of exchanges and posts what they realised. The count is stored first
 * with what is to be posted under keys of its own, so whoever was killed is gone on with alike.
 */
export function createPositions({ store, positions, ownPosting, preferences, clock }: PositionDeps) {
  async function read(call: Caller, code: string): Promise<ReadBook> {
    const { baseCurrency } = await preferences.of(call);
    const found = await positions.forTenant(call.tenantId).find(code);
    if (found === undefined) return { book: newBook(code, baseCurrency), version: 0 };
    // Another base counts once nothing is left in the one before.
    const isLeft = found.book.positions.some(
      ({ quantityMinor, costMinor }) => quantityMinor !== 0n || costMinor !== 0n,
    );
    return isLeft || found.book.toPost.length > 0 ? found : { ...found, book: { ...found.book, base: baseCurrency } };
  }

  async function post({ tenantId, interactionId }: Caller, { book }: ReadBook): Promise<void> {
    const { base, code } = book;
    const accounts = [code, "fx_result"].map((one) => soleAccount(one, base, clock.now()));
    await store.forTenant(tenantId).ensureAccounts(accounts);
    const [position, result] = [soleAccountId(code, base), soleAccountId("fx_result", base)];
    for (let at = 0; at < book.toPost.length; at += 1_000) {
      const groups = book.toPost.slice(at, at + 1_000).map(({ key, minor, effectiveAtMs }) => {
        const isWon = minor > 0n;
        const transfer: NewTransfer = {
          key,
          mode: "POSTED",
          debitAccountId: isWon ? position : result,
          creditAccountId: isWon ? result : position,
          amount: { minor: isWon ? minor : -minor, currency: base },
          kind: "fx_result",
          refersTo: "",
          effectiveAtMs,
          description: "Result of an exchange position",
          metadata: [],
        };
        return { transfers: [transfer], createdBy: "ledger", interactionId };
      });
      for (const { refused } of await ownPosting.post(tenantId, groups)) {
        if (refused !== undefined)
          throw new Refusal("STATE_CONFLICT", `not posted: ${refused.code} ${refused.message}`);
      }
    }
  }

  /** Counts a code's accounts to the journal's end. */
  async function count(call: Caller, code: string): Promise<PositionBook> {
    const tenant = positions.forTenant(call.tenantId);
    const journal = store.forTenant(call.tenantId);
    const filter = { code, currency: "", ownerId: "", metadata: [], exists: [] };
    const ids = (await journal.listAccounts(filter, "", maxCurrencies)).map(({ info }) => info.accountId);
    if (ids.length === 0) return (await read(call, code)).book;
    for (;;) {
      const before = await read(call, code);
      if (before.book.toPost.length > 0) {
        await post(call, before);
        crashPoint("ledger.position.posted");
        await tenant.replace(before, { ...before.book, toPost: [] });
        continue;
      }
      const { throughSeq } = before.book;
      const page = await journal.positionTransfersAfter(ids, throughSeq, pageTransfers);
      const isFull = page.length >= pageTransfers;
      const cut = page.at(-1)?.link.key;
      const moved = page.filter(movesMoney);
      const whole = isFull ? moved.filter(({ link }) => link.key !== cut) : moved;
      const last = whole.at(-1);
      if (last === undefined) return before.book;
      const folded = foldPositions(before.book, whole, last.seq);
      if (folded.throughSeq === throughSeq && before.book.waiting !== undefined) return folded;
      const isOurs = await tenant.replace(before, folded);
      crashPoint("ledger.position.counted");
      if (isOurs && folded.waiting !== undefined && folded.toPost.length === 0) return folded;
    }
  }

  return {
    /** All positions as they are at the end of the journal. */
    async all(call: Caller): Promise<PositionBook[]> {
      const books: PositionBook[] = [];
      for (const code of positionCodes()) books.push(await count(call, code));
      return books;
    },
  };
}
