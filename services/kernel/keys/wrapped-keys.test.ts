import { randomBytes } from "node:crypto";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { createDataKeys, dataKeyCollection, dataKeyIndexes } from "./data-keys.js";
import { createIndexes } from "../mongo/migrations.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { Refusal } from "../refusal.js";
import { createMetrics } from "../telemetry/metrics.js";
import { createLocalKey } from "./file-keys.js";
import { joinKeys } from "./joined-keys.js";
import type { KeyWrapper } from "./key-wrapper.js";
import { awaitMasterKey, createMasterKeyIndexes } from "./wrapped-keys.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("master_keys");
  await createMasterKeyIndexes(database.db);
  await createIndexes(database.db, dataKeyCollection, [...dataKeyIndexes]);
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const name of [dataKeyCollection, "master_keys"]) {
    await acrossTenants(database.db, name, "an empty database for a test").deleteMany({});
  }
});

/** Versions that open side by side; the last one wraps. */
function versionsOf(...keys: KeyWrapper[]): KeyWrapper {
  const known = new Map<string, KeyWrapper>();
  const ready = Promise.all(keys.map(async (key) => known.set(await key.newest(), key)));
  const newest = keys.at(-1)!;
  const ownerOf = async ({ masterKeyId }: { masterKeyId: string }) => (await ready, known.get(masterKeyId) ?? newest);
  return {
    ...newest,
    unwrap: async (wrapped, context) => (await ownerOf(wrapped)).unwrap(wrapped, context),
    rewrap: async (wrapped, context) => newest.wrap(await (await ownerOf(wrapped)).unwrap(wrapped, context), context),
  };
}

const purposes = ["a", "b", "c", "d", "e"];
const dataKeysOf = (wrapper: KeyWrapper, purpose = "a") =>
  createDataKeys({ db: database.db, wrapper, service: "remittance", purpose });
const newKey = () => createLocalKey(randomBytes(32));

/** A value sealed for each purpose, each under a data key of its own. */
async function sealedUnder(wrapper: KeyWrapper) {
  return Promise.all(
    purposes.map(async (purpose) => ({ purpose, field: await dataKeysOf(wrapper, purpose).seal(purpose, "here") })),
  );
}

async function assertReadable(sealed: Awaited<ReturnType<typeof sealedUnder>>, wrapper: KeyWrapper): Promise<void> {
  for (const { purpose, field } of sealed) {
    expect(await dataKeysOf(wrapper, purpose).open(field, "here")).toBe(purpose);
  }
}

test("a rotation wraps every key anew in batches, and what they sealed stays readable all the while", async () => {
  const [old, anew] = [newKey(), newKey()];
  const sealed = await sealedUnder(old);
  const both = versionsOf(old, anew);
  const { wrapped } = dataKeysOf(both);
  expect(await wrapped.countBehind()).toBe(5);
  for (const expected of [
    { rewrapped: 2, remaining: 3 },
    { rewrapped: 2, remaining: 1 },
    { rewrapped: 1, remaining: 0 },
    { rewrapped: 0, remaining: 0 },
  ]) {
    expect(await wrapped.rewrap(2)).toMatchObject(expected);
    await assertReadable(sealed, both);
  }
  await assertReadable(sealed, anew);
  expect(await wrapped.list()).toEqual(
    expect.arrayContaining([
      { masterKeyId: await old.newest(), keys: 0, isNewest: false },
      { masterKeyId: await anew.newest(), keys: 5, isNewest: true },
    ]),
  );
});

test("two rotations and new keys at the same time end with every key under the newest version", async () => {
  const [old, anew] = [newKey(), newKey()];
  const sealed = await sealedUnder(old);
  const both = versionsOf(old, anew);
  const late = dataKeysOf(both, "late");
  const [, , field] = await Promise.all([
    dataKeysOf(both).wrapped.rewrap(100),
    dataKeysOf(both).wrapped.rewrap(100),
    late.seal("late", "here"),
  ]);
  expect(await dataKeysOf(both).wrapped.countBehind()).toBe(0);
  await assertReadable([...sealed, { purpose: "late", field }], anew);
});

