import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import type { RowHandler } from "../../shared/outbox/index.js";
import type { Secrets } from "../checks/verification-secrets.js";
import type { Notification, Notifications } from "../clients/notifications.js";
import type { People } from "../clients/people.js";
import type { Preference, Preferences } from "../clients/preferences.js";
import { contactOf, type Verification } from "../domain/verification.js";
import type { ComplianceStore } from "../store/index.js";
import { rowKinds } from "../store/outbox-rows.js";

export interface MessageDeps {
  store: ComplianceStore;
  people: People;
  preferences: Preferences;
  notifications: Notifications;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Sends links and codes. The reference is the verification's id, which the connector sends once.
 */
export function verificationMessages({
  store,
  people,
  preferences,
  notifications,
  secrets,
  clock,
}: MessageDeps): Record<string, RowHandler> {
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
