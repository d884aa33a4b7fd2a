import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { ContactChange } from "../domain/contacts.js";
import type { UserRecord } from "../domain/people.js";
import { codeFailed } from "../factors/contact-changes.js";
import { addNotices } from "../jobs/notices.js";
import { addPersonChange } from "../jobs/person-changes.js";
import { auditEntryOf } from "./audit-entries.js";
import type { HandlerDeps } from "./deps.js";

/** Makes a contact count whose code was entered. Refuses VERIFICATION_FAILED. */
export function createConfirmContact({ db, store, outbox, clock }: HandlerDeps) {
  return async (user: UserRecord, change: ContactChange, call: Call): Promise<UserRecord> => {
    const { tenantId, interactionId } = call;
    const { type } = change;
    const ofTenant = store.forTenant(tenantId);
    const origin = { tenantId, interactionId, actor: actorOf(call) };
    const after = await inTransaction(
      db,
      async (session) => {
        if (!(await ofTenant.confirmContact(change.changeId, session))) throw codeFailed();
        const written = type === "EMAIL" ? { email: change.value } : { phoneNumber: change.value };
        const found = await ofTenant.updateProfile(user, written, user.customer !== undefined, session);
        if (found === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
        // Of staff compliance knows the name alone.
        if (user.customer !== undefined) await addPersonChange(outbox, origin, found, { changed: [type] }, session);
        await addNotices(outbox, call, user, { notice: "CONTACT_CHANGED", changeId: change.changeId }, session);
        // What was sent to the old address sets no password any more.
        if (type === "EMAIL") await ofTenant.endPasswordResets(user.userId, clock.now(), session);
        await ofTenant.noteAudit(
          auditEntryOf(call, { at: clock.now(), action: "contact.change", subject: user.userId, reason: type }),
          session,
        );
        return found;
      },
      {
        readBack: async () => {
          const stands = await ofTenant.findContactChange(change.changeId);
          return stands?.state === "CONFIRMED" ? await ofTenant.findUser(user.userId) : undefined;
        },
      },
    ).catch((error: unknown) => {
      // Somebody else's address was never sent a code: whoever guessed one learns nothing.
      throw error instanceof Refusal && error.code === "ALREADY_EXISTS" ? codeFailed() : error;
    });
    outbox.wake();
    return after;
  };
}
