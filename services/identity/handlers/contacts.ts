import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { actorOf, requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import type { ContactType } from "../domain/contacts.js";
import { codeFailed } from "../factors/contact-changes.js";
import { addNotices } from "../jobs/notices.js";
import { addPersonChange } from "../jobs/person-changes.js";
import { auditEntryOf } from "./audit-entries.js";
import { createAssertContactOwner } from "./contact-owner.js";
import { userOf } from "./managed-users.js";
import { profileOf } from "./profile-of.js";
import type { HandlerDeps } from "./deps.js";

const contactTypes: readonly ContactType[] = ["EMAIL", "PHONE_NUMBER"];

/** A new contact counts once its code was entered. */
export function contactHandlers(deps: HandlerDeps) {
  const { db, store, outbox, contactChanges, clock } = deps;
  const assertContactOwner = createAssertContactOwner(deps);

  return {
    async confirmContactChange({ type: given, code, password, proof }, call) {
      const type = contactTypes.find((one) => one === given);
      if (type === undefined) throw invalidInput("type", `must be ${contactTypes.join(" or ")}`);
      const { tenantId, interactionId } = call;
      const user = await userOf(store, tenantId, requireUser(call).userId);
      const ofTenant = store.forTenant(tenantId);
      const change = await ofTenant.findNewestContact(user._id, type, clock.now());
      if (change === null) throw codeFailed();
      // The owner who asked for the change themself has shown already who they are.
      if (!change.byOwner && change.state === "PENDING")
        await assertContactOwner(user, { password, proof }, call, true);
      await contactChanges.assertCode(change, code);
      if (change.state === "CONFIRMED") return { profile: await profileOf(store, user, call, clock.now()) };
      const origin = { tenantId, interactionId, actor: actorOf(call) };
      const after = await inTransaction(
        db,
        async (session) => {
          if (!(await ofTenant.confirmContact(change._id, session))) throw codeFailed();
          const written = type === "EMAIL" ? { email: change.value } : { phoneNumber: change.value };
          const found = await ofTenant.updateProfile(user, written, user.customer !== undefined, session);
          if (found === null) throw new Refusal("NOT_FOUND", "there is no such user");
          // Of staff compliance knows the name alone.
          if (user.customer !== undefined) await addPersonChange(outbox, origin, found, { changed: [type] }, session);
          await addNotices(outbox, call, user, { notice: "CONTACT_CHANGED", changeId: change._id }, session);
          // What was sent to the old address sets no password any more.
          if (type === "EMAIL") await ofTenant.endPasswordResets(user._id, clock.now(), session);
          await ofTenant.noteAudit(
            auditEntryOf(call, { at: clock.now(), action: "contact.change", subject: user._id, reason: type }),
            session,
          );
          return found;
        },
        {
          readBack: async () => {
            const stands = await ofTenant.findContactChange(change._id);
            return stands?.state === "CONFIRMED" ? ((await ofTenant.findUser(user._id)) ?? undefined) : undefined;
          },
        },
      ).catch((error: unknown) => {
        // Somebody else's address was never sent a code: whoever guessed one learns nothing.
        throw error instanceof Refusal && error.code === "ALREADY_EXISTS" ? codeFailed() : error;
      });
      outbox.wake();
      return { profile: await profileOf(store, after, call, clock.now()) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
