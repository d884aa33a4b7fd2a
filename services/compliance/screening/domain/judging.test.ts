import { screeningTargets, isComparable, isEverybodyNamed } from "./screening-targets.js";
import { listsSince, readBasis } from "./basis.js";
import type { Exemption } from "./exemption.js";
import { judge, holdStatusOf, type FoundMatch, type Judged } from "./judging.js";
import { bothParties, identityText, partyText } from "./screened-subject.js";
import { basisOf, statusOf, type Hit, type HitState, type Screening, type Trigger } from "./screening.js";
import { recipientSubject } from "../../common/domain/subject.js";
import type { TransactionFacts } from "../../decisions/domain/transaction.js";

const now = new Date("2026-05-01T12:00:00Z");
const subject = recipientSubject("c1", "B-1");
const match = (entryId: string, entryFingerprint = `of ${entryId}`): FoundMatch => ({
  source: "EU",
  entry: {
    entryId,
    kind: "PERSON",
    names: [{ text: "Yaromil Vorskutin", quality: "PRIMARY" }],
    datesOfBirth: [],
    countries: [],
    documents: [],
    programmes: [],
    remarks: "",
  },
  matchedName: "Yaromil Vorskutin",
  score: 900,
  parts: [],
  entryFingerprint,
});
const screening = (hits: Hit[], part: Partial<Screening> = {}): Screening => ({
  screeningId: "s1",
  subject,
  name: "Yaromil Vorskutin",
  trigger: "TRANSACTION",
  lists: [],
  policyVersion: 0,
  basis: "policy 0",
  fingerprint: "f",
  identityFingerprint: "me",
  status: statusOf(hits),
  hits,
  transactionIds: [],
  screenedAt: now,
  version: 1,
  ...part,
});
const hit = (entryId: string, state: HitState): Hit => ({ ...match(entryId), hitId: "1", state });
const exemption = (entryId: string, part: Partial<Exemption> = {}): Exemption => ({
  exemptionId: `x-${entryId}`,
  subject,
  name: "Yaromil Vorskutin",
  source: "EU",
  entryId,
  identityFingerprint: "me",
  entryFingerprint: `of ${entryId}`,
  reason: "another person",
  until: new Date("2027-01-01T00:00:00Z"),
  madeBy: "MA1",
  madeAt: now,
  screeningId: "s1",
  hitId: "1",
  ...part,
});
const judged = (part: Partial<Judged>) =>
  judge({
    matches: [match("E1")],
    earlier: [],
    exemptions: [],
    exempted: new Set(),
    identityFingerprint: "me",
    trigger: "TRANSACTION",
    now,
    ...part,
  });
const statesOf = (part: Partial<Judged>) => judged(part).hits.map(({ entry, state }) => [entry.entryId, state]);

