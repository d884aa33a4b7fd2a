import { randomUUID } from "node:crypto";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { codeOf, fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { watchTenantCommands } from "../../../test/support/command-monitor.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { JournalLost } from "./lost.js";
import { migrations } from "../store/migrations.js";
import { createLedgerStore } from "../store/index.js";

let database: TestDatabase;
const ledgers: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await testDatabase("ledger_journal");
  await runMigrations(database.db, migrations, silentLog);
});
afterAll(async () => {
  for (const ledger of ledgers) await ledger.close();
  await database.close();
});

async function setUp(given: Parameters<typeof openLedger>[1] = {}) {
  const ledger = await openLedger(database.db, given);
  ledgers.push(ledger);
  return ledger;
}

describe("a key decides once", () => {
  test("posted: the same answer, once", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    const group = linked(move("bank", "a", 5n));
    const first = await journal.post(group);
    expect(await journal.post(group)).toEqual({ ...first, replayed: true });
    expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 5n });
  });

  test("refused: money that arrives later does not change it, and nothing was booked", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    const group = linked(move("a", "b", 5n), move("bank", "b", 1n));
    const first = await journal.post(group);
    expect(first).toMatchObject({ kind: "refused", refusal: { code: "INSUFFICIENT_FUNDS", availableMinor: 0n } });
    await fund(journal, "a", 100n);
    expect(await journal.post(group)).toEqual({ ...first, replayed: true });
    // Also for a later owner, and for each key of the group by itself.
    const { journal: next } = await ledger.open();
    expect(await next.post(group)).toEqual({ ...first, replayed: true });
    expect(codeOf(await next.post(linked(group.transfers[1]!)))).toBe("KEY_REUSED");
    expect(await ledger.figures("b")).toMatchObject({ creditsPostedMinor: 0n, lastSeq: 0n });
    expect((await ledger.journalStore.findHead())?.seq).toBe(1n);
    expect((await ledger.verify()).faults).toEqual([]);
  });

  test("an account made after the refusal does not change it", async () => {
    const ledger = await setUp();
    await ledger.accounts([]);
    const { journal } = await ledger.open();
    const group = linked(move("bank", "late", 5n));
    expect(codeOf(await journal.post(group))).toBe("ACCOUNT_NOT_FOUND");
    await ledger.accounts(["late"]);
    expect(codeOf(await journal.post(group))).toBe("ACCOUNT_NOT_FOUND");
    await fund(journal, "late", 1n);
  });

  test("other content under a used key is refused, whichever key of the group it is", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    const used = move("bank", "a", 5n);
    await journal.post(linked(used));
    const fresh = move("bank", "b", 1n);
    expect(await journal.post(linked(fresh, { ...used, amount: { minor: 6n, currency: "USD" } }))).toMatchObject({
      kind: "refused",
      replayed: false,
      refusal: { code: "KEY_REUSED", transferIndex: 1 },
    });
    // The other key was decided by nothing and is still free.
    expect(codeOf(await journal.post(linked(fresh)))).toBe("POSTED");
    expect(codeOf(await journal.post(linked(used, move("bank", "b", 1n))))).toBe("KEY_REUSED");
  });

  test("equal requests that race are joined; an unlike one waits and is refused", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    const group = linked(move("bank", "a", 5n));
    const unlike = linked({ ...group.transfers[0]!, kind: "other" });
    const decisions = await Promise.all([
      ...Array.from({ length: 20 }, () => journal.post(structuredClone(group))),
      journal.post(unlike),
    ]);
    expect(decisions.filter(({ replayed }) => !replayed).map(codeOf)).toEqual(["POSTED", "KEY_REUSED"]);
    expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 5n });
    expect(await ledger.commits()).toBe(1n);
  });

  test("a key that the look-up missed aborts nobody else", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    let blind = 2;
    const { journal } = await ledger.open({
      findDecisions: (keys) => (blind-- > 0 ? Promise.resolve([]) : ledger.journalStore.findDecisions(keys)),
    });
    const group = linked(move("bank", "a", 5n));
    await journal.post(group);
    const decisions = await Promise.all([journal.post(group), journal.post(linked(move("bank", "a", 7n)))]);
    expect(decisions).toMatchObject([
      { kind: "posted", replayed: true },
      { kind: "posted", replayed: false },
    ]);
    expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 12n });
  });
});

