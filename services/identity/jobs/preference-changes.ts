import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { PreferenceChange } from "../../../proto/gen/identity/v1/identity.js";
import type { Ceilings } from "../../kernel/limits/amount-ceiling.js";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import {
  changedFields,
  patchedPreference,
  preferenceChanges,
  type PreferenceChangeRecord,
  type PreferencePatch,
} from "../domain/preference-changes.js";
import { changedGuards } from "../domain/preference-guards.js";
import type { Preference, TenantRecord } from "../domain/tenants.js";
import type { IdentityStore, TenantStore } from "../store/index.js";
import { patchFromWire } from "../wire/tenants.js";
import type { OwnOutcome } from "./foresee.js";
import { addNoticesToManagers } from "./notices.js";

/** Who has a change carried out, and why. */
export type ChangedBy = Pick<PreferenceChangeRecord, "actor" | "approvedBy" | "reason" | "interactionId">;

export const organisationSubject = (tenantId: string) => `organisation:${tenantId}`;

/** What was asked for, as an approval carries it. */
export function payloadOf(change: PreferenceChange): string {
  return JSON.stringify({ change: Buffer.from(PreferenceChange.encode(change).finish()).toString("base64") });
}

function changeOf(payloadJson: string): PreferenceChange {
  const { change } = JSON.parse(payloadJson) as { change: string };
  return PreferenceChange.decode(Buffer.from(change, "base64"));
}

/**
 * Writes what was asked, or approved, keeps who and why, and has all managers told of guards;
 * nothing where nothing differs.
 */
export async function putPreference(
  { ofTenant, outbox }: { ofTenant: TenantStore; outbox: Outbox },
  { before, preference, by, now }: { before: TenantRecord; preference: Preference; by: ChangedBy; now: Date },
  session: ClientSession,
): Promise<TenantRecord> {
  const fields = changedFields(before.preference, preference);
  if (fields.length === 0) return before;
  const after = await ofTenant.putPreference(preference, now, randomUUID(), session);
  await ofTenant.insertPreferenceChange({ changeId: uuidv7(), at: now, fields, ...by }, session);
  const about = changedGuards(fields);
  if (about !== "") {
    const { tenantId } = before;
    const origin = { tenantId, interactionId: by.interactionId, actor: by.actor };
    await addNoticesToManagers({ ofTenant, outbox }, origin, { notice: "GUARDS_CHANGED", about }, session);
  }
  return after!;
}

/** What identity does when a change is decided that weakens a guard. */
export function preferenceChangeOutcome({
  store,
  outbox,
  clock,
  ceilings,
}: {
  store: IdentityStore;
  outbox: Outbox;
  clock: Clock;
  ceilings: Ceilings;
}): OwnOutcome {
  return async (approval, { tenantId, interactionId }, session, effects) => {
    if (approval.status !== "APPROVED") return;
    const ofTenant = store.forTenant(tenantId);
    const before = await ofTenant.findTenant(session);
    if (before === undefined) throw new Error(`tenant ${tenantId} is gone`);
    const patch = patchFromWire(changeOf(approval.payloadJson));
    const preference = stillPossible(before.preference, patch, ceilings);
    const set = preference === undefined ? [] : preferenceChanges(before.preference, preference);
    if (preference === undefined || set.length === 0) {
      effects.add({ kind: "NOTHING_DONE", subject: approval.subject });
      return;
    }
    const { askedBy: actor, askedBecause: reason, decidedBy: approvedBy = "identity" } = approval;
    const by = { actor, reason, approvedBy, interactionId };
    await putPreference({ ofTenant, outbox }, { before, preference, by, now: clock.now() }, session);
    effects.add(...setEffects("SETTING_SET", approval.subject, set));
  };
}

/**
 * Undefined where what was asked for fits no more to what the preference, or the
 * operator's ceilings, are by now.
 */
function stillPossible(before: Preference, patch: PreferencePatch, ceilings: Ceilings): Preference | undefined {
  try {
    return patchedPreference(before, patch, ceilings);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
