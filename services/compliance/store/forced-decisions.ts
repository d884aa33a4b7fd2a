import { isDeepStrictEqual } from "node:util";
import type { TenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { ForcedOutcome, OutcomeKeeper } from "../../shared/sandbox-outcomes.js";
import type { ForcedDecision, TransactionFacts } from "../domain/decision.js";
import type { ComplianceStore, Owned, Session } from "./index.js";

/** What a sandbox was told to decide. It stays when it is used up: told again under its id it is not new. */
export interface KeptForced {
  outcomeId: string;
  decision: ForcedDecision;
  /** Id of a transaction or a customer; empty for the next one. */
  subject: string;
  reason: string;
  /** As it was told; 0 where it stands until it is taken back. */
  times: number;
  /** How often it still holds; -1 for as long as it stands, 0 once it is over. */
  left: number;
  createdAt: Date;
}

const projection = { _id: 0, tenantId: 0 } as const;

/** Forced decisions of a tenant. */
export function forcedDecisionStore(forced: TenantCollection<Owned<KeptForced>>) {
  const standing = { left: { $ne: 0 } };
  return {
    insertForced: (kept: KeptForced, session: Session) => forced.insertOne(kept, { session }),
    findForced: (outcomeId: string, session?: Session) => forced.findOne({ outcomeId }, { projection, session }),
    listForced: () => forced.find(standing, { projection, sort: { createdAt: 1 }, limit: 1_000 }),
    hasForced: async () => (await forced.findOne(standing, { projection })) !== null,
    /** What is forced for a transaction: by its id or its customer's before what is for anybody's, the latest of them. Counts it down. */
    async takeForced({ transactionId, customerId }: TransactionFacts, session: Session) {
      const filter = { ...standing, subject: { $in: [transactionId, customerId, ""] } };
      const found = await forced.find(filter, { projection, session, sort: { createdAt: -1 } });
      const taken = found.find(({ subject }) => subject !== "") ?? found[0];
      if (taken === undefined) return undefined;
      if (taken.left > 0) await forced.updateOne({ outcomeId: taken.outcomeId }, { $inc: { left: -1 } }, { session });
      return taken.decision;
    },
    async endForced(outcomeId: string | undefined): Promise<number> {
      const which = { ...standing, ...(outcomeId !== undefined && { outcomeId }) };
      return (await forced.updateMany(which, { $set: { left: 0 } })).modifiedCount;
    },
  };
}

/** Forced decisions as a sandbox's outcomes; kept here, since nobody else decides. */
export function createDecisionOutcomes(store: ComplianceStore, now: () => Date): OutcomeKeeper {
  return {
    kinds: ["COMPLIANCE_DECISION"],
    async force({ id, outcome, subject = "", times = 0, reason = "" }, { tenantId }) {
      const tenant = store.forTenant(tenantId);
      const asked = { outcomeId: id, decision: outcome as ForcedDecision, subject, reason, times };
      return store.transaction(
        async (session) => {
          const known = await tenant.findForced(id, session);
          if (known !== null) {
            const { left: _left, createdAt: _at, ...told } = known;
            return isDeepStrictEqual(told, asked) ? "known" : "other";
          }
          await tenant.insertForced({ ...asked, left: times === 0 ? -1 : times, createdAt: now() }, session);
          return "new";
        },
        async () => ((await tenant.findForced(id)) === null ? undefined : "new"),
      );
    },
    list: async ({ tenantId }) => (await store.forTenant(tenantId).listForced()).map(outcomeOf),
    clear: (id, { tenantId }) => store.forTenant(tenantId).endForced(id),
  };
}

function outcomeOf({ outcomeId, decision, subject, reason, left }: KeptForced): ForcedOutcome {
  return {
    id: outcomeId,
    of: "COMPLIANCE_DECISION",
    outcome: decision,
    ...(subject !== "" && { subject }),
    ...(reason !== "" && { reason }),
    ...(left > 0 && { times: Number(left) }),
  };
}
