import type { WrappedSecret } from "../../kernel/keys/key-wrapper.js";
import { refreshAbsoluteMs } from "./refresh-tokens.js";

export const keyPurposes = ["access-token", "refresh-token", "personal-data", "mac"] as const;

export type KeyPurpose = (typeof keyPurposes)[number];

/** A key of identity, wrapped by the master key. */
export interface KeyRecord {
  keyId: string;
  purpose: KeyPurpose;
  /**
   * One per purpose is CURRENT, the newest; it is used from `activeFrom` on, those before it until
   * then.
   */
  state: "CURRENT" | "PREVIOUS";
  secret: WrappedSecret;
  publicJwk?: { kty: string; crv: string; x: string };
  createdAt: Date;
  activeFrom: Date;
}

/** When a key is used: from its time until the time of the next of its purpose. */
export type KeyTimes = Pick<KeyRecord, "keyId" | "purpose" | "activeFrom">;

const hourMs = 3_600_000;
// Access tokens outlive their key's use by an hour (§8), refresh families by 90 days; keys of
// personal data and look-ups are kept for as long as the records.
const afterlifeMs: Partial<Record<KeyPurpose, number>> = {
  "access-token": hourMs,
  "refresh-token": refreshAbsoluteMs,
};
// The margin covers clocks that differ and a replica that learns of a rotation late.
const marginMs = 10 * 60_000;

/** The newest key whose time has come; the oldest where none has. Throws on no keys. */
export function keyInUse<K extends KeyTimes>(keys: readonly K[], now: Date): K {
  const inOrder = keys.toSorted((a, b) => a.activeFrom.getTime() - b.activeFrom.getTime());
  const found = inOrder.findLast((key) => key.activeFrom <= now) ?? inOrder[0];
  if (found === undefined) throw new Error("there is no key of this purpose");
  return found;
}

/** Whether tokens of this key may still live, or are to come. */
export function isPublished(key: KeyTimes, keys: readonly KeyTimes[], now: Date): boolean {
  return !isOver(key, keys, now);
}

/** Whether nothing that the key made can live any more. */
export function isOver(key: KeyTimes, keys: readonly KeyTimes[], now: Date): boolean {
  const afterMs = afterlifeMs[key.purpose];
  if (afterMs === undefined) return false;
  const successor = keys
    .filter((other) => other.activeFrom > key.activeFrom)
    .toSorted((a, b) => a.activeFrom.getTime() - b.activeFrom.getTime())[0];
  return successor !== undefined && successor.activeFrom.getTime() + afterMs + marginMs <= now.getTime();
}
