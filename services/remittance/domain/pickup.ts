import { Refusal } from "../../kernel/refusal.js";
import { isSpokenCode, newSpokenCode, type RandomBytes } from "../../kernel/text/spoken-code.js";

/** Cash that a cashier of ours hands out. */
export interface Pickup {
  /** The payout point. */
  pointId: string;
  /** base64; absent until the sender has asked for a code. */
  codeHash?: string;
  salt?: string;
  /** User id of whoever asked for the code. */
  issuedBy?: string;
  /** Wrong codes since the code was issued. */
  tries: number;
  paidOutBy?: string;
  /** Notes of an agent's own; else out of a till. */
  isOfAgent?: true;
  /** Wallet's movement, which took it out of the till. */
  handOutId?: string;
  paidOutAt?: Date;
  /** In business time: the day of the till's line is the ledger's, however late it is booked. */
  effectiveAt?: Date;
}

export const maxTries = 5;

/** A new code, "XXXXX-XXXXX", with what is kept of it. */
export async function newPickupCode(
  pickup: Pickup,
  issuedBy: string,
  randomBytes: RandomBytes,
): Promise<{ code: string; pickup: Pickup }> {
  const { code, kept } = await newSpokenCode(randomBytes);
  return { code, pickup: { ...pickup, ...kept, issuedBy, tries: 0 } };
}

/** Refuses PICKUP_CODE_LOCKED after five wrong codes, and where none was issued. */
export function assertMayTry({ codeHash, tries }: Pickup): void {
  if (codeHash === undefined) throw new Refusal("PICKUP_CODE_LOCKED", "the sender has not asked for a code yet");
  if (tries >= maxTries) throw pickupLocked();
}

/** Who has seen the code could take the cash alone. Refuses FORBIDDEN. */
export function assertIssuedByAnother({ issuedBy }: Pickup, cashierId: string): void {
  if (issuedBy !== cashierId) return;
  throw new Refusal("FORBIDDEN", "you issued the code: the sender or a colleague has to issue it, or hand out");
}

export function pickupLocked(): Refusal {
  return new Refusal("PICKUP_CODE_LOCKED", "the code was wrong too often: the sender has to ask for a new one");
}

/** Whether this is the code, however it is written. */
export function isPickupCode(pickup: Pickup, text: string): Promise<boolean> {
  return isSpokenCode(pickup, text);
}
