import { randomBytes } from "node:crypto";
import { makeSigningPair } from "./certificates.js";
import type { Entries, Part } from "./plan.js";

const passwordBytes = 24;

/** Letters and digits that stand in a URI as they are. */
const newPassword = (): string => randomBytes(passwordBytes).toString("hex");

/**
 * Keys of services: a service that is new gets a pair, everything that is there stays. Throws where
 * a secret is there without its master key, which data may be closed with.
 */
export async function keysOf({ secret, services }: Part<"keys">, found: Entries | undefined): Promise<Entries> {
  const masterKey = found === undefined ? randomBytes(32).toString("base64") : found["master.key"];
  if (!masterKey) {
    throw new Error(
      `secret ${secret} has no master.key: put it back from your copy, or delete the secret where no data are closed with it`,
    );
  }
  const entries: Record<string, string> = { ...found, "master.key": masterKey };
  for (const service of services) {
    if (entries[`${service}.key`] && entries[`${service}.crt`]) continue;
    const { key, certificate } = await makeSigningPair(service);
    Object.assign(entries, { [`${service}.key`]: key, [`${service}.crt`]: certificate });
  }
  // While a service's key is replaced, what the one before has signed is still good.
  const previous = Object.keys(entries).filter((name) => name.startsWith("previous.") && name.endsWith(".crt"));
  const trusted = [...services.map((service) => `${service}.crt`), ...previous.toSorted()];
  return { ...entries, "services.crt": trusted.map((name) => `${entries[name]!.trim()}\n`).join("") };
}

/** Passwords of the embedded MongoDB's users, and the URIs that follow from them. */
export function mongodbOf({ host, databasePrefix, services }: Part<"mongodb">, found: Entries = {}): Entries {
  const root = found["root-password"] || newPassword();
  const entries: Record<string, string> = {
    ...found,
    keyfile: found["keyfile"] || randomBytes(48).toString("base64"),
    "root-password": root,
    "root-uri": `mongodb://root:${root}@${host}/?replicaSet=manilla&authSource=admin`,
  };
  for (const service of services) {
    const user = `${databasePrefix}_${service}`;
    const password = found[`${service}-password`] || newPassword();
    entries[`${service}-password`] = password;
    entries[`${service}-uri`] = `mongodb://${user}:${password}@${host}/${user}?replicaSet=manilla&authSource=${user}`;
  }
  return entries;
}

/** The embedded Redis's password, as its clients and as its server read it. */
export function redisOf({ host }: Part<"redis">, found: Entries = {}): Entries {
  const password = found["password"] || newPassword();
  return { ...found, password, url: `redis://:${password}@${host}`, "auth.conf": `requirepass ${password}\n` };
}

/** What the sandbox partner and its clients prove themselves with. */
export function partnerOf(found: Entries = {}): Entries {
  return {
    ...found,
    "api-key": found["api-key"] || newPassword(),
    "callback-secret": found["callback-secret"] || `whsec_${randomBytes(24).toString("base64")}`,
  };
}
