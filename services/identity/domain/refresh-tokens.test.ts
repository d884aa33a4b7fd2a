import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import {
  accessTokenIdOf,
  decideRefresh,
  decodeRefreshToken,
  encodeRefreshToken,
  refreshAbsoluteMs,
  refreshIdleMs,
  replayWindowMs,
  type RefreshFamily,
} from "./refresh-tokens.js";

const key = randomBytes(32);
const link = { keyId: "0a1b2c3d", family: randomUUID(), counter: 7 };
const keyOf = (keyId: string) => (keyId === link.keyId ? key : undefined);

test("a token names its link, and is the same each time it is made", () => {
  const token = encodeRefreshToken(key, "acme", link);
  expect(token).toBe(encodeRefreshToken(key, "acme", link));
  expect(token).toMatch(/^[\w-]{76}$/);
  expect(decodeRefreshToken(keyOf, "acme", token)).toEqual(link);
});

test("every link has a token of its own", () => {
  const tokens = Array.from({ length: 50 }, (_, at) => encodeRefreshToken(key, "acme", { ...link, counter: at + 1 }));
  expect(new Set(tokens).size).toBe(50);
});

test("a token is refused for another tenant, under another key, and under a key that is unknown", () => {
  const token = encodeRefreshToken(key, "acme", link);
  expect(decodeRefreshToken(keyOf, "acme2", token)).toBeUndefined();
  expect(decodeRefreshToken(() => randomBytes(32), "acme", token)).toBeUndefined();
  expect(decodeRefreshToken(() => undefined, "acme", token)).toBeUndefined();
});

test("a token in which any character is another is refused", () => {
  const token = encodeRefreshToken(key, "acme", link);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (let at = 0; at < token.length; at++) {
    for (const character of alphabet) {
      if (character === token[at]) continue;
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      expect(decodeRefreshToken(() => key, "acme", changed)).toBeUndefined();
    }
  }
});

test("whatever else is sent as a token is refused", () => {
  const token = encodeRefreshToken(key, "acme", link);
  const padded = [`${token}=`, ` ${token}`, `${token}\n`, `${token}AA`, token.slice(0, -1), "", "..", "%00"];
  for (const text of padded) expect(decodeRefreshToken(keyOf, "acme", text)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => decodeRefreshToken(keyOf, "acme", text) === undefined),
  );
});

test("the access token's id belongs to the link", () => {
  const id = accessTokenIdOf(key, "acme", link);
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(accessTokenIdOf(key, "acme", link)).toBe(id);
  expect(accessTokenIdOf(key, "acme", { ...link, counter: 8 })).not.toBe(id);
  expect(accessTokenIdOf(key, "other", link)).not.toBe(id);
});

describe("what presenting a link means", () => {
  const rotatedAt = new Date("2026-03-01T12:00:00Z");
  const at = (ms: number) => new Date(rotatedAt.getTime() + ms);
  const family: RefreshFamily = {
    counter: 5,
    rotatedAt,
    idleUntil: at(refreshIdleMs),
    endsAt: at(refreshAbsoluteMs),
  };

  test.each([
    ["the newest, at once", 5, 0, "ADVANCE"],
    ["the newest, just before it is idle for 30 days", 5, refreshIdleMs - 1, "ADVANCE"],
    ["the newest, idle for 30 days", 5, refreshIdleMs, "EXPIRED"],
    ["the one before, at once", 4, 0, "REPEAT"],
    ["the one before, presented where the clock lags", 4, -3_000, "REPEAT"],
    ["the one before, at 10 s", 4, replayWindowMs, "REPEAT"],
    ["the one before, after 10 s", 4, replayWindowMs + 1, "REUSED"],
    ["the one before that, at once", 3, 0, "REUSED"],
    ["the first, at once", 1, 0, "REUSED"],
    ["one that was never handed out", 6, 0, "UNKNOWN"],
    ["counter 0", 0, 0, "REUSED"],
  ] as const)("%s: %s after %s ms is %s", (_, counter, ms, decision) => {
    expect(decideRefresh(family, counter, at(ms))).toBe(decision);
  });

  test("a family ends after 90 days, however busy", () => {
    const busy = { ...family, rotatedAt: at(refreshAbsoluteMs - 1_000), idleUntil: at(refreshAbsoluteMs) };
    expect(decideRefresh(busy, 5, at(refreshAbsoluteMs - 1))).toBe("ADVANCE");
    expect(decideRefresh(busy, 5, at(refreshAbsoluteMs))).toBe("EXPIRED");
    expect(decideRefresh(busy, 4, at(refreshAbsoluteMs))).toBe("EXPIRED");
  });

  test("of a family that has ended, the newest is revoked and an older one reused, even within the window", () => {
    const ended = { ...family, revokedAt: at(1) };
    expect(decideRefresh(ended, 5, at(2))).toBe("REVOKED");
    expect(decideRefresh(ended, 4, at(2))).toBe("REUSED");
  });
});
