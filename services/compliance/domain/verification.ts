import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { JWK } from "jose";
import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { RowHandler } from "../../shared/outbox/index.js";
import type { Notification, Notifications } from "../clients/notifications.js";
import type { ContactType } from "../clients/contact-verification.js";
import type { Person } from "./customer.js";
import { rowKinds } from "../store/outbox-rows.js";
import type { People } from "../clients/people.js";
import type { Preference, Preferences } from "../clients/preferences.js";
import type { ComplianceStore } from "../store/index.js";

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

export type Secrets = ReturnType<typeof createSecrets>;

/** Codes and link tokens, made with a key that only this service has: nothing secret is stored. */
export function createSecrets({ d }: JWK) {
  if (d === undefined) throw new Error("the service's private key is needed");
  const key = Buffer.from(hkdfSync("sha256", Buffer.from(d, "base64url"), "", "compliance verification 1", 32));
  const mac = (...parts: string[]) => createHmac("sha256", key).update(parts.join("\0")).digest();
  const isEqual = (a: string, b: string) => timingSafeEqual(mac("equal", a), mac("equal", b));
  const code = (tenantId: string, id: string) =>
    String(mac("code", tenantId, id).readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
  const tokenMac = (tenantId: string, id: string) => mac("link", tenantId, id).subarray(0, 24).toString("base64url");
  return {
    /** Six digits. */
    code,
    isCode: (tenantId: string, id: string, given: string) => isEqual(given, code(tenantId, id)),
    token: (tenantId: string, id: string) => `${id}.${tokenMac(tenantId, id)}`,
    /** The verification that a token was made for; undefined for any other text. */
    idOfToken(tenantId: string, token: string): string | undefined {
      const [id = "", given = ""] = token.split(".");
      return id !== "" && isEqual(given, tokenMac(tenantId, id)) ? id : undefined;
    },
    contactDigest: (tenantId: string, contact: string) => mac("contact", tenantId, contact).toString("base64url"),
  };
}

export function contactOf(kind: ContactType, { email, phoneNumber }: Person): string {
  return kind === "EMAIL" ? email : phoneNumber;
}

export interface SendDeps {
  store: ComplianceStore;
  people: People;
  preferences: Preferences;
  notifications: Notifications;
  secrets: Secrets;
  clock: Clock;
}

/** Sends links and codes. The reference is the verification's id, which the connector sends once. */
export function verificationRows({
  store,
  people,
  preferences,
  notifications,
  secrets,
  clock,
}: SendDeps): Record<string, RowHandler> {
  return {
    async [rowKinds.sendVerification](row, { signal, log }) {
      const { tenantId } = row;
      const { verificationId } = row.payload as { verificationId: string };
      const found = await store.forTenant(tenantId).findVerification({ verificationId });
      if (found === undefined || found.state !== "OPEN" || found.expiresAt <= clock.now()) return;
      const person = await people.find({ customerId: found.customerId }, { ...row, signal });
      const to = contactOf(found.kind, person);
      if (secrets.contactDigest(tenantId, to) !== found.contact)
        return log.info("the contact has changed: nothing is sent");
      const preference = await preferences.of({ ...row, signal });
      const message = messageOf(found, preference, secrets, tenantId);
      const account = { tenantId, isSandbox: preference.isSandbox };
      await notifications.send(account, { ...message, reference: verificationId, to }, signal);
      crashPoint("compliance.verification.sent");
    },
  };
}

function messageOf(
  { kind, verificationId }: Verification,
  { name, host }: Preference,
  secrets: Secrets,
  tenantId: string,
): Omit<Notification, "reference" | "to"> {
  if (kind === "PHONE_NUMBER") {
    const code = secrets.code(tenantId, verificationId);
    const text = `${code} confirms your phone number at ${name}. It is good for 10 minutes. Give it to nobody.`;
    return { channel: "SMS", subject: "", text };
  }
  const token = secrets.token(tenantId, verificationId);
  const link = `https://${host}/api/v6/services/compliance/confirm-email?token=${token}`;
  return {
    channel: "EMAIL",
    subject: `${name}: confirm your e-mail address`,
    text: `Confirm your e-mail address at ${name} within 24 hours:\n\n${link}\n\nIf it was not you, ignore this message.`,
  };
}
