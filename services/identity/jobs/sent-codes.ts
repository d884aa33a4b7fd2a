import type { Clock } from "../../kernel/time/clock.js";
import type { SecurityKind } from "../../platform/messages/kinds.js";
import type { SecurityMessages } from "../../platform/messages/written.js";
import type { NewRow, OutboxRow, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import type { PersonalNotifications } from "../clients/own-plugins.js";
import type { Keyring } from "../credentials/keyring.js";
import type { ContactType } from "../domain/contacts.js";
import { addressTakenMessage, alreadyRegisteredMessage, changeText, contactText } from "../domain/messages.js";
import { emailKey, type UserRecord } from "../domain/people.js";
import type { ChangeByCode } from "../domain/step-up.js";
import { sentCodeOf } from "../factors/code-digits.js";
import type { IdentityStore } from "../store/index.js";
import { readerIn } from "./readers.js";
import { rowKinds } from "../row-kinds.js";

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
  notifications: PersonalNotifications;
  words: SecurityMessages;
  clock: Clock;
}): Record<string, RowHandler> {
  const { store, keyring, notifications, words, clock } = deps;

  const readerOf = (tenantId: string, user?: UserRecord) => readerIn(store, tenantId, user);

  /** Sends a code to a contact that counts of the user who asked for it. */
  async function sendCode(
    row: OutboxRow,
    { signal }: Pick<RelayContext, "signal">,
    kind: SecurityKind,
    values: (language: string) => Record<string, string>,
  ): Promise<void> {
    const { tenantId, actor, payload } = row;
    const { codeId, channel } = payload as { codeId: string; channel: "EMAIL" | "SMS" };
    const ofTenant = store.forTenant(tenantId);
    const [user, code] = [await ofTenant.findUser(actor), await ofTenant.findSentCodeById(codeId)];
    // A code that comes too late helps nobody.
    if (user === undefined || code === undefined || code.expiresAt <= clock.now()) return;
    const to = channel === "SMS" ? (user.customer?.phoneNumber ?? "") : user.email;
    if (to === "" || user.erasedAt !== undefined) return;
    const { organisation, languages } = await readerOf(tenantId, user);
    const digits = sentCodeOf(keyring, "payment code", tenantId, codeId);
    const content = await words.contentOf(row, { kind, channel, languages }, (language) => {
      return { organisation, code: digits, ...values(language) };
    });
    await notifications.to(user).send(tenantId, { reference: codeId, channel, to, ...content }, signal);
  }

  return {
    [rowKinds.paymentCode]: (row, context) => {
      const { amount, payee } = row.payload as Record<"amount" | "payee", string>;
      return sendCode(row, context, "security.payment_code", () => ({ amount, payee }));
    },

    [rowKinds.changeCode]: (row, context) => {
      const { change } = row.payload as { change: ChangeByCode };
      return sendCode(row, context, "security.change_code", (language) => ({ change: changeText(change, language) }));
    },

    async [rowKinds.contactCode](row, { signal }) {
      const { tenantId, payload } = row;
      const { changeId } = payload as { changeId: string };
      const ofTenant = store.forTenant(tenantId);
      const change = await ofTenant.findContactChange(changeId);
      if (change === undefined || change.state !== "PENDING" || change.expiresAt <= clock.now()) return;
      const { type, value: to, userId } = change;
      const holder = type === "EMAIL" ? await ofTenant.findUserByEmail(emailKey(to)) : undefined;
      const isTaken = holder !== undefined && holder.userId !== userId;
      const user = await ofTenant.findUser(userId);
      const { organisation, languages } = await readerOf(tenantId, user);
      const code = sentCodeOf(keyring, "contact change", tenantId, changeId);
      const channel = channelOf(type);
      const requested = { kind: "security.contact_code", channel, languages } as const;
      const content = isTaken
        ? addressTakenMessage(organisation)
        : await words.contentOf(row, requested, (language) => ({
            organisation,
            code,
            contact: contactText(type, language),
          }));
      await notifications.to(user).send(tenantId, { reference: changeId, channel, to, ...content }, signal);
    },

    /**
     * Looks for the person only here, so that registering takes the same time whether there is one
     * or not.
     */
    async [rowKinds.registration](row, { signal }) {
      const { tenantId, payload } = row;
      const { registrationId } = payload as { registrationId: string };
      const ofTenant = store.forTenant(tenantId);
      const found = await ofTenant.findRegistration(registrationId);
      const details = found && ofTenant.openRegistration(found);
      if (!details || found.expiresAt <= clock.now()) return;
      const { organisation, languages } = await readerOf(tenantId);
      const holder = await ofTenant.findUserByEmail(emailKey(details.email));
      const code = sentCodeOf(keyring, "registration", tenantId, registrationId);
      const requested = { kind: "security.registration_code", channel: "EMAIL", languages } as const;
      const content =
        holder !== undefined
          ? alreadyRegisteredMessage(organisation)
          : await words.contentOf(row, requested, () => ({ organisation, code }));
      const message = { reference: registrationId, channel: "EMAIL" as const, to: details.email };
      await notifications.to(holder).send(tenantId, { ...message, ...content }, signal);
    },
  };
}

function channelOf(type: ContactType): "EMAIL" | "SMS" {
  return type === "EMAIL" ? "EMAIL" : "SMS";
}
