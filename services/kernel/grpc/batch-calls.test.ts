import { batchCalls, type BatchedQuestion } from "./batch-calls.js";
import { Refusal } from "../refusal.js";
import { runsFor, takes } from "../../../test/support/time.js";

const call = { tenantId: "t", interactionId: "i" };

/** An rpc whose call of several fails; says what was asked alone. */
function failing(error: unknown, isRepeatable: boolean) {
  const alone: string[] = [];
  const ask = batchCalls<string, string>({
    what: "question",
    single: async (request) => (alone.push(request), request),
    batch: async (_questions: BatchedQuestion<string>[]) => {
      await takes(1);
      throw error;
    },
    isRepeatable,
    maxBatchSize: 64,
  });
  return { alone, three: () => Promise.allSettled(["a", "b", "c"].map((one) => ask(one, call))) };
}

test("what may be asked again is asked again one by one", async () => {
  const { alone, three } = failing(new Refusal("INTERNAL", "broken"), true);
  expect((await three()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  expect(alone).toEqual(["a", "b", "c"]);
});

test("what must not be asked twice has failed for all of them", async () => {
  const { alone, three } = failing(new Refusal("INTERNAL", "broken"), false);
  for (const outcome of await three()) expect(outcome).toMatchObject({ reason: { code: "INTERNAL" } });
  expect(alone).toEqual([]);
});

test("a call with a user's token goes alone", async () => {
  const seen: string[] = [];
  const ask = batchCalls<string, string>({
    what: "question",
    single: async (request) => (seen.push(`alone ${request}`), request),
    batch: async (questions) => questions.map(({ request }) => (seen.push(request), { response: request })),
    maxBatchSize: 64,
  });
  await Promise.all([ask("a", call), ask("b", call), ask("c", { ...call, userToken: "x" })]);
  expect(seen.toSorted()).toEqual(["a", "alone c", "b"]);
});

test("what was not answered in time to go with the others is asked for alone", async () => {
  const alone: string[] = [];
  const ask = batchCalls<string, string>({
    what: "question",
    single: async (request) => (alone.push(request), `${request} alone`),
    batch: async (questions) => questions.map(({ request }) => (request === "b" ? {} : { response: request })),
    maxBatchSize: 64,
  });
  expect(await Promise.all(["a", "b", "c"].map((one) => ask(one, call)))).toEqual(["a", "b alone", "c"]);
  expect(alone).toEqual(["b"]);
});

test("for whoever has left while they waited nothing is asked", async () => {
  const requested: string[][] = [];
  const othersHaveLeft = Promise.withResolvers<void>();
  const ask = batchCalls<string, string>({
    what: "question",
    single: async (request) => (requested.push([request]), await othersHaveLeft.promise, request),
    batch: async (questions) => {
      requested.push(questions.map(({ request }) => request));
      return questions.map(({ request }) => ({ response: request }));
    },
    maxInFlight: 1,
    maxBatchSize: 64,
  });
  const first = ask("first", call);
  await runsFor(5);
  const leaving = new AbortController();
  const left = [ask("gone", { ...call, signal: leaving.signal }), ask("late", { ...call, timeoutMs: 5 })];
  const waiting = Promise.allSettled([...left, ask("a", call), ask("b", call)]);
  leaving.abort(new Error("left"));
  await Promise.allSettled(left);
  othersHaveLeft.resolve();
  expect((await waiting).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
  await first;
  expect(requested).toEqual([["first"], ["a", "b"]]);
});