describe("what of a match is new", () => {
  test("an entry that nobody has looked at, numbered before what is exempt", () => {
    const { hits } = judged({ matches: [match("E1"), match("E2")], exemptions: [exemption("E1")] });
    expect(hits.map(({ hitId, state, entry }) => [hitId, entry.entryId, state])).toEqual([
      ["1", "E2", "OPEN"],
      ["2", "E1", "EXEMPT"],
    ]);
  });

  test.each<HitState>(["OPEN", "CONFIRMATION_ASKED", "CONFIRMED"])("nothing where a hit of it stands %s", (state) => {
    const earlier = [screening([hit("E1", state)], { identityFingerprint: "somebody else" })];
    expect(statesOf({ earlier, trigger: "RESCREENED" })).toEqual([]);
  });

  test.each<[HitState, Trigger, number]>([
    ["FALSE_POSITIVE", "TRANSACTION", 0],
    ["FALSE_POSITIVE", "LIST_UPDATED", 0],
    ["FALSE_POSITIVE", "RESCREENED", 1],
    ["RELEASED", "TRANSACTION", 1],
    ["EXEMPT", "TRANSACTION", 1],
  ])("after %s, by %s, %d hits", (state, trigger, count) => {
    expect(statesOf({ earlier: [screening([hit("E1", state)])], trigger })).toHaveLength(count);
  });

  test("one released with CONTINUE may be paid; with REFUND the next payment is looked at", () => {
    const requested = { by: "A", reason: "because", at: now };
    const released = (way: "CONTINUE" | "REFUND") =>
      screening([{ ...hit("E1", "RELEASED"), release: { way, asked: requested, approvalId: "r1" } }]);
    expect(statesOf({ earlier: [released("CONTINUE")] })).toEqual([]);
    expect(statesOf({ earlier: [released("CONTINUE")], trigger: "RESCREENED" })).toHaveLength(1);
    expect(statesOf({ earlier: [released("REFUND")] })).toEqual([["E1", "OPEN"]]);
  });

  test("one that was told apart of somebody else, or of an entry that has changed, is new", () => {
    const earlier = [screening([hit("E1", "FALSE_POSITIVE")])];
    expect(statesOf({ earlier, identityFingerprint: "another name" })).toEqual([["E1", "OPEN"]]);
    expect(statesOf({ earlier, matches: [match("E1", "changed")] })).toEqual([["E1", "OPEN"]]);
  });

  test("one that was told apart until a day is new once the exemption holds no more", () => {
    const earlier = [screening([hit("E1", "FALSE_POSITIVE")])];
    const exempted = new Set(["s1.1"]);
    expect(statesOf({ earlier, exempted, exemptions: [exemption("E1")] })).toEqual([["E1", "EXEMPT"]]);
    expect(statesOf({ earlier, exempted })).toEqual([["E1", "OPEN"]]);
    const over = exemption("E1", { until: now });
    expect(statesOf({ earlier, exempted, exemptions: [over] })).toEqual([["E1", "OPEN"]]);
  });

  test("an exemption of another name or another entry is noted as outdated, and holds nothing", () => {
    const { hits, outdated } = judged({ exemptions: [exemption("E1", { identityFingerprint: "before" })] });
    expect(hits.map(({ state }) => state)).toEqual(["OPEN"]);
    expect(outdated.map(({ exemptionId }) => exemptionId)).toEqual(["x-E1"]);
  });

  test("the best 200 are kept; what was told apart or is open takes no place", () => {
    const matches = Array.from({ length: 205 }, (_, index) => match(`E${index + 1}`));
    const apart = (count: number) =>
      screening(matches.slice(0, count).map(({ entry }) => hit(entry.entryId, "FALSE_POSITIVE")));
    const names = (part: Partial<Judged>) => {
      const { hits } = judged({ matches, ...part });
      return [hits.at(0)?.entry.entryId, hits.at(-1)?.entry.entryId, hits.length];
    };
    expect(names({})).toEqual(["E1", "E200", 200]);
    expect(names({ earlier: [apart(200)] })).toEqual(["E201", "E205", 5]);
    expect(names({ earlier: [apart(200)], trigger: "RESCREENED" })).toEqual(["E1", "E200", 200]);
    expect(names({ earlier: [screening([hit("E1", "OPEN")])] })).toEqual(["E2", "E201", 200]);
    const exemptions = matches.slice(0, 204).map(({ entry }) => exemption(entry.entryId));
    const { hits } = judged({ matches, exemptions });
    expect(hits[0]).toMatchObject({ state: "OPEN", entry: { entryId: "E205" } });
    expect(hits).toHaveLength(21);
  });

  test("hits come to the worst of them", () => {
    const of = (...states: HitState[]) => holdStatusOf(states.map((state) => ({ state })));
    expect(of("OPEN", "CONFIRMED")).toBe("CONFIRMED");
    expect(of("FALSE_POSITIVE", "CONFIRMATION_ASKED")).toBe("OPEN");
    expect(of("FALSE_POSITIVE", "EXEMPT", "RELEASED")).toBeUndefined();
  });
});

