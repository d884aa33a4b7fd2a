import type { Clock } from "../../shared/clocks/clock.js";
import type { OutboxRow, RelayContext, RowHandler } from "../../shared/outbox/index.js";
import { emailKey } from "../domain/people.js";
import { messageRule } from "../domain/throttle-rules.js";
import type { Keyring } from "../credentials/keyring.js";
import type { ContactType } from "../domain/contacts.js";
import type { ChangeByCode } from "../domain/step-up.js";
import {
  addressTakenMessage,
  alreadyRegisteredMessage,
  apiTokenMessage,
  changeCodeMessage,
  contactCodeMessage,
  passwordChangedMessage,
  passwordResetMessage,
  paymentCodeMessage,
  registrationCodeMessage,
} from "../domain/messages.js";
import type { Notification, NotificationConnector } from "../clients/notifications.js";
import { encodeResetToken, passwordResetLifetimeMs } from "../credentials/password-resets.js";
import type { Revocations } from "../credentials/revocations.js";
import { sentCodeOf } from "../factors/second-factors.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "../credentials/throttle.js";

export const rowKinds = {
  endSessions: "sessions.end",
  passwordReset: "password-reset.send",
  passwordChanged: "password-changed.tell",
  paymentCode: "payment-code.send",
  apiToken: "api-token.tell",
  changeCode: "change-code.send",
  contactCode: "contact-code.send",
  registration: "registration.send",
  notice: "notice.send",
  factorReset: "factors.reset",
  personChange: "person-change.tell",
  approvalExpires: "approval.expire",
  approvalOutcome: "approval.tell",
  erasePerson: "erasure.tell",
} as const;

/** Payload of `endSessions`. */
export interface SessionsEnding {
  userId: string;
  because: string;
  except?: string;
  /** Whether what the user's API tokens were exchanged for ends too. */
  apiTokens?: boolean;
}

