import type { GroupResult } from "../../proto/gen/ledger/v1/ledger.js";
import type { Transfer } from "../../services/ledger/domain/model.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../services/ledger/audit/verify.js";
import type { TenantStore } from "../../services/ledger/store/index.js";
import type { Closings } from "../property/ledger-book-state.js";
import { closeDays } from "../support/close-days.js";
import { atDepth } from "../support/depth.js";
import { testTenant } from "../support/index.js";
import { linked, move } from "../support/ledger-journal.js";
import { startLedgerProcesses, type LedgerProcesses } from "../support/ledger-processes.js";
import { bookAccountsOf, openAccounts } from "./ledger-run/accounts.js";
import { besideClosings } from "./ledger-run/check-closings.js";
import { checkHistory, text } from "./ledger-run/check.js";
import { breakagesOf, type Breakage } from "./ledger-run/faults.js";
import { createHistory, type History } from "./ledger-run/history.js";
import { placedOf, type Placed } from "./ledger-run/placed.js";
import { createChooser, startLoad, type Load } from "./ledger-run/load.js";
import { lastWords } from "./ledger-run/readings.js";

// Once through all faults in CI, ten times in `npm run test:long`. FAULT_SEED chooses again what
// clients did; when they did it is up to the machine.
const rounds = atDepth({ quick: 1, ci: 1, long: 10 }, "FAULT_ROUNDS");
const seed = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31);
jest.setTimeout(120_000 + rounds * 120_000);

const today = Math.floor(Date.now() / 86_400_000);
const endsPerBreakage = 3;
const mostBreakages = 7;
/** Accounts that come to their end in an era, some at each thing that breaks. */
const closableIn = (era: string) =>
  Array.from({ length: rounds * mostBreakages * endsPerBreakage }, (_, n) => `${era}-${n}`);
const closable = { first: closableIn("first"), second: closableIn("second") };
const accounts = bookAccountsOf(Object.values(closable).flat());

let processes: LedgerProcesses;

beforeAll(async () => {
  processes = await startLedgerProcesses("takeover", {}, undefined, true);
});
afterAll(() => processes?.close());

/** What the run is there for, and how often it happened. */
const paths = new Map<string, number>();
const count = (path: string) => paths.set(path, (paths.get(path) ?? 0) + 1);

/**
 * One thing broken while accounts are closed; a hold, a refusal and a
 * closing of before are there after it.
 */
async function breakOne([name, work]: Breakage, load: Load, tenantId: string, ends: Ends): Promise<void> {
  const epoch = () => processes.withStore(tenantId, async (store) => (await store.findHead())!.epoch);
  const [from, to] = load.pair();
  // Together, or somebody else might have spent it before it is held.
  const hold = move(from, to, 5n, { mode: "PENDING" });
  const tooMuch = linked(move(to, from, 1_000_000_000n));
  const [closed, ...others] = ends.accountIds;
  const [held, refused] = await Promise.all([
    load.post(linked(move("bank_settlement:USD", from, 5n), hold), false),
    load.post(tooMuch, false),
    load.closers.account(closed!),
  ]);
  const before = await epoch();
  ends.begin(() => Promise.all([...others.map(load.closers.account), load.closers.period(ends.day)]));
  count((await work()) === false ? `${name} (did not happen)` : name);
  const [again, late] = await Promise.all([
    load.post(tooMuch, false),
    load.post(linked(move("bank_settlement:USD", closed!, 1n)), false),
  ]);
  if (refused?.refused !== undefined && again?.refused?.replayed === true) count("a replayed refusal");
  if (late?.refused?.code === "ACCOUNT_CLOSED") count("a closing that outlived what broke");
  if (held?.posted === undefined) return;
  const resolved = await load.post(load.resolving("VOID_PENDING", hold.key), false);
  if (resolved?.posted === undefined) return;
  count("a hold that outlived what broke");
  if ((await epoch()) > before) count("a take-over during a hold");
}

/** What is closed at something that breaks. */
interface Ends {
  readonly accountIds: readonly string[];
  readonly day: number;
  begin(work: () => Promise<unknown>): void;
}

interface Era {
  readonly history: History;
  readonly breakages: readonly Breakage[];
  readonly tenantId: string;
  /** What the journal holds already, and what is closed. */
  readonly before: readonly Placed[];
  readonly closedBefore: Closings;
  readonly closable: readonly string[];
}

/**
 * Load and faults, then a last word of each replica; everything that was
 * answered is held against the book.
 */