describe("who is compared", () => {
  const facts = {
    transactionId: "t1",
    customerId: "c1",
    operation: "REMITTANCE",
    recipient: "B-1",
  } as TransactionFacts;
  const party = (name: string) => ({ kind: "PERSON", names: [name], countries: [], documents: [] }) as const;

  test("each party under its own subject; one without a code under the transaction", () => {
    const named = (["SENDER", "RECIPIENT", "ACCOUNT_HOLDER"] as const).map((role) => ({ role, party: party("A B") }));
    expect(screeningTargets(facts, named).map((one) => one.subject.id)).toEqual(["c1", "c1/B-1", "c1/B-1/holder"]);
    expect(screeningTargets({ ...facts, recipient: "" }, named).map((one) => one.subject.id)[1]).toBe("c1/~t1");
    expect(isEverybodyNamed(facts, named)).toBe(true);
    expect(isEverybodyNamed(facts, named.slice(0, 1))).toBe(false);
    expect(isEverybodyNamed({ ...facts, operation: "INVESTMENT" }, named.slice(0, 1))).toBe(true);
  });

  test("a name that is too long is compared at both its ends, and stays too long for a name", () => {
    const long = `Ada${"x".repeat(2_000)}Vorskutin`;
    const [ask] = screeningTargets(facts, [{ role: "RECIPIENT", party: party(long) }]);
    expect(ask!.party.names[0]!.startsWith("Ada")).toBe(true);
    expect(ask!.party.names[1]!.endsWith("Vorskutin")).toBe(true);
    expect([party(long), ask!.party, party("X"), party("\u{1f600}"), party("李")].map(isComparable)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  test("a name of which nothing is read is for a person, and one with digits beside its letters is not", () => {
    const comparable = (...names: string[]) => names.map((name) => [name, isComparable(party(name))]);
    expect(comparable("3M", "7-Eleven", "\u0644", "\u05d0\u05d1")).toEqual(
      ["3M", "7-Eleven", "\u0644", "\u05d0\u05d1"].map((name) => [name, true]),
    );
    // Digits, apostrophes of letters, and a letter that the library has nothing Latin for.
    const unread = ["4711", "\u02bc\u02bc", "\u{12000}\u{12001}"];
    expect(comparable(...unread)).toEqual(unread.map((name) => [name, false]));
    const facts = { transactionId: "t1", customerId: "c1", operation: "REMITTANCE", recipient: "B-1" } as never;
    const requested = (name: string) => [
      { role: "SENDER" as const, party: party("Ada Lovelace") },
      { role: "RECIPIENT" as const, party: party(name) },
    ];
    expect([requested("Emeka Okafor"), requested("4711")].map((one) => isEverybodyNamed(facts, one))).toEqual([
      true,
      false,
    ]);
  });

  test("a name of more words than are compared is for a person", () => {
    const words = (count: number) => party(Array.from({ length: count }, (_, at) => `Ada${at}`).join(" "));
    expect([24, 25].map((count) => isComparable(words(count)))).toEqual([true, false]);
    const [ask] = screeningTargets(facts, [{ role: "RECIPIENT", party: words(25) }]);
    expect(
      isEverybodyNamed(facts, [
        { role: "SENDER", party: party("A B") },
        { role: "RECIPIENT", party: ask!.party },
      ]),
    ).toBe(false);
    // One word in Arabic is read as an article and a word.
    expect(isComparable(party(Array.from({ length: 13 }, () => "الحسين").join(" ")))).toBe(false);
  });

  test("spaces, cases and order make nobody another person", () => {
    const [a, b] = [
      { ...party("Ada  LOVELACE"), names: ["Ada  LOVELACE", "A. King"], countries: ["USA", "GBR"] },
      { ...party("A. King"), names: ["a. king", "ada lovelace"], countries: ["GBR", "USA"] },
    ];
    expect(identityText(a)).toBe(identityText(b));
    expect(identityText({ ...a, dateOfBirth: "1815-12-10" })).not.toBe(identityText(b));
    expect(partyText({ ...a, countries: ["GBR", "USA"] })).toBe(partyText(a));
    expect(bothParties(a, { ...b, dateOfBirth: "1815" })).toEqual({ ...a, dateOfBirth: "1815" });
  });
});

describe("what somebody was compared with", () => {
  const lists = [
    { source: "EU", listId: "e2", version: 2 },
    { source: "UN", listId: "u1", version: 1 },
  ] as const;

  test("is read as it was written, and says which lists are new", () => {
    const before = readBasis(basisOf(3, [{ source: "EU", listId: "e1", version: 1 }, lists[1]]));
    expect(before).toEqual({
      policyVersion: 3,
      lists: new Map([
        ["EU", "e1"],
        ["UN", "u1"],
      ]),
    });
    expect(listsSince(before, { policyVersion: 3, lists })).toEqual([lists[0]]);
    expect(listsSince(before, { policyVersion: 4, lists })).toBeUndefined();
    expect(listsSince(readBasis(""), { policyVersion: 0, lists })).toEqual(lists);
  });
});
