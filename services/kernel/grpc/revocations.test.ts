import { silentLog, waitFor, workerRedisUrl } from "../../../test/support/index.js";
import { createRedis, redisReady, type Redis } from "../process/redis.js";
import { createRevocationChecker, revocationKeys, type RevocationSubject } from "./revocations.js";
import { outlast } from "../../../test/support/time.js";

const url = workerRedisUrl;

const issuedAt = new Date("2026-01-02T03:04:05.000Z");
const subject: RevocationSubject = { tenantId: "acme", userId: "u1", sessionId: "s1", issuedAt };

let redis: Redis;
beforeAll(async () => {
  redis = createRedis({ url: url(), log: silentLog, commandTimeoutMs: 2_000 });
  await redisReady(redis);
});
beforeEach(() => redis.flushdb());
afterEach(() => jest.restoreAllMocks());
afterAll(() => redis.quit());

function setUp(identity: () => Promise<boolean> = () => Promise.reject(new Error("identity is away"))) {
  let requested = 0;
  const isRevoked = createRevocationChecker({
    redis,
    identity: () => {
      requested += 1;
      return identity();
    },
  });
  return { isRevoked, requested: () => requested };
}

const complete = () => redis.set(revocationKeys.complete, "1", "PX", 1_000);

test("a complete mirror answers alone, with one command", async () => {
  const { isRevoked, requested } = setUp();
  await complete();
  const send = jest.spyOn(redis, "sendCommand");
  await expect(isRevoked(subject)).resolves.toBe(false);
  expect(send.mock.calls.map(([command]) => command.name)).toEqual(["mget"]);
  expect(requested()).toBe(0);
});

test("who looks at the same moment shares one command, and each gets their own answer", async () => {
  const { isRevoked, requested } = setUp();
  await complete();
  await redis.set(revocationKeys.session("s3"), "1");
  const send = jest.spyOn(redis, "sendCommand");
  const sessions = Array.from({ length: 40 }, (_, at) => `s${at}`);
  const answers = await Promise.all(sessions.map((sessionId) => isRevoked({ ...subject, sessionId })));
  expect(answers).toEqual(sessions.map((sessionId) => sessionId === "s3"));
  expect(send).toHaveBeenCalledTimes(1);
  expect(requested()).toBe(0);
});

test("an answer is never older than its question", async () => {
  const { isRevoked } = setUp();
  await complete();
  const before = isRevoked(subject);
  await before;
  const onTheWay = isRevoked({ ...subject, sessionId: "other" });
  await redis.set(revocationKeys.session("s1"), "1");
  const after = isRevoked(subject);
  expect(await Promise.all([before, onTheWay, after])).toEqual([false, false, true]);
});

test("a revoked session is refused at the next look", async () => {
  const { isRevoked } = setUp();
  await complete();
  await expect(isRevoked(subject)).resolves.toBe(false);
  await redis.set(revocationKeys.session("s1"), String(issuedAt.getTime() - 60_000));
  await expect(isRevoked(subject)).resolves.toBe(true);
  await expect(isRevoked({ ...subject, sessionId: "s2" })).resolves.toBe(false);
});

test("a session that ends at a time to come is good until then, by the clock of who looks, and not a moment longer", async () => {
  const until = issuedAt.getTime() + 3_600_000;
  let nowMs = until - 1;
  const isRevoked = createRevocationChecker({
    redis,
    identity: () => Promise.reject(new Error("identity is away")),
    clock: { now: () => new Date(nowMs) },
  });
  await complete();
  await redis.set(revocationKeys.session("s1"), String(until));
  await expect(isRevoked(subject)).resolves.toBe(false);
  nowMs = until;
  await expect(isRevoked(subject)).resolves.toBe(true);
  await redis.set(revocationKeys.session("s1"), "no number");
  nowMs = until - 1;
  await expect(isRevoked(subject)).resolves.toBe(true);
});

test("a user's tokens from before a time are revoked, later ones are not", async () => {
  const { isRevoked } = setUp();
  await complete();
  await redis.set(revocationKeys.user("u1"), String(issuedAt.getTime()));
  await expect(isRevoked(subject)).resolves.toBe(false);
  await expect(isRevoked({ ...subject, issuedAt: new Date(issuedAt.getTime() - 1) })).resolves.toBe(true);
  await redis.set(revocationKeys.user("u1"), "not a number");
  await expect(isRevoked(subject)).resolves.toBe(true);
});

test("what the mirror has is believed even when it is not complete", async () => {
  const { isRevoked, requested } = setUp();
  await redis.set(revocationKeys.session("s1"), "1");
  await expect(isRevoked(subject)).resolves.toBe(true);
  expect(requested()).toBe(0);
});

test("where the mirror is not complete identity is asked, every time", async () => {
  let revoked = false;
  const { isRevoked, requested } = setUp(() => Promise.resolve(revoked));
  await expect(isRevoked(subject)).resolves.toBe(false);
  revoked = true;
  await expect(isRevoked(subject)).resolves.toBe(true);
  expect(requested()).toBe(2);
});

test("a mirror that nobody renews is not believed for longer than a second", async () => {
  const { isRevoked, requested } = setUp(() => Promise.resolve(true));
  await redis.set(revocationKeys.complete, "1", "PX", 50);
  await expect(isRevoked(subject)).resolves.toBe(false);
  await outlast(80);
  await expect(isRevoked(subject)).resolves.toBe(true);
  expect(requested()).toBe(1);
});

test("503 with a time to retry: neither the mirror nor identity can say", async () => {
  await expect(setUp().isRevoked(subject)).rejects.toMatchObject({
    name: "Refusal",
    code: "UNAVAILABLE",
    details: { retryAfterS: 1 },
  });
});

test("Redis away: identity is asked, and without it the answer is 503", async () => {
  const away = createRedis({ url: "redis://127.0.0.1:1", log: silentLog });
  let identityAway = false;
  const isRevoked = createRevocationChecker({
    redis: away,
    identity: async () => {
      if (identityAway) throw new Error("away");
      return true;
    },
  });
  await waitFor(() => away.status !== "connecting");
  await expect(isRevoked(subject)).resolves.toBe(true);
  identityAway = true;
  await expect(isRevoked(subject)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  away.disconnect();
});
