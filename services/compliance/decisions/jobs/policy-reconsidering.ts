import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Outbox, RowHandler } from "../../../kernel/outbox/index.js";
import { policyRow, rowKinds } from "../../common/store/outbox-rows.js";
import type { Checks } from "../checks/index.js";
import { isWaitingFor } from "../domain/waits-for.js";
import type { ComplianceStore } from "../store/index.js";

interface Page {
  version: number;
  page: number;
  after: string;
}

const pageSize = 200;

/**
 * Decides anew on what waits for documents or details once a policy is published, some a row, so
 * that a process that dies leaves no more than one page to do again.
 */
export function policyReconsidering({
  store,
  checks,
  outbox,
}: {
  store: ComplianceStore;
  checks: Pick<Checks, "reconsiderThese">;
  outbox: Outbox;
}): Record<string, RowHandler> {
  return {
    async [rowKinds.reconsiderByPolicy](row, { signal, complete }) {
      const { tenantId, interactionId, actor } = row;
      const { version, page, after } = row.payload as unknown as Page;
      const tenant = store.forTenant(tenantId);
      // A newer one has its own row, which goes through all of it.
      if ((await tenant.findPolicyVersion()) > version) return;
      const open = await tenant.listOpen({ limit: pageSize, ...(after !== "" && { after }) });
      const waiting = open.filter((one) => isWaitingFor("DOCUMENTS", one));
      const origin = { tenantId, interactionId, actor };
      await checks.reconsiderThese(origin, waiting, { tenantId, interactionId, signal });
      crashPoint("compliance.policy.reconsidered");
      if (open.length < pageSize) return;
      const next = policyRow(origin, version, { page: page + 1, after: open.at(-1)!.transactionId });
      await store.transaction(
        async (session) => {
          await complete(session);
          await outbox.add(next, session);
          return true;
        },
        async () => undefined,
      );
      outbox.wake();
    },
  };
}