/** What follows from identity's state changes. Each may run more than once for one row. */
export function accountRows(deps: {
  store: IdentityStore;
  keyring: Keyring;
  revocations: Revocations;
  notifications: NotificationConnector;
  throttle: Throttle;
  clock: Clock;
}): Record<string, RowHandler> {
  const { store, keyring, revocations, notifications, throttle, clock } = deps;

  const nameOf = async (tenantId: string) => (await store.forTenant(tenantId).findTenant())?.name ?? "";

  /** A code of the user who asked for it, to a contact that counts. */
  async function sendCode(
    { tenantId, actor, payload }: OutboxRow,
    { signal }: Pick<RelayContext, "signal">,
    wording: (tenantName: string, digits: string) => Pick<Notification, "subject" | "text">,
  ): Promise<void> {
    const { codeId, channel } = payload as { codeId: string; channel: "EMAIL" | "SMS" };
    const ofTenant = store.forTenant(tenantId);
    const [user, code] = [await ofTenant.findUser(actor), await ofTenant.findSentCodeById(codeId)];
    // A code that comes too late helps nobody.
    if (user === null || code === null || code.expiresAt <= clock.now()) return;
    const to = channel === "SMS" ? (user.customer?.phoneNumber ?? "") : user.email;
    if (to === "" || user.erasedAt !== undefined) return;
    const content = wording(await nameOf(tenantId), sentCodeOf(keyring, "payment code", tenantId, codeId));
    await notifications.send({ account: tenantId, reference: codeId, channel, to, ...content }, signal);
  }

  return {
    async [rowKinds.endSessions]({ tenantId, payload }) {
      const { userId, because, except, apiTokens } = payload as unknown as SessionsEnding;
      await revocations.endSessionsOf(tenantId, userId, because, except);
      if (apiTokens !== true) return;
      const ended = (await store.forTenant(tenantId).listApiTokens(userId)).filter((one) => one.invalidatedAt);
      const exchanged = ended.flatMap(({ secrets }) => secrets.map(({ sessionId }) => sessionId));
      await revocations.endSessions(tenantId, exchanged, because);
    },

    /** Looks for the person only here, so that asking takes the same time whether there is one or not. */
    async [rowKinds.passwordReset]({ id, tenantId, payload }, { signal, attempt, log }) {
      const { email } = payload as { email: string };
      const ofTenant = store.forTenant(tenantId);
      const user = await ofTenant.findUserByEmail(emailKey(email));
      if (user === null || user.disabled !== undefined) return;
      if (attempt === 1) {
        const counted = await throttle
          .begin({ name: `reset mail/${tenantId}/${user._id}`, rule: messageRule })
          .catch(() => undefined);
        if (counted === undefined) return log.info({ userId: user._id }, "too many password resets: no mail is sent");
        await counted.failed();
      }
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + passwordResetLifetimeMs);
      await ofTenant.putPasswordReset({ _id: id, userId: user._id, createdAt: now, expiresAt });
      const content = passwordResetMessage(await nameOf(tenantId), encodeResetToken(keyring, tenantId, id));
      const message = { account: tenantId, reference: id, channel: "EMAIL" as const, to: user.email, ...content };
      await notifications.send(message, signal);
    },

    [rowKinds.paymentCode]: (row, context) => {
      const { amount, payee } = row.payload as Record<"amount" | "payee", string>;
      return sendCode(row, context, (name, digits) => paymentCodeMessage(name, digits, amount, payee));
    },

    [rowKinds.changeCode]: (row, context) => {
      const { change } = row.payload as { change: ChangeByCode };
      return sendCode(row, context, (name, digits) => changeCodeMessage(name, digits, change));
    },

    async [rowKinds.contactCode]({ tenantId, payload }, { signal }) {
      const { changeId } = payload as { changeId: string };
      const ofTenant = store.forTenant(tenantId);
      const change = await ofTenant.findContactChange(changeId);
      if (change === null || change.state !== "PENDING" || change.expiresAt <= clock.now()) return;
      const { type, value: to, userId } = change;
      const holder = type === "EMAIL" ? await ofTenant.findUserByEmail(emailKey(to)) : null;
      const isTaken = holder !== null && holder._id !== userId;
      const name = await nameOf(tenantId);
      const digits = sentCodeOf(keyring, "contact change", tenantId, changeId);
      const content = isTaken ? addressTakenMessage(name) : contactCodeMessage(name, digits, type);
      const channel = channelOf(type);
      await notifications.send({ account: tenantId, reference: changeId, channel, to, ...content }, signal);
    },

    /** Looks for the person only here, so that registering takes the same time whether there is one or not. */
    async [rowKinds.registration]({ tenantId, payload }, { signal }) {
      const { registrationId } = payload as { registrationId: string };
      const ofTenant = store.forTenant(tenantId);
      const found = await ofTenant.findRegistration(registrationId);
      const details = found && ofTenant.openRegistration(found);
      if (!details || found.expiresAt <= clock.now()) return;
      const name = await nameOf(tenantId);
      const isKnown = (await ofTenant.findUserByEmail(emailKey(details.email))) !== null;
      const digits = sentCodeOf(keyring, "registration", tenantId, registrationId);
      const content = isKnown ? alreadyRegisteredMessage(name) : registrationCodeMessage(name, digits);
      const message = { account: tenantId, reference: registrationId, channel: "EMAIL" as const, to: details.email };
      await notifications.send({ ...message, ...content }, signal);
    },

    async [rowKinds.apiToken]({ id, tenantId, payload }, { signal }) {
      const { userId, name, deed } = payload as { userId: string; name: string; deed: "made" | "rotated" };
      const user = await store.forTenant(tenantId).findUser(userId);
      if (user === null || user.erasedAt !== undefined) return;
      const content = apiTokenMessage(await nameOf(tenantId), name, deed);
      const message = { account: tenantId, reference: id, channel: "EMAIL" as const, to: user.email, ...content };
      await notifications.send(message, signal);
    },

    async [rowKinds.passwordChanged]({ id, tenantId, payload }, { signal }) {
      const { userId } = payload as { userId: string };
      const user = await store.forTenant(tenantId).findUser(userId);
      if (user === null || user.erasedAt !== undefined) return;
      const content = passwordChangedMessage(await nameOf(tenantId));
      await notifications.send(
        { account: tenantId, reference: id, channel: "EMAIL", to: user.email, ...content },
        signal,
      );
    },
  };
}

function channelOf(type: ContactType): "EMAIL" | "SMS" {
  return type === "EMAIL" ? "EMAIL" : "SMS";
}
