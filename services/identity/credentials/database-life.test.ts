import type { Redis } from "ioredis";
import { silentLog, testDatabase, testRedis, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { keepDatabaseLife } from "./database-life.js";

let database: TestDatabase;
let redis: Redis;

beforeAll(async () => {
  database = await testDatabase("database_life");
  redis = await testRedis();
});
afterAll(async () => {
  await redis.quit();
  await database.close();
});

interface Life {
  _id: string;
  life: string;
  beat: bigint;
}

const lives = () => database.db.db!.collection<Life>("lives");
const comment = "acrossTenants:as a restore does it";
const stored = async () => (await lives().findOne({ _id: "identity" }, { comment }))!;
const noted = async () => BigInt((await redis.get(`identity:life:${(await stored()).life}`)) ?? -1);
/** The database as it was copied, in place of what it became. */
const restore = ({ _id, ...copy }: Life) => lives().replaceOne({ _id }, copy, { comment });
const start = () => keepDatabaseLife({ db: database.db, redis, log: silentLog, beatEveryMs: 20 });

/** Runs until so many beats were noted. */
async function live(beats: bigint): Promise<void> {
  const running = await start();
  const until = (await stored()).beat + beats;
  await waitFor(async () => (await noted()) >= until, { what: "the beats to be noted" });
  await running.stop();
}

test("a restored copy starts only once what people were signed in by was ended", async () => {
  await live(2n);
  const copy = await stored();
  await live(2n);
  // The same database, as often as it is started, also by two at once.
  for (const one of await Promise.all([start(), start()])) await one.stop();

  await restore(copy);
  for (let tries = 0; tries < 2; tries++) await expect(start()).rejects.toThrow(/older copy.*tenant end-sessions/);
  // As `tenant end-sessions` leaves it.
  await restore({ ...copy, life: "another", beat: 0n });
  await live(2n);
  expect(await stored()).toMatchObject({ life: "another" });
});

test("a Redis that was emptied, and a copy of now, say nothing against a start", async () => {
  await live(1n);
  await restore(await stored());
  await live(1n);
  await redis.del(`identity:life:${(await stored()).life}`);
  await live(1n);
});
