import { createHash, createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKeySet, readPrivateKey } from "../../services/kernel/tokens/key-files.js";
import { memorySecrets } from "../../test/support/memory-secrets.js";
import { silentLog } from "../../test/support/index.js";
import { makeSecrets, type SecretStore } from "./make-secrets.js";
import type { SecretPlan } from "./plan.js";

const services = ["identity", "wallet", "operator"];
const plan: SecretPlan = {
  labels: { "manilla/release": "m" },
  keys: { secret: "m-keys", services, masterKey: true, marker: "m-keys-made" },
  tls: {
    authority: "m-ca",
    certificates: { identity: "m-identity-tls", wallet: "m-wallet-tls" },
    trustDomain: "m.internal",
    days: 365,
    renewAfterDays: 90,
  },
  mongodb: { secret: "m-mongodb", host: "db:27017", databasePrefix: "manilla", services: ["identity", "wallet"] },
  redis: { secret: "m-redis", host: "redis:6379" },
  partner: { secret: "m-partner" },
};

const make = (wanted: SecretPlan, store: SecretStore) => makeSecrets(wanted, store, silentLog);
const contents = (store: ReturnType<typeof memorySecrets>) =>
  Object.fromEntries([...store.secrets].map(([name, { entries }]) => [name, entries]));

async function made(wanted = plan) {
  const store = memorySecrets();
  await make(wanted, store);
  return store;
}

/** A store that a process is killed in at its call `at`: before the call is done, or after it. */
function dying(store: SecretStore, at: number, isDone: boolean): SecretStore {
  let calls = 0;
  const through =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      calls += 1;
      if (calls === at && !isDone) throw new Error("killed");
      const result = await call(...given);
      if (calls === at) throw new Error("killed");
      return result;
    };
  return { get: through(store.get), create: through(store.create), change: through(store.change) };
}

test("makes every secret, each with its labels and the type that its readers expect", async () => {
  const store = await made();
  expect([...store.secrets.values()].map(({ name, type, labels }) => [name, type, labels]).toSorted()).toEqual(
    [
      ["m-ca", "kubernetes.io/tls"],
      ["m-identity-tls", "kubernetes.io/tls"],
      ["m-keys", "Opaque"],
      ["m-keys-made", "Opaque"],
      ["m-mongodb", "Opaque"],
      ["m-partner", "Opaque"],
      ["m-redis", "Opaque"],
      ["m-wallet-tls", "kubernetes.io/tls"],
    ].map(([name, type]) => [name, type, plan.labels]),
  );
});

test("run again it changes nothing, as often as it is", async () => {
  const store = await made();
  const before = structuredClone([...store.secrets]);
  for (let times = 0; times < 3; times++) await make(plan, store);
  expect([...store.secrets]).toEqual(before);
});

test("killed at any of its calls, done or not, the next run completes it and replaces nothing", async () => {
  const one = { ...plan.tls!, certificates: { wallet: "m-wallet-tls" } };
  const small = { ...plan, keys: { ...plan.keys!, services: ["wallet"] }, tls: one };
  let at = 0;
  for (let isOver = false; !isOver;) {
    at += 1;
    for (const isDone of [true, false]) {
      const store = memorySecrets();
      isOver = await make(small, dying(store, at, isDone)).then(
        () => true,
        () => false,
      );
      const before = contents(store);
      await make(small, store);
      expect([...store.secrets.keys()]).toHaveLength(7);
      for (const [name, entries] of Object.entries(before)) expect(contents(store)[name]).toEqual(entries);
    }
  }
  // Two calls a secret, and a look at the marker before the keys.
  expect(at).toBe(16);
}, 180_000);

test("two that run at once end with one set of secrets, and certificates of its one authority", async () => {
  const store = memorySecrets();
  await Promise.all([make(plan, store), make(plan, store), make(plan, store)]);
  const authority = new X509Certificate(contents(store)["m-ca"]!["tls.crt"]!);
  for (const service of ["identity", "wallet"]) {
    const entries = contents(store)[`m-${service}-tls`]!;
    expect(new X509Certificate(entries["tls.crt"]!).verify(authority.publicKey)).toBe(true);
    expect(entries["ca.crt"]).toBe(contents(store)["m-ca"]!["tls.crt"]);
  }
});

