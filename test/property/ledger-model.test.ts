import fc from "fast-check";
import { chartRow } from "../../services/ledger/domain/chart.js";
import type { Journal } from "../../services/ledger/journal/journal.js";
import { migrations } from "../../services/ledger/store/migrations.js";
import type { AccountFlag, Decision, LinkedGroup, NewTransfer } from "../../services/ledger/domain/model.js";
import { runMigrations } from "../../services/shared/mongo/migrations.js";
import { Refusal } from "../../services/shared/refusal.js";
import { atDepth } from "../support/depth.js";
import { silentLog, testDatabase, type TestDatabase } from "../support/index.js";
import { linked, move, openLedger } from "../support/ledger-journal.js";
import { createBook, type Answer, type Book, type BookAccount, type BookFigures } from "./ledger-book.js";

// 10,000 sequences in `npm run test:long`. A failure prints its seed and path, which MODEL_SEED and
// MODEL_PATH replay, with MODEL_REPLAY the commands that are left of it.
const runs = atDepth({ quick: 40, ci: 200, long: 10_000 }, "MODEL_RUNS");
const { MODEL_SEED: seed, MODEL_PATH: path, MODEL_REPLAY: replayPath } = process.env;
const maxCommands = 400;
const lanes = seed === undefined ? 4 : 1;

jest.setTimeout(60_000 + runs * 2_000);

let database: TestDatabase;
let commands = 0;
let sequences = 0;
let commits = 0n;
const answers = new Map<string, number>();

