import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import {
  hasFailPoints,
  holdFailPoints,
  silentLog,
  testDatabase,
  testMongoUri,
  testRedis,
  testTenant,
  type TestDatabase,
} from "../../../test/support/index.js";
import { systemClock } from "../clocks/clock.js";
import { connectMongo, type MongoConnection } from "../mongo/connect.js";
import { tenantCollection } from "../mongo/tenant-collection.js";
import { createRedis, type Redis } from "../redis.js";
import { Refusal, type RefusalCode } from "../refusal.js";
import { createIdempotency, createIdempotencyIndexes, runIdempotent, type Idempotency, type Scope } from "./index.js";

const appName = `run-idempotent-${randomUUID()}`;
// A message of one text, with an encoding of its own.
const response = {
  encode: (text: string) => ({ finish: () => new TextEncoder().encode(text) }),
  decode: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
};
let database: TestDatabase;
let failing: MongoConnection;
let redis: Redis;
let away: Redis;

beforeAll(async () => {
  database = await testDatabase("run_idempotent");
  const uri = `${testMongoUri()}&appName=${appName}`;
  failing = await connectMongo({ uri, database: database.database, log: silentLog });
  redis = await testRedis();
  away = createRedis({ url: "redis://127.0.0.1:1", log: silentLog });
  await createIdempotencyIndexes(database.db);
  await database.db.createCollection("effects");
});
afterAll(async () => {
  redis.disconnect();
  away.disconnect();
  await failing.close();
  await database.close();
});

describe.each([
  ["with Redis", () => redis],
  ["without Redis", () => away],
])("%s", (_, client) => {
  let idempotency: Idempotency;
  let scope: Scope;
  let replays: number;
  beforeEach(() => {
    const { db } = failing;
    idempotency = createIdempotency({ db, redis: client(), clock: systemClock, log: silentLog });
    scope = { tenantId: testTenant(), caller: "user-1", operation: "Open", key: randomUUID() };
    replays = 0;
  });

  const effects = () =>
    tenantCollection<{ _id: string; tenantId: string }>(failing.db, "effects").forTenant(scope.tenantId);
  const open = async (session: ClientSession) => {
    const _id = randomUUID();
    await effects().insertOne({ _id }, { session });
    return _id;
  };
  let askedForm = "1 Opened";
  let answeredIn: string[] = [];
  beforeEach(() => {
    askedForm = "1 Opened";
    answeredIn = [];
  });

  const run = (work: (session: ClientSession) => Promise<string> = open, fingerprint = "f") =>
    runIdempotent({
      db: failing.db,
      idempotency,
      scope,
      fingerprint,
      response,
      call: { markReplayed: () => void replays++, askedForm, answerIn: (form) => void answeredIn.push(form) },
      work,
    });

  test("gives every repetition the first answer and has one effect", async () => {
    const first = await run();
    expect(replays).toBe(0);
    expect([await run(), await run()]).toEqual([first, first]);
    expect(replays).toBe(2);
    expect(await effects().count({})).toBe(1);
  });

  test("a replay is in the form of the first answer, whatever the edge would answer in by now", async () => {
    await run();
    expect(answeredIn).toEqual([]);
    askedForm = "2 Account opened";
    await run();
    // From MongoDB too, where the replay cache had the first.
    idempotency = createIdempotency({ db: failing.db, redis: away, clock: systemClock, log: silentLog });
    await run();
    expect(answeredIn).toEqual(["1 Opened", "1 Opened"]);
  });

  test("fifty at once have one effect and one answer; the others wait or get it", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => run()));
    expect(await effects().count({})).toBe(1);
    const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(new Set(answers).size).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
    }
    expect(await run()).toBe(answers[0]);
  });

  test("two different requests with one key at once: one answer, one refusal", async () => {
    const outcomes = await Promise.allSettled([run(open, "f"), run(open, "g")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
    expect(await effects().count({})).toBe(1);
  });

  const refuse = (code: RefusalCode) => async (session: ClientSession) => {
    await open(session);
    throw new Refusal(code, "no", { figures: { limit: "1.00" } });
  };

  test.each<RefusalCode>(["INSUFFICIENT_FUNDS", "STATE_CONFLICT"])(
    "keeps %s as the answer, without its effect",
    async (code) => {
      const expected = { code, message: "no", details: { figures: { limit: "1.00" } } };
      await expect(run(refuse(code))).rejects.toMatchObject(expected);
      await expect(run()).rejects.toMatchObject(expected);
      expect(replays).toBe(1);
      expect(await effects().count({})).toBe(0);
    },
  );

  test.each<RefusalCode>(["INVALID_INPUT", "PASSWORD_WRONG", "NOT_FOUND", "UNAVAILABLE"])(
    "lets a corrected request through after %s",
    async (code) => {
      await expect(run(refuse(code))).rejects.toMatchObject({ code });
      expect(await run(open, "corrected")).toEqual(expect.any(String));
      expect(await effects().count({})).toBe(1);
    },
  );

  test("lets the request through after a fault", async () => {
    await expect(run(() => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
    expect(await run()).toEqual(expect.any(String));
  });

  (hasFailPoints ? test : test.skip)("answers once and the same when the commit's outcome was unknown", async () => {
    const letGo = await holdFailPoints();
    const admin = database.db.getClient().db("admin");
    const data = { appName, failCommands: ["commitTransaction"], writeConcernError: { code: 64, errmsg: "lost" } };
    await admin.command({ configureFailPoint: "failCommand", mode: { times: 3 }, data });
    const first = await run().finally(letGo);
    expect(await run()).toBe(first);
    expect(await effects().count({})).toBe(1);
  });
});
