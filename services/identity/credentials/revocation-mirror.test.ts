import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { waitFor } from "../../../test/support/index.js";
import { startRedis, type RunningRedis } from "../../../deploy/local/servers.js";
import { holdOf } from "../../kernel/mongo/held-tenants.js";
import { createRedis, redisReady, type Redis } from "../../kernel/process/redis.js";
import { revocationKeys } from "../../kernel/grpc/revocations.js";
import { createRevocationMirror, lapseMs } from "./revocation-mirror.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { nothingFor, outlast } from "../../../test/support/time.js";

let folder: string;
let server: RunningRedis;
let identity: TestIdentity;
let redis: Redis;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror-"));
  server = await startRedis({ dir: folder });
  identity = await startTestIdentity({ redisUrl: server.url, replicas: 2 });
  redis = identity.redis;
});
afterAll(async () => {
  await identity.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const complete = () => redis.get("revocations:complete").catch(() => null);
const isComplete = () => waitFor(async () => (await complete()) === "1", { what: "revocations:complete" });
const mirrored = async (sessionId: string) => (await redis.get(`revocations:session:${sessionId}`)) !== null;

/** What Redis does from now on, as "set some:key". */
async function watchRedis() {
  const seen: string[] = [];
  const client = createRedis({ url: server.url, log: identity.deps.log });
  await redisReady(client);
  const monitor = await client.monitor();
  monitor.on("monitor", (_: string, [command, key]: string[]) => seen.push(`${command?.toLowerCase()} ${key}`));
  const unwatch = () => [client, monitor].forEach((connection) => connection.disconnect());
  return { seen, unwatch };
}

/** A session that was ended by logging out. */
async function ended() {
  const tenant = await newTenant(identity);
  await tenant.customer("amina");
  const { accessToken } = await tenant.login("amina");
  const { sid, sub, iat } = decodeJwt(accessToken);
  const call = inTenant(tenant.tenantId, accessToken);
  const logout = () => identity.rpc.gateway.logout({}, call);
  const subject = { sessionId: sid as string, userId: sub!, issuedAt: new Date(iat! * 1_000) };
  return { call, logout, subject, sessionId: sid as string };
}

test("the mirror says that it is complete, for a second at a time", async () => {
  await isComplete();
  const left = await redis.pttl("revocations:complete");
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(1_000);
  await outlast(1_100);
  expect(await complete()).toBe("1");
});

test("a Redis that was emptied is not complete again before all revocations are back", async () => {
  const sessions = [await ended(), await ended(), await ended()];
  for (const { logout } of sessions) await logout();
  await waitFor(async () => (await identity.db.collection("revocations").countDocuments({ mirrored: false })) === 0);
  const watching = identity.clientOf("wallet");
  const { seen, unwatch } = await watchRedis();

  const answers = await redis.multi().flushdb().get("revocations:complete").exec();
  expect(answers![1]).toEqual([null, null]);
  // Meanwhile the answer comes from MongoDB.
  await expect(watching.checkRevocation(sessions[0]!.subject, inTenant(""))).resolves.toEqual({ revoked: true });
  await isComplete();
  for (const { sessionId } of sessions) expect(await mirrored(sessionId)).toBe(true);
  unwatch();
  // It may have been renewed once more before it was emptied.
  const since = seen.slice(seen.indexOf("flushdb undefined") + 1);
  expect(since.length).toBeLessThan(seen.length);
  const firstRenewal = since.indexOf("set revocations:complete");
  for (const { sessionId } of sessions) {
    const published = since.indexOf(`set revocations:session:${sessionId}`);
    expect(published).toBeGreaterThanOrEqual(0);
    expect(published).toBeLessThan(firstRenewal);
  }
});

test("a Redis that was restarted, even with old data, is loaded anew", async () => {
  const { logout, sessionId } = await ended();
  await logout();
  await isComplete();
  // What a replica that lagged behind would look like after it was promoted: all is there but the
  // newest revocation.
  await redis.del(`revocations:session:${sessionId}`);
  await redis.set(revocationKeys.loaded, "the run id of the one before");
  await redis.del("revocations:complete");
  await waitFor(() => mirrored(sessionId));
  await isComplete();
});

test("without Redis logging out holds, and when Redis is back it knows", async () => {
  const { call, logout, subject, sessionId } = await ended();
  const port = server.port;
  await server.kill();
  await logout();
  await expect(identity.rpc.gateway.getOrganisationPreference({}, call)).rejects.toMatchObject({
    code: "TOKEN_REVOKED",
  });
  await expect(identity.rpc.wallet.checkRevocation(subject, inTenant(""))).resolves.toEqual({ revoked: true });
  server = await startRedis({ dir: folder, port });
  await isComplete();
  expect(await mirrored(sessionId)).toBe(true);
});

test("a replica that cannot reach Redis answers a log-out only once no other can vouch for a mirror without it", async () => {
  const store = {
    streamUnmirrored: async function* () {},
    markMirrored: async () => {},
    streamLiveRevocations: async function* () {},
  };
  const away = createRedis({ url: "redis://127.0.0.1:1", log: identity.deps.log });
  const { clock, log } = identity.deps;
  const mirror = createRevocationMirror({ store: store as never, redis: away, clock, log });
  const started = performance.now();
  const at = clock.now();
  await mirror.publish({ kind: "session", subjectId: "s", issuedBefore: at, expiresAt: at });
  expect(performance.now() - started).toBeGreaterThanOrEqual(lapseMs - 50);
  away.disconnect();
});

test("what another replica committed but could not tell is told before the mirror is vouched for again", async () => {
  await isComplete();
  const at = identity.deps.clock.now();
  await identity.db.collection("revocations").insertOne({
    _id: "session:untold" as never,
    tenantId: "t",
    kind: "session",
    subjectId: "untold",
    issuedBefore: at,
    expiresAt: new Date(at.getTime() + 60_000),
    mirrored: false,
  });
  await waitFor(() => mirrored("untold"));
  await waitFor(
    async () =>
      (await identity.db.collection("revocations").findOne({ _id: "session:untold" as never }))?.["mirrored"] === true,
  );
});

test("a held tenant's revocations reach Redis and do not keep the mirror from being vouched for", async () => {
  await isComplete();
  const { db } = identity;
  const hold = (...tenantIds: string[]) =>
    db.command({ collMod: "revocations", validator: holdOf(tenantIds), validationLevel: "strict" });
  const revocations = db.collection<{ _id: string; mirrored?: boolean }>("revocations");
  const at = identity.deps.clock.now();
  // More than one batch, so that those of others behind them count too.
  const rows = Array.from({ length: 501 }, (_, n) => ({
    _id: `session:held${n}`,
    tenantId: n === 500 ? "free" : "held",
    kind: "session",
    subjectId: `held${n}`,
    issuedBefore: at,
    expiresAt: new Date(at.getTime() + 60_000),
    mirrored: false,
  }));
  await hold("held");
  await revocations.insertMany(rows, { bypassDocumentValidation: true });
  await waitFor(async () => (await revocations.findOne({ _id: "session:held500" }))?.mirrored === true);
  for (const id of ["held0", "held499", "held500"]) expect(await mirrored(id)).toBe(true);
  await redis.del("revocations:complete");
  await isComplete();
  expect(await revocations.countDocuments({ mirrored: false })).toBe(500);
  await hold();
  // Who is held is believed for five seconds.
  await waitFor(async () => (await revocations.countDocuments({ mirrored: false })) === 0, { timeoutMs: 25_000 });
});

test("a Redis that may evict keys is never vouched for", async () => {
  await isComplete();
  await redis.config("SET", "maxmemory-policy", "volatile-lru");
  await waitFor(async () => (await complete()) === null, { what: "the lapse" });
  await nothingFor(700);
  expect(await complete()).toBeNull();
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await isComplete();
});

test("of two revocations of one user the later stands, in whatever order Redis hears of them", async () => {
  const at = identity.deps.clock.now();
  const store = {
    streamUnmirrored: async function* () {},
    markMirrored: async () => {},
    streamLiveRevocations: async function* () {},
  };
  const mirror = createRevocationMirror({
    store: store as never,
    redis,
    clock: identity.deps.clock,
    log: identity.deps.log,
  });
  const revocation = (ms: number, kind: "user" | "session" = "user") => ({
    kind,
    subjectId: "u1",
    issuedBefore: new Date(at.getTime() + ms),
    expiresAt: new Date(at.getTime() + 60_000),
  });
  await mirror.publish(revocation(5));
  await mirror.publish(revocation(3));
  expect(await redis.get("revocations:user:u1")).toBe(String(at.getTime() + 5));
  // A session that is to end later ends at the earlier of two times.
  for (const ms of [9_000, 7_000, 8_000]) await mirror.publish(revocation(ms, "session"));
  expect(await redis.get("revocations:session:u1")).toBe(String(at.getTime() + 7_000));
});

test("a mirror without MongoDB is not vouched for", async () => {
  const other = createRedis({ url: `${server.url}/3`, log: identity.deps.log });
  await waitFor(() => other.status === "ready");
  let fail = false;
  const store = {
    // eslint-disable-next-line require-yield
    async *streamUnmirrored() {
      if (fail) throw new Error("away");
    },
    markMirrored: async () => {},
    streamLiveRevocations: async function* () {},
  };
  const { clock, log } = identity.deps;
  const mirror = createRevocationMirror({ store: store as never, redis: other, clock, log });
  mirror.start();
  await waitFor(async () => (await other.get("revocations:complete")) === "1");
  fail = true;
  await waitFor(async () => (await other.get("revocations:complete")) === null, { what: "the lapse" });
  fail = false;
  await waitFor(async () => (await other.get("revocations:complete")) === "1");
  await mirror.stop();
  other.disconnect();
});

test("a load during which Redis is emptied does not count", async () => {
  const other = createRedis({ url: `${server.url}/4`, log: identity.deps.log });
  await waitFor(() => other.status === "ready");
  const { clock, log } = identity.deps;
  let loads = 0;
  const store = {
    streamUnmirrored: async function* () {},
    markMirrored: async () => {},
    async *streamLiveRevocations() {
      loads += 1;
      const at = clock.now();
      const expiresAt = new Date(at.getTime() + 60_000);
      yield {
        _id: "session:a",
        tenantId: "t",
        kind: "session",
        subjectId: "a",
        issuedBefore: at,
        expiresAt,
        mirrored: true,
      };
      if (loads === 1) await other.flushdb();
      expect(await other.get("revocations:complete")).toBeNull();
    },
  };
  const mirror = createRevocationMirror({ store: store as never, redis: other, clock, log });
  mirror.start();
  await waitFor(async () => (await other.get("revocations:complete")) === "1");
  expect(loads).toBe(2);
  expect(await other.get("revocations:session:a")).not.toBeNull();
  await mirror.stop();
  other.disconnect();
});

test("rests while nobody asks, and whoever asks finds no mirror that is not complete, and wakes it", async () => {
  const own = await startRedis({ dir: join(folder, "resting") });
  const other = createRedis({ url: own.url, log: identity.deps.log });
  await redisReady(other);
  const { clock, log } = identity.deps;
  const tellings = { unmirrored: 0 };
  const store = {
    streamUnmirrored: async function* () {
      tellings.unmirrored += 1;
      yield* [];
    },
    markMirrored: async () => {},
    async *streamLiveRevocations() {},
  };
  const mirror = createRevocationMirror({ store: store as never, redis: other, clock, log, restAfterMs: 500 });
  const isThere = async () => (await other.get("revocations:complete")) === "1";
  mirror.start();
  await waitFor(isThere);
  await waitFor(async () => !(await isThere()));
  const readings = tellings.unmirrored;
  await nothingFor(1_000);
  expect(tellings.unmirrored).toBe(readings);
  expect(await isThere()).toBe(false);
  mirror.wake();
  await waitFor(isThere);
  expect(tellings.unmirrored).toBeGreaterThan(readings);
  await mirror.stop();
  other.disconnect();
  await own.stop();
});
