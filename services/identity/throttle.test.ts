import { randomUUID } from "node:crypto";
import { testRedisUrl } from "../../test/support/index.js";
import { createLogger } from "../shared/log.js";
import { createRedis, redisReady, type Redis } from "../shared/redis.js";
import { accountRule } from "./domain/throttle.js";
import { createThrottle } from "./throttle.js";

let redis: Redis;
beforeAll(async () => {
  redis = createRedis({ url: testRedisUrl(), log: createLogger({ service: "test", level: "silent" }) });
  await redisReady(redis);
});
afterAll(() => redis.quit());

const limited = expect.objectContaining({ code: "RATE_LIMITED" });

/** A throttle whose Redis can be made to lose commands, or their answers. */
function replica() {
  let lost: "nothing" | "commands" | "answers" = "nothing";
  const through = {
    eval: async (...args: Parameters<Redis["eval"]>) => {
      if (lost === "commands") throw new Error("Command timed out");
      const reply = await redis.eval(...args);
      if (lost === "answers") throw new Error("Command timed out");
      return reply;
    },
  } as unknown as Redis;
  const throttle = createThrottle({ redis: through, clock: { now: () => new Date() } });
  return { throttle, losing: (what: typeof lost) => void (lost = what) };
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

test("a success while Redis is away forgets the failures here, and in Redis once it is back", async () => {
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
