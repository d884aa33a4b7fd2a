import type { Connection } from "mongoose";
import type { IdentityServiceDefinition, UpdateProfileRequest } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { actorOf, requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { codeFailed, type ContactChanges } from "../factors/contact-changes.js";
import type { ContactType, PersonPart } from "../domain/contacts.js";
import { createFaults } from "../domain/faults.js";
import { parseEmail, parseName, parsePhoneNumber, type UserRecord, type ProfileChange } from "../domain/people.js";
import { assertMayManage } from "../domain/roles.js";
import { resetGraceMs } from "../domain/step-up.js";
import { tell } from "../jobs/notices.js";
import { tellCompliance } from "../jobs/person-changes.js";
import { rowKinds } from "../jobs/relay.js";
import type { Revocations } from "../credentials/revocations.js";
import { acceptedFor, enrolledOf, type Presented, type StepUp } from "../factors/step-up.js";
import type { IdentityStore } from "../store/index.js";
import { profileToWire, userToWire } from "../wire/customers.js";
import { tenantOf } from "./tenants.js";

type ProfileRpcs = "getProfile" | "updateProfile" | "confirmContactChange" | "disableUser" | "enableUser";

const contactTypes: readonly ContactType[] = ["EMAIL", "PHONE_NUMBER"];

export type ManagedUser = ReturnType<typeof createManagedUser>;

/** Refuses NOT_FOUND, also for who was erased. */
export async function userOf(store: IdentityStore, tenantId: string, userId: string): Promise<UserRecord> {
  const user = await store.forTenant(tenantId).findUser(userId);
  if (user === null || user.erasedAt !== undefined) throw new Refusal("NOT_FOUND", "there is no such user");
  return user;
}

/** The user, if the caller manages them. Refuses FORBIDDEN, NOT_FOUND. */
export function createManagedUser(store: IdentityStore) {
  return async (call: Call, userId: string): Promise<UserRecord> => {
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
  stepUp: StepUp;
  contactChanges: ContactChanges;
  managedUser: ManagedUser;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, ProfileRpcs> {
  const { db, store, outbox, revocations, stepUp, contactChanges, managedUser, clock } = deps;

  const originOf = (call: Call) => ({
    tenantId: call.tenantId,
    interactionId: call.interactionId,
    actor: actorOf(call),
  });

  const profileOf = async (user: UserRecord) =>
    profileToWire(user, await store.forTenant(user.tenantId).listPendingContacts(user._id, clock.now()));

  /** The password and something enrolled; after a reset the password alone, where staff began the change. */
  async function assertOwner(
    user: UserRecord,
    given: { password: string; proof?: Presented | undefined },
    call: Call,
    isBegunByStaff = false,
  ): Promise<void> {
    const { preference } = await tenantOf(store, call.tenantId);
    const isReset = (user.factorsResetAt?.getTime() ?? 0) > clock.now().getTime() - resetGraceMs;
    const { totp, pin } = enrolledOf(user, preference);
    const accepted = isBegunByStaff && isReset && !totp && !pin ? [] : acceptedFor("CONTACT", user, preference);
    const { password, proof } = given;
    await stepUp.assertOwner(user, "CONTACT", { password, proof, accepted }, call);
  }

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
      return { profile: await profileOf(await userOf(store, call.tenantId, requireUser(call).userId)) };
    },

    async updateProfile(request, call) {
      const { tenantId } = call;
      const isOwn = request.userId === "" || request.userId === call.user?.userId;
      const user = isOwn
        ? await userOf(store, tenantId, requireUser(call).userId)
        : await managedUser(call, request.userId);
      const { contacts, isPhoneRemoved, ...names } = parseChange(request, user, isOwn);
      if (isOwn && (contacts.length > 0 || isPhoneRemoved)) await assertOwner(user, request, call);
      const counted = contacts.length > 0 ? await contactChanges.countMessages(user) : undefined;
      const changed: PersonPart[] = [
        ...(isRenamed(user, names) ? (["NAME"] as const) : []),
        ...(isPhoneRemoved ? (["PHONE_NUMBER"] as const) : []),
      ];
      const ofTenant = store.forTenant(tenantId);
      const isNews = user.customer !== undefined && changed.length > 0;
      const written = { ...names, ...(isPhoneRemoved ? { phoneNumber: "" } : {}) };
      const after = await inTransaction(
        db,
        async (session) => {
          const found = await ofTenant.updateProfile(user, written, isNews, session);
          if (found === null) throw new Refusal("NOT_FOUND", "there is no such user");
          if (isNews) await tellCompliance(outbox, originOf(call), found, { changed }, session);
          if (isPhoneRemoved) await contactChanges.removed(user, call, session);
          for (const one of contacts) await contactChanges.ask(user, { ...one, byOwner: isOwn }, call, session);
          const fields = [...Object.keys(written), ...contacts.map(({ type }) => `${type} asked`)].join(", ");
          await ofTenant.noteAudit(auditOf(call, "profile.update", user._id, fields), session);
          return found;
        },
        { readBack: async () => undefined },
      ).catch(async (error: unknown) => {
        await counted?.takenBack();
        throw error;
      });
      outbox.wake();
      return { profile: await profileOf(after) };
    },

    async confirmContactChange({ type: given, code, password, proof }, call) {
      const type = contactTypes.find((one) => one === given);
      if (type === undefined) throw invalidInput("type", `must be ${contactTypes.join(" or ")}`);
      const { tenantId } = call;
      const user = await userOf(store, tenantId, requireUser(call).userId);
      const ofTenant = store.forTenant(tenantId);
      const change = await ofTenant.findNewestContact(user._id, type, clock.now());
      if (change === null) throw codeFailed();
      // Who asked for it themself has shown who they are.
      if (!change.byOwner && change.state === "PENDING") await assertOwner(user, { password, proof }, call, true);
      await contactChanges.assertCode(change, code);
      if (change.state === "CONFIRMED") return { profile: await profileOf(user) };
      const after = await inTransaction(
        db,
        async (session) => {
          if (!(await ofTenant.confirmContact(change._id, session))) throw codeFailed();
          const written = type === "EMAIL" ? { email: change.value } : { phoneNumber: change.value };
          const found = await ofTenant.updateProfile(user, written, user.customer !== undefined, session);
          if (found === null) throw new Refusal("NOT_FOUND", "there is no such user");
          await tellCompliance(outbox, originOf(call), found, { changed: [type] }, session);
          await tell(outbox, call, user, { notice: "CONTACT_CHANGED", changeId: change._id }, session);
          // What was sent to the old address sets no password any more.
          if (type === "EMAIL") await ofTenant.endPasswordResets(user._id, clock.now(), session);
          await ofTenant.noteAudit(auditOf(call, "contact.change", user._id, type), session);
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
      return { profile: await profileOf(after) };
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

interface Change extends Pick<ProfileChange, "name" | "firstName" | "lastName"> {
  /** Those that are to count once their code was entered. */
  contacts: { type: ContactType; value: string }[];
  isPhoneRemoved: boolean;
}

/** What is to be changed. Staff have a name, customers a first and last name and a phone number; one's own name is staff's to change. */
function parseChange(request: UpdateProfileRequest, user: UserRecord, isOwn: boolean): Change {
  const faults = createFaults();
  const { name, firstName, lastName, phoneNumber, email } = request;
  const isCustomer = user.customer !== undefined;
  if (isCustomer && name !== undefined) faults.add("name", "of a customer is first and last name");
  if (!isCustomer) {
    for (const [path, value] of Object.entries({ firstName, lastName, phoneNumber })) {
      if (value !== undefined) faults.add(path, "is for customers only");
    }
  }
  const before = { email: user.email, phoneNumber: user.customer?.phoneNumber ?? "" };
  const names = {
    ...(name === undefined ? {} : { name: faults.of(() => parseName(name, "name"))! }),
    ...(firstName === undefined ? {} : { firstName: faults.of(() => parseName(firstName, "firstName"))! }),
    ...(lastName === undefined ? {} : { lastName: faults.of(() => parseName(lastName, "lastName"))! }),
  };
  const phone = phoneNumber === undefined ? before.phoneNumber : faults.of(() => parsePhoneNumber(phoneNumber));
  const address = email === undefined ? before.email : faults.of(() => parseEmail(email));
  const isPhoneRemoved = phone === "" && before.phoneNumber !== "";
  if (isPhoneRemoved && !isOwn) faults.add("phoneNumber", "is taken away by its owner");
  faults.refuseIfAny();
  if (isOwn && isCustomer && (firstName !== undefined || lastName !== undefined)) {
    throw new Refusal("FORBIDDEN", "the name on file is changed by staff");
  }
  const contacts: Change["contacts"] = [];
  if (address !== before.email) contacts.push({ type: "EMAIL", value: address! });
  if (phone !== "" && phone !== before.phoneNumber) contacts.push({ type: "PHONE_NUMBER", value: phone! });
  return { ...names, contacts, isPhoneRemoved };
}

function isRenamed({ customer }: UserRecord, { firstName, lastName }: Pick<Change, "firstName" | "lastName">): boolean {
  if (customer === undefined) return false;
  return (
    (firstName ?? customer.firstName) !== customer.firstName || (lastName ?? customer.lastName) !== customer.lastName
  );
}
