import fc from "fast-check";
import type { MiddleRate } from "./middle-rates.js";
import type { Transfer } from "./model.js";
import { foldPositions, newBook, type PositionMove } from "./position-fold.js";
import { dayEnds, fits, revalue, type CodedMove, type Revaluation } from "./revaluation.js";

const code = "exchange_position";
const base = "USD";
const foreign = ["NGN", "GBP", "JPY"] as const;
const firstDay = 20_000;
const days = 6;

/** What an exchange brings in of each currency, or gives out, minor units. */
interface Exchange {
  readonly day: number;
  readonly moved: ReadonlyMap<string, bigint>;
}

function transfersOf({ day, moved }: Exchange, group: number): Transfer[] {
  return [...moved].map(([currency, minor], index) => {
    const [own, other] = [`${code}:${currency}`, `remittance_clearing:${currency}`];
    const [debitAccountId, creditAccountId] = minor > 0n ? [other, own] : [own, other];
    const amountMinor = minor > 0n ? minor : -minor;
    const what = { key: `${group}:${index}`, link: { key: `${group}` }, service: "remittance", mode: "POSTED" };
    const seq = BigInt(group * 10 + index + 1);
    return { ...what, seq, day, debitAccountId, creditAccountId, currency, amountMinor } as unknown as Transfer;
  });
}

function rateOn(currency: string, day: number, percent = 100): MiddleRate {
  const units = { NGN: 1_600, GBP: 2, JPY: 150 }[currency] ?? 1;
  const rate = String((units * percent) / 100);
  const at = new Date(day * 86_400_000);
  return { fromCurrency: base, toCurrency: currency, rate, source: "test", at, day, sequence: 1, isDayEnd: true };
}

/** Accounts of base by day: credits less debits, as the ledger has them. */
function ledger() {
  const position = new Map<number, bigint>();
  const result = new Map<number, bigint>();
  const add = (to: Map<number, bigint>, day: number, minor: bigint) => to.set(day, (to.get(day) ?? 0n) + minor);
  const through = (of: Map<number, bigint>, last: number) =>
    [...of].reduce((sum, [day, minor]) => (day <= last ? sum + minor : sum), 0n);
  return {
    receive: (day: number, minor: bigint) => add(position, day, minor),
    win(day: number, minor: bigint): void {
      add(position, day, -minor);
      add(result, day, minor);
    },
    position: (last: number) => through(position, last),
    result: (last: number) => through(result, last),
  };
}

const dayOfMs = (ms: number) => Math.floor(ms / 86_400_000);

/** Counts exchanges one by one, as the ledger does, and revalues days in between. */
function books() {
  const accounts = ledger();
  const moves: CodedMove[] = [];
  const revaluations = new Map<number, Revaluation>();
  let book = newBook(code, base);
  let groups = 0;
  const endOf = (day: number) =>
    dayEnds(
      [book],
      moves.filter((move) => move.day > day),
      day,
      day,
    ).get(day)!;
  return {
    accounts,
    endOf,
    endsBetween: (first: number, last: number) => dayEnds([book], moves, first, last),
    left: () => book.positions,
    revaluations,
    exchange(exchange: Exchange): void {
      const transfers = transfersOf(exchange, groups++);
      if (transfers.length === 0) return;
      accounts.receive(exchange.day, exchange.moved.get(base) ?? 0n);
      const frame = {
        throughSeq: transfers.at(-1)!.seq,
        timeZone: "UTC",
        rateOn: (of: string, day: number) => rateOn(of, day),
      };
      const folded = foldPositions(book, transfers, frame);
      moves.push(...folded.moves.map((move: PositionMove) => ({ ...move, code })));
      for (const { minor, effectiveAtMs } of folded.book.toPost) accounts.win(dayOfMs(effectiveAtMs), minor);
      book = { ...folded.book, toPost: [] };
    },
    revalue(day: number, percent: number): void {
      const ends = endOf(day);
      const by = { day, revaluedBy: "ledger", revaluedAt: new Date(0) };
      const at = { effectiveAtMs: day * 86_400_000, backAtMs: (day + 1) * 86_400_000 };
      const rates = foreign.map((currency) => rateOn(currency, day, percent));
      const next = revalue(revaluations.get(day), ends, rates, { ...by, ...at });
      for (const { minor, effectiveAtMs, backAtMs } of next.toPost) {
        accounts.win(dayOfMs(effectiveAtMs), minor);
        accounts.win(dayOfMs(backAtMs), -minor);
      }
      revaluations.set(day, { ...next, toPost: [] });
    },
  };
}

