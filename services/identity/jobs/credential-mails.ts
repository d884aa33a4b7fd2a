import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/time/clock.js";
import type { SecurityMessages } from "../../platform/messages/written.js";
import type { NewRow, RowHandler } from "../../kernel/outbox/index.js";
import type { PersonalNotifications } from "../clients/own-plugins.js";
import type { Keyring } from "../credentials/keyring.js";
import { encodeResetToken } from "../credentials/password-resets.js";
import type { Throttle } from "../credentials/throttle.js";
import { apiTokenMessage, type MessageContent } from "../domain/messages.js";
import { passwordResetLifetimeMs } from "../domain/password-resets.js";
import { emailKey, type UserRecord } from "../domain/people.js";
import { messageRule } from "../domain/throttle-rules.js";
import type { IdentityStore } from "../store/index.js";
import { readerIn } from "./readers.js";
import { rowKinds } from "../row-kinds.js";

type RowOrigin = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/** Sends the mail of a password reset; the row's id becomes the reset's. */
export function passwordResetRow(of: RowOrigin, email: string): NewRow {
  const aggregate = `password-reset:${randomUUID()}`;
  return { ...of, aggregate, seq: 1, kind: rowKinds.passwordReset, payload: { email, emailKey: emailKey(email) } };
}

/** Tells a user by mail that their password was changed. */
export function passwordChangedRow(of: RowOrigin, aggregate: string, userId: string): NewRow {
  return { ...of, aggregate, seq: 1, kind: rowKinds.passwordChanged, payload: { userId } };
}

/** Tells the owner of an API token by mail that it has a new secret. */
export function apiTokenRow(
  of: RowOrigin,
  { userId, name, deed }: { userId: string; name: string; deed: "made" | "rotated" },
): NewRow {
  const aggregate = `api-token:${randomUUID()}`;
  return { ...of, aggregate, seq: 1, kind: rowKinds.apiToken, payload: { userId, name, deed } };
}

/** Each may run more than once for one row: the connector sends a reference once. */
export function credentialMailRows(deps: {
  store: IdentityStore;
  keyring: Keyring;
  notifications: PersonalNotifications;
  words: SecurityMessages;
  throttle: Throttle;
  clock: Clock;
}): Record<string, RowHandler> {
  const { store, keyring, notifications, words, throttle, clock } = deps;

  /** Sends a mail to a user who is not erased. */
  async function mailUser(
    { id, tenantId }: { id: string; tenantId: string },
    userId: string,
    wording: (user: UserRecord) => Promise<MessageContent>,
    signal: AbortSignal,
  ): Promise<void> {
    const user = await store.forTenant(tenantId).findUser(userId);
    if (user === undefined || user.erasedAt !== undefined || user.email === "") return;
    const content = await wording(user);
    const message = { reference: id, channel: "EMAIL" as const, to: user.email, ...content };
    await notifications.to(user).send(tenantId, message, signal);
  }

  return {
    /**
     * Looks for the person only here, so that asking takes the same time whether there is one or
     * not.
     */
    async [rowKinds.passwordReset](row, { signal, attempt, log }) {
      const { id, tenantId, payload } = row;
      const { email } = payload as { email: string };
      const ofTenant = store.forTenant(tenantId);
      const user = await ofTenant.findUserByEmail(emailKey(email));
      if (user === undefined || user.disabled !== undefined) return;
      if (attempt === 1) {
        const counted = await throttle
          .begin({ name: `reset mail/${tenantId}/${user.userId}`, rule: messageRule })
          .catch(() => undefined);
        if (counted === undefined)
          return log.info({ userId: user.userId }, "too many password resets: no mail is sent");
        await counted.failed();
      }
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + passwordResetLifetimeMs);
      await ofTenant.putPasswordReset({ resetId: id, userId: user.userId, createdAt: now, expiresAt });
      const { organisation, languages } = await readerIn(store, tenantId, user);
      const token = encodeResetToken(keyring, tenantId, id);
      const requested = { kind: "security.password_reset", channel: "EMAIL", languages } as const;
      const content = await words.contentOf(row, requested, () => ({ organisation, token }));
      const message = { reference: id, channel: "EMAIL" as const, to: user.email, ...content };
      await notifications.to(user).send(tenantId, message, signal);
    },

    [rowKinds.passwordChanged]: (row, { signal }) => {
      const { userId } = row.payload as { userId: string };
      const wording = async (user: UserRecord) => {
        const { organisation, languages } = await readerIn(store, row.tenantId, user);
        const requested = { kind: "security.password_changed", channel: "EMAIL", languages } as const;
        return words.contentOf(row, requested, () => ({ organisation }));
      };
      return mailUser(row, userId, wording, signal);
    },

    [rowKinds.apiToken]: (row, { signal }) => {
      const { userId, name, deed } = row.payload as { userId: string; name: string; deed: "made" | "rotated" };
      const wording = async () => {
        return apiTokenMessage((await readerIn(store, row.tenantId)).organisation, name, deed);
      };
      return mailUser(row, userId, wording, signal);
    },
  };
}
