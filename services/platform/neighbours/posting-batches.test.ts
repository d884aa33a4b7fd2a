import type { PostTransfersResponse } from "../../../proto/gen/ledger/v1/ledger.js";
import { batchPostings } from "./posting-batches.js";
import type { CallOptions } from "../../kernel/grpc/client.js";
import { refusalToTrailer } from "../../kernel/grpc/refusal-trailer.js";
import { Refusal } from "../../kernel/refusal.js";
import { runsFor, takes } from "../../../test/support/time.js";

const call = (part: Partial<CallOptions> = {}): CallOptions => ({ tenantId: "t", interactionId: "i", ...part });
const posting = (key: string, transfers = 1) => ({
  groups: [{ transfers: Array.from({ length: transfers }, (_, n) => ({ key: `${key}:${n}` })) }],
  createdBy: "u",
});
type Posting = ReturnType<typeof posting>;
const keyOf = ({ groups }: Posting) => groups[0]!.transfers[0]!.key!.split(":")[0]!;
const answerTo = (requested: Posting) =>
  ({
    results: [{ posted: { transfers: [{ key: keyOf(requested) }], replayed: false } }],
  }) as unknown as PostTransfersResponse;
const stated = ({ results }: PostTransfersResponse) => results[0]!.posted!.transfers[0]!.key;

/** A ledger that takes 20 ms and notes what it was sent. */
function createLedger(tookMs = 20) {
  const calls: { kind: "alone" | "gathered"; keys: string[]; options: CallOptions }[] = [];
  const ledger = {
    failBatched: undefined as unknown,
    refuse: undefined as string | undefined,
    tookMs,
    calls,
    async postTransfers(request: object, options: CallOptions): Promise<PostTransfersResponse> {
      calls.push({ kind: "alone", keys: [keyOf(request as Posting)], options });
      await takes(ledger.tookMs);
      if (keyOf(request as Posting) === ledger.refuse) throw new Refusal("INVALID_INPUT", "bad");
      return answerTo(request as Posting);
    },
    async batch(_rpc: string, postings: readonly object[], options: CallOptions) {
      const requested = postings as { interactionId: string; request: Posting }[];
      calls.push({ kind: "gathered", keys: requested.map(({ request }) => keyOf(request)), options });
      await takes(ledger.tookMs);
      if (ledger.failBatched !== undefined) throw ledger.failBatched;
      return requested.map(({ request }) =>
        keyOf(request) === ledger.refuse
          ? { refusal: refusalToTrailer(new Refusal("OVERLOADED", "full", { retryAfterS: 1 })) }
          : { response: answerTo(request) },
      ) as never;
    },
  };
  return ledger;
}

test("a lone posting goes out at once, as itself", async () => {
  const ledger = createLedger();
  const { postTransfers } = batchPostings(ledger);
  const options = call({ interactionId: "own", deadline: new Date(Date.now() + 5_000) });
  expect(stated(await postTransfers(posting("a"), options))).toBe("a");
  expect(ledger.calls).toEqual([{ kind: "alone", keys: ["a"], options }]);
});

test("what comes while calls are under way goes out with the next one, and each gets its own answer", async () => {
  const ledger = createLedger();
  const { postTransfers } = batchPostings(ledger);
  const all = Array.from({ length: 100 }, async (_, n) => {
    await runsFor(n % 10);
    return stated(await postTransfers(posting(`k${n}`), call({ interactionId: `i${n}` })));
  });
  expect(await Promise.all(all)).toEqual(Array.from({ length: 100 }, (_, n) => `k${n}`));
  expect(ledger.calls.length).toBeLessThan(10);
  expect(ledger.calls.flatMap(({ keys }) => keys).toSorted()).toEqual(all.map((_, n) => `k${n}`).toSorted());
});

test("tenants never share a call, and a call holds 1,000 transfers", async () => {
  const ledger = createLedger();
  const { postTransfers } = batchPostings(ledger);
  const own = Array.from({ length: 12 }, (_, n) => postTransfers(posting(`t${n}`, 200), call()));
  const other = Array.from({ length: 2 }, (_, n) => postTransfers(posting(`u${n}`), call({ tenantId: "u" })));
  await Promise.all([...own, ...other]);
  for (const { keys, options } of ledger.calls) {
    expect(keys.every((key) => key.startsWith(options.tenantId))).toBe(true);
    expect(keys.length).toBeLessThanOrEqual(5);
  }
});

test("a refusal is its own caller's alone", async () => {
  const ledger = createLedger();
  ledger.refuse = "bad";
  const { postTransfers } = batchPostings(ledger);
  const results = await Promise.allSettled(["a", "bad", "b"].map((key) => postTransfers(posting(key), call())));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(results[1]).toMatchObject({ reason: { code: "OVERLOADED", details: { retryAfterS: 1 } } });
});

test("a call that fails as a whole is asked again one by one; an unknown outcome is everybody's", async () => {
  const ledger = createLedger();
  const { postTransfers } = batchPostings(ledger);
  const three = () => Promise.allSettled(["a", "bad", "b"].map((key) => postTransfers(posting(key), call())));
  ledger.failBatched = new Refusal("INVALID_INPUT", "postings");
  ledger.refuse = "bad";
  expect((await three()).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  ledger.failBatched = new Refusal("UNAVAILABLE", "away");
  expect(await three()).toEqual([1, 2, 3].map(() => ({ status: "rejected", reason: ledger.failBatched })));
});

test("each caller leaves at its own deadline or when it gives up; the others get their answers", async () => {
  const ledger = createLedger(120);
  const { postTransfers } = batchPostings(ledger);
  const givingUp = new AbortController();
  void runsFor(20).then(() => givingUp.abort(new Error("gone")));
  const [late, gone, served] = await Promise.allSettled([
    postTransfers(posting("late"), call({ timeoutMs: 30 })),
    postTransfers(posting("gone"), call({ signal: givingUp.signal })),
    postTransfers(posting("served"), call({ timeoutMs: 5_000 })),
  ]);
  expect(late).toMatchObject({ reason: { code: "DEADLINE_EXCEEDED" } });
  expect(gone).toMatchObject({ reason: { message: "gone" } });
  expect(served.status).toBe("fulfilled");
});

test("calls that hang do not keep others waiting", async () => {
  const ledger = createLedger(3_000);
  const { postTransfers } = batchPostings(ledger);
  const hanging = ["a", "b"].map(async (key, n) => {
    await runsFor(n * 5);
    return postTransfers(posting(key), call({ timeoutMs: 5_000 }));
  });
  await runsFor(20);
  ledger.tookMs = 5;
  const startedAt = performance.now();
  expect(stated(await postTransfers(posting("c"), call()))).toBe("c");
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  await Promise.all(hanging);
});
