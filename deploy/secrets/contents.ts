import { createHash, randomBytes } from "node:crypto";
import { makeSigningPair } from "./certificates.js";
import type { Entries, Part } from "./plan.js";

const passwordBytes = 24;

/** Letters and digits that stand in a URI as they are. */
const newPassword = (): string => randomBytes(passwordBytes).toString("hex");

/**
 * Keys of services: a service that is new gets a pair, everything that is there stays. `made` is
 * the marker that a master key was made before: throws where that key is gone, which data may be
 * closed with.
 */
export async function keysOf(
  { secret, services, masterKey, marker }: Part<"keys">,
  found: Entries | undefined,
  made: Entries | undefined,
): Promise<Entries> {
  const entries: Record<string, string> = { ...found };
  if (masterKey && !entries["master.key"]) {
    if (made) {
      const lost = found ? `secret ${secret} has no master.key` : `secret ${secret} with master.key is gone`;
      const proof = `as made, its SHA-256 was ${made[fingerprintEntry]}`;
      const anew = `or delete secret ${marker} where no data are closed with it and a new one is wanted`;
      throw new Error(`${lost}: put it back from your copy (${proof}), ${anew}`);
    }
    entries["master.key"] = randomBytes(32).toString("base64");
  }
  for (const service of services) {
    if (entries[`${service}.key`] && entries[`${service}.crt`]) continue;
    const { key, certificate } = await makeSigningPair(service);
    Object.assign(entries, { [`${service}.key`]: key, [`${service}.crt`]: certificate });
  }
  return { ...entries, "services.crt": trustedOf(entries, services) };
}

/**
 * Every certificate that is there. One of a service that is off now is of use after a rollback, and
 * a `previous.` one while a key is replaced.
 */
function trustedOf(entries: Entries, services: readonly string[]): string {
  const wanted = services.map((service) => `${service}.crt`);
  const others = Object.keys(entries).filter((name) => name.endsWith(".crt") && !wanted.includes(name));
  const trusted = [...wanted, ...others.filter((name) => name !== "services.crt").toSorted()];
  return trusted.map((name) => `${entries[name]!.trim()}\n`).join("");
}

const fingerprintEntry = "master.key.sha256";

/** The marker of a master key: its SHA-256 as it was made, in hexadecimal, which opens nothing. */
export function markerOf(keys: Entries, found: Entries | undefined): Entries {
  return found ?? { [fingerprintEntry]: createHash("sha256").update(keys["master.key"]!).digest("hex") };
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
