import { randomUUID } from "node:crypto";
import type { MasterKeyServiceDefinition, MasterKeyVersion } from "../../proto/gen/operations/v1/master_key.js";
import { outgoing, type Client } from "../../services/kernel/grpc/client.js";

/** Services whose databases hold keys that the master key wraps. */
export const servicesWithMasterKey = ["identity", "compliance", "remittance", "events"] as const;

export interface MasterKeyDeps {
  masterKeyOf: (service: string) => Client<MasterKeyServiceDefinition>;
  print: (line: string) => void;
}

// Few, so that progress is seen and a slow key service does not outlast a call.
const batch = 20;

/** Versions of the master key, and how many keys of which service each of them wraps. */
export async function listMasterKeys({ masterKeyOf, print }: MasterKeyDeps): Promise<void> {
  for (const service of servicesWithMasterKey) {
    const { versions } = await masterKeyOf(service).listVersions({}, call());
    for (const version of versions) print(lineOf(service, version));
  }
}

/** Wraps every key of every service anew under the newest version. Ended anywhere, it goes on. */
export async function rotateMasterKey({ masterKeyOf, print }: MasterKeyDeps): Promise<void> {
  const used = new Set<string>();
  for (const service of servicesWithMasterKey) {
    let done = 0;
    for (;;) {
      const { rewrapped, remaining, masterKeyId } = await masterKeyOf(service).rewrapKeys({ limit: batch }, call());
      used.add(masterKeyId);
      done += rewrapped;
      print(`${service.padEnd(10)}  ${done} of ${done + remaining} keys wrapped anew under ${masterKeyId}`);
      if (remaining === 0) break;
    }
  }
  if (used.size > 1) throw new Error(`services know different newest versions: ${[...used].join(", ")}`);
  const older = new Set<string>();
  for (const service of servicesWithMasterKey) {
    const { versions } = await masterKeyOf(service).listVersions({}, call());
    for (const { masterKeyId, isNewest, retiredAt } of versions)
      if (!isNewest && retiredAt === undefined) older.add(masterKeyId);
  }
  for (const id of older) print(`nothing is wrapped by ${id} any more: npm run admin -- master-key retire ${id}`);
}

/**
 * Sees to it that nothing is wrapped by a version again, in any service. Refuses while one key
 * still is.
 */
export async function retireMasterKey(masterKeyId: string, { masterKeyOf, print }: MasterKeyDeps): Promise<void> {
  const left: string[] = [];
  let isKnown = false;
  for (const service of servicesWithMasterKey) {
    const { versions } = await masterKeyOf(service).listVersions({}, call());
    const found = versions.find((version) => version.masterKeyId === masterKeyId);
    isKnown ||= found !== undefined;
    if (found?.isNewest === true) left.push(`it is the newest of ${service}`);
    else if (found !== undefined && found.keys > 0) left.push(`it wraps ${found.keys} keys of ${service}`);
  }
  if (!isKnown) throw new Error(`no service knows the version ${masterKeyId}: see \`master-key list\``);
  if (left.length > 0) throw new Error(`${masterKeyId} cannot be retired: ${left.join(", ")}`);
  for (const service of servicesWithMasterKey) await masterKeyOf(service).retireVersion({ masterKeyId }, call());
  print(`${masterKeyId} wraps nothing and is retired. Keep it for as long as a backup from before may be restored.`);
}

function lineOf(service: string, { masterKeyId, keys, isNewest, retiredAt }: MasterKeyVersion): string {
  const state = retiredAt === undefined ? (isNewest ? "newest" : "older") : `retired ${retiredAt.toISOString()}`;
  return `${service.padEnd(10)}  ${masterKeyId}  ${keys} keys  ${state}`;
}

function call() {
  return outgoing({ tenantId: "", interactionId: randomUUID() }, { timeoutMs: 300_000 });
}
