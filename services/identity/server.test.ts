import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { mongo } from "mongoose";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { ServiceName } from "../kernel/grpc/context.js";
import { readConfig } from "../kernel/process/config.js";
import { access } from "./access.js";
import { identityEnv } from "./config.js";
import { startIdentity } from "./server.js";
import { password } from "../../test/support/identity-drafts.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
} from "../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

describe("start", () => {
  test("with another master key fails with a sentence that says so, and touches nothing", async () => {
    const file = join(tmpdir(), `other-${randomBytes(4).toString("hex")}.key`);
    await writeFile(file, randomBytes(32).toString("base64"));
    const keys = () => identity.db.collection("keys").find().toArray();
    const before = await keys();
    await expect(startIdentity({ ...identity.config, MASTER_KEY_FILE: file }, identity.deps)).rejects.toThrow(
      /^the master key does not open the keys of this database: .* was stored under the master key [0-9a-f]{16}/,
    );
    expect(await keys()).toEqual(before);
  });

  test("again with the same keys: sessions and tokens of before are good", async () => {
    const tenant = await newTenant(identity);
    await tenant.customer("amina");
    const { accessToken, refreshToken } = await tenant.login("amina");
    identity.running.push(await startIdentity(identity.config, identity.deps));
    const gateway = identity.clientOf("gateway", identity.running.length - 1);
    const call = inTenant(tenant.tenantId, accessToken);
    await expect(gateway.getOrganisationPreference({}, call)).resolves.toBeDefined();
    await expect(gateway.refresh({ refreshToken }, call)).resolves.toBeDefined();
  });

  test("of several replicas at once on an empty database ends with one key of each purpose", async () => {
    const config = { ...identity.config, MONGODB_DATABASE: `test_identity_race_${randomBytes(3).toString("hex")}` };
    const replicas = await Promise.all([1, 2, 3].map(() => startIdentity(config, identity.deps)));
    const client = await new mongo.MongoClient(config.MONGODB_URI).connect();
    const db = client.db(config.MONGODB_DATABASE);
    const purposes = (await db.collection("keys").find().toArray()).map(({ purpose }) => purpose as string);
    expect(purposes.toSorted()).toEqual(["access-token", "mac", "personal-data", "refresh-token"]);
    for (const replica of replicas) await replica.stop();
    await db.dropDatabase();
    await client.close();
  });

  test("keys in the database are unreadable without the master key", async () => {
    const stored = JSON.stringify(await identity.db.collection("keys").find().toArray());
    expect(stored).not.toContain('"d":');
    expect(stored).not.toContain("PRIVATE");
  });
});

