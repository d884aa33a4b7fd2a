import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog, testDatabase } from "../support/index.js";
import { runMigrations, type Migration } from "../../services/kernel/mongo/migrations.js";
import { wholeCollections } from "../../services/kernel/mongo/sharding.js";

// Where migrations meet a mongos, `createIndexes` shards what it is given by tenant: a collection
// that no migration names would stay on one shard, and a unique index that does not begin with the
// tenant could not be made.

const serviceNames = readdirSync("services").filter(
  (name) =>
    existsSync(join("services", name, "migrations.ts")) || existsSync(join("services", name, "store/migrations.ts")),
);

function sourcesOf(service: string): string[] {
  const folder = join("services", service);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
}

const migrationFile = (service: string) =>
  existsSync(join("services", service, "migrations.ts")) ? "migrations.ts" : "store/migrations.ts";

/** Names that a service's code gives to the openers of collections, as texts. */
function namedCollections(service: string): string[] {
  const names = sourcesOf(service).flatMap((text) =>
    [...text.matchAll(/(?:tenantCollection|recordCollection|acrossTenants)<[^(]*>\(\s*db,\s*"(\w+)"/g)].map(
      ([, name]) => name!,
    ),
  );
  const listed = sourcesOf(service).flatMap((text) =>
    [...text.matchAll(/ollections = \{([^}]*)\} as const/g)].flatMap(([, body]) =>
      [...body!.matchAll(/: "(\w+)"/g)].map(([, name]) => name!),
    ),
  );
  return [...new Set([...names, ...listed])].filter((name) => !wholeCollections.has(name));
}

/** Collections that migrations name: `createIndexes(db, X` and the shared ones. */
async function migrated(service: string) {
  const { migrations } = (await import(`../../services/${service}/${migrationFile(service)}`)) as {
    migrations: readonly Migration[];
  };
  const database = await testDatabase(`sharding_${service}`);
  try {
    await runMigrations(database.db, migrations, silentLog);
    const collections = await database.db.db!.listCollections().toArray();
    const indexes = await Promise.all(
      collections.map(async ({ name }) => ({ name, all: await database.db.db!.collection(name).indexes() })),
    );
    return indexes;
  } finally {
    await database.db.dropDatabase();
    await database.close();
  }
}

// They have no index but their _id: a migration names them, and makes nothing of them on one
// server.
const withoutIndexes: Record<string, readonly string[]> = { ledger: ["heads", "leases"] };

test.each(serviceNames)(
  "%s: migrations name every collection of tenants, and unique indexes begin with the tenant",
  async (service) => {
    const made = await migrated(service);
    const known = new Set([...made.map(({ name }) => name), ...(withoutIndexes[service] ?? [])]);
    expect(namedCollections(service).filter((name) => !known.has(name))).toEqual([]);
    const illegal = made
      .filter(({ name }) => !wholeCollections.has(name))
      .flatMap(({ name, all }) =>
        all
          .filter(({ key, unique }) => unique === true && Object.keys(key)[0] !== "tenantId")
          .map((index) => `${name}.${index.name}`),
      );
    expect(illegal).toEqual([]);
  },
);

test("all services with a database are looked at", () => {
  expect(serviceNames).toEqual(expect.arrayContaining(["compliance", "identity", "ledger", "remittance", "wallet"]));
});
