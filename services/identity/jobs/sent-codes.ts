import type { Clock } from "../../shared/clocks/clock.js";
import type { NewRow, OutboxRow, RelayContext, RowHandler } from "../../shared/outbox/index.js";
import type { Notification, NotificationConnector } from "../clients/notifications.js";
import type { Keyring } from "../credentials/keyring.js";
import type { ContactType } from "../domain/contacts.js";
import {
  addressTakenMessage,
  alreadyRegisteredMessage,
  changeCodeMessage,
  contactCodeMessage,
  paymentCodeMessage,
  registrationCodeMessage,
} from "../domain/messages.js";
import { emailKey } from "../domain/people.js";
import type { ChangeByCode } from "../domain/step-up.js";
import { sentCodeOf } from "../factors/code-digits.js";
import type { IdentityStore } from "../store/index.js";
import { rowKinds } from "./row-kinds.js";

type RowOrigin = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/** What a code that is sent lets its owner do. */
export type CodeUse =
  | { kind: typeof rowKinds.paymentCode; payload: { amount: string; payee: string } }
  | { kind: typeof rowKinds.changeCode; payload: { change: ChangeByCode } };

/**
 * Sends a code for a payment or a change. It holds neither the code nor the address: the relay
 * finds both.
 */
export function sentCodeRow(
  of: RowOrigin,
  { codeId, channel, use }: { codeId: string; channel: "EMAIL" | "SMS"; use: CodeUse },
): NewRow {
  const payload = { codeId, channel, ...use.payload };
  return { ...of, aggregate: `payment-code:${codeId}`, seq: 1, kind: use.kind, payload };
}

/** Sends the code of a new contact. */
export function contactCodeRow(of: RowOrigin, changeId: string): NewRow {
  return { ...of, aggregate: `contact-code:${changeId}`, seq: 1, kind: rowKinds.contactCode, payload: { changeId } };
}

/** Sends the code of a registration, or tells somebody who has an account already. */
export function registrationRow(of: RowOrigin, registrationId: string): NewRow {
  const aggregate = `registration:${registrationId}`;
  return { ...of, aggregate, seq: 1, kind: rowKinds.registration, payload: { registrationId } };
}

/** Each may run more than once for one row: the connector sends a reference once. */
export function sentCodeRows(deps: {
  store: IdentityStore;
  keyring: Keyring;
  notifications: NotificationConnector;
  clock: Clock;
}): Record<string, RowHandler> {
  const { store, keyring, notifications, clock } = deps;

  const nameOf = async (tenantId: string) => (await store.forTenant(tenantId).findTenant())?.name ?? "";

  /** Sends a code to a contact that counts of the user who asked for it. */
  async function sendCode(
    { tenantId, actor, payload }: OutboxRow,
    { signal }: Pick<RelayContext, "signal">,
    wording: (tenantName: string, digits: string) => Pick<Notification, "subject" | "text">,
  ): Promise<void> {
    const { codeId, channel } = payload as { codeId: string; channel: "EMAIL" | "SMS" };
    const ofTenant = store.forTenant(tenantId);
    const [user, code] = [await ofTenant.findUser(actor), await ofTenant.findSentCodeById(codeId)];
    // A code that comes too late helps nobody.
    if (user === null || code === null || code.expiresAt <= clock.now()) return;
    const to = channel === "SMS" ? (user.customer?.phoneNumber ?? "") : user.email;
    if (to === "" || user.erasedAt !== undefined) return;
    const content = wording(await nameOf(tenantId), sentCodeOf(keyring, "payment code", tenantId, codeId));
    await notifications.send({ account: tenantId, reference: codeId, channel, to, ...content }, signal);
  }

  return {
    [rowKinds.paymentCode]: (row, context) => {
      const { amount, payee } = row.payload as Record<"amount" | "payee", string>;
      return sendCode(row, context, (name, digits) => paymentCodeMessage(name, digits, amount, payee));
    },

    [rowKinds.changeCode]: (row, context) => {
      const { change } = row.payload as { change: ChangeByCode };
      return sendCode(row, context, (name, digits) => changeCodeMessage(name, digits, change));
    },

    async [rowKinds.contactCode]({ tenantId, payload }, { signal }) {
      const { changeId } = payload as { changeId: string };
      const ofTenant = store.forTenant(tenantId);
      const change = await ofTenant.findContactChange(changeId);
      if (change === null || change.state !== "PENDING" || change.expiresAt <= clock.now()) return;
      const { type, value: to, userId } = change;
      const holder = type === "EMAIL" ? await ofTenant.findUserByEmail(emailKey(to)) : null;
      const isTaken = holder !== null && holder._id !== userId;
      const name = await nameOf(tenantId);
      const digits = sentCodeOf(keyring, "contact change", tenantId, changeId);
      const content = isTaken ? addressTakenMessage(name) : contactCodeMessage(name, digits, type);
      const channel = channelOf(type);
      await notifications.send({ account: tenantId, reference: changeId, channel, to, ...content }, signal);
    },

    /**
     * Looks for the person only here, so that registering takes the same time whether there is one
     * or not.
     */
    async [rowKinds.registration]({ tenantId, payload }, { signal }) {
      const { registrationId } = payload as { registrationId: string };
      const ofTenant = store.forTenant(tenantId);
      const found = await ofTenant.findRegistration(registrationId);
      const details = found && ofTenant.openRegistration(found);
      if (!details || found.expiresAt <= clock.now()) return;
      const name = await nameOf(tenantId);
      const isKnown = (await ofTenant.findUserByEmail(emailKey(details.email))) !== null;
      const digits = sentCodeOf(keyring, "registration", tenantId, registrationId);
      const content = isKnown ? alreadyRegisteredMessage(name) : registrationCodeMessage(name, digits);
      const message = { account: tenantId, reference: registrationId, channel: "EMAIL" as const, to: details.email };
      await notifications.send({ ...message, ...content }, signal);
    },
  };
}

function channelOf(type: ContactType): "EMAIL" | "SMS" {
  return type === "EMAIL" ? "EMAIL" : "SMS";
}
