import type { GroupResult } from "../../proto/gen/ledger/v1/ledger.js";
import type { Transfer } from "../../services/ledger/domain/model.js";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../services/ledger/audit/verify.js";
import { createBook } from "../property/ledger-book.js";
import { atDepth } from "../support/depth.js";
import { testTenant } from "../support/index.js";
import { linked, move } from "../support/ledger-journal.js";
import { startLedgerProcesses, type LedgerProcesses } from "../support/ledger-processes.js";
import { checkHistory, placedOf, text, type Placed } from "./ledger-run/check.js";
import { breakagesOf, type Breakage } from "./ledger-run/faults.js";
import { createHistory, type History } from "./ledger-run/history.js";
import { bookAccounts, createChooser, lastWords, openAccounts, startLoad, type Load } from "./ledger-run/load.js";

// Once through all faults in CI, ten times in `npm run test:long`. FAULT_SEED chooses again what
// clients did; when they did it is up to the machine.
const rounds = atDepth({ quick: 1, ci: 1, long: 10 }, "FAULT_ROUNDS");
const seed = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31);
jest.setTimeout(120_000 + rounds * 120_000);

let processes: LedgerProcesses;

beforeAll(async () => {
  processes = await startLedgerProcesses("takeover", {}, undefined, true);
});
afterAll(() => processes?.close());

/** What the run is there for, and how often it happened. */
const paths = new Map<string, number>();
const count = (path: string) => paths.set(path, (paths.get(path) ?? 0) + 1);

/** One thing broken; a hold and a refusal of before are there after it. */
async function breakOne([name, work]: Breakage, load: Load, tenantId: string): Promise<void> {
  const epoch = () => processes.withStore(tenantId, async (store) => (await store.findHead())!.epoch);
  const [from, to] = load.pair();
  // Together, or somebody else might have spent it before it is held.
  const hold = move(from, to, 5n, { mode: "PENDING" });
  const held = await load.post(linked(move("bank_settlement:USD", from, 5n), hold), false);
  const tooMuch = linked(move(to, from, 1_000_000_000n));
  const refused = await load.post(tooMuch, false);
  const before = await epoch();
  count((await work()) === false ? `${name} (did not happen)` : name);
  const again = await load.post(tooMuch, false);
  if (refused?.refused !== undefined && again?.refused?.replayed === true) count("a replayed refusal");
  if (held?.posted === undefined) return;
  const resolved = await load.post(load.resolving("VOID_PENDING", hold.key), false);
  if (resolved?.posted === undefined) return;
  count("a hold that outlived what broke");
  if ((await epoch()) > before) count("a take-over during a hold");
}

interface Era {
  readonly history: History;
  readonly breakages: readonly Breakage[];
  readonly tenantId: string;
  /** What the journal holds already. */
  readonly before: readonly Placed[];
}

/** Load and faults, then a last word of each replica; everything that was answered is held against the book. */
async function live({ history, breakages, tenantId, before }: Era): Promise<Placed[]> {
  const choose = createChooser(seed + before.length);
  const { replicas } = processes;
  const load = startLoad({ replicas, tenantId, history, choose });
  for (let round = 0; round < rounds; round++) {
    for (const breakage of breakages) await breakOne(breakage, load, tenantId);
  }
  await load.stop();
  await lastWords({ replicas, tenantId, history });
  const placed = await processes.withStore(tenantId, async (store) => {
    expect((await verifyJournal(storedJournal(store, tenantId))).faults).toEqual([]);
    const known = new Set(before.map(({ group }) => group.transfers[0]!.key));
    const transfers = await Array.fromAsync(store.transfersAfter(0n));
    const news = transfers.filter(({ link }) => !known.has(link.key));
    expect(transfers.length - news.length).toBe(before.flatMap((one) => one.transfers).length);
    return placedOf(news, history.sent);
  });
  const book = createBook(bookAccounts);
  const faults = checkHistory(book, { before, placed }, history);
  const answers = [...history.sent.values()].flatMap((one) => one.answers);
  process.stdout.write(
    `ledger takeover: seed ${seed}; ${history.sent.size} groups, ${answers.length} answers ` +
      `(${answers.filter(({ refused }) => refused !== undefined).length} refusals), ${history.looked.length} reads, ` +
      `${placed.length} groups in the journal; failures ${text(load.failures)}\n`,
  );
  expect(faults.slice(0, 5)).toEqual([]);
  return placed;
}

