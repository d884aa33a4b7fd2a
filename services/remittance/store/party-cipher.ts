import type { DataKeys, SealedField } from "../../kernel/keys/data-keys.js";
import { isSealed, type KeyValue } from "../domain/credit-party.js";

/** A pair as it lies in the database: one of personal data has its value sealed. */
interface StoredPair extends KeyValue {
  sealed?: SealedField;
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
