import type { Person } from "./customer.js";

export type ContactType = "EMAIL" | "PHONE_NUMBER";

/** A link or a code that was sent. It holds neither: both are made from its id and a key. */
export interface Verification {
  verificationId: string;
  customerId: string;
  kind: ContactType;
  /** Digest of the address or number it is sent to, so that it confirms no other. */
  contact: string;
  state: "OPEN" | "CONFIRMED" | "REPLACED";
  tries: number;
  createdAt: Date;
  expiresAt: Date;
}

export const maxTries = 5;
/** From one message to the next of its kind, ms. */
export const pauseMs = 60_000;
export const lifetimesMs: Record<ContactType, number> = { EMAIL: 24 * 3_600_000, PHONE_NUMBER: 10 * 60_000 };

/** The address or number that a verification is sent to; empty where the person has none. */
export function contactOf(kind: ContactType, { email, phoneNumber }: Person): string {
  return kind === "EMAIL" ? email : phoneNumber;
}

/** Whether a code or a link still counts. */
export function isUsable({ state, expiresAt }: Verification, now: Date): boolean {
  return state !== "REPLACED" && expiresAt > now;
}

/** Whether a message went out so recently that another one has to wait. */
export function isRecent({ createdAt }: Verification, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < pauseMs;
}

/** A verification that is about to be sent. */
export function newVerification(
  of: Pick<Verification, "verificationId" | "customerId" | "kind" | "contact">,
  now: Date,
): Verification {
  const expiresAt = new Date(now.getTime() + lifetimesMs[of.kind]);
  return { ...of, state: "OPEN", tries: 0, createdAt: now, expiresAt };
}
