import { silentLog, waitFor } from "../../../test/support/index.js";
import { startTelling, type TellingOptions } from "./telling.js";
import { runsFor } from "../../../test/support/time.js";

const dayMs = 24 * 3_600_000;

/** Journals of so many pages of transfers that are no news, and what was asked of them. */
function journalsOf(pages: Map<string, number>, unpublished: { tenantId: string; lastAt: Date }[] = []) {
  const requested: string[] = [];
  const published = new Map<string, bigint>();
  const transfer = { mode: "PENDING", timeMs: 0 };
  const gate = { open: Promise.resolve() };
  const journalOf = (tenantId: string) => ({
    async journalAfter(after: bigint, limit: number) {
      await gate.open;
      requested.push(tenantId);
      const left = pages.get(tenantId)! * limit - Number(after);
      return Array.from({ length: Math.min(limit, left) }, (_, index) => ({
        groupId: "import:1",
        transfer: { ...transfer, seq: after + BigInt(index + 1) },
      }));
    },
  });
  const options = {
    store: { forTenant: journalOf },
    tellings: {
      publishedThrough: async (tenantId: string) => published.get(tenantId) ?? 0n,
      recordPublished: async (tenantId: string, seq: bigint) => void published.set(tenantId, seq),
      withLeft: async () => [],
      async *unpublished() {
        yield* unpublished;
      },
    },
    events: {},
    clock: { now: () => new Date() },
    sweepMs: 60_000,
    log: silentLog,
  } as unknown as TellingOptions;
  return { options, requested, published, gate };
}

test("eight long journals let a short one go first after some pages, and are told to their ends", async () => {
  const long = Array.from({ length: 8 }, (_, index) => `long-${index}`);
  const { options, requested, published } = journalsOf(
    new Map([...long.map((id) => [id, 40] as const), ["short", 0.1]]),
  );
  const telling = startTelling(options);
  for (const tenantId of [...long, "short"]) telling.wake(tenantId);
  await waitFor(() => long.every((tenantId) => published.get(tenantId) === 20_000n), { timeoutMs: 20_000 });
  expect(published.get("short")).toBe(50n);
  expect(requested.indexOf("short")).toBeLessThan(8 * 11);
  await waitFor(() => telling.oldestS() === 0);
  await telling.stop();
});

test("stop waits for a page of each, not for a journal's end", async () => {
  const { options, requested, gate } = journalsOf(new Map([["endless", 1_000_000]]));
  const held = Promise.withResolvers<void>();
  gate.open = held.promise;
  const telling = startTelling(options);
  telling.wake("endless");
  await runsFor(100);
  const stopped = telling.stop();
  held.resolve();
  await stopped;
  expect(requested).toEqual(["endless"]);
});

test("nobody is said to wait longer than events are told for", async () => {
  const lastAt = new Date(Date.now() - 400 * dayMs);
  const { options, gate } = journalsOf(new Map([["old", 0.1]]), [{ tenantId: "old", lastAt }]);
  const held = Promise.withResolvers<void>();
  gate.open = held.promise;
  const telling = startTelling(options);
  await waitFor(() => telling.oldestS() > 0);
  expect(telling.oldestS() / (dayMs / 1_000)).toBeCloseTo(30, 1);
  held.resolve();
  await waitFor(() => telling.oldestS() === 0);
  await telling.stop();
});