test("a version is retired only when it wraps nothing, and wraps nothing afterwards", async () => {
  const [old, anew] = [newKey(), newKey()];
  const sealed = await sealedUnder(old);
  const [oldId, newId] = [await old.newest(), await anew.newest()];
  const { wrapped } = dataKeysOf(versionsOf(old, anew));
  const conflict = { code: "STATE_CONFLICT" };
  await wrapped.rewrap(4);
  await expect(wrapped.retire(oldId, new Date())).rejects.toMatchObject(conflict);
  await wrapped.rewrap(4);
  await expect(wrapped.retire(newId, new Date())).rejects.toMatchObject(conflict);
  await wrapped.retire(oldId, new Date(1));
  await wrapped.retire(oldId, new Date(2));
  expect(await wrapped.list()).toContainEqual({ masterKeyId: oldId, keys: 0, isNewest: false, retiredAt: new Date(1) });
  // A process that has not heard of the new version.
  await expect(dataKeysOf(old, "stale").seal("text", "here")).rejects.toThrow(`${oldId} is retired`);
  expect((await wrapped.list()).find(({ masterKeyId }) => masterKeyId === oldId)?.keys).toBe(0);
  await assertReadable(sealed, anew);
});

test("of a retirement and a key that is stored at the same moment one is refused", async () => {
  for (let round = 0; round < 10; round++) {
    const [old, anew] = [newKey(), newKey()];
    const oldId = await old.newest();
    const { wrapped } = dataKeysOf(versionsOf(old, anew));
    const [stored, retired] = await Promise.allSettled([
      dataKeysOf(old, `race-${round}`).seal("text", "here"),
      wrapped.retire(oldId, new Date()),
    ]);
    const [version] = (await wrapped.list()).filter(({ masterKeyId }) => masterKeyId === oldId);
    expect(version!.keys).toBe(stored.status === "fulfilled" ? 1 : 0);
    expect(version!.retiredAt === undefined).toBe(retired.status === "rejected");
    expect([stored.status, retired.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  }
});

test("a key that would open to something else when wrapped anew stays as it was", async () => {
  const [old, anew] = [newKey(), newKey()];
  const sealed = await sealedUnder(old);
  const broken: KeyWrapper = {
    ...versionsOf(old, anew),
    rewrap: (_wrapped, context) => anew.wrap(randomBytes(32), context),
  };
  await expect(dataKeysOf(broken).wrapped.rewrap(100)).rejects.toThrow(/it stays as it was/);
  await assertReadable(sealed, old);
});

describe("while the key service is away", () => {
  const away = async () => {
    throw new Refusal("UNAVAILABLE", "the key service does not answer");
  };

  test("keys that were opened stay in use, one that was not is refused, and opened when it is back", async () => {
    const key = newKey();
    const [sealed] = await sealedUnder(key);
    let isAway = false;
    let calls = 0;
    const unsteady: KeyWrapper = {
      ...key,
      unwrap: (...args) => (calls++, isAway ? away() : key.unwrap(...args)),
    };
    const [before, after] = [dataKeysOf(unsteady), dataKeysOf(unsteady)];
    await before.openAll();
    expect(calls).toBe(1);
    isAway = true;
    expect(await before.open(sealed!.field, "here")).toBe("a");
    const refused = await Promise.allSettled([1, 2, 3].map(() => after.open(sealed!.field, "here")));
    for (const one of refused) expect(one).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
    // Who came meanwhile waited for the same call.
    expect(calls).toBe(2);
    isAway = false;
    expect(await after.open(sealed!.field, "here")).toBe("a");
  });

  test("a start tries again for as long as it may, and ends at once where the answer is no", async () => {
    let tries = 0;
    const work = async () => (++tries < 3 ? away() : "open");
    expect(await awaitMasterKey(work, 60, silentLog)).toBe("open");
    await expect(awaitMasterKey(away, 0, silentLog)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    tries = 0;
    const refused = async () => {
      tries++;
      throw new Error("no permission");
    };
    await expect(awaitMasterKey(refused, 60, silentLog)).rejects.toThrow("no permission");
    expect(tries).toBe(1);
  });

  test("every use of the master key is counted by what came of it", async () => {
    const metrics = createMetrics();
    const key = newKey();
    const context = { service: "identity", purpose: "mac", keyId: "1" };
    const keys = joinKeys({ ...key, unwrap: away }, [], metrics);
    const wrapped = await keys.wrap(randomBytes(32), context);
    await expect(keys.unwrap(wrapped, context)).rejects.toThrow(Refusal);
    await expect(keys.unwrap({ ...wrapped, masterKeyId: "vault:x/y:v1" }, context)).rejects.toThrow(/not set up here/);
    const { body } = await metrics.text();
    for (const labels of ['"wrap",result="ok"', '"unwrap",result="away"', '"unwrap",result="refused"']) {
      expect(body).toContain(`manilla_master_key_seconds_count{operation=${labels}} 1`);
    }
  });
});
