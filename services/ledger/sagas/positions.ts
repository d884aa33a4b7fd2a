import type { Connection } from "mongoose";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Clock } from "../../kernel/time/clock.js";
import { Refusal } from "../../kernel/refusal.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Preferences } from "../clients/preferences.js";
import { positionCodes } from "../domain/chart.js";
import type { Day } from "../domain/days.js";
import type { MiddleRate } from "../domain/middle-rates.js";
import type { Metadata, NewTransfer, Transfer } from "../domain/model.js";
import { soleAccount, soleAccountId } from "../domain/own-accounts.js";
import { currenciesToPrice, foldPositions, newBook, type PositionBook } from "../domain/position-fold.js";
import { movesMoney } from "../domain/steps.js";
import type { OwnPosting } from "../journal/own-posting.js";
import type { LedgerStore } from "../store/index.js";
import type { MiddleRateStore } from "../store/middle-rates.js";
import type { PositionStore, ReadBook } from "../store/positions.js";

export interface PositionDeps {
  readonly db: Connection;
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly positions: PositionStore;
  readonly middleRates: MiddleRateStore;
  readonly ownPosting: OwnPosting;
  readonly preferences: Preferences;
  readonly businessClock: BusinessClock;
  readonly clock: Clock;
}

/** Whom it is counted for. */
export interface PositionCaller {
  readonly tenantId: string;
  readonly interactionId: string;
}

export type Positions = ReturnType<typeof createPositions>;

// More than any linked group has, so that a page always ends behind one.
const pageTransfers = 2_000;
const maxCurrencies = 1_000;
const postedAtOnce = 1_000;
// As many as metadata may have.
const maxNamedRates = 32;

/**
 * Counts what the journal has of exchanges and posts what they realised. The count is stored first
 * with what is to be posted under keys of its own, so whoever was killed is gone on with alike.
 */
export function createPositions(deps: PositionDeps) {
  const { store, positions, middleRates, preferences, businessClock } = deps;
  const postResults = createResultPosting(deps);

  async function read(call: PositionCaller, code: string): Promise<ReadBook> {
    const { baseCurrency } = await preferences.of(call);
    const found = await positions.forTenant(call.tenantId).find(code);
    if (found === undefined) return { book: newBook(code, baseCurrency), version: 0 };
    // Another base counts once nothing is left in the one before.
    const isLeft = found.book.positions.some(
      ({ quantityMinor, costMinor }) => quantityMinor !== 0n || costMinor !== 0n,
    );
    return isLeft || found.book.toPost.length > 0 ? found : { ...found, book: { ...found.book, base: baseCurrency } };
  }

  /** What middle rates say of currencies on the days of exchanges that have no price in base. */
  async function pricesOf({ tenantId }: PositionCaller, book: PositionBook, transfers: readonly Transfer[]) {
    const known = new Map<string, MiddleRate>();
    const rates = middleRates.forTenant(tenantId);
    for (const [day, currencies] of currenciesToPrice(book, transfers)) {
      for (const currency of currencies) {
        const found = await rates.on(currency, book.base, day);
        if (found !== undefined) known.set(`${day} ${currency}`, found);
      }
    }
    return (currency: string, day: Day) => known.get(`${day} ${currency}`);
  }

  /** Counts a code's accounts to the journal's end. */
  async function count(call: PositionCaller, code: string): Promise<PositionBook> {
    const tenant = positions.forTenant(call.tenantId);
    const journal = store.forTenant(call.tenantId);
    const filter = { code, currency: "", ownerId: "", metadata: [], exists: [] };
    const ids = (await journal.listAccounts(filter, "", maxCurrencies)).map(({ info }) => info.accountId);
    if (ids.length === 0) return (await read(call, code)).book;
    for (;;) {
      const before = await read(call, code);
      if (before.book.toPost.length > 0) {
        await postResults(call, before.book);
        crashPoint("ledger.position.posted");
        await tenant.replace(before, { ...before.book, toPost: [] });
        continue;
      }
      const { throughSeq, waiting } = before.book;
      const page = await journal.positionTransfersAfter(ids, throughSeq, pageTransfers);
      const cut = page.length >= pageTransfers ? page.at(-1)?.link.key : undefined;
      const whole = page.filter(({ link }) => link.key !== cut);
      const last = whole.at(-1);
      if (last === undefined) return before.book;
      const moved = whole.filter(movesMoney);
      const rateOn = await pricesOf(call, before.book, moved);
      const { timeZone } = await businessClock.forTenant(call.tenantId, call.interactionId);
      const folded = foldPositions(before.book, moved, { throughSeq: last.seq, timeZone, rateOn });
      const isStuck = folded.book.throughSeq === throughSeq && waiting?.seq === folded.book.waiting?.seq;
      if (isStuck) return folded.book;
      const isOurs = await tenant.replace(before, folded.book, folded.moves);
      crashPoint("ledger.position.counted");
      if (isOurs && folded.book.waiting !== undefined && folded.book.toPost.length === 0) return folded.book;
    }
  }

  return {
    /** All positions as they are at the end of the journal. */
    async all(call: PositionCaller): Promise<PositionBook[]> {
      const books: PositionBook[] = [];
      for (const code of positionCodes()) books.push(await count(call, code));
      return books;
    },
  };
}

/** Posts what was counted and is not posted yet, between the base position and fx_result. */
function createResultPosting({ store, ownPosting, clock }: PositionDeps) {
  return async function postResults({ tenantId, interactionId }: PositionCaller, book: PositionBook): Promise<void> {
    const { base, code } = book;
    const accounts = [code, "fx_result"].map((one) => soleAccount(one, base, clock.now()));
    await store.forTenant(tenantId).ensureAccounts(accounts);
    for (let at = 0; at < book.toPost.length; at += postedAtOnce) {
      const groups = book.toPost.slice(at, at + postedAtOnce).map(({ key, minor, effectiveAtMs, rates = [] }) => {
        const metadata = rates.slice(0, maxNamedRates).map((rate, index): Metadata[number] => [`rate:${index}`, rate]);
        const description = "Result of an exchange position";
        const what = { key, kind: "fx_result", effectiveAtMs, description, metadata };
        return { transfers: [resultTransfer({ code, base, minor }, what)], createdBy: "ledger", interactionId };
      });
      for (const { refused } of await ownPosting.post(tenantId, groups)) {
        if (refused !== undefined)
          throw new Refusal("STATE_CONFLICT", `not posted: ${refused.code} ${refused.message}`);
      }
    }
  };
}

/** What was won of positions, or below zero lost, minor units of base, to fx_result. */
export function resultTransfer(
  { code, base, minor }: { code: string; base: string; minor: bigint },
  what: Pick<NewTransfer, "key" | "kind" | "effectiveAtMs" | "refusesLate" | "description" | "metadata">,
): NewTransfer {
  const [position, result] = [soleAccountId(code, base), soleAccountId("fx_result", base)];
  const isWon = minor > 0n;
  return {
    ...what,
    mode: "POSTED",
    debitAccountId: isWon ? position : result,
    creditAccountId: isWon ? result : position,
    amount: { minor: isWon ? minor : -minor, currency: base },
    refersTo: "",
  };
}