async function live({ history, breakages, tenantId, before, closedBefore, closable: ids }: Era): Promise<Placed[]> {
  const choose = createChooser(seed + before.length);
  const { replicas } = processes;
  // While mongod is away it is asked again, as of a replica.
  const closeThrough = (day: number) =>
    processes
      .withDatabase((db) => closeDays(db, tenantId, day))
      .catch((error: unknown) => {
        throw error instanceof Refusal ? error : new Refusal("UNAVAILABLE", String(error));
      });
  const accountIds = [...accounts.keys()];
  const load = startLoad({ replicas, tenantId, history, choose, accountIds, closeThrough });
  // One after the other, and beside whatever breaks next where they have not ended by then.
  let ending: Promise<unknown> = Promise.resolve();
  for (const [n, breakage] of Array.from({ length: rounds }, () => breakages)
    .flat()
    .entries()) {
    await breakOne(breakage, load, tenantId, {
      accountIds: ids.slice(n * endsPerBreakage, (n + 1) * endsPerBreakage),
      // Days go on where those of the era before have ended.
      day: Math.max(closedBefore.closedThrough, today - 20 * rounds) + 1 + n,
      begin: (work) => void (ending = ending.then(work)),
    });
  }
  await ending;
  await load.stop();
  await lastWords({ replicas, tenantId, history });
  const placed = await processes.withStore(tenantId, async (store) => {
    expect((await verifyJournal(storedJournal(store, tenantId))).faults).toEqual([]);
    const known = new Set(before.map(({ group }) => group.transfers[0]!.key));
    const transfers = await Array.fromAsync(store.transfersAfter(0n));
    const fresh = transfers.filter(({ link }) => !known.has(link.key));
    expect(transfers.length - fresh.length).toBe(before.flatMap((one) => one.transfers).length);
    return placedOf(fresh, history.sent);
  });
  const faults = checkHistory({ accounts, before, closedBefore, placed }, history);
  for (const path of besideClosings(history)) count(path);
  for (const { answer } of history.closings) if (answer === "ACCOUNT_NOT_EMPTY") count("a closing that was refused");
  for (const { group, answers } of history.sent.values()) {
    if (group.transfers[0]!.key.endsWith(":from")) count(answers[0]?.posted ? "exchanged" : "an exchange refused");
  }
  const answers = [...history.sent.values()].flatMap((one) => one.answers);
  process.stdout.write(
    `ledger takeover: seed ${seed}; ${history.sent.size} groups, ${answers.length} answers ` +
      `(${answers.filter(({ refused }) => refused !== undefined).length} refusals), ${history.closings.length} closings, ${history.readings.length} reads, ` +
      `${placed.length} groups in the journal; failures ${text(load.failures)}\n`,
  );
  expect(faults.slice(0, 5)).toEqual([]);
  return placed;
}

const nothingClosed: Closings = { closed: new Map(), closedThrough: -Infinity };
const journalOf = (placed: readonly Placed[]) => ({ accounts, before: [], closedBefore: nothingClosed, placed });

async function closingsIn(store: TenantStore): Promise<Closings> {
  const found = await store.findAccounts([...accounts.keys()]);
  const closed = found.filter(({ info }) => info.flags.includes("CLOSED")).map(({ info }) => info.accountId);
  const closedThrough = (await store.findHead())!.closedThrough ?? -Infinity;
  return { closed: new Map(closed.map((id) => [id, true])), closedThrough };
}

test("what no order explains is found: a refusal, an export and a posting that was lost", () => {
  const deposit = linked(move("bank_settlement:USD", "w0", 10n, { key: "deposit" }));
  const balances = { debitBalanceMinor: 10n, creditBalanceMinor: 10n };
  const posted = { transfers: [{ key: "deposit", sequence: 1n, amountMinor: 10n, ...balances }], replayed: false };
  const sides = { debitAccountId: "bank_settlement:USD", creditAccountId: "w0", ...balances };
  const stored = { seq: 1n, key: "deposit", mode: "POSTED", amountMinor: 10n, timeMs: 1_000, day: 0, ...sides };
  const placed = [{ group: deposit, transfers: [stored as Transfer] }];
  const requested = linked(move("w0", "w1", 5n, { key: "asked" }));
  const refusal = { code: "INSUFFICIENT_FUNDS", transferIndex: 0, availableMinor: 0n, askedMinor: 5n };
  const faultsWhere = (isAtOnce: boolean, isStored = true) => {
    const history = createHistory();
    const [first, second] = isAtOnce ? [requested, deposit] : [deposit, requested];
    const one = history.begin(first);
    if (!isAtOnce) history.answered(one, { posted } as GroupResult);
    const two = history.begin(second);
    if (isAtOnce) history.answered(two, { posted } as GroupResult);
    history.readings.push({ kind: "export", sequences: [], begun: history.tick(), ended: history.tick() });
    history.answered(isAtOnce ? one : two, { refused: refusal } as GroupResult);
    return checkHistory(journalOf(isStored ? placed : []), history);
  };
  const unread = expect.stringMatching(/^export .*: 0 rows of 1$/);
  expect(faultsWhere(true)).toEqual([unread]);
  expect(faultsWhere(false)).toEqual([unread, expect.stringMatching(/^refused .*no order of what was in flight/)]);
  expect(faultsWhere(false, false)).toEqual([expect.stringMatching(/^lost: .*deposit/)]);
});

