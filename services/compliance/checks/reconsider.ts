import { isDeepStrictEqual } from "node:util";
import { crashPoint } from "../../shared/crash-point.js";
import type { OutgoingContext } from "../../shared/grpc/client.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { decide as decideByRules, type Outcome } from "../domain/decision.js";
import type { Origin } from "../domain/origin.js";
import type { ComplianceStore } from "../store/index.js";
import type { Decide } from "./decide.js";
import type { NoteOnCustomer } from "./note-on-customer.js";
import { revise } from "./revise.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

const maxWaiting = 1_000;

export interface ReconsiderDeps {
  store: ComplianceStore;
  decide: Decide;
  noteOnCustomer: NoteOnCustomer;
  outbox: Outbox;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
}

/**
 * The rules decide once more on what waited for documents of a customer, or for their confirmation.
 */
export function createReconsider({ store, decide, outbox, times, whenCurrent, noteOnCustomer }: ReconsiderDeps) {
  /** Safe to repeat. */
  return async function reconsider(origin: Origin, customerId: string, call: OutgoingContext): Promise<void> {
    const { tenantId } = origin;
    const tenant = store.forTenant(tenantId);
    const time = await times.forTenant(tenantId, origin.interactionId);
    for (const { transactionId } of await tenant.listOpen({ customerId, limit: maxWaiting })) {
      await whenCurrent(origin, call, customerId, () =>
        store.transaction(
          async (session) => {
            const before = await tenant.findDecision(transactionId, session);
            if (before === undefined || !before.isOpen || before.decision !== "PENDING") return true;
            const basis = await decide.lockAndReadOne(tenantId, before.inputs.facts, time, session);
            const outcome = decideByRules(basis.policy, basis.inputs);
            if (isDeepStrictEqual(answerOf(before), answerOf(outcome))) return true;
            await revise({ store, outbox }, origin, before, outcome, basis, "rules", session);
            await noteOnCustomer(origin, basis, outcome, session);
            return true;
          },
          async () => undefined,
        ),
      );
      crashPoint("compliance.transaction.reconsidered");
    }
    outbox.wake();
  };
}

function answerOf({ decision, reasonCode, outstandingRequirements }: Outcome) {
  return [decision, reasonCode, outstandingRequirements];
}
