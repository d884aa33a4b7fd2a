import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mongo } from "mongoose";
import { z } from "zod";
import { readConfig } from "../../services/kernel/process/config.js";
import { createLogger } from "../../services/kernel/process/log.js";

/**
 * Runs beside the embedded mongod: makes the replica set of one, the administrator and a user per
 * service that can open its own database only, and keeps their passwords as the secret says. Safe
 * to start over at any point.
 */
const config = readConfig(
  z.object({
    /**
     * Folder with root-password and a <service>-password for each that has a database; one that is
     * new comes while this runs.
     */
    SECRETS_DIR: z.string(),
    /** host:port by which the node is known. */
    REPLICA_SET_HOST: z.string(),
    DATABASE_PREFIX: z.string(),
    MONGODB_PORT: z.coerce.number().int().default(27_017),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  }),
);
const log = createLogger({ service: "mongodb-setup", level: config.LOG_LEVEL });
const restoringRole = "manillaRestore";
const passwordEnding = "-password";
const pollEveryMs = 10_000;
const retryMs = 1_000;

const code = { unauthorized: 13, authenticationFailed: 18, userNotFound: 11 };

interface Passwords {
  root: string;
  services: Map<string, string>;
}

let done: string | undefined;
for (;;) {
  try {
    const passwords = await readPasswords();
    const wanted = JSON.stringify([passwords.root, ...passwords.services]);
    // A mongod that lost its data has no users: look each time, write only what differs.
    if (!(await isSetUp(passwords.root)) || wanted !== done) {
      await setUp(passwords);
      done = wanted;
      log.info({ services: [...passwords.services.keys()] }, "replica set and users are as they should be");
    }
    await sleep(pollEveryMs);
  } catch (error) {
    log.info({ reason: (error as Error).message.slice(0, 200) }, "not yet");
    await sleep(retryMs);
  }
}

async function readPasswords(): Promise<Passwords> {
  const read = async (name: string) => (await readFile(join(config.SECRETS_DIR, name), "utf8")).trim();
  const files = (await readdir(config.SECRETS_DIR)).filter((name) => name.endsWith(passwordEnding));
  const names = files.map((name) => name.slice(0, -passwordEnding.length)).filter((name) => name !== "root");
  const services = await Promise.all(names.map(async (name) => [name, await read(`${name}-password`)] as const));
  return { root: await read("root-password"), services: new Map(services) };
}

/**
 * Runs in mongod's pod: before there is a user, mongod lets any client on the loopback make the
 * first one.
 */
async function withClient<T>(
  password: string | undefined,
  work: (client: mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${config.MONGODB_PORT}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    maxPoolSize: 2,
    ...(password === undefined ? {} : { auth: { username: "root", password }, authSource: "admin" }),
  });
  try {
    return await work(await client.connect());
  } finally {
    await client.close();
  }
}

async function isSetUp(rootPassword: string): Promise<boolean> {
  try {
    return await withClient(rootPassword, async (client) => {
      const hello = await client.db("admin").command({ hello: 1 });
      return hello["isWritablePrimary"] === true;
    });
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === code.authenticationFailed) return false;
    throw error;
  }
}

async function setUp({ root, services }: Passwords): Promise<void> {
  const hasRoot = await canLogIn(root);
  if (!hasRoot) await withClient(undefined, (client) => makeReplicaSet(client.db("admin"), root));
  await withClient(root, async (client) => {
    if (hasRoot) await makeReplicaSet(client.db("admin"), undefined);
    await putRestoringRole(client.db("admin"));
    for (const [service, password] of services) {
      const database = `${config.DATABASE_PREFIX}_${service}`;
      await putUser(client.db(database), database, password, [{ role: "readWrite", db: database }]);
    }
  });
}

async function canLogIn(password: string): Promise<boolean> {
  try {
    return await withClient(password, async () => true);
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === code.authenticationFailed) return false;
    throw error;
  }
}

/**
 * Makes the replica set where there is none and waits for the primary; then the administrator where
 * a password is given.
 */
async function makeReplicaSet(admin: mongo.Db, rootPassword: string | undefined): Promise<void> {
  const hello = await admin.command({ hello: 1 });
  if (hello["setName"] === undefined && hello["isWritablePrimary"] !== true) {
    const members = [{ _id: 0, host: config.REPLICA_SET_HOST }];
    await admin.command({ replSetInitiate: { _id: "manilla", members } });
    log.info({ host: config.REPLICA_SET_HOST }, "replica set made");
  }
  while ((await admin.command({ hello: 1 }))["isWritablePrimary"] !== true) await sleep(200);
  if (rootPassword !== undefined) await putUser(admin, "root", rootPassword, ["root"]);
}

/** What mongorestore needs beyond root to replay the operations of a dump. */
async function putRestoringRole(admin: mongo.Db): Promise<void> {
  const { roles } = await admin.command({ rolesInfo: restoringRole });
  if ((roles as unknown[]).length > 0) return;
  const privileges = [{ resource: { anyResource: true }, actions: ["anyAction"] }];
  await admin.command({ createRole: restoringRole, privileges, roles: [] });
  await admin.command({ grantRolesToUser: "root", roles: [restoringRole] });
}

async function putUser(
  db: mongo.Db,
  name: string,
  pwd: string,
  roles: (string | { role: string; db: string })[],
): Promise<void> {
  try {
    await db.command({ updateUser: name, pwd, roles });
  } catch (error) {
    const isNew =
      error instanceof mongo.MongoServerError && [code.userNotFound, code.unauthorized].includes(Number(error.code));
    if (!isNew) throw error;
    await db.command({ createUser: name, pwd, roles });
    log.info({ user: name }, "user made");
  }
}
