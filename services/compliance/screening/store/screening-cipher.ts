import { createHmac, randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import type { DataKeys, SealedField } from "../../../kernel/keys/data-keys.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { unlessThere } from "../../../kernel/mongo/transaction.js";
import { createBoundedCache } from "../../../kernel/caching/bounded-cache.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import { identityText, partyText } from "../domain/screened-subject.js";
import { collections } from "../../common/store/collections.js";

export type { SealedField } from "../../../kernel/keys/data-keys.js";

export interface Fingerprints {
  fingerprint: string;
  identityFingerprint: string;
}

export type ScreeningCipher = ReturnType<typeof createScreeningCipher>;

/** Seals what people wrote, bound to the record that holds it. */
export type TextCipher = Pick<ScreeningCipher, "seal" | "open">;

const maxKeys = 10_000;
const digestLength = 22;

/**
 * Seals who was compared with lists and what was found, bound to the record that holds it, and
 * makes digests by which two parties are known to be the same without either being read. Digests
 * are by a key of the tenant, which lies sealed among its records and goes where they go.
 */
export function createScreeningCipher(db: Connection, keys: Pick<DataKeys, "seal" | "open">) {
  const stored = recordCollection<{ sealed: SealedField }>(db, collections.screeningKeys);
  const opened = createBoundedCache<Promise<Buffer>>(maxKeys);

  function keyOf(tenantId: string): Promise<Buffer> {
    const known = opened.get(tenantId);
    if (known !== undefined) return known;
    const key = findOrMake(tenantId);
    opened.set(tenantId, key);
    key.catch(() => opened.delete(tenantId));
    return key;
  }

  async function findOrMake(tenantId: string): Promise<Buffer> {
    const ofTenant = stored.forTenant(tenantId);
    const record = `${tenantId} screening-key`;
    for (;;) {
      const found = await ofTenant.findOne({});
      if (found !== undefined) return Buffer.from(await keys.open(found.sealed, record), "base64");
      const fresh = randomBytes(32).toString("base64");
      // Where another replica was first, its key is the tenant's.
      await unlessThere(ofTenant.insertOne({ sealed: await keys.seal(fresh, record) }));
    }
  }

  return {
    /** `record` names the tenant, the collection and the record. */
    seal: (content: unknown, record: string): Promise<SealedField> => keys.seal(JSON.stringify(content), record),
    async open<T>(field: SealedField, record: string): Promise<T> {
      return JSON.parse(await keys.open(field, record)) as T;
    },
    async fingerprintsOf(tenantId: string, party: ScreenedParty): Promise<Fingerprints> {
      const key = await keyOf(tenantId);
      const digest = (label: string, text: string) =>
        createHmac("sha256", key)
          .update(JSON.stringify([label, text]))
          .digest("base64url")
          .slice(0, digestLength);
      return {
        fingerprint: digest("party", partyText(party)),
        identityFingerprint: digest("identity", identityText(party)),
      };
    },
  };
}
