import { decodeJwt } from "jose";
import { atDepth } from "../../../test/support/depth.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { ServiceName } from "../../kernel/grpc/context.js";
import { createRedis, redisReady } from "../../kernel/process/redis.js";
import { createRevocationChecker } from "../../kernel/grpc/revocations.js";
import { createUserTokenVerifier, type UserTokenVerifier } from "../../kernel/tokens/user-tokens.js";

jest.setTimeout(180_000);

const families = 200;
const parallel = 50;
/** Of how many families the refreshes race: all of them where there is time. */
const raced = atDepth({ quick: 8, ci: 40, long: families });
const services = ["gateway", "compliance", "remittance", "wallet", "lending", "investment"] as const;

let identity: TestIdentity;
const verifiers: { service: ServiceName; verify: UserTokenVerifier }[] = [];
const closing: (() => void)[] = [];

beforeAll(async () => {
  identity = await startTestIdentity({ replicas: 2 });
  // As each service verifies tokens: keys from identity, revocations from Redis, from identity
  // where Redis does not know.
  for (const service of services) {
    const redis = createRedis({ url: identity.config.REDIS_URL, log: identity.deps.log });
    await redisReady(redis);
    closing.push(() => redis.disconnect());
    const rpc = identity.rpc[service];
    const none = { tenantId: "", interactionId: "i-1" };
    const verify = createUserTokenVerifier({
      jwks: async () => JSON.parse((await rpc.getJwks({}, outgoing(none))).jwksJson),
      revocations: createRevocationChecker({
        redis,
        identity: async (subject) => (await rpc.checkRevocation(subject, outgoing(none))).revoked,
      }),
    });
    verifiers.push({ service, verify });
  }
});
afterAll(async () => {
  for (const close of closing) close();
  await identity.stop();
});

/** Runs work on each in order of their places, a few at a time. */
async function eachOf<T>(count: number, atOnce: number, work: (place: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < count; place = next++) results[place] = await work(place);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

test(`of ${parallel} refreshes at once of each of ${families} families one moves on; a replayed token ends its family everywhere within a second`, async () => {
  const tenant = await newTenant(identity);
  await tenant.customer("amina");
  const { tenantId } = tenant;
  const replicas = [identity.rpc.gateway, identity.clientOf("gateway", 1)];
  const refresh = async (refreshToken: string, place: number) =>
    (await replicas[place % 2]!.refresh({ refreshToken }, inTenant(tenantId))).session!;

  const first = await eachOf(families, 4, () => tenant.login("amina"));
  const second = await eachOf(families, 2, async (place) => {
    // The mirror and all else that Redis holds goes away in between.
    if (place === families / 2) await identity.redis.flushdb();
    const { refreshToken } = first[place]!;
    const atOnce = place % (families / raced) === 0 ? parallel : 2;
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, at) => refresh(refreshToken, at)));
    const successors = new Set(answers.map((answer) => `${answer.refreshToken} ${answer.accessToken}`));
    expect([place, successors.size]).toEqual([place, 1]);
    return answers[0]!;
  });
  const sessions = await identity.db.collection("sessions").find({ tenantId }).toArray();
  expect(sessions.map(({ counter }) => counter)).toEqual(Array.from({ length: families }, () => 2));

  const third = await eachOf(families, 8, (place) => refresh(second[place]!.refreshToken, place));
  for (const { verify } of verifiers) {
    await Promise.all(third.map(({ accessToken }) => verify(accessToken, { tenantId })));
  }
  await eachOf(families, 4, async (place) => {
    if (place === families / 2) await identity.redis.flushdb();
    await expect(refresh(first[place]!.refreshToken, place)).rejects.toMatchObject({ code: "REFRESH_REUSED" });
    const endedAt = performance.now();
    for (const { service, verify } of verifiers) {
      const { accessToken } = third[place]!;
      const isRefused = () =>
        verify(accessToken, { tenantId }).then(
          () => false,
          ({ code }: { code: string }) => code === "TOKEN_REVOKED",
        );
      // By when it was asked: a busy machine may answer late.
      for (let requestedAt = endedAt; !(await isRefused()); requestedAt = performance.now()) {
        if (requestedAt - endedAt > 1_000) throw new Error(`${service} takes an ended family's token`);
      }
    }
    await expect(refresh(third[place]!.refreshToken, place)).rejects.toMatchObject({ code: "TOKEN_REVOKED" });
  });
  const ended = await identity.db
    .collection("sessions")
    .countDocuments({ tenantId, revokedBecause: { $exists: true } });
  expect(ended).toBe(families);
  expect(new Set(third.map(({ accessToken }) => decodeJwt(accessToken)["sid"])).size).toBe(families);
});
