import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../kernel/time/clock.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { contactLifetimesMs, type ContactType, type ContactChange } from "../domain/contacts.js";
import { messageRule } from "../domain/throttle-rules.js";
import type { Keyring } from "../credentials/keyring.js";
import { addNotices } from "../jobs/notices.js";
import { contactCodeRow } from "../jobs/sent-codes.js";
import { isSentCode, sentCodeOf } from "./code-digits.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "../credentials/throttle.js";
import type { UserRecord } from "../domain/people.js";

export type ContactChanges = ReturnType<typeof createContactChanges>;

/** Contacts that do not count yet. */
export function createContactChanges(deps: {
  store: IdentityStore;
  outbox: Outbox;
  keyring: Keyring;
  throttle: Throttle;
  clock: Clock;
}) {
  const { store, outbox, keyring, throttle, clock } = deps;
  return {
    /** Counts the messages that are about to be sent for a user. Refuses RATE_LIMITED. */
    async countMessages(tenantId: string, user: UserRecord) {
      const counted = await throttle.begin({ name: `contact/${tenantId}/${user.userId}`, rule: messageRule });
      await counted.failed();
      return counted;
    },

    /**
     * Has a code sent to a new contact and tells the ones that count, in the caller's transaction.
     */
    async ask(
      user: UserRecord,
      { type, value, byOwner }: Pick<ContactChange, "type" | "value" | "byOwner">,
      call: Call,
      session: ClientSession,
    ): Promise<void> {
      const { tenantId, interactionId } = call;
      const change = { ...newChange(user, type, value, call), byOwner };
      await store.forTenant(tenantId).putContactChange(change, session);
      await outbox.add(contactCodeRow({ tenantId, interactionId, actor: actorOf(call) }, change.changeId), session);
      await addNotices(outbox, call, user, { notice: "CONTACT_ASKED", changeId: change.changeId }, session);
    },

    /**
     * Notes that the phone number was taken away and tells its owner, in the caller's transaction.
     */
    async removed(user: UserRecord, call: Call, session: ClientSession): Promise<void> {
      const change = { ...newChange(user, "PHONE_NUMBER", "", call), state: "CONFIRMED" as const, byOwner: true };
      await store.forTenant(call.tenantId).putContactChange(change, session);
      await addNotices(outbox, call, user, { notice: "CONTACT_REMOVED", changeId: change.changeId }, session);
    },

    /**
     * The change whose code this is, tried once more. Refuses VERIFICATION_FAILED, every failure
     * the same.
     */
    async assertCode(tenantId: string, change: ContactChange, code: string): Promise<void> {
      const isOpen = change.state === "CONFIRMED" || (await store.forTenant(tenantId).beginContactTry(change.changeId));
      const expected = sentCodeOf(keyring, "contact change", tenantId, change.changeId);
      if (!isOpen || !isSentCode(expected, code)) throw codeFailed();
    },
  };

  function newChange(user: UserRecord, type: ContactType, value: string, call: Call): ContactChange {
    const now = clock.now();
    return {
      changeId: uuidv7(),
      userId: user.userId,
      type,
      value,
      previous: type === "EMAIL" ? user.email : (user.customer?.phoneNumber ?? ""),
      state: "PENDING",
      tries: 0,
      byOwner: false,
      askedBy: actorOf(call),
      createdAt: now,
      expiresAt: new Date(now.getTime() + contactLifetimesMs[type]),
    };
  }
}

export function codeFailed(): Refusal {
  return new Refusal("VERIFICATION_FAILED", "the code is wrong, expired or used up: ask for a new one");
}
