import { withOneKey } from "./idempotency";

type Answer = Response | Error;

/** Sends through a fetch that answers so, in turn; the keys that it was sent. */
async function keysOf(answers: Answer[], contents: string[]): Promise<string[]> {
  const keys: string[] = [];
  const send = withOneKey(async (_url, { headers }) => {
    keys.push(headers["x-idempotency-key"]!);
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  for (const [at, body] of contents.entries()) {
    const headers = { "x-idempotency-key": `key-${at}` };
    await send("/refunds", { method: "POST", headers, body }).catch(() => undefined);
  }
  return keys;
}

const done = () => new Response("{}", { status: 200 });
const refused = (status: number, code: string) => new Response(JSON.stringify({ code }), { status });

test.each([
  ["no answer", new TypeError("network")],
  ["a fault of the server", refused(500, "INTERNAL")],
  ["a part that is away", refused(503, "UNAVAILABLE")],
  ["too many requests", refused(429, "RATE_LIMITED")],
  ["an ended session", refused(401, "TOKEN_EXPIRED")],
  ["one that is under way", refused(409, "IDEMPOTENCY_IN_FLIGHT")],
])("after %s the same request has the same key, wherever it is sent from", async (_what, answer) => {
  expect(await keysOf([answer, done()], ["100", "100"])).toEqual(["key-0", "key-0"]);
});

test.each([
  ["success", done()],
  ["bad input", refused(400, "INVALID_INPUT")],
  ["a rule", refused(422, "REFUND_TOO_LARGE")],
  ["a state", refused(409, "STATE_CONFLICT")],
])("after %s the next request is another one", async (_what, answer) => {
  expect(await keysOf([answer, done()], ["100", "100"])).toEqual(["key-0", "key-1"]);
});

test("another content is another request, and the first one is still remembered", async () => {
  const answers = [new TypeError("network"), done(), done()];
  expect(await keysOf(answers, ["100", "200", "100"])).toEqual(["key-0", "key-1", "key-0"]);
});

test("what has no key is sent as it is", async () => {
  const seen: unknown[] = [];
  const send = withOneKey(async (url, init) => {
    seen.push([url, init]);
    return done();
  });
  const init = { method: "GET", headers: { platform: "CONSOLE" } };
  await send("/refunds", init);
  expect(seen).toEqual([["/refunds", init]]);
});