const minor = fc.bigInt({ min: -1_000_000n, max: 1_000_000n }).filter((value) => value !== 0n);
const day = fc.integer({ min: firstDay, max: firstDay + days - 1 });
const currencies = fc.uniqueArray(fc.constantFrom(base, ...foreign), { minLength: 1, maxLength: 4 });
const exchanges = currencies.chain((names) =>
  fc.record({
    day,
    moved: fc.tuple(...names.map(() => minor)).map((each) => new Map(names.map((name, at) => [name, each[at]!]))),
  }),
);
const steps = fc.array(
  fc.oneof(
    exchanges.map((exchange) => ({ exchange })),
    fc.record({ revalue: day, percent: fc.constantFrom(90, 100, 125) }),
  ),
  { minLength: 1, maxLength: 40 },
);
const lastDay = firstDay + days;

test("what is received less what is paid is the lifetime result, whatever was revalued in between", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const own = books();
      let received = 0n;
      for (const step of all) {
        if ("revalue" in step) own.revalue(step.revalue, step.percent);
        else {
          own.exchange(step.exchange);
          received += step.exchange.moved.get(base) ?? 0n;
        }
      }
      const cost = own.left().reduce((sum, { costMinor }) => sum + costMinor, 0n);
      expect(own.accounts.result(lastDay)).toBe(received + cost);
      expect(own.accounts.position(lastDay)).toBe(-cost);
      // What is left is given out at any price.
      for (const { currency, quantityMinor } of own.left()) {
        if (quantityMinor === 0n || currency === base) continue;
        own.exchange({
          day: lastDay,
          moved: new Map([
            [currency, -quantityMinor],
            [base, 77n],
          ]),
        });
        received += 77n;
      }
      expect([own.accounts.result(lastDay), own.accounts.position(lastDay)]).toEqual([received, 0n]);
    }),
  );
});

test("on a day that is revalued the books hold what is left at its worth, and on others at its cost", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const own = books();
      for (const step of all) {
        if ("revalue" in step) own.revalue(step.revalue, step.percent);
        else own.exchange(step.exchange);
      }
      const range = own.endsBetween(firstDay, lastDay - 1);
      for (let each = firstDay; each < lastDay; each += 1) {
        // Of several days at once it is the same as of each by itself.
        expect(range.get(each)).toEqual(own.endOf(each));
        const done = own.revaluations.get(each);
        const ends = own.endOf(each);
        if (done !== undefined && fits(done, ends)) {
          const worth = done.positions.reduce((sum, { worthMinor }) => sum + worthMinor, 0n);
          expect(own.accounts.position(each)).toBe(-worth);
        } else if (done === undefined) {
          expect(own.accounts.position(each)).toBe(-ends.reduce((sum, { costMinor }) => sum + costMinor, 0n));
        }
      }
    }),
  );
});

test("a second round posts the difference alone, and none where nothing has changed", () => {
  const ends = [{ code, currency: "NGN", base, quantityMinor: -15_257_500n, costMinor: -100_00n }];
  const by = { day: firstDay, revaluedBy: "ledger", revaluedAt: new Date(0), effectiveAtMs: 0, backAtMs: 1 };
  const rates = [rateOn("NGN", firstDay)];
  const first = revalue(undefined, ends, rates, by);
  expect(first.toPost).toMatchObject([{ minor: 4_64n, key: `fx:revaluation:2024-10-04:${code}:NGN:1` }]);
  const again = revalue({ ...first, toPost: [] }, ends, rates, by);
  expect([again.rounds, again.toPost]).toEqual([2, []]);
  const closed = revalue({ ...first, toPost: [] }, [], rates, by);
  expect(closed.toPost).toMatchObject([{ minor: -4_64n, key: `fx:revaluation:2024-10-04:${code}:NGN:2` }]);
});
