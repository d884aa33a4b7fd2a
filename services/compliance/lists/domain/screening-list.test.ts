import { judgeList, type FoundList, type ListLoader } from "./screening-list.js";

const publishedAt = new Date("2026-05-01T00:00:00Z");
const inUse = { entries: 1_000, publishedAt };
const ids = { losingNames: ["E1", "E2", "E3"], losingDetails: ["E4"] };
const none = { added: 0, changed: 0, removed: 0, losingNames: 0, losingDetails: 0 };

function judged(
  counts: Partial<FoundList["counts"]>,
  loader: ListLoader = "CONNECTOR",
  at: Date | undefined = publishedAt,
) {
  const { removed = 0, added = 0 } = counts;
  const entries = counts.entries ?? inUse.entries - removed + added;
  const found = {
    counts: { ...none, names: entries, ...counts, entries },
    publishedAt: at,
    examples: ids,
    setAside: [],
  };
  return judgeList(found, inUse, { loader, replacesOperators: false });
}

test("entries that are added are taken at once, whoever loads them", () => {
  for (const loader of ["CONNECTOR", "OPERATOR", "ORGANISATION"] as const) {
    expect(judged({ added: 4_000 }, loader)).toEqual({ verdict: "ACTIVE" });
  }
});

test("entries that change and lose nothing are taken at once, but not from a person of an organisation", () => {
  for (const loader of ["CONNECTOR", "OPERATOR"] as const) {
    expect(judged({ added: 4_000, changed: 900 }, loader)).toEqual({ verdict: "ACTIVE" });
  }
  const reason = "changes 1 of 1000 entries (0.1 %)";
  expect(judged({ added: 4_000, changed: 1 }, "ORGANISATION")).toEqual({ verdict: "WAITING", reason });
});

test.each([
  [{ removed: 20 }, { removed: 21 }, "removes 21 of 1000 entries (2.1 %)"],
  [{ losingNames: 10 }, { losingNames: 11 }, "takes names from 11 of 1000 entries (1.1 %), such as E1, E2, E3"],
  [
    { losingDetails: 10 },
    { losingDetails: 11 },
    "takes every date of birth or document from 11 of 1000 entries (1.1 %), such as E4",
  ],
])("a small loss is taken, a larger one waits: %j", (taken, tooMuch, reason) => {
  for (const loader of ["CONNECTOR", "OPERATOR"] as const) {
    expect(judged(taken, loader)).toEqual({ verdict: "ACTIVE" });
    expect(judged(tooMuch, loader)).toEqual({ verdict: "WAITING", reason });
  }
});

test.each([
  [{ removed: 1, added: 50 }, "removes 1 of 1000 entries (0.1 %)"],
  [{ losingNames: 1 }, "takes names from 1 of 1000 entries (0.1 %), such as E1, E2, E3"],
  [{ losingDetails: 1 }, "takes every date of birth or document from 1 of 1000 entries (0.1 %), such as E4"],
])("what a person of an organisation loads takes nothing away without a second person: %j", (counts, reason) => {
  expect(judged(counts, "ORGANISATION")).toEqual({ verdict: "WAITING", reason });
});

test("every reason is said", () => {
  expect(judged({ removed: 1, changed: 2, losingNames: 1 }, "ORGANISATION")).toEqual({
    verdict: "WAITING",
    reason:
      "changes 2 of 1000 entries (0.2 %); removes 1 of 1000 entries (0.1 %); " +
      "takes names from 1 of 1000 entries (0.1 %), such as E1, E2, E3",
  });
  expect(judged({ removed: 30, losingNames: 40 }, "CONNECTOR", new Date("2026-04-01T00:00:00Z"))).toEqual({
    verdict: "WAITING",
    reason:
      "removes 30 of 1000 entries (3 %); takes names from 40 of 1000 entries (4 %), such as E1, E2, E3; " +
      "was published on 2026-04-01, and the list in use on 2026-05-01",
  });
});

test("an absurdly shorter list of the connector fails; what a person loads waits, and so does another list as long", () => {
  const reason = "removes 601 of 1000 entries (60.1 %)";
  expect(judged({ removed: 601 })).toEqual({ verdict: "FAILED", reason });
  expect(judged({ removed: 600 })).toMatchObject({ verdict: "WAITING" });
  expect(judged({ removed: 601 }, "OPERATOR")).toEqual({ verdict: "WAITING", reason });
  expect(judged({ removed: 601 }, "ORGANISATION")).toEqual({ verdict: "WAITING", reason });
  expect(judged({ removed: 1_000, added: 17_000 })).toMatchObject({ verdict: "WAITING" });
});

test("a list without entries is none, whoever loads it and whatever is in use", () => {
  for (const loader of ["CONNECTOR", "OPERATOR", "ORGANISATION"] as const) {
    expect(judged({ entries: 0, removed: 1_000 }, loader)).toEqual({ verdict: "FAILED", reason: "the list is empty" });
  }
});