beforeAll(async () => {
  database = await testDatabase("ledger_model");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(() => database.close());

const accounts = new Map<string, BookAccount & { code: string; flags: AccountFlag[] }>();
const account = (id: string, code: string, currency: string, flags: AccountFlag[] = []) => {
  const { type, service } = chartRow(code)!;
  const bound = flags.includes("DEBITS_MUST_NOT_EXCEED_CREDITS")
    ? ({ bound: "debits" } as const)
    : flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS")
      ? ({ bound: "credits" } as const)
      : {};
  const closed = flags.includes("CLOSED") ? ({ isClosed: true } as const) : {};
  accounts.set(id, { code, currency, flags, service, isDebitNormal: type === "ASSET", ...bound, ...closed });
};
account("bank", "bank_settlement", "USD");
account("w1", "customer_wallet", "USD", ["DEBITS_MUST_NOT_EXCEED_CREDITS"]);
account("w2", "customer_wallet", "USD", ["DEBITS_MUST_NOT_EXCEED_CREDITS"]);
account("cash", "bank_settlement", "USD", ["CREDITS_MUST_NOT_EXCEED_DEBITS"]);
account("eur", "customer_wallet", "EUR");
account("closed", "customer_wallet", "USD", ["CLOSED"]);
account("fees", "fee_income", "USD");
const names = [...accounts.keys(), "unknown"];

/** The model: the book, what was sent, and a clock of its own. */
interface Model {
  readonly book: Book;
  readonly sent: LinkedGroup[];
  nowMs: number;
  lastCommitMs: number;
  /** Time of the commit that gathers; keys of what is in it. */
  gatheringMs: number | undefined;
  readonly gathering: Set<string>;
}

/**
 * The ledger: requests gather as they would while a commit runs, and are then posted all at once.
 */
interface Real {
  readonly ledger: Awaited<ReturnType<typeof openLedger>>;
  readonly clock: { nowMs: number };
  journal: Journal;
  waiting: { group: LinkedGroup; expected: Answer }[];
}

type Command = fc.AsyncCommand<Model, Real>;

async function flush(model: Model, real: Real): Promise<void> {
  const { waiting } = real;
  real.waiting = [];
  const decisions = await decided(
    real,
    waiting.map(({ group }) => group),
  );
  expect(decisions.map(answerOf)).toEqual(waiting.map(({ expected }) => expected));
  for (const { expected } of waiting) {
    const kind = "transfers" in expected ? "POSTED" : expected.code;
    answers.set(kind, (answers.get(kind) ?? 0) + 1);
  }
  model.gathering.clear();
  if (model.gatheringMs !== undefined) model.lastCommitMs = model.gatheringMs;
  model.gatheringMs = undefined;
}

/**
 * On a machine that is starved MongoDB drops transactions that take seconds: nothing is written
 * then, and whoever asked asks again.
 */
async function decided(real: Real, groups: readonly LinkedGroup[]): Promise<Decision[]> {
  for (let attempt = 1; ; attempt++) {
    const outcomes = await Promise.allSettled(groups.map((group) => real.journal.post(group)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected")?.reason as unknown;
    if (failure === undefined) return outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const isBusy = failure instanceof Refusal && failure.code === "UNAVAILABLE";
    if (!isBusy || attempt === 20) throw failure;
    real.journal = (await real.ledger.open()).journal;
  }
}

function answerOf(decision: Decision): Answer {
  if (decision.kind === "refused") {
    const { code, transferIndex, availableMinor, askedMinor } = decision.refusal;
    return { code, index: transferIndex, available: availableMinor, asked: askedMinor };
  }
  const transfers = decision.transfers.map((transfer) => ({
    seq: transfer.seq,
    key: transfer.key,
    mode: transfer.mode,
    debit: transfer.debitAccountId,
    credit: transfer.creditAccountId,
    amount: transfer.amountMinor,
    currency: transfer.currency,
    refersTo: transfer.refersTo,
    dueAtMs: transfer.dueAtMs,
    debitBalance: transfer.debitBalanceMinor,
    creditBalance: transfer.creditBalanceMinor,
  }));
  return { transfers };
}

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
      const isAlone = group.service === "ledger";
      // A key that waits already would let this one wait behind the others: the book knows no such
      // order.
      const meets = group.transfers.some(({ key }) => model.gathering.has(key));
      if (meets || isAlone) await flush(model, real);
      const timeMs = model.gatheringMs ?? Math.max(model.nowMs, model.lastCommitMs + 1);
      const { answer, isNew } = model.book.decide(group, timeMs);
      if (isNew) model.gatheringMs = timeMs;
      for (const { key } of group.transfers) model.gathering.add(key);
      model.sent.push(group);
      real.waiting.push({ group, expected: answer });
      if (isAlone) await flush(model, real);
    },
    toString: () => name,
  };
}

function act(name: string, work: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await flush(model, real);
      await work(model, real);
    },
    toString: () => name,
  };
}

const index = fc.nat(10_000);
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const transfersOf = ({ sent }: Model) => sent.flatMap(({ transfers }) => transfers);

/** Mostly what goes well, now and then what does not. */
const mostly = <T>(good: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: odd });

const pair = mostly(
  fc.constantFrom(
    ["bank", "w1"],
    ["bank", "w2"],
    ["w1", "w2"],
    ["w2", "w1"],
    ["w1", "cash"],
    ["bank", "cash"],
    ["cash", "w1"],
  ),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)),
) as fc.Arbitrary<[string, string]>;
const amount = mostly(fc.bigInt(1n, 100n), fc.oneof(fc.constantFrom(0n, -1n), fc.bigInt(1n << 61n, (1n << 63n) - 1n)));
const service = mostly(fc.constant("wallet"), fc.constant("remittance"));

const newTransfer = fc
  .record({
    key: fc.uuid(),
    pair,
    amount,
    currency: mostly(fc.constant("USD"), fc.constant("EUR")),
    isHold: fc.boolean(),
    timeoutS: fc.option(fc.integer({ min: 1, max: 60 })),
    isUpTo: fc.constantFrom(false, false, false, true),
  })
  .map(({ key, pair: [debit, credit], amount: minor, currency, isHold, timeoutS, isUpTo }): NewTransfer => {
    const timeout = timeoutS === null ? {} : { timeoutMs: timeoutS * 1_000 };
    return move(debit, credit, minor, {
      key,
      amount: { minor, currency },
      ...(isHold ? { mode: "PENDING" as const, ...timeout } : {}),
      ...(isUpTo ? { isUpTo: true as const } : {}),
    });
  });

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

