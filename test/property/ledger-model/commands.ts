import fc from "fast-check";
import type { LinkedGroup, NewTransfer } from "../../../services/ledger/domain/model.js";
import { linked, move } from "../../support/ledger-journal.js";
import type { Answer } from "../ledger-book-state.js";
import { amount, index, mostly, pair, pick, service } from "./arbitraries.js";
import { act, type Command } from "./act.js";
import { closeAccount, closePeriod, moveClockOn, reopenPeriod } from "./closing-commands.js";
import { backUp, restore } from "./backup.js";
import { handlersOf, read, reads } from "./reads.js";
import { callOf, count, expectedOf, flush, positionCode, takeOver, type Model } from "./world.js";

/**
 * Any request: what it is follows from numbers, so that it can be shrunk, and from what was sent
 * before.
 */
function post(name: string, make: (model: Model) => LinkedGroup | undefined): Command {
  return {
    check: (model) => make(model as Model) !== undefined,
    async run(model, real) {
      const group = make(model)!;
      // What the sweep asks is answered by the state and leaves no trace: beside others its turn
      // may come after theirs.
      // So it is with what a closed day refuses.
      const isAlone = group.service === "ledger" || group.transfers.some(({ refusesLate }) => refusesLate === true);
      // A key that waits already would let this one wait behind the others: the book knows no such
      // order.
      const meets = group.transfers.some(({ key }) => model.gathering.has(key));
      if (meets || isAlone) await flush(model, real);
      real.waiting.push({ group, expected: expectedOf(model, group) });
      if (isAlone) await flush(model, real);
    },
    toString: () => name,
  };
}

const transfersOf = ({ sent }: Model) => sent.flatMap(({ transfers }) => transfers);

/** Hours before and after every run begins: days change within them everywhere. */
const aroundStart = (hours: number): number => Date.UTC(2026, 10, 1, 12, 30) + hours * 3_600_000;

const newTransfer = fc
  .record({
    key: fc.uuid(),
    pair,
    amount,
    currency: mostly(fc.constant("USD"), fc.constant("EUR")),
    isHold: fc.boolean(),
    effective: fc.option(fc.integer({ min: -96, max: 48 }), { freq: 4 }),
    refusesLate: fc.constantFrom(false, false, false, true),
    kind: fc.constantFrom("test", "other"),
    timeoutS: fc.option(fc.integer({ min: 1, max: 60 })),
    isUpTo: fc.constantFrom(false, false, false, true),
  })
  .map(
    ({
      key,
      pair: [debit, credit],
      amount: minor,
      currency,
      isHold,
      effective,
      refusesLate,
      kind,
      timeoutS,
      isUpTo,
    }): NewTransfer => {
      const timeout = timeoutS === null ? {} : { timeoutMs: timeoutS * 1_000 };
      const effectiveAtMs = aroundStart(effective ?? 0);
      return move(debit, credit, minor, {
        key,
        kind,
        amount: { minor, currency },
        ...(effective === null ? {} : { effectiveAtMs }),
        ...(refusesLate ? { refusesLate: true as const } : {}),
        ...(isHold ? { mode: "PENDING" as const, ...timeout } : {}),
        ...(isUpTo ? { isUpTo: true as const } : {}),
      });
    },
  );

const text = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner));

const newGroup = fc
  .record({ transfers: fc.array(newTransfer, { minLength: 1, maxLength: 3 }), service })
  .map(({ transfers, service: by }) =>
    post(`post ${text(transfers)} by ${by}`, () => ({ ...linked(...transfers), service: by })),
  );

const fund = fc
  .record({ key: fc.uuid(), to: fc.constantFrom("w1", "w2"), minor: fc.bigInt(1n, 200n) })
  .map(({ key, to, minor }) => move("bank", to, minor, { key }))
  .map((transfer) => post(`fund ${text(transfer)}`, () => linked(transfer)));

/** What goes through an account may pass int64, as long as its balance does not. */
const roundTrip = fc
  .record({ key: fc.uuid(), by: fc.constantFrom("w1", "w2"), minor: fc.bigInt(1n << 61n, 1n << 62n) })
  .map(({ key, by, minor }) => [move("bank", by, minor, { key }), move(by, "bank", minor, { key: `${key}:back` })])
  .map((transfers) => post(`round trip ${text(transfers)}`, () => linked(...transfers)));

/** Acts on an earlier transfer: one of those that fit, or by chance one that does not. */
const onEarlier = fc
  .record({
    key: fc.uuid(),
    at: index,
    kind: fc.constantFrom("POST_PENDING" as const, "POST_PENDING" as const, "VOID_PENDING" as const, "POSTED" as const),
    isAny: mostly(fc.constant(false), fc.constant(true)),
    part: fc.option(fc.bigInt(1n, 60n)),
    by: service,
  })
  .map(({ key, at, kind, isAny, part, by }) =>
    post(`${kind} ${key} on ${at}${isAny ? " of any" : ""}, part ${part}, by ${by}`, (model) => {
      const wanted = kind === "POSTED" ? ["POSTED", "POST_PENDING"] : ["PENDING"];
      const named = isAny ? pick(transfersOf(model), at) : pick(model.book.posted(wanted), at);
      if (named === undefined) return undefined;
      const { amount: _, ...rest } = move("", "", 1n, { key, mode: kind, refersTo: named.key });
      const money = kind === "POST_PENDING" && part !== null ? { amount: { minor: part, currency: "USD" } } : {};
      return { ...linked({ ...rest, ...money }), service: by };
    }),
  );

