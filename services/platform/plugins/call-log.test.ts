import { startCallLog } from "./call-log.js";

const made = (reference: string) => ({
  operation: "submit",
  reference,
  at: new Date(),
  status: 200,
  durationMs: 3,
  outcome: "OK" as const,
});
type Published = { tenantId: string; noted: { installationId: string; breaker: string; references: string[] }[] };

function noting() {
  const published: Published[] = [];
  let fails = false;
  const identity = {
    async notePluginCalls({ noted = [] }: { noted?: readonly object[] }, { tenantId }: { tenantId: string }) {
      if (fails) throw new Error("away");
      const each = noted as { installationId: string; breaker: string; calls: { reference: string }[] }[];
      published.push({
        tenantId,
        noted: each.map(({ calls, ...rest }) => ({ ...rest, references: calls.map(({ reference }) => reference) })),
      });
      return {};
    },
  };
  const notes = startCallLog({ identity: identity as never, everyMs: 3_600_000 });
  return { notes, published, fail: (failing: boolean) => void (fails = failing) };
}

test("tells each tenant's calls apart, by installation, with the breaker as it is when it is told", async () => {
  const { notes, published } = noting();
  let isOpen = false;
  notes.note("a", "one", made("1"), () => isOpen);
  notes.note("a", "one", made("2"), () => isOpen);
  notes.note("a", "two", made("3"), () => false);
  notes.note("b", "three", made("4"), () => false);
  isOpen = true;
  await notes.stop();
  expect(published).toEqual([
    {
      tenantId: "a",
      noted: [
        { installationId: "one", breaker: "OPEN", references: ["1", "2"] },
        { installationId: "two", breaker: "CLOSED", references: ["3"] },
      ],
    },
    { tenantId: "b", noted: [{ installationId: "three", breaker: "CLOSED", references: ["4"] }] },
  ]);
});

test("what cannot be told is lost, and so is what is too much; nobody waits or fails for it", async () => {
  const { notes, published, fail } = noting();
  fail(true);
  notes.note("a", "one", made("lost"), () => false);
  await notes.flush();
  fail(false);
  for (let each = 0; each < 1_200; each += 1) notes.note("a", "one", made(String(each)), () => false);
  await notes.flush();
  expect(published).toHaveLength(1);
  expect(published[0]!.noted[0]!.references).toEqual(Array.from({ length: 1_000 }, (_none, each) => String(each)));
  await notes.stop();
  expect(published).toHaveLength(1);
});
