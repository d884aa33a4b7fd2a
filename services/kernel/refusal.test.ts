import { Status } from "nice-grpc-common";

import {
  invalidInput,
  isRefusalCode,
  isStoredAnswer,
  passing,
  Refusal,
  refusalTable,
  type RefusalCode,
} from "./refusal.js";

const codes = Object.keys(refusalTable) as RefusalCode[];

describe("the refusal table", () => {
  test("gives every code one of the statuses that clients are told of", () => {
    for (const code of codes) {
      expect([400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 422, 429, 431, 500, 503, 504]).toContain(
        refusalTable[code].http,
      );
      expect(refusalTable[code].grpc).not.toBe(Status.OK);
    }
  });

  test("lets only a service that is away look UNAVAILABLE, which clients retry", () => {
    expect(codes.filter((code) => refusalTable[code].grpc === Status.UNAVAILABLE)).toEqual(["UNAVAILABLE"]);
  });
});

describe("isStoredAnswer", () => {
  const isStored = (code: RefusalCode) => isStoredAnswer(new Refusal(code, "refused"));

  test("keeps 409 and 422 and nothing else", () => {
    for (const code of codes.filter(isStored)) expect([409, 422]).toContain(refusalTable[code].http);
    expect(isStored("INSUFFICIENT_FUNDS")).toBe(true);
    expect(isStored("TRANSACTION_NOT_PAYABLE")).toBe(true);
    expect(isStored("PASSWORD_WRONG")).toBe(false);
    expect(isStored("UNAVAILABLE")).toBe(false);
  });

  test("never keeps an answer about the key itself", () => {
    expect(isStored("IDEMPOTENCY_IN_FLIGHT")).toBe(false);
    expect(isStored("IDEMPOTENCY_KEY_REUSED")).toBe(false);
  });

  test("never keeps what passes by itself: it says when to try again", () => {
    expect(passing("STATE_CONFLICT", "being paid")).toMatchObject({
      code: "STATE_CONFLICT",
      details: { retryAfterS: 1 },
    });
    expect(isStoredAnswer(passing("STATE_CONFLICT", "being paid"))).toBe(false);
    expect(isStoredAnswer(passing("PAYABLE_NOT_OPEN", "another payment is paying it"))).toBe(false);
    expect(isStoredAnswer(new Refusal("STATE_CONFLICT", "it was cancelled"))).toBe(true);
  });
});

test("knows which text is a code", () => {
  expect(isRefusalCode("FORBIDDEN")).toBe(true);
  expect(isRefusalCode("toString")).toBe(false);
});

test("bad input names its path in message and details", () => {
  const refusal = invalidInput("amount", "must be positive");
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.message).toBe("amount: must be positive");
  expect(refusal.details).toEqual({ errors: [{ path: "amount", message: "must be positive" }] });
});
