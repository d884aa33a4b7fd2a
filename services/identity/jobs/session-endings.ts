import type { NewRow, RowHandler } from "../../kernel/outbox/index.js";
import type { Revocations } from "../credentials/revocations.js";
import type { IdentityStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

interface Payload {
  userId: string;
  because: string;
  /** The session that lives on. */
  except?: string;
  /** Whether what the user's API tokens were exchanged for ends too. */
  apiTokens?: boolean;
}

/** Ends the open sessions of a user. */
export function sessionEndingRow(of: Omit<NewRow, "seq" | "kind" | "payload">, payload: Payload): NewRow {
  return { ...of, seq: 1, kind: rowKinds.endSessions, payload: { ...payload } };
}

/** May run more than once for one row. */
export function sessionEndingRows({
  store,
  revocations,
}: {
  store: IdentityStore;
  revocations: Revocations;
}): Record<string, RowHandler> {
  return {
    async [rowKinds.endSessions]({ tenantId, payload }) {
      const { userId, because, except, apiTokens } = payload as unknown as Payload;
      await revocations.endSessionsOf(tenantId, userId, because, except);
      if (apiTokens !== true) return;
      const ended = (await store.forTenant(tenantId).listApiTokens(userId)).filter((one) => one.invalidatedAt);
      const exchanged = ended.flatMap(({ secrets }) => secrets.map(({ sessionId }) => sessionId));
      await revocations.endSessions(tenantId, exchanged, because);
    },
  };
}
