import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import type { Outbox, RowHandler } from "../../shared/outbox/index.js";
import { noticeMessage, type Notice } from "../domain/messages.js";
import type { Notifications } from "../../shared/messages/notifications.js";
import { rowKinds } from "./row-kinds.js";
import type { IdentityStore } from "../store/index.js";
import type { UserRecord } from "../domain/people.js";

interface Payload {
  userId: string;
  notice: Notice;
  channel: "EMAIL" | "SMS";
  /** The change of a contact that it is about. */
  changeId?: string;
  /** When what it is about takes effect. */
  at?: Date;
}

/**
 * Adds the rows that tell a user by mail and text message what was done to their account, in the
 * change's transaction.
 */
export async function addNotices(
  outbox: Outbox,
  call: Pick<Call, "tenantId" | "interactionId" | "user" | "caller">,
  user: Pick<UserRecord, "_id" | "customer">,
  { notice, ...more }: Pick<Payload, "notice" | "changeId" | "at">,
  session: ClientSession,
): Promise<void> {
  const { tenantId, interactionId } = call;
  const row = { tenantId, interactionId, actor: actorOf(call), seq: 1, kind: rowKinds.notice };
  for (const channel of user.customer === undefined ? (["EMAIL"] as const) : (["EMAIL", "SMS"] as const)) {
    const payload = { userId: user._id, notice, channel, ...more };
    await outbox.add({ ...row, aggregate: `notice:${randomUUID()}`, payload }, session);
  }
}

/** Sends notices. Where a contact has changed, the one that counted before is told. */
export function noticeRows(deps: { store: IdentityStore; notifications: Notifications }): Record<string, RowHandler> {
  const { store, notifications } = deps;
  return {
    async [rowKinds.notice]({ id, tenantId, payload }, { signal }) {
      const { userId, notice, channel, changeId, at } = payload as unknown as Payload;
      const ofTenant = store.forTenant(tenantId);
      const user = await ofTenant.findUser(userId);
      if (user === null || user.erasedAt !== undefined) return;
      const change = changeId === undefined ? null : await ofTenant.findContactChange(changeId);
      const isAboutThis = change?.type === (channel === "EMAIL" ? "EMAIL" : "PHONE_NUMBER");
      const current = channel === "EMAIL" ? user.email : (user.customer?.phoneNumber ?? "");
      const to = isAboutThis ? change.previous : current;
      if (to === "") return;
      const name = (await ofTenant.findTenant())?.name ?? "";
      const content = noticeMessage(name, notice, { ...(change && { type: change.type }), ...(at && { at }) });
      await notifications.send(tenantId, { reference: id, channel, to, ...content }, signal);
    },
  };
}