describe("a key that is taken for new", () => {
  test("costs one transaction and no look-up", async () => {
    const ledger = await setUp({ doubtMs: 0 });
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 1n);
    const watch = watchTenantCommands(database.db.getClient());
    await fund(journal, "a", 1n);
    watch.stop();
    expect(watch.counts()).toEqual({ update: 2, insert: 1, commitTransaction: 1 });
  });

  test("a record costs one insertion, for accounts that are touched first and refusals together", async () => {
    const ledger = await setUp({ doubtMs: 0 });
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 1n);
    const watch = watchTenantCommands(database.db.getClient());
    const [posted, refused] = await Promise.all([fund(journal, "b", 1n), journal.post(linked(move("a", "b", 9n)))]);
    watch.stop();
    expect([posted, codeOf(refused)]).toEqual([undefined, "INSUFFICIENT_FUNDS"]);
    // Accounts that are not in memory yet; head and accounts; decisions and the record; commit.
    expect(watch.counts()).toEqual({ find: 1, update: 2, insert: 2, commitTransaction: 1 });
    expect((await ledger.store.recordsAfter(1n)).map(({ items }) => items.map(({ kind }) => kind))).toEqual([
      ["ACCOUNT", "REFUSAL"],
    ]);
  });

  test("and is not, aborts nobody else; the first decision stands, posted or refused", async () => {
    const ledger = await setUp({ doubtMs: 0 });
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    const posted = linked(move("bank", "a", 5n));
    const refused = linked(move("b", "a", 5n), move("bank", "a", 1n));
    const first = await Promise.all([journal.post(posted), journal.post(refused)]);
    expect(first.map(codeOf)).toEqual(["POSTED", "INSUFFICIENT_FUNDS"]);
    await fund(journal, "b", 100n);
    const commits = await ledger.commits();
    const fresh = Array.from({ length: 10 }, () => linked(move("bank", "a", 1n)));
    const again = await Promise.all([posted, ...fresh, refused].map((group) => journal.post(group)));
    expect([again[0], again.at(-1)]).toEqual(first.map((decision) => ({ ...decision, replayed: true })));
    expect(again.slice(1, -1).every((decision) => codeOf(decision) === "POSTED" && !decision.replayed)).toBe(true);
    expect(await ledger.commits()).toBe(commits + 1n);
    expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 15n });
    expect((await ledger.verify()).faults).toEqual([]);
  });

  test("is looked up before a refusal that leaves no trace is told", async () => {
    const ledger = await setUp({ doubtMs: 0 });
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 5n);
    const taken = move("a", "b", 1n);
    await journal.post(linked(taken));
    const stranger = (transfer = taken) => journal.post({ ...linked(transfer), service: "remittance" });
    expect(codeOf(await stranger())).toBe("KEY_REUSED");
    expect(codeOf(await stranger(move("a", "b", 1n)))).toBe("NOT_ACCOUNT_OWNER");
  });
});

