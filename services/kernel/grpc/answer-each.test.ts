import type { Call } from "../grpc/context.js";
import { answerEach } from "./answer-each.js";
import { refusalFromTrailer } from "../grpc/refusal-trailer.js";
import { takes } from "../../../test/support/time.js";

const children: object[] = [];
function callUntil(ms: number): Call {
  return {
    tenantId: "t",
    caller: "wallet",
    interactionId: "the group's",
    signal: new AbortController().signal,
    deadline: new Date(Date.now() + ms),
    get log() {
      return { child: (bound: object) => (children.push(bound), { error: () => undefined }) } as never;
    },
    markReplayed: () => {},
  };
}
const requested = (...requests: string[]) => requests.map((request) => ({ interactionId: `of-${request}`, request }));
const slowly = async (request: string) => (request === "slow" && (await takes(400)), request);

test("one that takes long does not cost the others their answers", async () => {
  const questions = requested("a", "slow", "b");
  const patient = await answerEach(questions, callUntil(5_000), slowly, { isRepeatable: true, patienceMs: 20 });
  expect(patient).toEqual([{ response: "a" }, {}, { response: "b" }]);
  // Nobody could ask again for what must not be asked twice.
  const waiting = await answerEach(questions, callUntil(5_000), slowly, { patienceMs: 20 });
  expect(waiting.map(({ response }) => response)).toEqual(["a", "slow", "b"]);
  const atTheEnd = await answerEach(questions, callUntil(150), slowly);
  expect(atTheEnd.map(({ response, refusal }) => response ?? refusalFromTrailer(refusal)!.code)).toEqual([
    "a",
    "DEADLINE_EXCEEDED",
    "b",
  ]);
});

test("each is answered under its own interaction, and a logger is made where one is asked for", async () => {
  const seen: string[] = [];
  await answerEach(requested("a", "b"), callUntil(1_000), async (request, call) => {
    seen.push(`${call.interactionId} ${call.tenantId}`);
    if (request === "b") void call.log;
  });
  expect(seen).toEqual(["of-a t", "of-b t"]);
  expect(children).toEqual([{ interactionId: "of-b" }]);
});

test("what meets a bug is its own caller's alone: INTERNAL, or nothing where it may be asked again", async () => {
  const answer = async (request: string) => {
    if (request === "bug") throw new Error("a bug");
    return request;
  };
  const ask = (isRepeatable: boolean) =>
    answerEach(requested("a", "bug", "b"), callUntil(5_000), answer, { isRepeatable });
  expect(await ask(true)).toEqual([{ response: "a" }, {}, { response: "b" }]);
  const [a, bug, b] = await ask(false);
  expect([a, b]).toEqual([{ response: "a" }, { response: "b" }]);
  expect(refusalFromTrailer(bug!.refusal)!.code).toBe("INTERNAL");
});
