import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { NewRow, Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { noticeMessage, type Notice } from "../domain/messages.js";
import type { PersonalNotifications } from "../clients/own-plugins.js";
import { rowKinds } from "../row-kinds.js";
import type { IdentityStore, TenantStore } from "../store/index.js";
import type { UserRecord } from "../domain/people.js";

interface Payload {
  userId: string;
  notice: Notice;
  channel: "EMAIL" | "SMS";
  /** The change of a contact that it is about. */
  changeId?: string;
  /** When what it is about takes effect. */
  at?: Date;
  /** What was done, where it is about no account. */
  about?: string;
}

type RowOrigin = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/** Tells one person. */
export function noticeRow(of: RowOrigin, payload: Payload): NewRow {
  return { ...of, aggregate: `notice:${randomUUID()}`, seq: 1, kind: rowKinds.notice, payload: { ...payload } };
}

/** Adds the rows that tell all managers by mail, in the change's transaction. */
export async function addNoticesToManagers(
  { ofTenant, outbox }: { ofTenant: TenantStore; outbox: Outbox },
  of: RowOrigin,
  notice: Pick<Payload, "notice" | "at" | "about">,
  session: ClientSession,
): Promise<void> {
  const managers = await ofTenant.listManagerIds(session);
  await outbox.addAll(
    managers.map((userId) => noticeRow(of, { userId, channel: "EMAIL", ...notice })),
    session,
  );
}

/**
 * Adds the rows that tell a user by mail and text message what was done to their account, in the
 * change's transaction.
 */
export async function addNotices(
  outbox: Outbox,
  call: Pick<Call, "tenantId" | "interactionId" | "user" | "caller">,
  user: Pick<UserRecord, "userId" | "customer">,
  { notice, ...more }: Pick<Payload, "notice" | "changeId" | "at">,
  session: ClientSession,
): Promise<void> {
  const { tenantId, interactionId } = call;
  const of = { tenantId, interactionId, actor: actorOf(call) };
  for (const channel of user.customer === undefined ? (["EMAIL"] as const) : (["EMAIL", "SMS"] as const)) {
    await outbox.add(noticeRow(of, { userId: user.userId, notice, channel, ...more }), session);
  }
}

/** Sends notices. Where a contact has changed, the one that counted before is told. */
export function noticeRows(deps: {
  store: IdentityStore;
  notifications: PersonalNotifications;
}): Record<string, RowHandler> {
  const { store, notifications } = deps;
  return {
    async [rowKinds.notice]({ id, tenantId, payload }, { signal }) {
      const { userId, notice, channel, changeId, at, about } = payload as unknown as Payload;
      const ofTenant = store.forTenant(tenantId);
      const user = await ofTenant.findUser(userId);
      if (user === undefined || user.erasedAt !== undefined) return;
      const change = changeId === undefined ? undefined : await ofTenant.findContactChange(changeId);
      const isAboutThis = change?.type === (channel === "EMAIL" ? "EMAIL" : "PHONE_NUMBER");
      const current = channel === "EMAIL" ? user.email : (user.customer?.phoneNumber ?? "");
      const to = isAboutThis ? change.previous : current;
      if (to === "") return;
      const name = (await ofTenant.findTenant())?.name ?? "";
      const content = noticeMessage(name, notice, {
        ...(change && { type: change.type }),
        ...(at && { at }),
        ...(about && { about }),
      });
      await notifications.to(user).send(tenantId, { reference: id, channel, to, ...content }, signal);
    },
  };
}
