import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { sessionEndingRow } from "../jobs/session-endings.js";
import { userToWire } from "../wire/people.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { auditEntryOf } from "./audit-entries.js";
import { createManagedUser } from "./managed-users.js";
import type { HandlerDeps } from "./deps.js";

export function userStatusHandlers(deps: HandlerDeps) {
  const { db, store, outbox, revocations, clock } = deps;
  const managedUser = createManagedUser(store);

  return {
    async disableUser({ userId, reason }, call) {
      const why = reasonFromWire(reason);
      const user = await managedUser(call, userId);
      const { tenantId, interactionId } = call;
      const ofTenant = store.forTenant(tenantId);
      const actor = actorOf(call);
      const disabled = { at: clock.now(), by: actor, reason: why };
      const aggregate = `disabled:${userId}:${interactionId}:${disabled.at.getTime()}`;
      const revocation = revocations.ofUser(userId);
      const after = await inTransaction(
        db,
        async (session) => {
          const now = await ofTenant.disableUser(user.userId, disabled, session);
          const row = sessionEndingRow(
            { tenantId, aggregate, interactionId, actor },
            { userId, because: "the user was disabled" },
          );
          await outbox.add(row, session);
          await ofTenant.noteAudit(
            auditEntryOf(call, { at: clock.now(), action: "user.disable", subject: userId, reason: why }),
            session,
          );
          await ofTenant.putRevocations([revocation], session);
          return now!;
        },
        {
          readBack: async () => {
            const found = await ofTenant.findUser(userId);
            return found?.disabled?.at.getTime() === disabled.at.getTime() ? found : undefined;
          },
        },
      );
      await revocations.publish(revocation);
      outbox.wake();
      await outbox.runNow(tenantId, aggregate);
      return { user: userToWire(after) };
    },

    async enableUser({ userId, reason }, call) {
      const why = reasonFromWire(reason);
      const user = await managedUser(call, userId);
      const ofTenant = store.forTenant(call.tenantId);
      const after = await inTransaction(
        db,
        async (session) => {
          await ofTenant.noteAudit(
            auditEntryOf(call, { at: clock.now(), action: "user.enable", subject: user.userId, reason: why }),
            session,
          );
          return (await ofTenant.enableUser(user.userId, session))!;
        },
        { readBack: async () => undefined },
      );
      return { user: userToWire(after) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
