import type { Connection } from "mongoose";
import type { IdentityServiceDefinition, UpdateProfileRequest } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clock.js";
import { actorOf, requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import { createFaults } from "../domain/faults.js";
import { parseName, parsePhoneNumber } from "../domain/people.js";
import { assertMayManage } from "../domain/roles.js";
import type { PasswordChecks } from "../password-checks.js";
import { rowKinds } from "../relay.js";
import type { Revocations } from "../revocations.js";
import type { UserDocument } from "../store/documents.js";
import type { IdentityStore, ProfileChange } from "../store/store.js";
import { profileToWire, userToWire } from "../wire.js";
import { tenantOf } from "./tenants.js";

type ProfileRpcs = "getProfile" | "updateProfile" | "disableUser" | "enableUser";

export type ManagedUser = ReturnType<typeof createManagedUser>;

async function userOf(store: IdentityStore, tenantId: string, userId: string): Promise<UserDocument> {
  const user = await store.forTenant(tenantId).findUser(userId);
  if (user === null || user.erasedAt !== undefined) throw new Refusal("NOT_FOUND", "there is no such user");
  return user;
}

/** The user, if the caller manages them. Refuses FORBIDDEN, NOT_FOUND. */
export function createManagedUser(store: IdentityStore) {
  return async (call: Call, userId: string): Promise<UserDocument> => {
    const { preference } = await tenantOf(store, call.tenantId);
    const user = await userOf(store, call.tenantId, userId);
    const manager =
      call.user === undefined && call.caller === "operator"
        ? { role: "operator" as const, userId: "operator" }
        : requireUser(call);
    const target = { role: user.role, userId: user._id, agentId: user.customer?.agentId };
    assertMayManage(manager, target, preference.agentScope);
    return user;
  };
}

export function profileHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  revocations: Revocations;
  checks: PasswordChecks;
  managedUser: ManagedUser;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, ProfileRpcs> {
  const { db, store, outbox, revocations, checks, managedUser, clock } = deps;

  const auditOf = (call: Call, action: string, subject: string, reason: string) => ({
    at: clock.now(),
    actor: actorOf(call),
    action,
    subject,
    reason,
    interactionId: call.interactionId,
  });

  return {
    async getProfile(_, call) {
      return { profile: profileToWire(await userOf(store, call.tenantId, requireUser(call).userId)) };
    },

    async updateProfile(request, call) {
      const { tenantId } = call;
      const isOwn = request.userId === "" || request.userId === call.user?.userId;
      const user = isOwn
        ? await userOf(store, tenantId, requireUser(call).userId)
        : await managedUser(call, request.userId);
      const change = parseChange(request, user, isOwn);
      if (isOwn && change.phoneNumber !== undefined && change.phoneNumber !== user.customer?.phoneNumber) {
        await checks.assertPassword(user, request.password, call);
      }
      const ofTenant = store.forTenant(tenantId);
      const changed = await inTransaction(
        db,
        async (session) => {
          const after = await ofTenant.updateProfile(user, change, session);
          if (after === null) throw new Refusal("NOT_FOUND", "there is no such user");
          const fields = Object.keys(change).join(", ");
          await ofTenant.noteAudit(auditOf(call, "profile.update", user._id, fields), session);
          return after;
        },
        { readBack: async () => undefined },
      );
      return { profile: profileToWire(changed) };
    },

    async disableUser({ userId, reason }, call) {
      const why = parseReason(reason);
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
          const now = await ofTenant.disableUser(user._id, disabled, session);
          const payload = { userId, because: "the user was disabled" };
          const row = { tenantId, aggregate, seq: 1, kind: rowKinds.endSessions, payload, interactionId, actor };
          await outbox.add(row, session);
          await ofTenant.noteAudit(auditOf(call, "user.disable", userId, why), session);
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
      const why = parseReason(reason);
      const user = await managedUser(call, userId);
      const ofTenant = store.forTenant(call.tenantId);
      const after = await inTransaction(
        db,
        async (session) => {
          await ofTenant.noteAudit(auditOf(call, "user.enable", user._id, why), session);
          return (await ofTenant.enableUser(user._id, session))!;
        },
        { readBack: async () => undefined },
      );
      return { user: userToWire(after) };
    },
  };
}

function parseReason(text: string): string {
  const faults = createFaults();
  const reason = faults.of(() => parseName(text, "reason"));
  faults.refuseIfAny();
  return reason!;
}

/** What is to be changed. Staff have a name, customers a first and last name and a phone number; one's own name is staff's to change. */
function parseChange(request: UpdateProfileRequest, user: UserDocument, isOwn: boolean): ProfileChange {
  const faults = createFaults();
  const { name, firstName, lastName, phoneNumber } = request;
  const isCustomer = user.customer !== undefined;
  if (isCustomer && name !== undefined) faults.add("name", "of a customer is first and last name");
  if (!isCustomer) {
    for (const [path, value] of Object.entries({ firstName, lastName, phoneNumber })) {
      if (value !== undefined) faults.add(path, "is for customers only");
    }
  }
  const change = {
    ...(name === undefined ? {} : { name: faults.of(() => parseName(name, "name"))! }),
    ...(firstName === undefined ? {} : { firstName: faults.of(() => parseName(firstName, "firstName"))! }),
    ...(lastName === undefined ? {} : { lastName: faults.of(() => parseName(lastName, "lastName"))! }),
    ...(phoneNumber === undefined ? {} : { phoneNumber: faults.of(() => parsePhoneNumber(phoneNumber))! }),
  };
  faults.refuseIfAny();
  if (isOwn && isCustomer && (firstName !== undefined || lastName !== undefined)) {
    throw new Refusal("FORBIDDEN", "the name on file is changed by staff");
  }
  return change;
}
