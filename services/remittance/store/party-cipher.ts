import type { DataKeys, SealedField } from "../../shared/erasure/data-keys.js";
import { isPersonal, type KeyValue } from "../domain/credit-party.js";

/** A pair as it lies in the database: one of personal data has its value sealed. */
interface StoredPair extends KeyValue {
  sealed?: SealedField;
}

export type PartyCipher = ReturnType<typeof createPartyCipher>;

/**
 * Seals what identifies a person among a recipient's details; bound to the record that holds it.
 */
export function createPartyCipher(keys: DataKeys | undefined) {
  return {
    async seal(party: readonly KeyValue[], record: string): Promise<StoredPair[]> {
      return Promise.all(
        party.map(async ({ key, value }): Promise<StoredPair> => {
          if (keys === undefined || !isPersonal(key)) return { key, value };
          return { key, value: "", sealed: await keys.seal(value, contextOf(record, key)) };
        }),
      );
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
