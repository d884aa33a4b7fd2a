import { randomUUID } from "node:crypto";
import { testRedisUrl } from "../../../test/support/index.js";
import { createLogger } from "../../kernel/process/log.js";
import { createRedis, redisReady, type Redis } from "../../kernel/process/redis.js";
import { accountRule } from "../domain/throttle-rules.js";
import { createThrottle } from "./throttle.js";

let redis: Redis;
beforeAll(async () => {
  redis = createRedis({ url: testRedisUrl(), log: createLogger({ service: "test", level: "silent" }) });
  await redisReady(redis);
});
afterAll(() => redis.quit());

// A wait does not end while a test is at it.
const now = new Date();
const limited = expect.objectContaining({ code: "RATE_LIMITED" });

/** A throttle whose Redis can be made to lose commands, or their answers. */
function replica() {
  let lost: "nothing" | "commands" | "answers" = "nothing";
  let left = Infinity;
  const through = {
    eval: async (...args: Parameters<Redis["eval"]>) => {
      if (left-- <= 0) throw new Error("Command timed out");
      if (lost === "commands") throw new Error("Command timed out");
      const reply = await redis.eval(...args);
      if (lost === "answers") throw new Error("Command timed out");
      return reply;
    },
  } as unknown as Redis;
  const throttle = createThrottle({ redis: through, clock: { now: () => now } });
  return { throttle, losing: (what: typeof lost) => void (lost = what), losingAfter: (n: number) => void (left = n) };
}

const newSubject = () => ({ name: randomUUID(), rule: accountRule });

test.each(["commands", "answers"] as const)(
  "failures are counted on while Redis loses %s, and when it is back",
  async (what) => {
    const { throttle, losing } = replica();
    const subject = newSubject();
    const fail = async () => (await throttle.begin(subject)).failed();
    for (const lost of ["nothing", "nothing", what, what, "nothing"] as const) {
      losing(lost);
      await fail();
    }
    await expect(throttle.begin(subject)).rejects.toEqual(limited);
    losing(what);
    await expect(throttle.begin(subject)).rejects.toEqual(limited);
    // What one replica counted by itself, another knows once Redis was told.
    await expect(replica().throttle.begin(subject)).rejects.toEqual(limited);
  },
);

test.each(["commands", "answers"] as const)(
  "a failure is taken back while Redis loses %s, and nobody else's",
  async (what) => {
    const { throttle, losing } = replica();
    const subject = newSubject();
    for (let each = 0; each < 4; each++) await (await throttle.begin(subject)).failed();
    losing(what);
    const attempt = await throttle.begin(subject);
    await attempt.failed();
    await attempt.takenBack();
    // A second time there is nothing to take back.
    await attempt.takenBack();
    await (await throttle.begin(subject)).failed();
    await expect(throttle.begin(subject)).rejects.toEqual(limited);
  },
);

test("what Redis said before it went away counts for a replica that knew nothing", async () => {
  const subject = newSubject();
  const { throttle } = replica();
  for (let each = 0; each < 5; each++) await (await throttle.begin(subject)).failed();
  const other = replica();
  other.losingAfter(1);
  await expect(other.throttle.begin(subject)).rejects.toEqual(limited);
});

test("a success while Redis is away forgets the failures here, beside others that are under way too", async () => {
  const { throttle, losing } = replica();
  const subject = newSubject();
  for (let each = 0; each < 4; each++) await (await throttle.begin(subject)).failed();
  losing("commands");
  const [one, other] = [await throttle.begin(subject), await throttle.begin(subject)];
  await one.passed();
  await other.failed();
  for (let each = 0; each < 3; each++) await (await throttle.begin(subject)).failed();
  await expect(throttle.begin(subject)).resolves.toBeDefined();
});

test("a success once Redis is back forgets what was counted here and there", async () => {
  const { throttle, losing } = replica();
  const subject = newSubject();
  const end = async (how: "failed" | "passed") => (await throttle.begin(subject))[how]();
  for (let each = 0; each < 4; each++) await end("failed");
  losing("commands");
  await end("passed");
  for (let each = 0; each < 4; each++) await end("failed");
  losing("nothing");
  await end("passed");
  for (let each = 0; each < 4; each++) await end("failed");
  await expect(end("passed")).resolves.toBeUndefined();
});
