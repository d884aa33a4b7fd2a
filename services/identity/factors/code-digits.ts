import { timingSafeEqual } from "node:crypto";
import type { Keyring } from "../credentials/keyring.js";
import { macOf } from "../credentials/sealing.js";

/** What a code that is sent is for; those of one purpose are worth nothing for another. */
export type CodePurpose = "payment code" | "contact change" | "registration";

/**
 * The six digits of a code that is sent: computed from its id, so that nothing that could be
 * presented is kept.
 */
export function sentCodeOf(
  keyring: Pick<Keyring, "macKey">,
  purpose: CodePurpose,
  tenantId: string,
  id: string,
): string {
  const number = macOf(keyring, purpose, tenantId, id).readBigUInt64BE() % 1_000_000n;
  return String(number).padStart(6, "0");
}

/** Whether it is the code. In constant time for six digits. */
export function isSentCode(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
