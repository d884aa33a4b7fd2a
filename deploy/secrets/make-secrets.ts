import type { Logger } from "pino";
import { checkAuthority, isGood, makeAuthority, makeCertificate } from "./certificates.js";
import { keysOf, markerOf, mongodbOf, partnerOf, redisOf } from "./contents.js";
import type { Entries, NewSecret, Part, SecretPlan, StoredSecret } from "./plan.js";

/** The secrets of one namespace. */
export interface SecretStore {
  get(name: string): Promise<StoredSecret | undefined>;
  /** False where there is one of that name. */
  create(secret: NewSecret): Promise<boolean>;
  /** Sets entries, and leaves the others. False where it is another version by now. */
  change(secret: StoredSecret, entries: Entries): Promise<boolean>;
}

type Contents = (found: Entries | undefined) => Entries | Promise<Entries>;

const maxTries = 10;

/**
 * Makes the secrets of a plan that are not there, and adds to those that are what they lack. No
 * key or password that is there is ever replaced, whoever else runs at the same time; certificates
 * are renewed when they are due. May be run again after it was killed anywhere.
 */
export async function makeSecrets(plan: SecretPlan, store: SecretStore, log: Logger): Promise<void> {
  const ensure = ensureIn(plan, store, log);
  const { keys, tls, mongodb, redis, partner } = plan;
  if (keys) await makeKeys(keys, store, ensure);
  if (tls) await makeCertificates(tls, ensure);
  if (mongodb) await ensure(mongodb.secret, "Opaque", (found) => mongodbOf(mongodb, found));
  if (redis) await ensure(redis.secret, "Opaque", (found) => redisOf(redis, found));
  if (partner) await ensure(partner.secret, "Opaque", (found) => partnerOf(found));
}

type Ensure = (name: string, type: NewSecret["type"], contents: Contents) => Promise<Entries>;

/** The marker comes after the key: killed between them, the next run finds the key and marks it. */
async function makeKeys(keys: Part<"keys">, store: SecretStore, ensure: Ensure): Promise<void> {
  const made = keys.masterKey ? await store.get(keys.marker) : undefined;
  const stored = await ensure(keys.secret, "Opaque", (found) => keysOf(keys, found, made?.entries));
  if (keys.masterKey && !made) await ensure(keys.marker, "Opaque", (found) => markerOf(stored, found));
}

/** Certificates are signed by the authority as it is stored, whoever has made it. */
async function makeCertificates(
  { authority: authorityName, certificates, trustDomain, days, renewAfterDays }: Part<"tls">,
  ensure: Ensure,
): Promise<void> {
  const tlsType = "kubernetes.io/tls" as const;
  const stored = await ensure(authorityName, tlsType, async (found) => {
    if (found?.["tls.key"] && found["tls.crt"]) return found;
    const { key, certificate } = await makeAuthority(trustDomain);
    return { ...found, "tls.crt": certificate, "tls.key": key };
  });
  const authority = { key: stored["tls.key"]!, certificate: stored["tls.crt"]! };
  for (const [service, secret] of Object.entries(certificates)) {
    const name = `${service}.${trustDomain}`;
    await ensure(secret, tlsType, async (found) => {
      if (found?.["tls.key"] && isGood(found["tls.crt"], authority.certificate, { name, renewAfterDays })) return found;
      checkAuthority(authority, authorityName);
      const made = await makeCertificate(authority, service, { trustDomain, days });
      // Two authorities may be trusted while one replaces the other.
      const trusted = found?.["ca.crt"]?.includes(authority.certificate.trim())
        ? found["ca.crt"]
        : authority.certificate;
      return { ...found, "tls.crt": made.certificate, "tls.key": made.key, "ca.crt": trusted };
    });
  }
}

function ensureIn({ labels }: SecretPlan, store: SecretStore, log: Logger): Ensure {
  return async (name, type, contents) => {
    for (let tries = 0; tries < maxTries; tries++) {
      const found = await store.get(name);
      const entries = await contents(found?.entries);
      const changed = Object.entries(entries).filter(([entry, value]) => found?.entries[entry] !== value);
      if (found && changed.length === 0) return entries;
      // What another run has made in the meantime is looked at first.
      const isDone = found
        ? await store.change(found, Object.fromEntries(changed))
        : await store.create({ name, type, labels, entries });
      if (!isDone) continue;
      const names = changed.map(([entry]) => entry).toSorted();
      log.info({ secret: name, entries: names }, found ? "secret completed" : "secret made");
      return entries;
    }
    throw new Error(`secret ${name} was changed by others each of ${maxTries} times that it was to be completed`);
  };
}
