import fc from "fast-check";
import { leastLoaded, planMoves, type Peer, type SharedJournal } from "./sharing.js";

const journal = (tenantId: string, load: number, isPinned = false): SharedJournal => ({ tenantId, load, isPinned });
const alike = (prefix: string, count: number, load = 1) =>
  Array.from({ length: count }, (_, n) => journal(`${prefix}${n}`, load));
const peer = (address: string, load: number, isReserved = false): Peer => ({ address, load, isReserved });
const receivers = (moves: { to: string }[]) => moves.map(({ to }) => to).toSorted();

/** What each replica owns, by its address. */
type Replicas = Map<string, SharedJournal[]>;

function asPeers(replicas: Replicas, self: string, weigh = (journal: SharedJournal) => journal.load): Peer[] {
  return [...replicas]
    .filter(([address]) => address !== self)
    .map(([address, journals]) =>
      peer(
        address,
        journals.reduce((sum, one) => sum + weigh(one), 0),
        journals.some(({ isPinned }) => isPinned),
      ),
    );
}

/** All replicas plan from what they see at one moment, and then all of it happens; how much did. */
function shareOnce(replicas: Replicas): number {
  const plans = [...replicas].map(([address, journals]) => ({
    address,
    moves: planMoves(journals, asPeers(replicas, address)),
  }));
  for (const { address, moves } of plans) {
    for (const { tenantId, to } of moves) {
      const from = replicas.get(address)!;
      const index = from.findIndex((one) => one.tenantId === tenantId);
      replicas.get(to)!.push(...from.splice(index, 1));
    }
  }
  return plans.reduce((sum, { moves }) => sum + moves.length, 0);
}

function replicasOf(owned: readonly (readonly SharedJournal[])[]): Replicas {
  return new Map(owned.map((journals, n) => [`r${n}`, [...journals]]));
}

const counts = (replicas: Replicas) => [...replicas.values()].map(({ length }) => length);
const loads = (replicas: Replicas) => [...replicas.values()].map((all) => all.reduce((sum, { load }) => sum + load, 0));

describe("which journals a replica hands to others", () => {
  test("two replicas become four: 24 busy tenants are spread evenly at once, both giving at the same moment", () => {
    const replicas = replicasOf([alike("a", 12, 9), alike("b", 12, 9), [], []]);
    expect(shareOnce(replicas)).toBe(12);
    expect(counts(replicas)).toEqual([6, 6, 6, 6]);
    expect(shareOnce(replicas)).toBe(0);
  });

  test("ten replicas become eleven: the new one gets its share, not all that each can spare", () => {
    const replicas = replicasOf([...Array.from({ length: 10 }, (_, n) => alike(`r${n}-`, 11)), []]);
    shareOnce(replicas);
    expect(counts(replicas)).toEqual(Array.from({ length: 11 }, () => 10));
  });

  test("the busiest journal stays where moving it would only make another replica the busiest", () => {
    expect(planMoves([journal("busy", 100)], [peer("b", 1)])).toEqual([]);
    const moves = planMoves([journal("busy", 100), ...alike("small", 4, 2)], [peer("b", 2)]);
    expect(moves.map(({ tenantId }) => tenantId).toSorted()).toEqual(["small0", "small1", "small2", "small3"]);
  });

  test("idle journals, which count as one each, are spread too", () => {
    const replicas = replicasOf([alike("a", 30), alike("b", 2), alike("c", 1)]);
    shareOnce(replicas);
    expect(counts(replicas)).toEqual([13, 10, 10]);
  });

  test("a difference within the hysteresis is left alone, and a single replica keeps everything", () => {
    expect(planMoves(alike("a", 7), [peer("b", 5)])).toEqual([]);
    expect(planMoves(alike("a", 50), [])).toEqual([]);
    expect(planMoves([], [peer("b", 50)])).toEqual([]);
  });

  test("whatever the loads, sharing ends, and no journal of the busiest is left that would better them by a third of the mean", () => {
    const owned = fc.array(fc.array(fc.double({ min: 1, max: 50, noNaN: true }), { maxLength: 30 }), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(owned, (of) => {
        const replicas = replicasOf(of.map((some, r) => some.map((load, n) => journal(`${r}-${n}`, load))));
        const before = counts(replicas).reduce((sum, count) => sum + count, 0);
        let rounds = 0;
        while (shareOnce(replicas) > 0) if (++rounds > 20) throw new Error("it does not end");
        expect(counts(replicas).reduce((sum, count) => sum + count, 0)).toBe(before);
        const mean = loads(replicas).reduce((sum, load) => sum + load, 0) / 4;
        const [most, least] = [Math.max(...loads(replicas)), Math.min(...loads(replicas))];
        const busiest = [...replicas.values()].find((_, n) => loads(replicas)[n] === most)!;
        const lightest = Math.min(...busiest.map(({ load }) => load));
        expect(most - least).toBeLessThanOrEqual(lightest + mean / 3 + 1e-9);
      }),
    );
  });

  test("loads that tremble by a sixth move nothing once the journals are spread", () => {
    const trembling = fc.double({ min: 5 / 6, max: 7 / 6, noNaN: true });
    fc.assert(
      fc.property(fc.array(trembling, { minLength: 24, maxLength: 24 }), (factors) => {
        const replicas = replicasOf(
          Array.from({ length: 4 }, (_, r) =>
            factors.slice(6 * r, 6 * r + 6).map((f, n) => journal(`${r}-${n}`, 10 * f)),
          ),
        );
        expect(shareOnce(replicas)).toBe(0);
      }),
    );
  });
});

describe("pinned journals", () => {
  test("a replica with a pinned journal gives all others away, and gets none", () => {
    const mine = [journal("p", 5, true), ...alike("a", 4)];
    expect(receivers(planMoves(mine, [peer("b", 1), peer("c", 1), peer("d", 0, true)]))).toEqual(["b", "b", "c", "c"]);
    expect(planMoves(alike("a", 4), [peer("d", 0, true)])).toEqual([]);
    expect(leastLoaded([peer("b", 3), peer("c", 2), peer("d", 0, true)])?.address).toBe("c");
    expect(leastLoaded([peer("d", 0, true)])).toBeUndefined();
  });

  test("two of them part while a replica is left for the rest; without one they share", () => {
    const both = [journal("p", 1, true), journal("q", 1, true), journal("a", 1)];
    expect(planMoves(both, [peer("b", 0), peer("c", 3)])).toEqual([
      { tenantId: "q", to: "b" },
      { tenantId: "a", to: "c" },
    ]);
    expect(planMoves(both, [peer("b", 0)])).toEqual([{ tenantId: "a", to: "b" }]);
    expect(planMoves(both, [peer("b", 0, true)])).toEqual([]);
    expect(planMoves(both, [])).toEqual([]);
  });
});
