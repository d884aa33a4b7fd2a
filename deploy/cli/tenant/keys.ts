import type { ClientSession, Connection } from "mongoose";
import { MasterKeyError } from "../../../services/kernel/keys/key-wrapper.js";
import { createKeyUseRecords } from "../../../services/kernel/keys/wrapped-keys.js";
import { inTransaction } from "../../../services/kernel/mongo/transaction.js";
import { comment, nativeOf, type DatabaseService } from "../places.js";

interface StoredKey {
  _id: string;
  purpose: string;
  state?: "CURRENT" | "PREVIOUS";
  isCurrent?: boolean;
  secret?: { masterKeyId: string };
}

type Pair = readonly [service: DatabaseService, from: Connection, to: Connection];

const exact = { promoteValues: false, promoteLongs: false, promoteBuffers: false, useBigInt64: false } as const;
const collectionOf = (service: DatabaseService) => (service === "identity" ? "keys" : "data_keys");
const keysOf = (db: Connection, service: DatabaseService) => nativeOf(db).collection<StoredKey>(collectionOf(service));

/**
 * Whether the target can open the keys that the tenant brings: each must lie under a version of the
 * master key that wraps a key there and is not retired. A target without any key cannot tell; the
 * versions that it must be given are printed then. Throws naming the version.
 */
export async function checkKeys(pairs: readonly Pair[], print: (line: string) => void): Promise<void> {
  const known = new Set<string>();
  for (const [service, , to] of pairs) {
    for (const id of await keysOf(to, service).distinct("secret.masterKeyId", {}, { comment })) known.add(id);
  }
  const needed = new Set<string>();
  for (const [service, from, to] of pairs) {
    for (const { secret } of await missingKeys(service, from, to)) {
      if (secret === undefined) continue;
      needed.add(secret.masterKeyId);
      if (known.size > 0 && !known.has(secret.masterKeyId)) throw new Error(strangeText(service, secret.masterKeyId));
      const retired = { _id: secret.masterKeyId, retiredAt: { $exists: true } };
      if (await usesOf(to).findOne(retired, { comment })) throw new Error(retiredText(service, secret.masterKeyId));
    }
  }
  if (known.size > 0 || needed.size === 0) return;
  print(`no key is there yet: it must start with the master key ${[...needed].join(", ")}`);
}

/**
 * Brings a service's keys along, wrapped as they are: where the target has a current one of the
 * purpose, that one goes on sealing. Of identity's, those that seal personal data and the one that
 * look-ups are made with; those of tokens stay, since each cell signs with its own. Throws where
 * the target makes look-ups with another key, since nobody of the tenant could log in there.
 */
export async function copyKeys(...[service, from, to]: Pair): Promise<number> {
  const missing = await missingKeys(service, from, to);
  if (missing.length === 0) return 0;
  const ids = missing.map(({ _id }) => _id);
  const masterKeyIds = new Set(missing.flatMap(({ secret }) => (secret === undefined ? [] : [secret.masterKeyId])));
  await inTransaction(
    to,
    async (session) => {
      for (const id of masterKeyIds) await noteUse(service, to, id, session);
      await keysOf(to, service).insertMany(missing, { session, comment });
      return true;
    },
    {
      readBack: async () => {
        const found = await keysOf(to, service).countDocuments({ _id: { $in: ids } }, { comment });
        return found === ids.length ? true : undefined;
      },
    },
  );
  return missing.length;
}

/** What the target lacks, as it is to be stored there. */
async function missingKeys(...[service, from, to]: Pair): Promise<StoredKey[]> {
  const moved = service === "identity" ? { purpose: { $in: ["personal-data", "mac"] } } : {};
  const keys = await keysOf(from, service)
    .find(moved, { ...exact, comment })
    .toArray();
  const known = await keysOf(to, service).find(moved, { comment }).toArray();
  if (service === "identity") checkLookUps(keys, known);
  const isCurrent = (key: StoredKey) => key.state === "CURRENT" || key.isCurrent === true;
  const hasCurrent = new Set(known.filter(isCurrent).map(({ purpose }) => purpose));
  return keys
    .filter(({ _id }) => !known.some((one) => one._id === _id))
    .map((key) => (hasCurrent.has(key.purpose) ? asPrevious(key) : key));
}

function asPrevious(key: StoredKey): StoredKey {
  return key.state === undefined ? { ...key, isCurrent: false } : { ...key, state: "PREVIOUS" };
}

function checkLookUps(keys: readonly StoredKey[], known: readonly StoredKey[]): void {
  const macs = keys.filter(({ purpose }) => purpose === "mac").map(({ _id }) => _id);
  const strange = known.find(({ _id, purpose }) => purpose === "mac" && !macs.includes(_id));
  if (strange === undefined) return;
  throw new Error(
    `identity there makes look-ups with its own key ${strange._id}: a tenant moves into a cell that has none yet, or that has this cell's`,
  );
}

const usesOf = (db: Connection) => nativeOf(db).collection<{ _id: string; retiredAt?: Date }>("master_keys");

/** As a service does that stores a key. Throws naming a version that is retired. */
async function noteUse(service: DatabaseService, to: Connection, id: string, session: ClientSession): Promise<void> {
  await createKeyUseRecords(to)(id, session).catch((error: unknown) => {
    throw error instanceof MasterKeyError ? new Error(retiredText(service, id), { cause: error }) : error;
  });
}

const retiredText = (service: string, masterKeyId: string): string =>
  `${service}: the master key ${masterKeyId} is retired there; wrap the keys here anew under another one (admin master-key rotate)`;

const strangeText = (service: string, masterKeyId: string): string =>
  `${service}: a key here lies under the master key ${masterKeyId}, which wraps none there: could they open it? Wrap it anew under one that both cells have`;
