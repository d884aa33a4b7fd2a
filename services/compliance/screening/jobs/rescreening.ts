import { unlessThere } from "../../../kernel/mongo/transaction.js";
import type { Logger } from "../../../kernel/process/log.js";
import type { Outbox, RowHandler } from "../../../kernel/outbox/index.js";
import { Refusal } from "../../../kernel/refusal.js";
import { isSandbox } from "../../../platform/sandbox/sandbox.js";
import { isOperators } from "../../lists/domain/list-owner.js";
import type { Origin } from "../../common/domain/origin.js";
import type { Rescreen } from "../engine/rescreen.js";
import type { ComplianceStore, Session } from "../../decisions/store/index.js";
import { rowKinds } from "../../common/store/outbox-rows.js";
import type { ScreeningSubjectStore } from "../store/screening-subjects.js";

export interface RescreeningDeps {
  store: ComplianceStore;
  subjects: ScreeningSubjectStore;
  outbox: Outbox;
  rescreen: Rescreen;
  log: Logger;
}

// A relay has eight places, and most are for what customers wait for.
const maxTenants = 2;

/** Adds a row unless its place is taken; false where it is. */
export function addOnce(
  { store, outbox }: Pick<RescreeningDeps, "store" | "outbox">,
  row: Parameters<Outbox["add"]>[0],
): Promise<boolean> {
  const add = async (session: Session) => {
    await outbox.add(row, session);
    return true;
  };
  return unlessThere(store.transactionOnce(add, async () => undefined));
}

/**
 * Carries out what a new version of a list or a policy asks for: of the operator's lists, one
 * tenant after the other. Cut off it begins with the first tenant, of whom nobody is left to be
 * compared. A tenant that fails keeps back nobody behind it, and has the walk tried again.
 */
export function rescreening({
  subjects,
  rescreen,
  log,
}: Omit<RescreeningDeps, "store" | "outbox">): Record<string, RowHandler> {
  let walks = 0;
  let tenants = 0;

  async function everyTenant(owner: string, origin: Origin, signal: AbortSignal): Promise<void> {
    let failed = 0;
    for (let after = ""; ;) {
      const tenantId = await subjects.nextTenant(after);
      if (tenantId === undefined) break;
      after = tenantId;
      if (isSandbox(tenantId) !== isSandbox(owner)) continue;
      try {
        await rescreen({ ...origin, tenantId }, signal);
      } catch (err) {
        signal.throwIfAborted();
        failed += 1;
        log.warn({ err, tenantId }, "a tenant's people could not be compared anew");
      }
    }
    // A refusal of one tenant would park the row of all.
    if (failed > 0) throw new Refusal("UNAVAILABLE", `people of ${failed} tenants could not be compared anew`);
  }

  return {
    async [rowKinds.rescreen](row, { signal }) {
      const { tenantId, interactionId, actor } = row;
      const origin = { tenantId, interactionId, actor };
      const isWalk = isOperators(tenantId);
      // Others are compared first.
      if (isWalk ? walks >= 1 : tenants >= maxTenants) return "later";
      if (isWalk) walks += 1;
      else tenants += 1;
      try {
        await (isWalk ? everyTenant(tenantId, origin, signal) : rescreen(origin, signal));
      } finally {
        if (isWalk) walks -= 1;
        else tenants -= 1;
      }
      return undefined;
    },
  };
}
