import { scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Refusal } from "../../kernel/refusal.js";
import { randomCode, type RandomBytes } from "./codes.js";

/** Cash that a cashier of ours hands out. */
export interface Pickup {
  /** The payout point. */
  pointId: string;
  /** base64; absent until the sender has asked for a code. */
  codeHash?: string;
  salt?: string;
  /** Wrong codes since the code was issued. */
  tries: number;
  paidOutBy?: string;
  /** Wallet's movement, which took it out of the till. */
  handOutId?: string;
  paidOutAt?: Date;
}

export const maxTries = 5;
const derive = promisify<string, Uint8Array, number, { N: number }, Buffer>(scrypt as never);
// A few milliseconds: the code itself has 50 random bits.
const cost = { N: 2 ** 12 };

/** A new code, "XXXXX-XXXXX", with what is kept of it. */
export async function newPickupCode(
  pickup: Pickup,
  randomBytes: RandomBytes,
): Promise<{ code: string; pickup: Pickup }> {
  const code = randomCode(10, randomBytes);
  const salt = randomBytes(16);
  const codeHash = await derive(code, salt, 32, cost);
  const stored = {
    ...pickup,
    codeHash: codeHash.toString("base64"),
    salt: Buffer.from(salt).toString("base64"),
    tries: 0,
  };
  return { code: `${code.slice(0, 5)}-${code.slice(5)}`, pickup: stored };
}

/** Refuses PICKUP_CODE_LOCKED after five wrong codes, and where none was issued. */
export function assertMayTry({ codeHash, tries }: Pickup): void {
  if (codeHash === undefined) throw new Refusal("PICKUP_CODE_LOCKED", "the sender has not asked for a code yet");
  if (tries >= maxTries) throw pickupLocked();
}

export function pickupLocked(): Refusal {
  return new Refusal("PICKUP_CODE_LOCKED", "the code was wrong too often: the sender has to ask for a new one");
}

/** Whether this is the code, however it is written. */
export async function isPickupCode({ codeHash = "", salt = "" }: Pickup, text: string): Promise<boolean> {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  const stored = Buffer.from(codeHash, "base64");
  const found = await derive(code, Buffer.from(salt, "base64"), 32, cost);
  return stored.length === found.length && timingSafeEqual(stored, found);
}
