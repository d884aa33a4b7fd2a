import { ApiError, ConnectionError } from "@manilla/client";
import { RequestKey } from "./idempotency";

const sent = { operation: "transactions.requestRefund", interactionId: "i", attempts: 1 };
const refused = (status: number, code: string) => Object.assign(new ApiError("no"), { status, code, sent });

test("a key stays until its request has succeeded", () => {
  const key = new RequestKey();
  const first = key.current();
  expect(key.current()).toBe(first);
  key.succeeded();
  expect(key.current()).not.toBe(first);
});

test.each([
  ["no answer", new ConnectionError("no answer came", sent)],
  ["a fault of the server", refused(500, "INTERNAL")],
  ["a part that is away", refused(503, "UNAVAILABLE")],
  ["too many requests", refused(429, "RATE_LIMITED")],
  ["an ended session", refused(401, "TOKEN_EXPIRED")],
  ["one that is under way", refused(409, "IDEMPOTENCY_IN_FLIGHT")],
])("after %s the same request has the same key", (_what, error) => {
  const key = new RequestKey();
  const first = key.current();
  key.failed(error);
  expect(key.current()).toBe(first);
});

test.each([
  ["bad input", refused(400, "INVALID_INPUT")],
  ["a rule", refused(422, "REFUND_TOO_LARGE")],
  ["a state", refused(409, "STATE_CONFLICT")],
])("after a refusal by %s the next request is another one", (_what, error) => {
  const key = new RequestKey();
  const first = key.current();
  key.failed(error);
  expect(key.current()).not.toBe(first);
});