const newOwner = fc.constant(
  act("new owner", async (_model, real) => {
    real.journal = (await real.ledger.open()).journal;
  }),
);

const look = fc.constant(act("look", (model, real) => compareFigures(model, real)));

async function compareFigures({ book }: Model, { ledger }: Real): Promise<void> {
  const stored = await ledger.store.findAccounts([...accounts.keys()]);
  const figures = stored.map(({ info, figures: found }): [string, BookFigures] => [
    info.accountId,
    {
      debits: found.debitsPostedMinor,
      credits: found.creditsPostedMinor,
      heldDebits: found.debitsPendingMinor,
      heldCredits: found.creditsPendingMinor,
      lastSeq: found.lastSeq,
    },
  ]);
  expect(new Map(figures)).toEqual(book.figures());
}

const weights: readonly (readonly [fc.Arbitrary<Command>, number])[] = [
  [newGroup, 24],
  [fund, 8],
  [roundTrip, 2],
  [onEarlier, 24],
  [again, 5],
  [reuse, 3],
  [expire, 1],
  [advance, 1],
  [newOwner, 1],
  [look, 1],
];

const sequence = fc.commands(
  weights.flatMap(([command, times]) => Array.from({ length: times }, () => command)),
  { maxCommands, size: "max", ...(replayPath === undefined ? {} : { replayPath }) },
);

async function play(list: Iterable<Command>, maxCachedAccounts: number, doubtMs: number): Promise<void> {
  const clock = { nowMs: Date.UTC(2026, 10, 30, 23, 50) };
  const ledger = await openLedger(database.db, {
    limits: { maxCachedAccounts },
    now: () => new Date(clock.nowMs),
    doubtMs,
  });
  const infos = [...accounts].map(([accountId, { code, currency, flags }]) => {
    const about = { accountId, code, currency, flags, name: "", ownerId: "", metadata: [] };
    return { ...chartRow(code)!, ...about, createdAt: new Date() };
  });
  await ledger.store.ensureAccounts(infos);
  const model: Model = {
    book: createBook(accounts),
    sent: [],
    nowMs: clock.nowMs,
    lastCommitMs: 0,
    gatheringMs: undefined,
    gathering: new Set(),
  };
  const real: Real = { ledger, clock, journal: (await ledger.open()).journal, waiting: [] };
  try {
    await fc.asyncModelRun(() => ({ model, real }), list);
    await flush(model, real);
    await compareFigures(model, real);
    expect((await ledger.verify()).faults).toEqual([]);
    commits += await ledger.commits();
    sequences += 1;
  } finally {
    await ledger.close();
  }
}

test(`the ledger does what its book says: ${runs} sequences`, async () => {
  const property = () =>
    fc.asyncProperty(sequence, fc.constantFrom(3, 1_000), fc.constantFrom(0, 5_000), async (list, cached, doubtMs) => {
      await play(counted(list), cached, doubtMs);
    });
  const first = seed === undefined ? Date.now() % 2 ** 31 : Number(seed);
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      fc.assert(property(), {
        numRuns: Math.ceil(runs / lanes),
        seed: first + lane,
        ...(path === undefined ? {} : { path }),
        endOnFailure: path !== undefined,
      }),
    ),
  );
  process.stdout.write(
    `ledger model: ${sequences} sequences, ${commands} commands, ${commits} commits, seed ${first}; ` +
      `answers ${JSON.stringify(Object.fromEntries(answers))}\n`,
  );
});

function* counted(list: Iterable<Command>): Iterable<Command> {
  for (const command of list) {
    commands += 1;
    yield command;
  }
}
