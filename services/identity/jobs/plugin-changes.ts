import type { ClientSession, Connection } from "mongoose";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { Clock } from "../../kernel/time/clock.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { NewRow, Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { pluginTypeOf } from "../../platform/plugins/types/index.js";
import type { AuditRecord } from "../domain/audit.js";
import { keepingFormer, withoutFormer } from "../domain/plugin-former.js";
import { approvalChanges, approvalSummary, changedParts } from "../domain/plugin-words.js";
import { droppedBy } from "../domain/plugin-secrets.js";
import {
  changed,
  enabled,
  lacking,
  needsSecondManager,
  type PluginChange,
  type PluginRecord,
} from "../domain/plugins.js";
import type { IdentityStore, TenantStore } from "../store/index.js";
import type { Lack } from "../../platform/plugins/not-ready.js";
import { booksOf } from "../domain/plugin-configuration.js";
import type { OwnOutcome } from "./foresee.js";
import { addNoticesToManagers } from "./notices.js";
import { rowKinds } from "../row-kinds.js";

/** Who has a change carried out, and why. */
export type ChangedBy = Pick<AuditRecord, "actor" | "reason" | "interactionId">;

export const pluginSubject = (installationId: string) => `plugin:${installationId}`;

/** The type of an installation, which this version must still know. */
export function manifestOf({ type }: Pick<PluginRecord, "type">) {
  const manifest = pluginTypeOf(type);
  if (manifest === undefined) throw new Error(`there is no type of plugin ${type} any more`);
  return manifest;
}

/** What an installation lacks before it can be ENABLED, each by its path; books are read by one. */
export async function allLacking(
  ofTenant: TenantStore,
  plugin: PluginRecord,
  now: Date,
  session: ClientSession,
): Promise<Lack[]> {
  const manifest = manifestOf(plugin);
  const books = booksOf(plugin.configurationJson, manifest);
  const reader = books === undefined ? undefined : await ofTenant.findReader(books, plugin.installationId, session);
  const message =
    reader && `plugin ${reader.installationId} reads or has read it: its credits would be booked a second time`;
  return [...lacking(plugin, manifest, now), ...(message ? [{ path: "configuration.account", message }] : [])];
}

/**
 * Writes what was asked, or approved, and has all managers told what takes effect. Who has one
 * enabled has asked `allLacking` first, in the same session.
 */
export async function carryOut(
  { ofTenant, outbox }: { ofTenant: TenantStore; outbox: Outbox },
  {
    tenantId,
    before,
    change,
    by,
    now,
  }: { tenantId: string; before: PluginRecord; change: PluginChange; by: ChangedBy; now: Date },
  session: ClientSession,
): Promise<PluginRecord> {
  const { installationId } = before;
  const manifest = manifestOf(before);
  const secrets = change.secrets && ofTenant.sealPluginSecrets(installationId, change.secrets, now);
  const become =
    change.action === "plugin.enable"
      ? enabled(before, manifest, now)
      : changed(before, change, secrets, { actor: by.actor, now, manifest });
  const after = keepingFormer(before, become, change, now);
  await ofTenant.putPlugin(after, session);
  const dropped = droppedBy(before, change, manifest);
  const detail = changedParts(before, change, dropped);
  const noted = { at: now, action: change.action, subject: pluginSubject(installationId), detail };
  await ofTenant.noteAudit({ ...noted, ...by }, session);
  const origin = { tenantId, interactionId: by.interactionId, actor: by.actor };
  const { former } = after;
  if (former && former !== before.former) await outbox.add(forgetFormerRow(origin, after, former.until), session);
  if (needsSecondManager(before, change)) {
    const about = approvalSummary(before, change, dropped);
    const notice = { notice: "PARTNER_CHANGED" as const, about, ...(former && { at: former.until }) };
    await addNoticesToManagers({ ofTenant, outbox }, origin, notice, session);
  }
  return after;
}

/** Forgets how credentials of staff went before, secrets and all, once that counts no more. */
function forgetFormerRow(
  of: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { installationId, revision }: PluginRecord,
  dueAt: Date,
): NewRow {
  const aggregate = `plugin:${installationId}:former:${revision}:${dueAt.getTime()}`;
  return { ...of, aggregate, seq: 1, kind: rowKinds.forgetFormer, payload: { installationId }, dueAt };
}

/** May run more than once for one row. */
export function formerWayRows(deps: {
  db: Connection;
  store: IdentityStore;
  clock: Clock;
}): Record<string, RowHandler> {
  const { db, store, clock } = deps;
  return {
    async [rowKinds.forgetFormer]({ tenantId, payload }) {
      const { installationId } = payload as { installationId: string };
      const ofTenant = store.forTenant(tenantId);
      await inTransaction(
        db,
        async (session) => {
          const before = await ofTenant.findPlugin(installationId, session);
          const after = before && withoutFormer(before, clock.now());
          if (after && after !== before) await ofTenant.putPlugin(after, session);
          return true;
        },
        { readBack: async () => undefined },
      );
    },
  };
}

/** What identity does when a change of a plugin is decided that waited for a second manager. */
export function pluginChangeOutcome({
  store,
  outbox,
  clock,
}: {
  store: IdentityStore;
  outbox: Outbox;
  clock: Clock;
}): OwnOutcome {
  return async (approval, { tenantId, interactionId }, session, effects) => {
    const { installationId } = JSON.parse(approval.payloadJson) as { installationId: string };
    const ofTenant = store.forTenant(tenantId);
    const { decidedBy: actor = "identity", decidedBecause: reason = "" } = approval;
    const by = { actor, reason, interactionId };
    const waiting = await ofTenant.findPlugin(installationId, session);
    // Gone where it was removed meanwhile, or this ran before.
    if (waiting?.pending?.approvalId !== approval.approvalId) return;
    const change = ofTenant.openPluginChange(waiting)!;
    const { pending: _pending, ...before } = waiting;
    const now = clock.now();
    const subject = pluginSubject(installationId);
    const lacks = change.action === "plugin.enable" ? await allLacking(ofTenant, before, now, session) : [];
    if (approval.status === "APPROVED" && lacks.length === 0) {
      await carryOut({ ofTenant, outbox }, { tenantId, before, change, by, now }, session);
      const set = approvalChanges(before, change, droppedBy(before, change, manifestOf(before)));
      effects.add(...setEffects("PLUGIN_SET", subject, set));
      return;
    }
    await ofTenant.putPlugin(before, session);
    const end = approval.status === "APPROVED" ? "fail" : approval.status === "EXPIRED" ? "expire" : "refuse";
    const detail = lacks.map(({ path, message }) => `${path}: ${message}`).join("; ");
    await ofTenant.noteAudit({ at: now, action: `${change.action}.${end}`, subject, detail, ...by }, session);
    if (lacks.length > 0) effects.add({ kind: "NOTHING_DONE", subject });
  };
}
