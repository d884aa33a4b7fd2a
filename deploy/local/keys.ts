import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JSONWebKeySet } from "jose";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { makeServiceKeys } from "../../services/kernel/tokens/make-service-keys.js";
import type { KeyFiles } from "./cluster-file.js";
import { StartError } from "./start-error.js";

/**
 * Makes the keys that are not there (any more) in `<dataDir>/keys`: one per service, the
 * operator's, the master key, and the payout partner's.
 */
export async function prepareKeys(dataDir: string, services: readonly string[]): Promise<KeyFiles> {
  const folder = join(dataDir, "keys");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const fileOf = (name: string) => join(folder, `${name}.jwk.json`);
  const files: KeyFiles = {
    jwksFile: join(folder, "services.jwks.json"),
    operatorKeyFile: fileOf("operator"),
    masterKeyFile: join(folder, "master.key"),
    partnerFile: join(folder, "partner.json"),
    serviceKeyFiles: Object.fromEntries(services.map((name) => [name, fileOf(name)])),
  };
  await assertPartnerFile(files.partnerFile);
  const known = await readJwks(files.jwksFile);
  const names = [...services, "operator"];
  const there = await Promise.all(names.map(async (name) => (await readIfExists(fileOf(name))) !== undefined));
  const lost = new Set<string | undefined>(names.filter((_name, index) => !there[index]));
  const retained = known.keys.filter(({ kid }) => !lost.has(kid));
  const missing = names.filter((name) => !retained.some(({ kid }) => kid === name));
  if (missing.length > 0) {
    const list = (keys: object[]) => writeSecret(files.jwksFile, JSON.stringify({ keys }));
    // First without what was lost, last with what was made: a key that is listed has its
    // private half, whenever this ends.
    if (retained.length < known.keys.length) await list(retained);
    const made = await makeServiceKeys(missing as ServiceName[]);
    for (const [name, key] of Object.entries(made.private)) await writeSecret(fileOf(name), JSON.stringify(key));
    await list([...retained, ...made.jwks.keys]);
  }
  if ((await readIfExists(files.masterKeyFile)) === undefined) {
    await writeSecret(files.masterKeyFile, randomBytes(32).toString("base64"));
  }
  if ((await readIfExists(files.partnerFile)) === undefined) {
    const apiKey = randomBytes(24).toString("base64url");
    const callbackSecret = `whsec_${randomBytes(32).toString("base64")}`;
    await writeSecret(files.partnerFile, JSON.stringify({ apiKey, callbackSecret }));
  }
  return files;
}

async function readJwks(path: string): Promise<JSONWebKeySet> {
  const content = await readJsonIfExists(path);
  if (content === undefined) return { keys: [] };
  const { keys } = content as Partial<JSONWebKeySet>;
  if (!Array.isArray(keys)) throw damaged(path);
  return { ...content, keys };
}

async function assertPartnerFile(path: string): Promise<void> {
  const content = await readJsonIfExists(path);
  if (content === undefined) return;
  const { apiKey, callbackSecret } = content as Record<string, unknown>;
  if (typeof apiKey !== "string" || typeof callbackSecret !== "string") throw damaged(path);
}

/**
 * Undefined where there is no such file. Throws StartError for one that is cut off or holds
 * something else.
 */
async function readJsonIfExists(path: string): Promise<object | undefined> {
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === "object" && content !== null) return content;
  } catch {
    // The parser's message may quote a key.
  }
  throw damaged(path);
}

function damaged(path: string): StartError {
  return new StartError(`${path} is damaged: put a copy of it back, or delete it to have new keys made.`);
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function writeSecret(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
