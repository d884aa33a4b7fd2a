import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import type { Origin } from "../../common/domain/origin.js";
import { decisionRow } from "../../common/store/outbox-rows.js";
import { isComparable, type NamedParty } from "../../screening/domain/screening-targets.js";
import { verdictOf } from "../../screening/domain/summary.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import { underReview } from "../domain/decision.js";
import { reopenedDecision, type RecordedDecision } from "../domain/recorded-decision.js";
import { unknownTransaction } from "../store/decisions.js";
import type { ComplianceStore } from "../store/index.js";
import { reviewRows } from "../store/review-rows.js";
import type { Decide } from "./decide.js";
import { releaseOne } from "./settle.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

export interface AmendDeps {
  store: ComplianceStore;
  decide: Decide;
  outbox: Outbox;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
  screening: ScreeningRuns;
}

/** Who is paid by a transaction, as a version of it names them; absent where nobody says which. */
export interface Amended {
  transactionId: string;
  parties: readonly NamedParty[];
  version?: number | undefined;
}

const isOlder = (version: number | undefined, { partiesVersion }: Pick<RecordedDecision, "partiesVersion">): boolean =>
  version !== undefined && partiesVersion !== undefined && version < partiesVersion;

/** Who is paid by a transaction that was decided on is named anew. */
export function createAmend({ store, decide, outbox, times, whenCurrent, screening }: AmendDeps) {
  return {
    /**
     * Compares them with lists. What they resemble holds them, as ever; a decision that waits keeps
     * the new names, and an approval that nobody has paid for waits for a person, its part of the
     * limits given back. Nothing else is decided anew. Names of an older version of the transaction
     * than was told of change nothing: it has others by now. Safe to repeat. Refuses
     * TRANSACTION_NOT_FOUND, INVALID_INPUT for a name that is none, UNAVAILABLE without lists.
     */
    async amend(origin: Origin, { transactionId, parties, version }: Amended, call: OutgoingContext): Promise<void> {
      const { tenantId } = origin;
      const tenant = store.forTenant(tenantId);
      const found = await tenant.findDecision(transactionId);
      if (found === undefined) throw unknownTransaction();
      if (isOlder(version, found)) return;
      const { facts } = found.inputs;
      const time = await times.forTenant(tenantId, origin.interactionId);
      if (!parties.every(({ party }) => isComparable(party))) {
        throw invalidInput("recipient", "has a name that cannot be compared with lists");
      }
      const { runs, notes } = await screening.runQuestions(tenantId, [{ origin, facts, parties }], time.now());
      // What was paid for would go out to somebody who was compared with nothing.
      if (runs[0]!.state === "UNAVAILABLE") throw new Refusal("UNAVAILABLE", "lists of sanctions are away");
      await notes.write();
      notes.keep();
      const { named: asked, ...run } = runs[0]!;
      const sealed = await screening.sealParties(tenantId, transactionId, asked);
      await whenCurrent(origin, call, facts.customerId, () =>
        store.transaction(
          async (session) => {
            const before = await tenant.findDecision(transactionId, session);
            if (before === undefined) throw unknownTransaction();
            if (isOlder(version, before)) return true;
            if (version !== undefined && version !== before.partiesVersion) {
              await tenant.notePartiesVersion(transactionId, version, session);
            }
            if (before.isOpen) {
              await tenant.putParties(transactionId, sealed, run.parties, session);
              return true;
            }
            if (before.reservation !== "HELD") return true;
            const requested = { facts: before.inputs.facts, screening: run };
            const basis = await decide.lockAndReadOne(tenantId, requested, time, session);
            const verdict = verdictOf(basis.inputs.screening);
            if (verdict !== "STOPPED" && verdict !== "CONFIRMED") return true;
            await releaseOne(tenant, transactionId, session);
            const named = { ...before, parties: sealed, ...(version !== undefined && { partiesVersion: version }) };
            const reopened = reopenedDecision(named, underReview(before), basis);
            await tenant.putDecision(reopened, session);
            await outbox.addAll(reviewRows(origin, reopened, basis.policy), session);
            await outbox.add(decisionRow(origin, reopened), session);
            return true;
          },
          async () => undefined,
        ),
      );
      outbox.wake();
    },
  };
}
