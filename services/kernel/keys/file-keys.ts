import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { contextText, MasterKeyError, type KeyContext, type KeyWrapper, type WrappedSecret } from "./key-wrapper.js";
import { openBytes, sealBytes } from "./seal-bytes.js";

interface Version {
  masterKeyId: string;
  key: Uint8Array;
}

/**
 * Master keys of a file, for AES-256-GCM: a line of 32 bytes as base64 for each version, the newest
 * last. The file is read again for each secret, which are few, so that a new version needs no
 * restart.
 */
export function createFileKeys(file: string): KeyWrapper {
  return versionedKeys(() => loadMasterKeys(file));
}

/** One key that is at hand, for a process without a file and for tests. */
export function createLocalKey(key: Uint8Array): KeyWrapper {
  return versionedKeys(async () => [versionOf(key)]);
}

function versionedKeys(load: () => Promise<Version[]>): KeyWrapper {
  const newest = async (): Promise<Version> => (await load()).at(-1)!;
  async function wrap(secret: Uint8Array, context: KeyContext): Promise<WrappedSecret> {
    const { masterKeyId, key } = await newest();
    return { masterKeyId, sealed: sealBytes(key, secret, contextText(context)).toString("base64") };
  }
  async function unwrap({ masterKeyId, sealed }: WrappedSecret, context: KeyContext): Promise<Uint8Array> {
    const versions = await load();
    const found = versions.find((version) => version.masterKeyId === masterKeyId);
    if (found === undefined) {
      const known = versions.map((version) => version.masterKeyId).join(", ");
      throw new MasterKeyError(
        `${contextText(context)} was stored under the master key ${masterKeyId}, and at hand is ${known}`,
      );
    }
    try {
      return openBytes(found.key, Buffer.from(sealed, "base64"), contextText(context));
    } catch (error) {
      throw new MasterKeyError(`${contextText(context)} was changed in the database since it was stored`, {
        cause: error,
      });
    }
  }
  return {
    owns: (masterKeyId) => /^[0-9a-f]{16}$/.test(masterKeyId),
    newest: async () => (await newest()).masterKeyId,
    wrap,
    unwrap,
    rewrap: async (wrapped, context) => wrap(await unwrap(wrapped, context), context),
  };
}

/**
 * The versions of a master key file, the newest last. Throws MasterKeyError that names the file and
 * the line, never what it holds.
 */
export async function loadMasterKeys(file: string): Promise<Version[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new MasterKeyError(`MASTER_KEY_FILE ${file} cannot be read: ${error.code ?? "unknown error"}`);
  });
  const versions: Version[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const key = Buffer.from(line.trim(), "base64");
    if (key.length !== 32) {
      throw new MasterKeyError(`line ${index + 1} of MASTER_KEY_FILE ${file} must hold 32 bytes as base64`);
    }
    versions.push(versionOf(key));
  }
  if (versions.length === 0) throw new MasterKeyError(`MASTER_KEY_FILE ${file} must hold 32 bytes as base64`);
  return versions;
}

function versionOf(key: Uint8Array): Version {
  if (key.length !== 32) throw new MasterKeyError("the master key must have 32 bytes");
  const hash = createHash("sha256").update("manilla master key id\0").update(key);
  return { masterKeyId: hash.digest("hex").slice(0, 16), key };
}