test("what no order explains is found: a refusal, an export and a posting that was lost", () => {
  const deposit = linked(move("bank_settlement:USD", "w0", 10n, { key: "deposit" }));
  const balances = { debitBalanceMinor: 10n, creditBalanceMinor: 10n };
  const posted = { transfers: [{ key: "deposit", sequence: 1n, amountMinor: 10n, ...balances }], replayed: false };
  const sides = { debitAccountId: "bank_settlement:USD", creditAccountId: "w0", ...balances };
  const stored = { seq: 1n, key: "deposit", mode: "POSTED", amountMinor: 10n, timeMs: 1_000, ...sides };
  const placed = [{ group: deposit, transfers: [stored as Transfer] }];
  const asked = linked(move("w0", "w1", 5n, { key: "asked" }));
  const refusal = { code: "INSUFFICIENT_FUNDS", transferIndex: 0, availableMinor: 0n, askedMinor: 5n };
  const faultsWhere = (isAtOnce: boolean, isStored = true) => {
    const history = createHistory();
    const [first, second] = isAtOnce ? [asked, deposit] : [deposit, asked];
    const one = history.begin(first);
    if (!isAtOnce) history.answered(one, { posted } as GroupResult);
    const two = history.begin(second);
    if (isAtOnce) history.answered(two, { posted } as GroupResult);
    history.looked.push({ kind: "export", sequences: [], begun: history.tick(), ended: history.tick() });
    history.answered(isAtOnce ? one : two, { refused: refusal } as GroupResult);
    return checkHistory(createBook(bookAccounts), { before: [], placed: isStored ? placed : [] }, history);
  };
  const unread = expect.stringMatching(/^export .*: 0 rows of 1$/);
  expect(faultsWhere(true)).toEqual([unread]);
  expect(faultsWhere(false)).toEqual([unread, expect.stringMatching(/^refused .*no order of what was in flight/)]);
  expect(faultsWhere(false, false)).toEqual([expect.stringMatching(/^lost: .*deposit/)]);
});

test("replicas, mongod and what lies between them break under load, and a backup is restored: every answer is one of the book's", async () => {
  const tenantId = testTenant();
  await openAccounts(processes.replicas[0], tenantId);
  const { first, second } = breakagesOf(processes);
  const history = createHistory();
  const all = await live({ history, breakages: first, tenantId, before: [] });

  await processes.restoreMongo();
  const kept = await processes.withStore(tenantId, (store) => Array.fromAsync(store.transfersAfter(0n)));
  const before = placedOf(kept, history.sent);
  // What a backup holds is what was posted first.
  expect(kept.map(({ hash }) => Buffer.from(hash).toString("hex"))).toEqual(
    all
      .flatMap(({ transfers }) => transfers)
      .slice(0, kept.length)
      .map(({ hash }) => Buffer.from(hash).toString("hex")),
  );
  if (kept.length > 0 && before.length < all.length) count("a restore that lost the newest postings");

  await live({ history: createHistory(), breakages: second, tenantId, before });
  await processes.stopReplicas();
  process.stdout.write(`ledger takeover: ${text([...paths])}\n`);
  const wanted = [...first, ...second].map(([name]) => name);
  const others = ["a restore that lost the newest postings", "a take-over during a hold"];
  const never = [...wanted, ...others].filter((path) => !paths.has(path));
  expect(never).toEqual([]);
  for (const path of ["a replayed refusal", "a hold that outlived what broke"]) {
    expect(`${path}: ${paths.get(path) ?? 0}`).toBe(`${path}: ${rounds * wanted.length}`);
  }
  // What replicas said to each other went through the proxies.
  expect(processes.replicas.some(({ proxies }) => proxies!.replica.made() > 0)).toBe(true);
});
