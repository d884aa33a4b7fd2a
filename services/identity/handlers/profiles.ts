import type { ClientSession } from "mongoose";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import { actorOf, requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { PersonPart } from "../domain/contacts.js";
import type { UserRecord } from "../domain/people.js";
import {
  assertGivenOnce,
  changedDetails,
  mergedDetails,
  unseenDetails,
  type PersonalDetails,
} from "../domain/personal-details.js";
import { isRenamed, parseProfileChange } from "../domain/profile-changes.js";
import { addPersonChange } from "../jobs/person-changes.js";
import type { TenantStore } from "../store/index.js";
import { auditEntryOf } from "./audit-entries.js";
import { createAssertContactOwner } from "./contact-owner.js";
import { createManagedUser, userOf } from "./managed-users.js";
import type { HandlerDeps } from "./deps.js";
import { profileOf } from "./profile-of.js";

export function profileHandlers(deps: HandlerDeps) {
  const { db, store, outbox, contactChanges, clock } = deps;
  const assertContactOwner = createAssertContactOwner(deps);
  const managedUser = createManagedUser(store);

  return {
    async getProfile(_, call) {
      const user = await userOf(store, call.tenantId, requireUser(call).userId);
      return { profile: await profileOf(store, user, call, clock.now()) };
    },

    async updateProfile(request, call) {
      const { tenantId } = call;
      const isOwn = request.userId === "" || request.userId === call.user?.userId;
      const user = isOwn
        ? await userOf(store, tenantId, requireUser(call).userId)
        : await managedUser(call, request.userId);
      const today = dayOf(clock.now());
      const { contacts, isPhoneRemoved, details, ...names } = parseProfileChange(request, user, { isOwn, today });
      if (isOwn && (contacts.length > 0 || isPhoneRemoved)) await assertContactOwner(user, request, call);
      const counted = contacts.length > 0 ? await contactChanges.countMessages(call.tenantId, user) : undefined;
      const ofTenant = store.forTenant(tenantId);
      const after = await inTransaction(
        db,
        async (session) => {
          const isOther = isRenamed(user, names);
          const given = details ?? (isOther && user.customer !== undefined ? {} : undefined);
          const detailed =
            given &&
            (await detailsChange(ofTenant, user, { details: given, isOwn, isOther, now: clock.now() }, session));
          const changed: PersonPart[] = [
            ...(isOther ? (["NAME"] as const) : []),
            ...(isPhoneRemoved ? (["PHONE_NUMBER"] as const) : []),
            ...(detailed?.changed ?? []),
          ];
          const isForCompliance = changed.length > 0;
          const written = {
            ...names,
            ...(isPhoneRemoved && { phoneNumber: "" }),
            ...(detailed && { details: detailed.details }),
          };
          const found = await ofTenant.updateProfile(user, written, isForCompliance, session);
          if (found === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
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
          const { messages, ...others } = written;
          const fields = [
            ...Object.keys({ ...others, ...details }),
            ...(messages === undefined ? [] : ["message preference"]),
            ...contacts.map(({ type }) => `${type} asked`),
          ].join(", ");
          await ofTenant.noteAudit(
            auditEntryOf(call, { at: clock.now(), action: "profile.update", subject: user.userId, reason: fields }),
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
      return { profile: await profileOf(store, after, call, clock.now()) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

/**
 * What a customer's details become and what compliance is told of it; undefined where nothing
 * changes. Read in the transaction: others may have given some meanwhile. Refuses FORBIDDEN for
 * one's own that are on file.
 */
async function detailsChange(
  ofTenant: TenantStore,
  { userId }: UserRecord,
  { details: given, isOwn, isOther, now }: { details: PersonalDetails; isOwn: boolean; isOther: boolean; now: Date },
  session: ClientSession,
): Promise<{ details: PersonalDetails; changed: PersonPart[] } | undefined> {
  const before = (await ofTenant.findUser(userId, session))?.customer?.details ?? {};
  const merged = mergedDetails(isOther ? unseenDetails(before) : before, given, now);
  const changed = changedDetails(before, merged);
  if (changed.length === 0) return undefined;
  if (isOwn) assertGivenOnce(before, changed);
  const isMoved = changed.includes("address") && before.address !== undefined;
  return { details: merged, changed: isMoved ? ["DETAILS", "ADDRESS"] : ["DETAILS"] };
}