describe("group commit", () => {
  test("a lone transfer costs one look-up and one transaction", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 1n);
    const watch = watchTenantCommands(database.db.getClient());
    await fund(journal, "a", 1n);
    watch.stop();
    // Keys; head and accounts; transfers; commit. Accounts are cached by now.
    expect(watch.counts()).toEqual({ find: 1, update: 2, insert: 1, commitTransaction: 1 });
  });

  test("64 clients on one hot account share few commits", async () => {
    const ledger = await setUp();
    await ledger.accounts(["hot"]);
    const { journal } = await ledger.open();
    const each = 20;
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let n = 0; n < each; n++) await fund(journal, "hot", 1n);
      }),
    );
    expect(await ledger.figures("hot")).toMatchObject({ creditsPostedMinor: 1_280n });
    // Twenty rounds of 64 would be twenty commits; some rounds split.
    expect(Number(await ledger.commits())).toBeLessThan(3 * each);
    expect(await ledger.verify()).toEqual({ transfers: 1_280n, faults: [] });
  });

  test("a commit takes 1,000 transfers at most, and never splits a linked group", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    const groups = Array.from({ length: 3 }, () => linked(...Array.from({ length: 400 }, () => move("bank", "a", 1n))));
    const decisions = await Promise.all(groups.map((group) => journal.post(group)));
    expect(decisions.map(codeOf)).toEqual(["POSTED", "POSTED", "POSTED"]);
    expect(await ledger.commits()).toBe(2n);
    expect((await ledger.verify()).transfers).toBe(1_200n);
  });

  test("two linked groups that together would overdraw: exactly one posts", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    for (let n = 0; n < 25; n++) {
      await fund(journal, "a", 100n);
      const left = (await ledger.figures("a")).creditsPostedMinor - (await ledger.figures("a")).debitsPostedMinor;
      const decisions = await Promise.all([
        journal.post(linked(move("a", "b", left), move("b", "bank", 1n))),
        journal.post(linked(move("a", "b", 1n), move("b", "bank", 1n))),
      ]);
      expect(decisions.map(codeOf).toSorted()).toEqual(["INSUFFICIENT_FUNDS", "POSTED"]);
    }
    expect((await ledger.verify()).faults).toEqual([]);
  });

  test("each commit's time is later than the one before, also where the clock stands still or goes back", async () => {
    let nowMs = 1_800_000_000_000;
    const ledger = await setUp({ now: () => new Date(nowMs) });
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    const times: number[] = [];
    for (const stepMs of [0, 0, -5_000, 10_000]) {
      nowMs += stepMs;
      const decision = await journal.post(linked(move("bank", "a", 1n)));
      times.push(decision.kind === "posted" ? decision.transfers[0]!.timeMs : 0);
    }
    const firstMs = 1_800_000_000_000;
    expect(times).toEqual([firstMs, firstMs + 1, firstMs + 2, firstMs + 5_000]);
  });

  test("a full queue refuses at once, and serves again when it has room", async () => {
    const ledger = await setUp({ limits: { maxQueuedTransfers: 10 } });
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => fund(journal, "a", 1n)));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: "OVERLOADED", details: { retryAfterS: 1 } } });
    await fund(journal, "a", 1n);
    expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 11n });
  });

  test("a request past its deadline leaves before planning; one that joined it keeps it alive", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    const { journal } = await ledger.open();
    const past = { deadline: new Date(Date.now() - 1) };
    const late = linked(move("bank", "a", 1n));
    await expect(journal.post(late, past)).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(await ledger.commits()).toBe(0n);
    const [, patient] = await Promise.all([journal.post(late, past), journal.post(late)]);
    expect(patient).toMatchObject({ kind: "posted" });
    const cancelled = journal.post(linked(move("bank", "a", 1n)), { signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(await ledger.commits()).toBe(1n);
  });

  test("balances are right with a cache far smaller than the accounts in use", async () => {
    const ledger = await setUp({ limits: { maxCachedAccounts: 5 } });
    const ids = Array.from({ length: 40 }, (_, index) => `w${index}`);
    await ledger.accounts(ids);
    const { journal } = await ledger.open();
    await Promise.all(ids.map((id) => fund(journal, id, 100n)));
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        ids.map((id, index) => journal.post(linked(move(id, ids[(index + 7 * round + 1) % ids.length]!, 10n)))),
      );
    }
    expect(await ledger.verify()).toEqual({ transfers: 240n, faults: [] });
  });
});

