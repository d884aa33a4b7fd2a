import type { Connection } from "mongoose";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { actorOf, requireUser } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import type { PersonPart } from "../domain/contacts.js";
import type { UserRecord } from "../domain/people.js";
import { isRenamed, parseProfileChange } from "../domain/profile-changes.js";
import type { ContactChanges } from "../factors/contact-changes.js";
import { addPersonChange } from "../jobs/person-changes.js";
import type { IdentityStore } from "../store/index.js";
import { profileToWire } from "../wire/people.js";
import { auditEntryOf } from "./audit-entries.js";
import type { AssertContactOwner } from "./contact-owner.js";
import { userOf, type ManagedUser } from "./managed-users.js";

/** The profile of a user with the contacts that wait for their code. */
export async function profileOf(store: IdentityStore, user: UserRecord, now: Date) {
  return profileToWire(user, await store.forTenant(user.tenantId).listPendingContacts(user._id, now));
}

export function profileHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  assertContactOwner: AssertContactOwner;
  contactChanges: ContactChanges;
  managedUser: ManagedUser;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, "getProfile" | "updateProfile"> {
  const { db, store, outbox, assertContactOwner, contactChanges, managedUser, clock } = deps;

  return {
    async getProfile(_, call) {
      return {
        profile: await profileOf(store, await userOf(store, call.tenantId, requireUser(call).userId), clock.now()),
      };
    },

    async updateProfile(request, call) {
      const { tenantId } = call;
      const isOwn = request.userId === "" || request.userId === call.user?.userId;
      const user = isOwn
        ? await userOf(store, tenantId, requireUser(call).userId)
        : await managedUser(call, request.userId);
      const { contacts, isPhoneRemoved, ...names } = parseProfileChange(request, user, isOwn);
      if (isOwn && (contacts.length > 0 || isPhoneRemoved)) await assertContactOwner(user, request, call);
      const counted = contacts.length > 0 ? await contactChanges.countMessages(user) : undefined;
      const changed: PersonPart[] = [
        ...(isRenamed(user, names) ? (["NAME"] as const) : []),
        ...(isPhoneRemoved ? (["PHONE_NUMBER"] as const) : []),
      ];
      const ofTenant = store.forTenant(tenantId);
      const isForCompliance = user.customer !== undefined && changed.length > 0;
      const written = { ...names, ...(isPhoneRemoved ? { phoneNumber: "" } : {}) };
      const after = await inTransaction(
        db,
        async (session) => {
          const found = await ofTenant.updateProfile(user, written, isForCompliance, session);
          if (found === null) throw new Refusal("NOT_FOUND", "there is no such user");
          if (isForCompliance)
            await addPersonChange(
              outbox,
              { tenantId, interactionId: call.interactionId, actor: actorOf(call) },
              found,
              { changed },
              session,
            );
          if (isPhoneRemoved) await contactChanges.removed(user, call, session);
          for (const one of contacts) await contactChanges.ask(user, { ...one, byOwner: isOwn }, call, session);
          const fields = [...Object.keys(written), ...contacts.map(({ type }) => `${type} asked`)].join(", ");
          await ofTenant.noteAudit(
            auditEntryOf(call, { at: clock.now(), action: "profile.update", subject: user._id, reason: fields }),
            session,
          );
          return found;
        },
        { readBack: async () => undefined },
      ).catch(async (error: unknown) => {
        await counted?.takenBack();
        throw error;
      });
      outbox.wake();
      return { profile: await profileOf(store, after, clock.now()) };
    },
  };
}
