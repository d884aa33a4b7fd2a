import type { DataKeys, SealedField } from "../../shared/erasure/data-keys.js";
import type { KeyValue } from "../domain/credit-party.js";

/** A pair as it lies in the database: one of personal data has its value sealed. */
export interface StoredPair extends KeyValue {
  sealed?: SealedField;
}

const personal: ReadonlySet<string> = new Set(["iddocumentnumber"]);
const shownCharacters = 3;

export type PartyCipher = ReturnType<typeof createPartyCipher>;

/** Seals what identifies a person among a recipient's details; bound to the record that holds it. */
export function createPartyCipher(keys: DataKeys | undefined) {
  return {
    async seal(party: readonly KeyValue[], record: string): Promise<StoredPair[]> {
      return Promise.all(
        party.map(async ({ key, value }): Promise<StoredPair> => {
          if (keys === undefined || !personal.has(key)) return { key, value };
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

/** Whether personal data lies open, as the version before sealing stored it. */
export function isClear({ key, sealed }: StoredPair): boolean {
  return personal.has(key) && sealed === undefined;
}

/** As answers show it: of personal data only the end. */
export function maskedParty(party: readonly KeyValue[]): KeyValue[] {
  return party.map(({ key, value }) => ({ key, value: personal.has(key) ? masked(value) : value }));
}

/** A party that repeats what an answer showed means what is stored. */
export function unmaskedParty(given: readonly KeyValue[], stored: readonly KeyValue[]): KeyValue[] {
  return given.map((pair) => {
    const own = personal.has(pair.key) ? stored.find(({ key }) => key === pair.key) : undefined;
    return own !== undefined && pair.value === masked(own.value) ? own : pair;
  });
}

function masked(value: string): string {
  const shown = value.length > 2 * shownCharacters ? value.slice(-shownCharacters) : "";
  return `*****${shown}`;
}

function contextOf(record: string, key: string): string {
  return `${record} ${key}`;
}