test("what no order of closings explains is found: what was posted, refused or seen open after them", () => {
  const id = closable.first[0]!;
  const requested = linked(
    move("bank_settlement:USD", id, 10n, { key: "asked", effectiveAtMs: 5 * 86_400_000, refusesLate: true }),
  );
  const balances = { debitBalanceMinor: 10n, creditBalanceMinor: 10n };
  const sides = { debitAccountId: "bank_settlement:USD", creditAccountId: id, effectiveAtMs: 5 * 86_400_000 };
  const row = { seq: 1n, key: "asked", mode: "POSTED", amountMinor: 10n, timeMs: 1_000, day: 5, ...sides, ...balances };
  const placed = [{ group: requested, transfers: [row as unknown as Transfer] }];
  const posted = { transfers: [{ key: "asked", sequence: 1n, amountMinor: 10n, ...balances }], replayed: false };
  const refused = (code: string) => ({ code, transferIndex: 0, availableMinor: 0n, askedMinor: 0n });
  const faultsOf = (answers: object[], closes: string | number, order: "before" | "at once" | "after") => {
    const history = createHistory();
    const close = (begun: number) =>
      history.closings.push({
        closes,
        begun,
        ended: history.tick(),
        answer: closes === id ? "closed" : Number(closes),
      });
    if (order === "before") close(history.tick());
    const early = history.tick();
    const groups = answers.map(
      (answer, n) => [answer, n === 0 ? requested : linked({ ...requested.transfers[0]!, key: `k${n}` })] as const,
    );
    for (const [answer, group] of groups) history.answered(history.begin(group), answer as GroupResult);
    if (order === "at once") close(early);
    if (order === "after") close(history.tick());
    return checkHistory(journalOf("posted" in answers[0]! ? placed : []), history);
  };
  const openAfter = expect.stringMatching(/^closing .*: open after it was closed$/);
  const unexplained = (what: string) => expect.stringMatching(new RegExp(`^${what} .*no order of what was in flight`));
  for (const [closes, code] of [
    [id, "ACCOUNT_CLOSED"],
    [5, "PERIOD_CLOSED"],
  ] as const) {
    const isClosed = [{ refused: refused(code) }];
    expect(faultsOf(isClosed, closes, "before")).toEqual([]);
    expect(faultsOf(isClosed, closes, "at once")).toEqual([]);
    expect(faultsOf(isClosed, closes, "after")).toEqual([openAfter]);
    expect(faultsOf([{ posted }], closes, "before")).toContainEqual(openAfter);
  }
  // Never empty: it was not closed at any moment.
  expect(faultsOf([{ posted }], id, "at once")).toEqual([unexplained("closing")]);
  expect(faultsOf([{ posted }], 5, "at once")).toEqual([]);
  const twice = ["ACCOUNT_CLOSED", "PERIOD_CLOSED"].map((code) => ({ refused: refused(code) }));
  expect(faultsOf(twice, id, "at once")).toContainEqual(openAfter);
});

test("replicas, mongod and what lies between them break under load, and a backup is restored: every answer is one of the book's", async () => {
  const tenantId = testTenant();
  await openAccounts(processes.replicas[0], tenantId, accounts);
  const { first, second } = breakagesOf(processes);
  const history = createHistory();
  const era = { history, breakages: first, closable: closable.first };
  const all = await live({ ...era, tenantId, before: [], closedBefore: nothingClosed });

  await processes.restoreMongo();
  const stored = await processes.withStore(tenantId, (store) => Array.fromAsync(store.transfersAfter(0n)));
  const before = placedOf(stored, history.sent);
  // What a backup holds is what was posted first.
  expect(stored.map(({ hash }) => Buffer.from(hash).toString("hex"))).toEqual(
    all
      .flatMap(({ transfers }) => transfers)
      .slice(0, stored.length)
      .map(({ hash }) => Buffer.from(hash).toString("hex")),
  );
  if (stored.length > 0 && before.length < all.length) count("a restore that lost the newest postings");

  const closedBefore = await processes.withStore(tenantId, closingsIn);
  // What was never asked is not closed, and what was answered before the backup is.
  const requested = new Set(history.closings.map(({ closes }) => closes));
  expect([...closedBefore.closed.keys(), closedBefore.closedThrough].filter((one) => !requested.has(one))).toEqual([]);
  expect(closedBefore.closed.size).toBeGreaterThan(0);
  const next = { history: createHistory(), breakages: second, closable: closable.second };
  await live({ ...next, tenantId, before, closedBefore });
  await processes.stopReplicas();
  process.stdout.write(`ledger takeover: ${text([...paths])}\n`);
  const wanted = [...first, ...second].map(([name]) => name);
  const others = [
    "a restore that lost the newest postings",
    "a take-over during a hold",
    "a closing that was refused",
    "exchanged",
    "an exchange refused",
    ...["an account", "a period"].flatMap((kind) =>
      ["a posting", "a refusal"].map((what) => `${what} beside the closing of ${kind}`),
    ),
  ];
  const never = [...wanted, ...others].filter((path) => !paths.has(path));
  expect(never).toEqual([]);
  for (const path of ["a replayed refusal", "a hold that outlived what broke", "a closing that outlived what broke"]) {
    expect(`${path}: ${paths.get(path) ?? 0}`).toBe(`${path}: ${rounds * wanted.length}`);
  }
  // What replicas said to each other went through the proxies.
  expect(processes.replicas.some(({ proxies }) => proxies!.replica.made() > 0)).toBe(true);
});