describe("who may call", () => {
  const rpcs = Object.keys(IdentityServiceDefinition.methods) as (keyof typeof access)[];
  const callers = ["gateway", "compliance", "remittance", "wallet", "ledger", "operator"] as const;

  test.each(rpcs)("%s refuses every caller that it does not name", async (rpc) => {
    for (const caller of callers) {
      const call = identity.rpc[caller][rpc]({} as never, inTenant("t")).then(
        () => "answered",
        ({ code }: { code: string }) => code,
      );
      const named = access[rpc].callers.includes(caller as ServiceName);
      if (named) await expect(call).resolves.not.toBe("CALLER_NOT_ALLOWED");
      else await expect(call).resolves.toBe("CALLER_NOT_ALLOWED");
    }
  });

  test("only the operator's credential makes tenants, only the gateway logs people in", () => {
    expect(access.putTenant.callers).toEqual(["operator"]);
    for (const rpc of ["login", "refresh", "logout"] as const) expect(access[rpc].callers).toEqual(["gateway"]);
    expect(access.verifyCredentials.callers).toEqual(["wallet", "remittance", "lending"]);
  });

  test("a user's token of one tenant is refused in another", async () => {
    const tenant = await newTenant(identity);
    await tenant.staff("MANAGER");
    const { accessToken } = await tenant.login("manager");
    const other = await newTenant(identity);
    const call = identity.rpc.gateway.getOrganisationPreference({}, inTenant(other.tenantId, accessToken));
    await expect(call).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("an expired access token is refused", async () => {
    const tenant = await newTenant(identity);
    await tenant.staff("MANAGER");
    const { accessToken } = await tenant.login("manager");
    identity.passMs(3_600_000 + 6_000);
    const call = identity.rpc.gateway.getOrganisationPreference({}, inTenant(tenant.tenantId, accessToken));
    await expect(call).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
  });

  test("keys and revocations are asked for above tenants", async () => {
    await expect(identity.rpc.ledger.getJwks({}, aboveTenants())).resolves.toBeDefined();
  });
});

describe("environment", () => {
  const env = {
    PORT: "0",
    MONGODB_URI: "mongodb://localhost",
    MONGODB_DATABASE: "manilla_identity",
    REDIS_URL: "redis://localhost",
    SERVICE_KEY_FILE: "k",
    SERVICE_JWKS_FILE: "j",
    MASTER_KEY_FILE: "m",
  };
  const read = (more: NodeJS.ProcessEnv) => readConfig(identityEnv, { ...env, ...more });
  const production = (memory: string, passes: string) => () =>
    read({ NODE_ENV: "production", ARGON2_MEMORY_KIB: memory, ARGON2_PASSES: passes });

  test("has OWASP's argon2id parameters where none are given, also in production", () => {
    expect(read({ NODE_ENV: "production" })).toMatchObject({ ARGON2_MEMORY_KIB: 19_456, ARGON2_PASSES: 2 });
  });

  test.each([
    ["47104", "1"],
    ["19456", "2"],
    ["12288", "3"],
    ["9216", "4"],
    ["7168", "5"],
  ])("takes %s KiB and %s passes in production, as OWASP does", (memory, passes) => {
    expect(production(memory, passes)).not.toThrow();
  });

  test.each([
    ["8", "1"],
    ["19456", "1"],
    ["7168", "4"],
    ["4096", "20"],
  ])("refuses %s KiB and %s passes in production as too weak", (memory, passes) => {
    expect(production(memory, passes)).toThrow(/ARGON2_MEMORY_KIB: is too weak for production/);
  });

  test("names everything that is missing at once", () => {
    expect(() => readConfig(identityEnv, {})).toThrow(/MONGODB_URI: is required[^]*SERVICE_KEY_FILE: is required/);
  });

  test.each([
    [{ MASTER_KEY_FILE: "" }, /MASTER_KEY_FILE: is required/],
    [{ MASTER_KEY_SOURCE: "aws" }, /MASTER_KEY_AWS_KEYS: is required/],
    [{ MASTER_KEY_SOURCE: "aws", MASTER_KEY_AWS_KEYS: "alias/manilla" }, /MASTER_KEY_AWS_KEYS: must be ARNs/],
    [{ MASTER_KEY_SOURCE: "vault" }, /MASTER_KEY_VAULT_ADDRESS: is[^]*_KEY: is[^]*_ROLE: is[^]*_JWT_FILE: is required/],
    [
      { NODE_ENV: "production", MASTER_KEY_SOURCE: "vault", MASTER_KEY_VAULT_ADDRESS: "http://vault" },
      /MASTER_KEY_VAULT_ADDRESS: must be https in production/,
    ],
  ])("refuses a master key of %j by the name of what is wrong", (more, message) => {
    expect(() => read(more)).toThrow(message);
  });
});

test("a password that was hashed with other parameters is hashed anew at the next login, and still opens", async () => {
  const tenant = await newTenant(identity);
  const { userId } = await tenant.customer("amina");
  const hashOf = async () =>
    (await identity.db.collection("users").findOne({ _id: userId as never }))!["passwordHash"] as string;
  const before = await hashOf();
  expect(before).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  await tenant.login("amina");
  expect(await hashOf()).toBe(before);

  identity.running.push(await startIdentity({ ...identity.config, ARGON2_PASSES: 3 }, identity.deps));
  const gateway = identity.clientOf("gateway", identity.running.length - 1);
  const login = { email: "amina@x.example", currentPassword: password };
  await gateway.login(login, inTenant(tenant.tenantId));
  const after = await hashOf();
  expect(after).toMatch(/^\$argon2id\$v=19\$m=8,t=3,p=1\$/);
  await gateway.login(login, inTenant(tenant.tenantId));
  expect(await hashOf()).toBe(after);
});
