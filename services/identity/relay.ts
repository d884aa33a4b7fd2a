import type { Clock } from "../shared/clock.js";
import type { RowHandler } from "../shared/outbox/index.js";
import { emailKey } from "./domain/people.js";
import { messageRule } from "./domain/throttle.js";
import type { Keyring } from "./keyring.js";
import { passwordChangedMessage, passwordResetMessage, paymentCodeMessage } from "./messages.js";
import type { NotificationConnector } from "./notifications.js";
import { encodeResetToken, passwordResetLifetimeMs } from "./password-resets.js";
import type { Revocations } from "./revocations.js";
import { paymentCodeOf } from "./second-factors.js";
import type { IdentityStore } from "./store/store.js";
import type { Throttle } from "./throttle.js";

export const rowKinds = {
  endSessions: "sessions.end",
  passwordReset: "password-reset.send",
  passwordChanged: "password-changed.tell",
  paymentCode: "payment-code.send",
  approvalExpires: "approval.expire",
  approvalOutcome: "approval.tell",
  erasePerson: "erasure.tell",
} as const;

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

  return {
    async [rowKinds.endSessions]({ tenantId, payload }) {
      const { userId, because, except } = payload as { userId: string; because: string; except?: string };
      await revocations.endSessionsOf(tenantId, userId, because, except);
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

    async [rowKinds.paymentCode]({ tenantId, actor, payload }, { signal }) {
      const { codeId, channel, amount, payee } = payload as Record<"codeId" | "amount" | "payee", string> & {
        channel: "EMAIL" | "SMS";
      };
      const ofTenant = store.forTenant(tenantId);
      const [user, code] = [await ofTenant.findUser(actor), await ofTenant.findPaymentCodeById(codeId)];
      // A code that comes too late helps nobody.
      if (user === null || code === null || code.expiresAt <= clock.now()) return;
      const to = channel === "SMS" ? (user.customer?.phoneNumber ?? "") : user.email;
      if (to === "" || user.erasedAt !== undefined) return;
      const digits = paymentCodeOf(keyring, tenantId, codeId);
      const content = paymentCodeMessage(await nameOf(tenantId), digits, amount, payee);
      await notifications.send({ account: tenantId, reference: codeId, channel, to, ...content }, signal);
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