const again = index.map((at) => post(`again ${at}`, ({ sent }) => pick(sent, at)));

const reuse = fc.record({ at: index, transfer: newTransfer, by: service }).map(({ at, transfer, by }) =>
  post(`reuse key ${at} for ${text(transfer)} by ${by}`, (model) => {
    const named = pick(transfersOf(model), at);
    return named && { ...linked({ ...transfer, key: named.key }), service: by };
  }),
);

/** What the sweep does; it runs by itself, apart from requests. */
const expire = index.map((at) =>
  post(`expire ${at}`, (model) => {
    const hold = pick(
      transfersOf(model).filter(({ timeoutMs }) => timeoutMs !== undefined),
      at,
    );
    if (hold === undefined) return undefined;
    const { amount: _, ...rest } = move("", "", 1n, { key: `${hold.key}#expired`, mode: "EXPIRE_PENDING" });
    return { ...linked({ ...rest, refersTo: hold.key }), service: "ledger" };
  }),
);

const advance = fc.integer({ min: -5, max: 40 }).map((seconds) =>
  act(`advance ${seconds} s`, (model, real) => {
    model.nowMs += seconds * 1_000;
    real.clock.nowMs = model.nowMs;
    return Promise.resolve();
  }),
);

const newOwner = fc.constant(act("new owner", takeOver));

const readPart = fc
  .record({
    name: fc.constantFrom(...Object.keys(reads)),
    at: index,
    pageSize: fc.integer({ min: 1, max: 40 }),
    daysBack: fc.integer({ min: -2, max: 5 }),
    newestFirst: fc.boolean(),
  })
  .map(({ name, ...choice }) =>
    act(`read ${name} ${JSON.stringify(choice)}`, (model, real) => read(name, model, real, choice)),
  );

const exchange = fc
  .record({
    key: fc.uuid(),
    id: fc.constantFrom("w1", "w2"),
    minor: fc.bigInt(1n, 100n),
    isBack: fc.boolean(),
    effective: fc.option(fc.integer({ min: -96, max: 24 }), { freq: 3 }),
  })
  .map(({ key, id, minor, isBack, effective }) =>
    act(`exchange ${minor} of ${isBack ? "eur" : id} as ${key}`, async (model, real) => {
      const [from, to] = isBack ? ["EUR", "USD"] : ["USD", "EUR"];
      const request = {
        key,
        debitAccountId: isBack ? "eur" : id,
        creditAccountId: isBack ? id : "eur",
        from: { amountMinor: minor, currency: from },
        to: { amountMinor: (minor * 9n + 5n) / 10n, currency: to },
        rate: "0.9",
        kind: "exchange",
        description: "",
        createdBy: "user-1",
        effectiveAt: effective === null ? undefined : new Date(aroundStart(effective)),
        metadata: {},
      };
      if (request.to.amountMinor === 0n) return;
      let expected: Answer | undefined;
      const handlers = handlersOf(model, real, (group) => {
        const requested = group.transfers.map((one) => [one.debitAccountId, one.creditAccountId, one.amount!.minor]);
        expect(requested).toEqual([
          [request.debitAccountId, `${positionCode}:${from}`, minor],
          [`${positionCode}:${to}`, request.creditAccountId, request.to.amountMinor],
        ]);
        expected = expectedOf(model, group);
      });
      const { result } = await handlers.postExchange(request, callOf(real));
      expect(wireAnswerOf(result)).toEqual(shortOf(expected!));
      count(model.paths, "transfers" in expected! ? "exchanged" : `exchange refused ${expected!.code}`);
      await flush(model, real);
    }),
  );

type WireResult = Awaited<ReturnType<ReturnType<typeof handlersOf>["postExchange"]>>["result"];

function wireAnswerOf(result: WireResult) {
  const { posted, refused } = result!;
  if (posted === undefined)
    return [refused!.code, refused!.transferIndex, refused!.availableMinor, refused!.askedMinor];
  return posted.transfers!.map((one) => [one.key, one.sequence, one.amountMinor, one.debitBalanceMinor]);
}

function shortOf(answer: Answer) {
  if (!("transfers" in answer)) return [answer.code, answer.index, answer.available, answer.requested];
  return answer.transfers.map(({ key, seq, amount: minor, debitBalance }) => [key, seq, minor, debitBalance]);
}

const keepBackup = fc.constant(act("back up", backUp));
const putBack = fc.constant(act("restore the backup", restore));

const weights: readonly (readonly [fc.Arbitrary<Command>, number])[] = [
  [newGroup, 48],
  [fund, 16],
  [roundTrip, 4],
  [onEarlier, 48],
  [again, 12],
  [reuse, 6],
  [exchange, 4],
  [expire, 3],
  [advance, 2],
  [newOwner, 2],
  [readPart, 6],
  [closeAccount, 1],
  [closePeriod, 2],
  [reopenPeriod, 1],
  [moveClockOn, 1],
  [keepBackup, 1],
  [putBack, 1],
];

/** Sequences of what callers, clocks, owners and operators do, shorter ones among them. */
export function sequenceOf(maxCommands: number, replayPath: string | undefined) {
  return fc.commands(
    weights.flatMap(([command, times]) => Array.from({ length: times }, () => command)),
    { maxCommands, size: "max", ...(replayPath === undefined ? {} : { replayPath }) },
  );
}
