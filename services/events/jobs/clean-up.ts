import type { RowHandler } from "../../kernel/outbox/index.js";
import type { EventsStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

const pageSize = 1_000;

/** What nobody will send: it would stay for ever, since open deliveries do. */
export function cleanUps({ store }: { store: EventsStore }): Record<string, RowHandler> {
  return {
    async [rowKinds.cleanUp]({ tenantId, payload }, { signal }) {
      const { endpointId } = payload as { endpointId: string };
      const deliveries = store.deliveries.forTenant(tenantId);
      while ((await deliveries.removeOpen(endpointId, pageSize)) > 0) signal.throwIfAborted();
    },
  };
}
