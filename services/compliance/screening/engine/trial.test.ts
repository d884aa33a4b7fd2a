import { unitsOf } from "../../../../test/support/turn-units.js";
import type { Match } from "../domain/hit.js";
import { platformPolicy, type ScreeningPolicy } from "../domain/policy.js";
import type { ScreenedSubject } from "../domain/screened-subject.js";
import { customerSubject } from "../../common/domain/subject.js";
import { tryScreeningPolicies } from "./trial.js";

const now = platformPolicy(800);
const draft: ScreeningPolicy = { ...now, version: 1, threshold: 600 };
const known = { state: "DONE" as const, basis: "b", lists: [] };
const never = new AbortController().signal;

function matchOf(entryId: string, score: number): Match {
  const entry = { entryId, kind: "PERSON", names: [], datesOfBirth: [], countries: [] } as const;
  return {
    source: "UN",
    entry: { ...entry, documents: [], programmes: [], remarks: "" },
    matchedName: "",
    score,
    parts: [],
  };
}

/** Everybody resembles entry 1 by 700, and who is called Ivan entry 2 by 900. */
const engine = (work: () => void = () => undefined) => ({
  comparisonOf: () => known,
  screenBy(_tenantId: string, { threshold }: ScreeningPolicy, { names }: { names: readonly string[] }) {
    work();
    const all = [matchOf("1", 700), ...(names[0]!.startsWith("Ivan") ? [matchOf("2", 900)] : [])];
    return { ...known, matches: all.filter(({ score }) => score >= threshold) };
  },
});

async function* people(...names: string[]): AsyncGenerator<ScreenedSubject> {
  for (const name of names) {
    const party = { kind: "PERSON", names: [name], countries: [], documents: [] } as const;
    const prints = { fingerprint: "f", identityFingerprint: "i", basis: "b", screenedAt: new Date(0) };
    yield { subject: customerSubject(name), party, ...prints };
  }
}

test("counts hits by both policies and shows whose would differ", async () => {
  const trial = await tryScreeningPolicies(engine(), "t", { now, draft }, people("Ivan", "Ada"), {
    maxMs: 60_000,
    signal: never,
  });
  expect(trial).toMatchObject({ subjects: 2, hitsNow: 1, hitsByDraft: 3 });
  expect(trial.differences).toEqual([
    { subject: customerSubject("Ivan"), name: "Ivan", entriesNow: ["UN:2"], entriesByDraft: ["UN:1", "UN:2"] },
    { subject: customerSubject("Ada"), name: "Ada", entriesNow: [], entriesByDraft: ["UN:1"] },
  ]);
});

test("no more than 200 differences are kept", async () => {
  const names = Array.from({ length: 250 }, (_, at) => `Ada ${at}`);
  const limits = { maxMs: 60_000, signal: never };
  const trial = await tryScreeningPolicies(engine(), "t", { now, draft }, people(...names), limits);
  expect([trial.subjects, trial.hitsByDraft, trial.differences.length]).toEqual([250, 250, 200]);
});

/** Holds the process up for so long. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("gives its turn up after two people, each compared by both policies, and ends when its time is over", async () => {
  const names = Array.from({ length: 5 }, (_, at) => `Ada ${at}`);
  const limits = { maxMs: 60_000, signal: never };
  const units = await unitsOf("screening trial", () =>
    tryScreeningPolicies(engine(), "t", { now, draft }, people(...names), limits),
  );
  expect(units).toEqual([4, 4, 2]);
  const short = await tryScreeningPolicies(
    engine(() => busy(6)),
    "t",
    { now, draft },
    people(...Array.from({ length: 20 }, (_, at) => `Ada ${at}`)),
    {
      maxMs: 30,
      signal: never,
    },
  );
  expect(short.subjects).toBeGreaterThan(0);
  expect(short.subjects).toBeLessThan(20);
});

test("ends with the caller, and refuses a draft whose lists are away", async () => {
  const limits = { maxMs: 60_000, signal: AbortSignal.abort() };
  expect(await tryScreeningPolicies(engine(), "t", { now, draft }, people("Ivan", "Ada"), limits)).toMatchObject({
    subjects: 1,
  });
  const away = { ...engine(), comparisonOf: () => ({ ...known, state: "UNAVAILABLE" as const, reason: "no PEP" }) };
  await expect(
    tryScreeningPolicies(away, "t", { now, draft }, people("Ivan"), { maxMs: 60_000, signal: never }),
  ).rejects.toMatchObject({ code: "STATE_CONFLICT", message: expect.stringContaining("no PEP") as string });
});
