import { createHmac } from "node:crypto";
import type { DataKeys, SealedField } from "../../kernel/keys/data-keys.js";
import { isSealed, type KeyValue } from "../domain/credit-party.js";
import type { PayeeVerdict } from "../domain/payee-check.js";

/** A pair as it lies in the database: one of personal data has its value sealed. */
interface StoredPair extends KeyValue {
  sealed?: SealedField;
}

/** A verdict as it lies in the database. */
export interface StoredVerdict {
  payeeCheck?: PayeeVerdict;
  sealedAccountName?: SealedField;
}

export type PartyCipher = ReturnType<typeof createPartyCipher>;

/**
 * Seals numbers of accounts, telephones and documents among a recipient's details;
 * bound to the record that holds it.
 */
export function createPartyCipher(keys: DataKeys | undefined) {
  return {
    async seal(party: readonly KeyValue[], record: string): Promise<StoredPair[]> {
      return Promise.all(
        party.map(async ({ key, value }): Promise<StoredPair> => {
          if (keys === undefined || !isSealed(key)) return { key, value };
          return { key, value: "", sealed: await keys.seal(value, contextOf(record, key)) };
        }),
      );
    },
    /**
     * A whole value of a record, under its name there; undefined where there is nothing to seal.
     */
    async sealValue(value: object | undefined, record: string, name: string): Promise<SealedField | undefined> {
      if (value === undefined || keys === undefined) return undefined;
      return keys.seal(JSON.stringify(value), contextOf(record, name));
    },
    /** Undefined where there is none, and without the keys. */
    async openValue<T>(field: SealedField | undefined, record: string, name: string): Promise<T | undefined> {
      if (field === undefined || keys === undefined) return undefined;
      return JSON.parse(await keys.open(field, contextOf(record, name))) as T;
    },
    /** What is kept of a payee check: the name on the account lies sealed beside it. */
    async sealVerdict(verdict: PayeeVerdict | undefined, record: string): Promise<StoredVerdict> {
      const { accountName, ...kept } = verdict ?? {};
      if (verdict === undefined || accountName === undefined || keys === undefined) {
        return verdict === undefined ? {} : { payeeCheck: verdict };
      }
      const sealedAccountName = await keys.seal(accountName, contextOf(record, "accountName"));
      return { payeeCheck: kept as PayeeVerdict, sealedAccountName };
    },
    async openVerdict({ payeeCheck, sealedAccountName }: StoredVerdict, record: string): Promise<StoredVerdict> {
      if (payeeCheck === undefined) return {};
      if (sealedAccountName === undefined || keys === undefined) return { payeeCheck };
      const accountName = await keys.open(sealedAccountName, contextOf(record, "accountName"));
      return { payeeCheck: { ...payeeCheck, accountName } };
    },
    /** Keyed hashes of texts that are not kept. */
    async hashes(texts: readonly string[], context: string): Promise<string[]> {
      if (keys !== undefined) return keys.hashes(texts, context);
      // Nothing lies sealed either.
      return texts.map((text) => createHmac("sha256", context).update(text).digest("base64url"));
    },
    async open(party: readonly StoredPair[], record: string): Promise<KeyValue[]> {
      if (keys === undefined || party.every(({ sealed }) => sealed === undefined)) return party as KeyValue[];
      return Promise.all(
        party.map(async ({ key, value, sealed }) => ({
          key,
          value: sealed === undefined ? value : await keys.open(sealed, contextOf(record, key)),
        })),
      );
    },
  };
}

function contextOf(record: string, key: string): string {
  return `${record} ${key}`;
}