describe("two-phase transfers", () => {
  test("a hold outlives its owner, is posted in part once, and releases the rest", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 100n);
    const hold = move("a", "b", 60n, { mode: "PENDING" });
    await journal.post(linked(hold));
    const { journal: next } = await ledger.open();
    const { amount: _, ...whole } = move("", "", 1n, { mode: "POST_PENDING", refersTo: hold.key });
    const part = { ...whole, key: randomUUID(), amount: { minor: 25n, currency: "USD" } };
    const decisions = await Promise.all([next.post(linked(part)), next.post(linked(whole))]);
    expect(decisions.map(codeOf)).toEqual(["POSTED", "PENDING_ALREADY_RESOLVED"]);
    expect(await ledger.figures("a")).toMatchObject({ debitsPostedMinor: 25n, debitsPendingMinor: 0n });
    expect(await ledger.store.findPending(hold.key)).toMatchObject({ state: "POSTED", resolvedBy: part.key });
    expect((await ledger.verify()).faults).toEqual([]);
  });

  test("a hold made and resolved in one commit", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a", "b"]);
    const { journal } = await ledger.open();
    await fund(journal, "a", 100n);
    const hold = move("a", "b", 60n, { mode: "PENDING", timeoutMs: 60_000 });
    const { amount: _, ...release } = move("", "", 1n, { mode: "VOID_PENDING", refersTo: hold.key });
    const decisions = await Promise.all([journal.post(linked(hold)), journal.post(linked(release))]);
    expect(decisions.map(codeOf)).toEqual(["POSTED", "POSTED"]);
    expect(await ledger.commits()).toBe(2n);
    expect(await createLedgerStore(database.db).findDue(new Date(Date.now() + 120_000), 10_000)).not.toContainEqual(
      expect.objectContaining({ tenantId: ledger.tenantId }),
    );
    expect((await ledger.verify()).faults).toEqual([]);
  });
});

describe("a journal that changed hands", () => {
  test("fences off the former owner, who writes nothing and says so", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a", "b"]);
    const former = await ledger.open();
    await fund(former.journal, "a", 100n);
    const next = await ledger.open();
    await expect(former.journal.post(linked(move("a", "b", 100n)))).rejects.toThrow(JournalLost);
    await expect(former.journal.post(linked(move("bank", "nobody", 1n)))).rejects.toThrow(JournalLost);
    expect(former.lost).toHaveLength(1);
    await fund(next.journal, "a", 1n);
    expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 101n, debitsPostedMinor: 0n });
    expect((await ledger.verify()).faults).toEqual([]);
  });

  test("a stale epoch can never be raised again", async () => {
    const ledger = await setUp();
    await ledger.open();
    await ledger.open();
    await expect(ledger.journalStore.raiseEpoch(1n)).rejects.toThrow("");
    await expect(ledger.journalStore.raiseEpoch(2n)).rejects.toThrow("");
    expect(await ledger.journalStore.raiseEpoch(3n)).toMatchObject({ epoch: 3n });
  });

  test("an account changed behind the owner's back stops it from writing", async () => {
    const ledger = await setUp();
    await ledger.accounts(["a"]);
    const { journal, lost } = await ledger.open();
    await fund(journal, "a", 1n);
    await database.db
      .collection("accounts")
      .updateOne({ _id: `${ledger.tenantId}:a` as never, tenantId: ledger.tenantId }, { $set: { lastSeq: 99n } });
    await expect(journal.post(linked(move("bank", "a", 1n)))).rejects.toThrow(JournalLost);
    expect(lost).toHaveLength(1);
    expect((await ledger.journalStore.findHead())?.seq).toBe(1n);
  });
});

test("closing finishes what is queued and takes nothing more", async () => {
  const ledger = await setUp();
  await ledger.accounts(["a"]);
  const { journal } = await ledger.open();
  const posting = Promise.all(Array.from({ length: 10 }, () => fund(journal, "a", 1n)));
  await journal.close();
  expect(await ledger.figures("a")).toMatchObject({ creditsPostedMinor: 10n });
  await posting;
  await expect(journal.post(linked(move("bank", "a", 1n)))).rejects.toThrow(JournalLost);
});
