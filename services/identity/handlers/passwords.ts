import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { parseNewPassword } from "../domain/password-policy.js";
import { parseEmail, type UserRecord } from "../domain/people.js";
import { decodeResetToken } from "../credentials/password-resets.js";
import { passwordChangedRow, passwordResetRow } from "../jobs/credential-mails.js";
import { sessionEndingRow } from "../jobs/session-endings.js";
import type { HandlerDeps } from "./deps.js";

interface Replacement {
  because: string;
  /** The session that lives on. */
  except?: string;
  keepApiTokens: boolean;
  /** What else is written in the transaction. */
  use?: (session: ClientSession) => Promise<void>;
}

export function passwordHandlers(deps: HandlerDeps) {
  const { db, store, outbox, hasher, checks, keyring, clock } = deps;

  /** Who was given a password by others does not keep it. Refuses INVALID_INPUT. */
  async function assertOwn(user: UserRecord, newPassword: string, call: Call): Promise<void> {
    if (user.passwordForOneSignIn === undefined) return;
    const { ok } = await hasher.verify(user.passwordHash, newPassword, call.signal);
    if (ok) throw invalidInput("newPassword", "must not be the one that was chosen for you");
  }

  /**
   * Replaces the hash, and with it ends the user's sessions and API tokens, as asked, and tells
   * them by mail.
   */
  async function replacePassword(
    call: Call,
    user: UserRecord,
    newPassword: string,
    { because, except, keepApiTokens, use }: Replacement,
  ): Promise<void> {
    const { tenantId, interactionId } = call;
    await assertOwn(user, newPassword, call);
    const fresh = await hasher.hash(newPassword, call.signal);
    const ofTenant = store.forTenant(tenantId);
    const aggregate = `password:${randomUUID()}`;
    await inTransaction(
      db,
      async (session) => {
        await use?.(session);
        if (!(await ofTenant.setOwnPassword(user.userId, user.passwordHash, fresh, session))) {
          throw passing("STATE_CONFLICT", "the password was changed at the same moment");
        }
        const origin = { tenantId, interactionId, actor: user.userId };
        if (!keepApiTokens) await ofTenant.invalidateApiTokensOf(user.userId, clock.now(), session);
        const ending = {
          userId: user.userId,
          because,
          ...(except === undefined ? {} : { except }),
          ...(keepApiTokens ? {} : { apiTokens: true }),
        };
        await outbox.add(sessionEndingRow({ ...origin, aggregate }, ending), session);
        await outbox.add(passwordChangedRow(origin, `${aggregate}:told`, user.userId), session);
        const noted = { at: clock.now(), actor: user.userId, action: "password.change", subject: user.userId };
        await ofTenant.noteAudit({ ...noted, reason: because, interactionId }, session);
        return true;
      },
      {
        readBack: async () => ((await ofTenant.findUser(user.userId))?.passwordHash === fresh ? true : undefined),
      },
    );
    outbox.wake();
    await outbox.runNow(tenantId, aggregate);
  }

  return {
    async changePassword({ currentPassword, newPassword, keepApiTokens }, call) {
      const { userId, sessionId } = requireUser(call);
      const user = await store.forTenant(call.tenantId).findUser(userId);
      if (user === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
      parseNewPassword(newPassword, user.email, "newPassword");
      await checks.assertPassword(user, currentPassword, call, { toChangeIt: true });
      const because = "the password was changed";
      await replacePassword(call, user, newPassword, { because, except: sessionId, keepApiTokens });
      return {};
    },

    async requestPasswordReset({ email }, call) {
      parseEmail(email);
      const { tenantId, interactionId } = call;
      const row = passwordResetRow({ tenantId, interactionId, actor: call.caller }, email);
      // The row's id becomes the reset's; without a read-back, a retry by the client sends another
      // mail.
      await inTransaction(db, (session) => outbox.add(row, session), { readBack: async () => undefined });
      outbox.wake();
      return {};
    },

    async resetPassword({ token, newPassword, keepApiTokens }, call) {
      const { tenantId } = call;
      const ofTenant = store.forTenant(tenantId);
      const resetId = decodeResetToken(keyring, tenantId, token);
      const reset = resetId === undefined ? undefined : await ofTenant.findPasswordReset(resetId);
      const user = reset === undefined ? undefined : await ofTenant.findUser(reset.userId);
      if (reset === undefined || user === undefined || user.disabled !== undefined) throw notValid();
      if (reset.usedAt !== undefined || reset.expiresAt <= clock.now()) throw notValid();
      parseNewPassword(newPassword, user.email, "newPassword");
      const use = async (session: ClientSession) => {
        if ((await ofTenant.usePasswordReset(reset.resetId, clock.now(), session)) === undefined) throw notValid();
      };
      await replacePassword(call, user, newPassword, { because: "the password was reset by mail", keepApiTokens, use });
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function notValid(): Refusal {
  return new Refusal("UNAUTHENTICATED", "the reset token is not valid any more");
}
