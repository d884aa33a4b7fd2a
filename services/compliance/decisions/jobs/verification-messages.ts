import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Channel, SecurityKind } from "../../../platform/messages/kinds.js";
import type { SecurityMessages } from "../../../platform/messages/written.js";
import type { OutboxRow, RowHandler } from "../../../kernel/outbox/index.js";
import { isSandbox, liveIdOf } from "../../../platform/sandbox/sandbox.js";
import type { Secrets } from "../checks/verification-secrets.js";
import type { Notifications } from "../../../platform/messages/notifications.js";
import type { People } from "../clients/people.js";
import type { Preference, Preferences } from "../clients/preferences.js";
import { contactOf, type Verification } from "../domain/verification.js";
import type { ComplianceStore } from "../store/index.js";
import { rowKinds } from "../../common/store/outbox-rows.js";

export interface MessageDeps {
  store: ComplianceStore;
  people: People;
  preferences: Preferences;
  notifications: Notifications;
  secrets: Secrets;
  words: SecurityMessages;
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
  words,
  clock,
}: MessageDeps): Record<string, RowHandler> {
  /** Where a link leads: a sandbox has no host of its own, and is reached below its tenant's. */
  async function originOf(row: OutboxRow, { host }: Preference, signal: AbortSignal): Promise<string> {
    if (!isSandbox(row.tenantId)) return `https://${host}`;
    const live = await preferences.of({ ...row, tenantId: liveIdOf(row.tenantId), signal });
    return `https://${live.host}/sandbox`;
  }

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
      const origin = await originOf(row, preference, signal);
      const { channel, kind, values } = messageOf(found, preference, secrets, { tenantId, origin });
      const languages = [person.language || preference.language, preference.language];
      const content = await words.contentOf(row, { kind, channel, languages }, () => values);
      await notifications.send(tenantId, { channel, ...content, reference: verificationId, to }, signal);
      crashPoint("compliance.verification.sent");
    },
  };
}

function messageOf(
  { kind, verificationId }: Verification,
  { name: organisation }: Preference,
  secrets: Secrets,
  { tenantId, origin }: { tenantId: string; origin: string },
): { channel: Channel; kind: SecurityKind; values: Record<string, string> } {
  if (kind === "PHONE_NUMBER") {
    const code = secrets.code(tenantId, verificationId);
    return { channel: "SMS", kind: "security.phone_code", values: { organisation, code } };
  }
  const token = secrets.token(tenantId, verificationId);
  const link = `${origin}/api/v6/services/compliance/confirm-email?token=${token}`;
  return { channel: "EMAIL", kind: "security.email_link", values: { organisation, link } };
}
