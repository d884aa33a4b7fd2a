import type { ClientSession, Connection } from "mongoose";
import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { OutboxRow } from "../../shared/outbox/index.js";
import { pluginTypeOf } from "../../shared/plugins/types/index.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import type { AuditRecord } from "../domain/audit.js";
import { changedParts } from "../domain/plugin-words.js";
import { droppedBy } from "../domain/plugin-secrets.js";
import { changed, enabled, lacking, type PluginChange, type PluginRecord } from "../domain/plugins.js";
import type { IdentityStore, TenantStore } from "../store/index.js";

/** Who has a change carried out, and why. */
export type ChangedBy = Pick<AuditRecord, "actor" | "reason" | "interactionId">;

export const pluginSubject = (installationId: string) => `plugin:${installationId}`;

/** The type of an installation, which this version must still know. */
export function manifestOf({ type }: Pick<PluginRecord, "type">) {
  const manifest = pluginTypeOf(type);
  if (manifest === undefined) throw new Error(`there is no type of plugin ${type} any more`);
  return manifest;
}

/** Writes what was asked, or approved. Refuses PLUGIN_NOT_READY for enabling one that is not. */
export async function carryOut(
  ofTenant: TenantStore,
  { before, change, by, now }: { before: PluginRecord; change: PluginChange; by: ChangedBy; now: Date },
  session: ClientSession,
): Promise<PluginRecord> {
  const { _id } = before;
  const manifest = manifestOf(before);
  const secrets = change.secrets && ofTenant.sealPluginSecrets(_id, change.secrets, now);
  const after =
    change.action === "plugin.enable"
      ? enabled(before, manifest, now)
      : changed(before, change, secrets, { actor: by.actor, now, manifest });
  await ofTenant.putPlugin(after, session);
  const detail = changedParts(before, change, droppedBy(before, change, manifest));
  const noted = { at: now, action: change.action, subject: pluginSubject(_id), detail };
  await ofTenant.noteAudit({ ...noted, ...by }, session);
  return after;
}

/**
 * What identity does when a change of a plugin is decided that waited for a second manager. May run
 * more than once for one approval.
 */
export function pluginChangeOutcome({ db, store, clock }: { db: Connection; store: IdentityStore; clock: Clock }) {
  return async (approval: ApprovalRecord, row: OutboxRow): Promise<void> => {
    const { tenantId, interactionId } = row;
    const { installationId } = JSON.parse(approval.payloadJson) as { installationId: string };
    const ofTenant = store.forTenant(tenantId);
    const { decidedBy: actor = "identity", decidedBecause: reason = "" } = approval;
    const by = { actor, reason, interactionId };
    await inTransaction(
      db,
      async (session) => {
        const waiting = await ofTenant.findPlugin(installationId, session);
        // Gone where it was removed meanwhile, or this ran before.
        if (waiting?.pending?.approvalId !== approval._id) return true;
        const change = ofTenant.openPluginChange(waiting)!;
        const { pending: _pending, ...before } = waiting;
        const now = clock.now();
        const lacks = change.action === "plugin.enable" ? lacking(before, manifestOf(before), now) : [];
        if (approval.status === "APPROVED" && lacks.length === 0) {
          await carryOut(ofTenant, { before, change, by, now }, session);
          return true;
        }
        await ofTenant.putPlugin(before, session);
        const end = approval.status === "APPROVED" ? "fail" : approval.status === "EXPIRED" ? "expire" : "refuse";
        const detail = lacks.map(({ path, message }) => `${path}: ${message}`).join("; ");
        const noted = { at: now, action: `${change.action}.${end}`, subject: pluginSubject(installationId), detail };
        await ofTenant.noteAudit({ ...noted, ...by }, session);
        return true;
      },
      { readBack: async () => undefined },
    );
    crashPoint("identity.plugin.carried-out");
  };
}