test("a service that is new gets its keys, user and certificate; what was there stays as it was", async () => {
  const store = await made();
  const before = contents(store);
  await make(
    {
      ...plan,
      keys: { ...plan.keys!, services: [...services, "events"] },
      tls: { ...plan.tls!, certificates: { ...plan.tls!.certificates, events: "m-events-tls" } },
      mongodb: { ...plan.mongodb!, services: ["identity", "wallet", "events"] },
    },
    store,
  );
  const after = contents(store);
  const { "services.crt": bundleBefore, ...keysBefore } = before["m-keys"]!;
  expect(after["m-keys"]).toMatchObject(keysBefore);
  expect(after["m-keys"]!["services.crt"]).toContain(bundleBefore!.trim());
  expect(after["m-keys"]!["services.crt"]).toContain(after["m-keys"]!["events.crt"]!.trim());
  expect(after["m-mongodb"]).toMatchObject(before["m-mongodb"]!);
  expect(after["m-mongodb"]!["events-uri"]).toMatch(
    /^mongodb:\/\/manilla_events:[0-9a-f]{48}@db:27017\/manilla_events\?/,
  );
  expect(after["m-wallet-tls"]).toEqual(before["m-wallet-tls"]);
  expect(after["m-events-tls"]!["tls.crt"]).toContain("BEGIN CERTIFICATE");
});

test("entries that somebody has put there stay, and the certificate of a key that is replaced is still trusted", async () => {
  const store = await made();
  const seen = (await store.get("m-keys"))!;
  await store.change(seen, { "previous.wallet.crt": seen.entries["identity.crt"]!, "master-2.key": "of the operator" });
  await make(plan, store);
  const keys = contents(store)["m-keys"]!;
  expect(keys).toMatchObject({ "master.key": seen.entries["master.key"], "master-2.key": "of the operator" });
  expect(keys["services.crt"]!.match(/BEGIN CERTIFICATE/g)).toHaveLength(services.length + 1);
});

test("a service that is off keeps its certificate among the trusted, for the rollback that turns it on again", async () => {
  const store = await made();
  const before = contents(store)["m-keys"]!;
  const fewer = { ...plan, keys: { ...plan.keys!, services: ["identity", "operator"] } };
  await make(fewer, store);
  const off = contents(store)["m-keys"]!["services.crt"]!;
  expect(off).toContain(before["wallet.crt"]!.trim());
  expect(off.match(/BEGIN CERTIFICATE/g)).toHaveLength(services.length);
  await make(plan, store);
  expect(contents(store)["m-keys"]).toEqual(before);
});

describe("a master key that is gone is no reason for another one", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const losses: [string, string, (store: ReturnType<typeof memorySecrets>) => void][] = [
    ["the whole secret", "secret m-keys with master.key is gone", ({ secrets }) => secrets.delete("m-keys")],
    [
      "its entry",
      "secret m-keys has no master.key",
      ({ secrets }) => {
        const { "master.key": _, ...rest } = secrets.get("m-keys")!.entries;
        secrets.set("m-keys", { ...secrets.get("m-keys")!, entries: rest });
      },
    ],
  ];

  test.each(losses)("%s: it fails, changes nothing, and tells which copy to put back", async (_what, stated, lose) => {
    const store = await made();
    const masterKey = contents(store)["m-keys"]!["master.key"]!;
    lose(store);
    const left = contents(store);
    const refusal = await make(plan, store).catch((error: Error) => error.message);
    expect(refusal).toContain(`${stated}: put it back from your copy (as made, its SHA-256 was ${sha256(masterKey)})`);
    expect(refusal).toContain("delete secret m-keys-made");
    expect(refusal).not.toContain(masterKey);
    expect(contents(store)).toEqual(left);
  });

  test.each(losses)("%s: once the marker is deleted another is made, and marked", async (_what, _stated, lose) => {
    const store = await made();
    lose(store);
    store.secrets.delete("m-keys-made");
    await make(plan, store);
    const after = contents(store);
    expect(after["m-keys-made"]).toEqual({ "master.key.sha256": sha256(after["m-keys"]!["master.key"]!) });
  });

  test("the copy that is put back is taken, and the marker stays as it was made after a rotation too", async () => {
    const store = await made();
    const stored = structuredClone(store.secrets.get("m-keys")!);
    const marker = store.secrets.get("m-keys-made");
    store.secrets.delete("m-keys");
    await store.create({
      ...stored,
      entries: { ...stored.entries, "master.key": `${stored.entries["master.key"]}\nsecond` },
    });
    await make(plan, store);
    expect(contents(store)["m-keys"]!["master.key"]).toBe(`${stored.entries["master.key"]}\nsecond`);
    expect(store.secrets.get("m-keys-made")).toBe(marker);
  });

  test("where no service reads it from a file it is not asked for; one that is there stays", async () => {
    const elsewhere = { ...plan, keys: { ...plan.keys!, masterKey: false } };
    const fresh = await made(elsewhere);
    expect(Object.keys(contents(fresh)["m-keys"]!)).not.toContain("master.key");
    expect([...fresh.secrets.keys()]).not.toContain("m-keys-made");
    const moved = await made();
    const before = contents(moved);
    await make(elsewhere, moved);
    expect(contents(moved)).toEqual(before);
    losses[1]![2](moved);
    await make(elsewhere, moved);
    expect(Object.keys(contents(moved)["m-keys"]!)).not.toContain("master.key");
  });
});

