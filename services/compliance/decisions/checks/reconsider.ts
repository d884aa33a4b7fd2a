import { isDeepStrictEqual } from "node:util";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { isHeldByBlock } from "../domain/customer-blocks.js";
import { decide as decideByRules, type Outcome } from "../domain/decision.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import { verdictOf } from "../../screening/domain/summary.js";
import { isWaitingFor, type WaitsFor } from "../domain/waits-for.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import type { ComplianceStore, TenantStore } from "../store/index.js";
import type { Decide } from "./decide.js";
import type { NoteOnCustomer } from "./note-on-customer.js";
import { revise } from "./revise.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

const pageSize = 200;
const maxIntoWallet = 1_000;

export interface ReconsiderDeps {
  store: ComplianceStore;
  decide: Decide;
  noteOnCustomer: NoteOnCustomer;
  outbox: Outbox;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
  screening: ScreeningRuns;
}

/**
 * The rules decide once more on what waited for documents of a customer, or for their confirmation,
 * or for what is said of a hit: of them, of whom they send to, or of whose wallet it pays.
 */
export function createReconsider(deps: ReconsiderDeps) {
  const { store, decide, outbox, times, whenCurrent, noteOnCustomer, screening } = deps;

  async function reconsiderEach(
    origin: Origin,
    some: Iterable<RecordedDecision> | AsyncIterable<RecordedDecision>,
    call: OutgoingContext,
    waitsFor: WaitsFor,
  ): Promise<void> {
    const { tenantId } = origin;
    const tenant = store.forTenant(tenantId);
    const time = await times.forTenant(tenantId, origin.interactionId);
    for await (const open of some) {
      if (!isWaitingFor(waitsFor, open)) continue;
      const { transactionId } = open;
      const sender = open.inputs.facts.customerId;
      const run = await screening.runAgain(origin, open, time.now());
      await whenCurrent(origin, call, sender, () =>
        store.transaction(
          async (session) => {
            const before = await tenant.findDecision(transactionId, session);
            if (before === undefined || !isWaitingFor(waitsFor, before)) return true;
            const requested = { facts: before.inputs.facts, screening: run };
            const basis = await decide.lockAndReadOne(tenantId, requested, time, session);
            // Refused it would be, and for good: the end of the last block asks again.
            if (isHeldByBlock(basis.customer)) return true;
            const outcome = decideByRules(basis.policy, basis.inputs);
            const isSame =
              isDeepStrictEqual(answerOf(before), answerOf(outcome)) &&
              verdictOf(before.inputs.screening) === verdictOf(basis.inputs.screening);
            if (isSame) return true;
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
  }

  return {
    /** Safe to repeat. */
    reconsider: (origin: Origin, customerId: string, call: OutgoingContext, waitsFor: WaitsFor = "DOCUMENTS") =>
      reconsiderEach(origin, waiting(store.forTenant(origin.tenantId), customerId, waitsFor), call, waitsFor),

    /** One that waits for what somebody has to give; of others nothing changes. Safe to repeat. */
    reconsiderOne: (origin: Origin, open: RecordedDecision, call: OutgoingContext) =>
      reconsiderEach(origin, [open], call, "DOCUMENTS"),
  };
}

/** All that waits of a customer, by transaction. */
async function* waiting(tenant: TenantStore, customerId: string, waitsFor: WaitsFor): AsyncGenerator<RecordedDecision> {
  for (let after: string | undefined; ;) {
    const page = await tenant.listOpen({ customerId, limit: pageSize, ...(after !== undefined && { after }) });
    yield* page;
    if (page.length < pageSize) break;
    after = page.at(-1)!.transactionId;
  }
  // What others send into their wallet waits for a word on them, and for nothing else of theirs.
  if (waitsFor === "SCREENING") yield* await tenant.listOpenInto(customerId, maxIntoWallet);
}

function answerOf({ decision, reasonCode, outstandingRequirements }: Outcome) {
  return [decision, reasonCode, outstandingRequirements];
}