test("a password that is changed by hand is in the URI after the next run", async () => {
  const store = await made();
  await store.change((await store.get("m-mongodb"))!, { "wallet-password": "another" });
  await store.change((await store.get("m-redis"))!, { password: "secret" });
  await make(plan, store);
  expect(contents(store)["m-mongodb"]!["wallet-uri"]).toContain("manilla_wallet:another@db");
  expect(contents(store)["m-redis"]).toMatchObject({
    url: "redis://:secret@redis:6379",
    "auth.conf": "requirepass secret\n",
  });
});

test("certificates are renewed when they are due, by the same authority, and only then", async () => {
  const store = await made();
  const before = contents(store);
  const atOnce = { ...plan, tls: { ...plan.tls!, renewAfterDays: 0 } };
  await make(atOnce, store);
  const after = contents(store);
  expect(after["m-ca"]).toEqual(before["m-ca"]);
  expect(after["m-keys"]).toEqual(before["m-keys"]);
  expect(after["m-wallet-tls"]!["tls.crt"]).not.toBe(before["m-wallet-tls"]!["tls.crt"]);
  // Another name: the one before is no service's any more.
  await make({ ...plan, tls: { ...plan.tls!, trustDomain: "other.internal" } }, store);
  const renamed = new X509Certificate(contents(store)["m-wallet-tls"]!["tls.crt"]!);
  expect(renamed.subjectAltName).toBe("DNS:wallet.other.internal");
});

test("an authority of the operator's own whose key is SEC1 signs as one whose key is PKCS #8", async () => {
  const store = await made();
  const seen = (await store.get("m-ca"))!;
  const sec1 = createPrivateKey(seen.entries["tls.key"]!).export({ type: "sec1", format: "pem" });
  expect(sec1).toContain("BEGIN EC PRIVATE KEY");
  await store.change(seen, { "tls.key": sec1 as string });
  await make({ ...plan, tls: { ...plan.tls!, renewAfterDays: 0 } }, store);
  const leaf = new X509Certificate(contents(store)["m-wallet-tls"]!["tls.crt"]!);
  expect(leaf.verify(new X509Certificate(seen.entries["tls.crt"]!).publicKey)).toBe(true);
  expect(contents(store)["m-ca"]!["tls.key"]).toBe(sec1);
});

test("a second authority that is trusted while one replaces the other stays trusted when a certificate is renewed", async () => {
  const store = await made();
  const seen = (await store.get("m-wallet-tls"))!;
  const both = `${seen.entries["ca.crt"]}${seen.entries["tls.crt"]}`;
  await store.change(seen, { "ca.crt": both });
  await make({ ...plan, tls: { ...plan.tls!, renewAfterDays: 0 } }, store);
  expect(contents(store)["m-wallet-tls"]!["ca.crt"]).toBe(both);
});

test("services read their keys as they are made, and each key has its certificate", async () => {
  const keys = contents(await made())["m-keys"]!;
  const folder = mkdtempSync(join(tmpdir(), "manilla-secrets-"));
  for (const [name, text] of Object.entries(keys)) writeFileSync(join(folder, name), text);
  const { keys: known } = await readKeySet(join(folder, "services.crt"));
  expect(known.map(({ kid }) => kid)).toEqual(services);
  for (const service of services) {
    const { x } = await readPrivateKey(join(folder, `${service}.key`));
    expect(known.find(({ kid }) => kid === service)!["x"]).toBe(x);
  }
  expect(Buffer.from(keys["master.key"]!, "base64")).toHaveLength(32);
});

test("a certificate is its key's, names its service alone, and ends when it should", async () => {
  const { "tls.crt": certificate, "tls.key": key } = contents(await made())["m-wallet-tls"]! as Record<string, string>;
  const leaf = new X509Certificate(certificate!);
  const spki = { type: "spki", format: "pem" } as const;
  expect(createPublicKey(createPrivateKey(key!)).export(spki)).toBe(leaf.publicKey.export(spki));
  expect([leaf.subjectAltName, leaf.ca]).toEqual(["DNS:wallet.m.internal", false]);
  expect(Math.round((Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / 86_400_000)).toBe(365);
});

test("a secret that others change each time is given up by its name", async () => {
  const store = memorySecrets();
  const restless: SecretStore = { ...store, create: async () => false };
  await expect(make(plan, restless)).rejects.toThrow("secret m-keys was changed by others each of 10 times");
});
